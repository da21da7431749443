//! `cargo xtask dist`: builds the release of one target. The release contains a stripped program with its manual pages,
//! completions and licenses, in a tarball, a wheel and npm packages. If the program is static (musl), the release also
//! contains a Debian package, an RPM and a container image with the same program.
//!
//! The program and its archives are reproducible. The same sources and the same compiler profile (if one is used)
//! produce the same bytes in any directory. The program contains no path of this machine, and all files of an archive
//! have the same owner and time. The libraries in the wheel and in the npm package of each platform are an exception:
//! they have the same bytes only if the project's folder has the same path, because Cargo derives symbol names from
//! this path.

mod archive;
mod clients;
mod deb;
mod image;
mod licenses;
mod profile;
mod rpm;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::names::{self, version};
use crate::package::{cargo_program, run_checked, target_folder};
use crate::{pins, project_root};

pub use clients::run as run_clients;

const USAGE: &str = "usage: cargo xtask dist [--target TRIPLE] [--profile-guided | --profile FILE]";

/// The shells with completions, and the path of each shell's completions in the release.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/pgq"),
    ("zsh", "share/zsh/site-functions/_pgq"),
    ("fish", "share/fish/vendor_completions.d/pgq.fish"),
];

/// Compiler flag for mimalloc: the size of its first memory reservation, in KiB. A larger reservation needs larger
/// tables. With mimalloc's default of 1 GiB, every start of the program would have to clear 42 more memory pages of
/// these tables.
const ARENA_RESERVE: &str = "-DMI_DEFAULT_ARENA_RESERVE=65536L";

/// The compiler profile to use: recorded by this run (`--profile-guided`), or an existing file (`--profile FILE`).
enum Profile {
    ToBeMade,
    Made(PathBuf),
}

/// A file of a release.
struct Entry {
    /// Path relative to the installation prefix (such as /usr), for example `bin/pgq`.
    path: String,
    data: Vec<u8>,
    executable: bool,
}

/// The release of one target.
struct Release {
    /// The published name.
    package: String,
    version: String,
    target: String,
    entries: Vec<Entry>,
}

pub fn run(arguments: &[String]) -> Result<()> {
    let (mut target, mut profile) = (None, None);
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        match (flag.as_str(), &profile) {
            ("--target", _) => target = Some(rest.next().context(USAGE)?.clone()),
            ("--profile-guided", None) => profile = Some(Profile::ToBeMade),
            ("--profile", None) => profile = Some(Profile::Made(rest.next().context(USAGE)?.into())),
            _ => bail!("{USAGE}"),
        }
    }
    let target = target.map_or_else(default_target, Ok)?;
    let root = project_root();
    let profile = match profile {
        Some(Profile::ToBeMade) => {
            let folder = target_folder(&root).join("profile");
            let counting = build(&root, &target, Some(&format!("-Cprofile-generate={}", folder.display())))?;
            Some(profile::of_program(&root, &counting, &folder)?)
        }
        Some(Profile::Made(file)) => Some(file.canonicalize().with_context(|| file.display().to_string())?),
        None => None,
    };
    let used = profile.as_ref().map(|file| format!("-Cprofile-use={}", file.display()));
    let program = build(&root, &target, used.as_deref())?;
    let release = Release::for_this_machine(&root, &program, target)?;
    let folder = target_folder(&root).join("dist");
    std::fs::create_dir_all(&folder)?;
    let mut files = vec![(format!("{}.tar.gz", release.name()), archive::tarball(&release)?)];
    // The Debian package, the RPM and the image contain no C library, so their program must be static.
    if release.target.contains("musl") {
        files.push((format!("{}.deb", release.name()), deb::package(&release)?));
        files.push((format!("{}.rpm", release.name()), rpm::package(&release)?));
        files.push((format!("{}.image.tar", release.name()), image::image(&release)?));
    }
    if let Some(profile) = profile {
        files.push((format!("{}.profdata", release.name()), std::fs::read(profile)?));
    }
    for (name, data) in files {
        std::fs::write(folder.join(&name), &data)?;
        println!("{:>10} bytes  {}", data.len(), folder.join(&name).display());
    }
    clients::build(&root, &release, &folder, true)
}

impl Release {
    /// Returns the release that contains `program`. This machine must be able to run the program, because the program
    /// generates its own manual pages.
    fn for_this_machine(root: &Path, program: &Path, target: String) -> Result<Self> {
        names::check(root)?;
        let (package, version) = (names::published(root)?, version(root)?);
        let entries = entries(root, program, &target, &package)?;
        Ok(Self { package, version, target, entries })
    }

    fn name(&self) -> String {
        format!("{}-{}-{}", self.package, self.version, self.target)
    }
}

