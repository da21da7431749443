//! `cargo xtask clients`, and a part of `cargo xtask dist`: builds the wheel for Python and the packages for npm. Each
//! contains the program, its manual pages and completions, and a library for the language.
//!
//! maturin builds the wheel, and npm builds the archives of its packages. The libraries for the languages are linked
//! with this system's C library. The program is static if `cargo xtask dist` built it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{Entry, Release};
use crate::package::{cargo_program, run_checked, target_folder};
use crate::project_root;

const USAGE: &str = "usage: cargo xtask clients --program FILE [--dev]";

/// Builds the wheel and the packages for an existing program.
pub fn run(arguments: &[String]) -> Result<()> {
    let (mut program, mut optimized) = (None, true);
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        match flag.as_str() {
            "--program" => program = Some(PathBuf::from(rest.next().context(USAGE)?)),
            "--dev" => optimized = false,
            _ => bail!("{USAGE}"),
        }
    }
    let root = project_root();
    let program = program.context(USAGE)?.canonicalize().context("the program")?;
    let text = super::rustc(&["-vV"])?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let release = Release::for_this_machine(&root, &program, host.to_string())?;
    let folder = target_folder(&root).join("dist");
    std::fs::create_dir_all(&folder)?;
    build(&root, &release, &folder, optimized)
}

/// Writes the wheel and the npm archives to `folder`.
pub(super) fn build(root: &Path, release: &Release, folder: &Path, optimized: bool) -> Result<()> {
    wheel(root, release, folder, optimized)?;
    node(root, release, folder, optimized)
}

fn wheel(root: &Path, release: &Release, folder: &Path, optimized: bool) -> Result<()> {
    let python = root.join("clients/python");
    let data = python.join(format!("{}.data", release.package));
    let _ = std::fs::remove_dir_all(&data);
    for entry in &release.entries {
        // pip copies scripts/ to the directory of programs, and data/ to the environment.
        let path = match entry.path.strip_prefix("bin/") {
            Some(name) => format!("scripts/{name}"),
            None => format!("data/{}", entry.path),
        };
        write_entry(&data.join(path), entry)?;
    }
    let mut maturin = Command::new(maturin(root)?);
    maturin.args(["build", "--locked", "--manifest-path"]).arg(python.join("Cargo.toml"));
    maturin.arg("--out").arg(folder).env("SOURCE_DATE_EPOCH", "315532800"); // 1980, the first year of the ZIP format
    if optimized {
        maturin.arg("--release").env("CARGO_ENCODED_RUSTFLAGS", super::rust_flags(root, None)?);
    }
    // Additional arguments for maturin, for example to link a release with an older C library.
    let more = std::env::var("PGQ_MATURIN_ARGUMENTS").unwrap_or_default();
    maturin.args(more.split_whitespace());
    run_checked(&mut maturin)?;
    std::fs::remove_dir_all(&data)?;
    Ok(())
}

/// Returns the path of maturin. If it is not in PATH, pip installs it in target/tools.
fn maturin(root: &Path) -> Result<PathBuf> {
    if Command::new("maturin").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok("maturin".into());
    }
    let folder = target_folder(root).join("tools/maturin");
    let program = folder.join("bin/maturin");
    if !program.exists() {
        run_checked(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run_checked(Command::new(folder.join("bin/pip")).args(["install", "--quiet", "maturin>=1.9,<2"]))?;
    }
    Ok(program)
}

fn node(root: &Path, release: &Release, folder: &Path, optimized: bool) -> Result<()> {
    let source = root.join("clients/node");
    let mut cargo = Command::new(cargo_program());
    cargo.args(["build", "--locked", "--manifest-path"]).arg(source.join("Cargo.toml"));
    if optimized {
        cargo.arg("--release").env("CARGO_ENCODED_RUSTFLAGS", super::rust_flags(root, None)?);
    }
    run_checked(cargo.env_remove("CARGO_TARGET_DIR"))?;
    let built = source.join("target").join(if optimized { "release" } else { "debug" });
    let extension = if release.target.contains("apple") { "dylib" } else { "so" };
    let built = built.join(format!("lib{}.{extension}", release.package));
    let library = std::fs::read(&built)?;
    if optimized {
        super::check_paths(root, &built, &library)?;
    }

    let (system, processor) = platform(&release.target)?;
    let manifest: Value = serde_json::from_str(&std::fs::read_to_string(source.join("package.json"))?)?;
    let stage = folder.join("npm");
    let _ = std::fs::remove_dir_all(&stage);

    let name = format!("{}-{system}-{processor}", release.package);
    let native = stage.join(&name);
    let mut description = json!({
        "name": name,
        "version": release.version,
        "description": format!("The files of {} for {system} on {processor}", release.package),
        "license": manifest["license"],
        "os": [system],
        "cpu": [processor],
    });
    if system == "linux" {
        description["libc"] = json!(["glibc"]);
    }
    write(&native.join("package.json"), &serde_json::to_vec_pretty(&description)?)?;
    write(&native.join(format!("{}.node", release.package)), &library)?;
    let main = stage.join(&release.package);
    for entry in &release.entries {
        match entry.path.strip_prefix("share/man/man1/") {
            Some(page) => write_entry(&main.join("man").join(page), entry)?,
            None => write_entry(&native.join(&entry.path), entry)?,
        }
    }
    for file in manifest["files"].as_array().context("package.json names no files")? {
        copy_all(&source, &main, Path::new(file.as_str().unwrap_or_default()))?;
    }
    copy_all(&source, &main, Path::new("README.md"))?;
    let mut manifest = manifest;
    manifest["files"].as_array_mut().context("files")?.push(json!("man"));
    manifest["directories"] = json!({ "man": "./man" });
    manifest.as_object_mut().context("package.json")?.remove("scripts");
    write(&main.join("package.json"), &serde_json::to_vec_pretty(&manifest)?)?;
    for package in [&native, &main] {
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent", "--pack-destination"]).arg(folder).current_dir(package);
        run_checked(&mut npm)?;
    }
    Ok(())
}

/// Returns Node's names for a target's system and processor.
fn platform(target: &str) -> Result<(&'static str, &'static str)> {
    let system = if target.contains("linux") {
        "linux"
    } else if target.contains("apple") {
        "darwin"
    } else {
        bail!("no package for npm for {target}");
    };
    let processor = match target.split('-').next() {
        Some("x86_64") => "x64",
        Some("aarch64") => "arm64",
        _ => bail!("no package for npm for {target}"),
    };
    Ok((system, processor))
}

/// Copies a file, or a directory with its contents.
fn copy_all(from: &Path, to: &Path, name: &Path) -> Result<()> {
    let source = from.join(name);
    if source.is_dir() {
        for entry in std::fs::read_dir(&source)? {
            copy_all(from, to, &name.join(entry?.file_name()))?;
        }
        return Ok(());
    }
    ensure!(source.is_file(), "package.json names {}, which does not exist", source.display());
    std::fs::create_dir_all(to.join(name).parent().context("a file is in a folder")?)?;
    std::fs::copy(&source, to.join(name))?;
    Ok(())
}

fn write(path: &Path, data: &[u8]) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    std::fs::write(path, data).with_context(|| path.display().to_string())
}

fn write_entry(path: &Path, entry: &Entry) -> Result<()> {
    write(path, &entry.data)?;
    #[cfg(unix)]
    if entry.executable {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
