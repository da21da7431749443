//! `cargo xtask package`: packages the crates for publication, with libpg_query's C sources inside pgq.
//!
//! Packages a copy of the project (target/package-stage), so that the project is unchanged. In the project, Cargo
//! downloads the C sources as separate packages. In the copy, the C sources are in libpg_query/, and the manifest omits
//! those packages. Therefore users of pgq do not download them.
//!
//! The copy's package has the published name ([`names`]), but its library is still called `pgq`. The packages are
//! unpacked to a temporary directory and tested there, because inside the project, Cargo would treat them as part of
//! the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use walkdir::WalkDir;

use crate::names::{self, CRATES, version};
use crate::{pins, project_root};

/// The directories of libpg_query that the build reads, in addition to its headers.
const NEEDED: [&str; 3] = ["protobuf", "src", "vendor"];

const USAGE: &str = "usage: cargo xtask package [--no-verify | --library] [--dry-run | --publish]";

/// The packages to build and test after packaging.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verify {
    /// Nothing.
    Nothing,
    /// The library and its examples.
    Library,
    /// Every crate, and the library's examples.
    All,
}

pub fn run(arguments: &[String]) -> Result<()> {
    let (mut verify, mut publish, mut dry_run) = (Verify::All, false, false);
    for argument in arguments {
        match argument.as_str() {
            "--no-verify" => verify = Verify::Nothing,
            "--library" => verify = Verify::Library,
            "--dry-run" => (publish, dry_run) = (true, true),
            "--publish" => publish = true,
            _ => bail!("{USAGE}"),
        }
    }
    let root = project_root();
    names::check(&root)?;
    let name = names::published(&root)?;
    let stage = target_folder(&root).join("package-stage");
    fill_stage(&root, &stage)?;
    let cargo = |command: &str, flags: &[&str]| -> Result<()> {
        let mut cargo = Command::new(cargo_program());
        let packages = CRATES.iter().copied().chain([name.as_str()]).flat_map(|name| ["--package", name]);
        cargo.args([command, "--allow-dirty"]).args(flags).args(packages);
        run_checked(cargo.current_dir(&stage).env("CARGO_TARGET_DIR", target_folder(&root)))
    };
    cargo("package", if verify == Verify::All { &[] } else { &["--no-verify"] })?;
    let unpacked = Unpacked::new(&root, &name)?;
    unpacked.check_contents(&name)?;
    if verify != Verify::Nothing {
        unpacked.test_library(&root, &name)?;
    }
    // `cargo publish` packages the crates again. Skip its verification, because the packages are already checked here.
    match (publish, dry_run) {
        (true, true) => cargo("publish", &["--no-verify", "--dry-run"]),
        (true, false) => cargo("publish", &["--no-verify"]),
        (false, _) => Ok(()),
    }
}

pub fn cargo_program() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

pub fn run_checked(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("could not run {command:?}"))?;
    ensure!(status.success(), "{command:?} failed: {status}");
    Ok(())
}

/// Returns Cargo's target directory, which is `CARGO_TARGET_DIR` or else `target`. The cargo commands that this
/// program runs use the same directory.
pub fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// Copies the files that git tracks, and the C sources, to `stage`. Writes a changed manifest there.
fn fill_stage(root: &Path, stage: &Path) -> Result<()> {
    if stage.exists() {
        std::fs::remove_dir_all(stage)?;
    }
    let listed =
        Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("could not run git")?;
    ensure!(listed.status.success(), "git does not know {}", root.display());
    for name in listed.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let name = Path::new(std::str::from_utf8(name)?);
        if root.join(name).is_file() {
            copy_file(&root.join(name), &stage.join(name))?;
        }
    }
    copy_sources(root, &stage.join("libpg_query"))?;
    let manifest = std::fs::read_to_string(root.join("Cargo.toml"))?;
    std::fs::write(stage.join("Cargo.toml"), published_manifest(&manifest, &names::published(root)?)?)?;
    Ok(())
}