/// Returns this machine's target. On Linux this is the target with musl, because a program for musl is static.
fn default_target() -> Result<String> {
    let text = rustc(&["-vV"])?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    Ok(host.replace("linux-gnu", "linux-musl"))
}

/// Runs rustc and returns its output.
fn rustc(arguments: &[&str]) -> Result<String> {
    let output = Command::new("rustc").args(arguments).output().context("could not run rustc")?;
    Ok(String::from_utf8(output.stdout)?)
}

/// Builds the program with the profile `dist` and without this machine's paths. `more` is an additional rustc flag.
fn build(root: &Path, target: &str, more: Option<&str>) -> Result<PathBuf> {
    let mut cargo = Command::new(cargo_program());
    cargo
        .args(["build", "--profile", "dist", "--locked", "--package", "pgq", "--bin", "pgq", "--target", target])
        .current_dir(root)
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags(root, more)?)
        .env("CFLAGS", ARENA_RESERVE)
        .env("SOURCE_DATE_EPOCH", "0") // for C code that embeds its compile time
        .env("CARGO_INCREMENTAL", "0");
    run_checked(&mut cargo)?;
    let name = if target.contains("windows") { "pgq.exe" } else { "pgq" };
    Ok(target_folder(root).join(target).join("dist").join(name))
}

/// Returns rustc's flags for a build without this machine's paths, in the format of CARGO_ENCODED_RUSTFLAGS. `more` is
/// an additional flag.
fn rust_flags(root: &Path, more: Option<&str>) -> Result<String> {
    let paths = machine_paths(root)?;
    let unnamed = paths.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
    Ok(unnamed.chain(more.map(String::from)).collect::<Vec<_>>().join("\u{1f}"))
}

/// Fails if a program or a library contains a path of this machine.
fn check_paths(root: &Path, file: &Path, data: &[u8]) -> Result<()> {
    for (path, _) in machine_paths(root)? {
        let bytes = path.as_os_str().as_encoded_bytes();
        let named = data.windows(bytes.len()).any(|window| window == bytes);
        ensure!(!named || bytes.len() < 4, "{} names a path of this machine: {}", file.display(), path.display());
    }
    Ok(())
}

/// Returns the paths that the compiler may embed in the program, and their replacements. If several of these paths
/// match, the compiler uses the last one. The target directory is last, because it may be inside the project.
fn machine_paths(root: &Path) -> Result<Vec<(PathBuf, &'static str)>> {
    let home = pins::cargo_home().context("no CARGO_HOME")?;
    let mut paths = vec![(root.to_path_buf(), "pgq"), (home, "cargo")];
    // Cargo names the directory of a registry after the registry's host. Therefore crates.io and a mirror of it have
    // different directories. Replace the paths of all registries with `crates`, so that a build with a mirror produces
    // the same program.
    paths.extend(pins::registries().map(|folder| (folder, "crates")));
    paths.push((target_folder(root), "target"));
    Ok(paths)
}

fn entries(root: &Path, program: &Path, target: &str, package: &str) -> Result<Vec<Entry>> {
    let data = std::fs::read(program).with_context(|| program.display().to_string())?;
    // Check only a program that `build` compiled. `cargo xtask clients` may pass a program that was built differently.
    if program.starts_with(target_folder(root).join(target)) {
        check_paths(root, program, &data)?;
    }
    let plain = |path: String, data: Vec<u8>| Entry { path, data, executable: false };
    let name = program.file_name().and_then(|name| name.to_str()).context("a program has a name")?;
    let mut entries = vec![Entry { path: format!("bin/{name}"), data, executable: true }];
    for file in ["README.md", "CHANGELOG.md", "LICENSE"] {
        entries.push(plain(format!("share/doc/{package}/{file}"), std::fs::read(root.join(file))?));
    }
    entries
        .push(plain(format!("share/doc/{package}/THIRD-PARTY.txt"), licenses::third_party(root, target)?.into_bytes()));
    // The program writes its own completions and manual pages, so it must run on this machine.
    let runs = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    ensure!(runs, "{} does not run here, so it cannot write its manual pages", program.display());
    for (shell, path) in SHELLS {
        entries.push(plain(path.into(), output_of(program, &["completions", shell])?));
    }
    let pages = target_folder(root).join("dist/man");
    let _ = std::fs::remove_dir_all(&pages);
    std::fs::create_dir_all(&pages)?;
    output_of(program, &["man", pages.to_str().context("a path in UTF-8")?])?;
    let mut names: Vec<_> = std::fs::read_dir(&pages)?.map(|entry| Ok(entry?.file_name())).collect::<Result<_>>()?;
    names.sort();
    for name in names {
        entries.push(plain(format!("share/man/man1/{}", name.display()), std::fs::read(pages.join(&name))?));
    }
    Ok(entries)
}

fn output_of(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new(program).args(arguments).output()?;
    ensure!(output.status.success(), "pgq {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
