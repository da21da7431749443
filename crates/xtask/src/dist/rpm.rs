//! Builds an unsigned RPM of the static program with the crate rpm.

use anyhow::{Result, bail};
use rpm::{BuildConfig, CompressionType, FileOptions, PackageBuilder};

use super::Release;

pub(super) fn package(release: &Release) -> Result<Vec<u8>> {
    let architecture = match release.target.split('-').next() {
        Some(name @ ("x86_64" | "aarch64")) => name,
        _ => bail!("RPM's name of the processor of {} is unknown", release.target),
    };
    let config = BuildConfig::default().compression(CompressionType::Gzip).source_date(0u32);
    let summary = "Command-line SQL tool for PostgreSQL";
    let mut builder = PackageBuilder::new(&release.package, &release.version, "MIT", architecture, summary);
    builder.using_config(config).build_host("localhost").description(
        "Parses, deparses, fingerprints and normalizes SQL with PostgreSQL's own grammar, and reads PostgreSQL's logs.",
    );
    for entry in &release.entries {
        let mode = if entry.executable { 0o755 } else { 0o644 };
        let options = FileOptions::new(format!("/usr/{}", entry.path)).permissions(mode);
        builder.with_file_contents(entry.data.clone(), options)?;
    }
    let mut out = Vec::new();
    builder.build()?.write(&mut out)?;
    Ok(out)
}
