//! Creates reproducible tar archives. Their bytes depend only on the files.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::Result;
use flate2::{Compression, GzBuilder};

use super::{Entry, Release};

/// Returns a compressed archive of the files, in a directory named after the release.
pub(super) fn tarball(release: &Release) -> Result<Vec<u8>> {
    compressed(&tar(&release.entries, &format!("{}/", release.name()))?)
}

pub(super) fn compressed(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(data)?;
    Ok(encoder.finish()?)
}

/// Returns an archive of the files and their directories. All paths have the prefix `prefix`.
pub(super) fn tar(entries: &[Entry], prefix: &str) -> Result<Vec<u8>> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let mut folders = BTreeSet::new();
    for entry in sorted {
        let path = format!("{prefix}{}", entry.path);
        for (at, _) in path.match_indices('/').filter(|(at, _)| *at > 1) {
            if folders.insert(path[..=at].to_string()) {
                let mut header = header(tar::EntryType::Directory, 0, 0o755);
                builder.append_data(&mut header, &path[..=at], std::io::empty())?;
            }
        }
        let mode = if entry.executable { 0o755 } else { 0o644 };
        let mut header = header(tar::EntryType::Regular, entry.data.len() as u64, mode);
        builder.append_data(&mut header, &path, entry.data.as_slice())?;
    }
    Ok(builder.into_inner()?)
}

fn header(kind: tar::EntryType, size: u64, mode: u32) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(mode);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header
}
