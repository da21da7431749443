//! `cargo xtask package`: the crates as they are published, with libpg_query's C sources inside pgq.
//!
//! They are packaged from a copy of the project, target/package-stage, so that the project stays as
//! it is. In the copy the C sources lie in libpg_query/, and the manifest no longer names the packages
//! that pin them: programs that depend on pgq need not lock or download those.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use walkdir::WalkDir;

use crate::{pins, project_root};

/// The published crates, dependencies first.
pub const CRATES: [&str; 8] =
    ["pgq-lexer", "pgq-log", "pgq-digest", "pgq-columns", "pgq-postgres", "pgq-frames", "pgq-layout", "pgq"];

/// The folders that the build reads of libpg_query's, beside its headers.
const NEEDED: [&str; 3] = ["protobuf", "src", "vendor"];

const USAGE: &str = "usage: cargo xtask package [--no-verify] [--dry-run | --publish]";

pub fn run(arguments: &[String]) -> Result<()> {
    let (mut verify, mut publish, mut dry_run) = (true, false, false);
    for argument in arguments {
        match argument.as_str() {
            "--no-verify" => verify = false,
            "--dry-run" => (publish, dry_run) = (true, true),
            "--publish" => publish = true,
            _ => bail!("{USAGE}"),
        }
    }
    let root = project_root();
    let stage = target_folder(&root).join("package-stage");
    fill_stage(&root, &stage)?;
    let cargo = |command: &str, flags: &[&str]| -> Result<()> {
        let mut cargo = Command::new(cargo_program());
        cargo.args([command, "--allow-dirty"]).args(flags).args(CRATES.iter().flat_map(|name| ["--package", name]));
        run_checked(cargo.current_dir(&stage).env("CARGO_TARGET_DIR", target_folder(&root)))
    };
    cargo("package", if verify { &[] } else { &["--no-verify"] })?;
    check_contents(&root)?;
    if verify {
        test_unpacked(&root)?;
    }
    // What was packaged above is what was checked; publishing packages the same files again.
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

/// Where Cargo builds: Cargo's own setting reaches the commands that are run here.
pub fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// Copies what git knows of the project, the C sources and the changed manifest to `stage`.
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
    std::fs::write(stage.join("Cargo.toml"), without_pins(&manifest)?)?;
    Ok(())
}

/// Copies libpg_query from the pinned package; its license is in the package of the corpus.
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

/// The manifest without the dependencies that only say where the pinned packages are.
fn without_pins(manifest: &str) -> Result<String> {
    let mut document: toml_edit::DocumentMut = manifest.parse()?;
    let targets = document.get_mut("target").and_then(|t| t.as_table_mut()).context("no target tables")?;
    targets.remove("cfg(any())").context("the pins are not where they were")?;
    Ok(document.to_string())
}

/// The folder of a crate in the archive that Cargo wrote, unpacked.
pub fn unpacked(root: &Path, name: &str) -> Result<PathBuf> {
    let archive = target_folder(root).join(format!("package/{name}-{}.crate", version(root)?));
    let folder = target_folder(root).join("package-unpacked");
    let file = std::fs::File::open(&archive).with_context(|| archive.display().to_string())?;
    tar::Archive::new(flate2::read::GzDecoder::new(file)).unpack(&folder)?;
    Ok(folder.join(format!("{name}-{}", version(root)?)))
}

/// The version of all crates of the workspace.
pub fn version(root: &Path) -> Result<String> {
    let document: toml_edit::DocumentMut = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let version = document["workspace"]["package"]["version"].as_str();
    Ok(version.context("the workspace has no version")?.to_string())
}

/// The archive of pgq holds the sources and no other package's manifest.
fn check_contents(root: &Path) -> Result<()> {
    let folder = unpacked(root, "pgq")?;
    for file in ["libpg_query/pg_query.h", "libpg_query/protobuf/pg_query.proto", "libpg_query/LICENSE", "LICENSE"] {
        ensure!(folder.join(file).is_file(), "the package lacks {file}");
    }
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml"))?;
    let dependency = format!("dependencies.{}]", pins::LIBPG_QUERY.name);
    ensure!(!manifest.contains(&dependency), "the package still depends on {}", pins::LIBPG_QUERY.name);
    Ok(())
}

/// Runs the library's own tests in the unpacked package, which is not in any workspace.
fn test_unpacked(root: &Path) -> Result<()> {
    let mut cargo = Command::new(cargo_program());
    cargo.args(["test", "--lib", "--no-default-features"]).current_dir(unpacked(root, "pgq")?);
    cargo.env("CARGO_TARGET_DIR", target_folder(root).join("package-test"));
    for name in &CRATES[..CRATES.len() - 1] {
        let path = unpacked(root, name)?;
        cargo.arg("--config").arg(format!("patch.crates-io.{name}.path={:?}", path.display().to_string()));
    }
    run_checked(&mut cargo)
}