/// Copies the sources of libpg_query from the dependency that contains them, and their license from the corpus
/// package.
fn copy_sources(root: &Path, to: &Path) -> Result<()> {
    let library = pins::LIBPG_QUERY.find(root).map_err(anyhow::Error::msg)?.join("libpg_query");
    for entry in WalkDir::new(&library).sort_by_file_name() {
        let entry = entry?;
        let name = entry.path().strip_prefix(&library)?;
        let header = name.extension().is_some_and(|extension| extension == "h");
        let needed = name.components().next().is_some_and(|first| NEEDED.iter().any(|n| first.as_os_str() == *n));
        if entry.file_type().is_file() && (needed || header) {
            copy_file(entry.path(), &to.join(name))?;
        }
    }
    let licensed = pins::CORPUS.find(root).map_err(anyhow::Error::msg)?;
    copy_file(&licensed.join("libpg_query/LICENSE"), &to.join("LICENSE"))
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("a file lies in a folder")?;
    std::fs::create_dir_all(folder)?;
    std::fs::copy(from, to).with_context(|| format!("could not copy {}", from.display()))?;
    Ok(())
}

/// Changes the manifest: sets the published name, and removes the dependencies that only provide C sources and the
/// test corpus.
fn published_manifest(manifest: &str, name: &str) -> Result<String> {
    let mut document: toml_edit::DocumentMut = manifest.parse()?;
    document["package"]["name"] = toml_edit::value(name);
    document["lib"]["name"] = toml_edit::value("pgq");
    document["lib"]["path"] = toml_edit::value("src/lib.rs");
    let targets = document.get_mut("target").and_then(|t| t.as_table_mut()).context("no target tables")?;
    targets.remove("cfg(any())").context("the pins are not where they were")?;
    Ok(document.to_string())
}

/// The packages, unpacked to a temporary directory outside of every workspace.
struct Unpacked {
    folder: PathBuf,
    version: String,
}

impl Unpacked {
    fn new(root: &Path, name: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("{name}-package-{}", std::process::id()));
        let unpacked = Self { folder, version: version(root)? };
        for name in CRATES.into_iter().chain([name]) {
            let archive = target_folder(root).join(format!("package/{name}-{}.crate", unpacked.version));
            let file = std::fs::File::open(&archive).with_context(|| archive.display().to_string())?;
            tar::Archive::new(flate2::read::GzDecoder::new(file)).unpack(&unpacked.folder)?;
        }
        Ok(unpacked)
    }

    fn of(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}-{}", self.version))
    }

    /// Checks that the archive of pgq contains the C sources. Also checks that the manifest in the archive does not
    /// depend on the package that provides these sources inside the project.
    fn check_contents(&self, name: &str) -> Result<()> {
        let folder = self.of(name);
        for file in ["libpg_query/pg_query.h", "libpg_query/protobuf/pg_query.proto", "libpg_query/LICENSE", "LICENSE"]
        {
            ensure!(folder.join(file).is_file(), "the package lacks {file}");
        }
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml"))?;
        let dependency = format!("dependencies.{}]", pins::LIBPG_QUERY.name);
        ensure!(!manifest.contains(&dependency), "the package still depends on {}", pins::LIBPG_QUERY.name);
        Ok(())
    }

    /// Runs the examples in the library's documentation.
    fn test_library(&self, root: &Path, name: &str) -> Result<()> {
        let mut cargo = Command::new(cargo_program());
        cargo.args(["test", "--doc", "--no-default-features"]).current_dir(self.of(name));
        // Uses the project's target directory, because it already contains the compiled dependencies.
        cargo.env("CARGO_TARGET_DIR", target_folder(root));
        for name in CRATES {
            cargo.arg("--config").arg(format!("patch.crates-io.{name}.path={:?}", self.of(name).display().to_string()));
        }
        run_checked(&mut cargo)
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
