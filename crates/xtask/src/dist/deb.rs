//! Builds a Debian package of the static program. The package has no dependencies.

use anyhow::{Result, bail};

use super::archive::{compressed, tar};
use super::{Entry, Release};

pub(super) fn package(release: &Release) -> Result<Vec<u8>> {
    let control = Entry { path: "control".into(), data: control(release)?.into_bytes(), executable: false };
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", compressed(&tar(&[control], "./")?)?),
        ("data.tar.gz", compressed(&tar(&release.entries, "./usr/")?)?),
    ];
    let mut builder = ar::Builder::new(Vec::new());
    for (name, data) in members {
        let mut header = ar::Header::new(name.into(), data.len() as u64);
        header.set_mode(0o100_644);
        builder.append(&header, data.as_slice())?;
    }
    Ok(builder.into_inner()?)
}

fn control(release: &Release) -> Result<String> {
    let kilobytes = release.entries.iter().map(|entry| entry.data.len()).sum::<usize>().div_ceil(1024);
    Ok(format!(
        "Package: {}\n\
         Version: {}\n\
         Architecture: {}\n\
         Maintainer: the maintainers of pgq\n\
         Installed-Size: {kilobytes}\n\
         Section: database\n\
         Priority: optional\n\
         Description: command-line SQL tool for PostgreSQL\n \
         Parses, deparses, fingerprints and normalizes SQL with PostgreSQL's own grammar,\n \
         and reads PostgreSQL's logs.\n",
        release.package,
        release.version,
        architecture(release)?
    ))
}

/// Returns Debian's name for the target's processor.
pub(super) fn architecture(release: &Release) -> Result<&'static str> {
    match release.target.split('-').next() {
        Some("x86_64") => Ok("amd64"),
        Some("aarch64") => Ok("arm64"),
        _ => bail!("Debian's name of the processor of {} is not known", release.target),
    }
}
