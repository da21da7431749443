//! Opens regular files. Refuses a pipe without waiting for its writer. Notices if another program truncates a file
//! while it is read.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use super::storage::{START_BYTES, is_plain};

/// Opens a regular file without waiting. Another user may replace the file with a pipe after the caller has checked its
/// type, and opening a pipe normally waits for its writer.
///
/// # Errors
/// The file cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = open_at_once(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("is not a regular file")) }
}

/// Opens a file that `--follow` can read.
///
/// # Errors
/// The file cannot be opened, is not a regular file, is compressed, or is an archive.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let refusal = |problem| Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    let mut file = open_at_once(path)?;
    if !file.metadata()?.is_file() {
        return refusal("is not a regular file, which --follow needs");
    }
    let mut start = Vec::new();
    file.by_ref().take(START_BYTES as u64).read_to_end(&mut start)?;
    if !is_plain(&start) {
        return refusal("is compressed or an archive, which --follow does not read");
    }
    file.rewind()?;
    Ok(file)
}

/// Reads a regular file to its end. Returns an error if the file becomes shorter: another program has truncated the
/// file, so bytes may be missing.
pub struct WholeFile {
    file: File,
    /// Size in bytes at the last read.
    size: u64,
}

impl WholeFile {
    /// `listed`: the file's size in bytes when the inputs were listed.
    pub fn new(file: File, listed: u64) -> Self {
        Self { file, size: listed }
    }
}

impl Read for WholeFile {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(target)?;
        let size = self.file.metadata()?.len();
        if size < std::mem::replace(&mut self.size, size) {
            return Err(io::Error::other("was truncated by another program while pgq read its inputs: run pgq again"));
        }
        Ok(count)
    }
}

/// Opens a file or pipe without waiting.
#[cfg(unix)]
pub fn open_at_once(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32).open(path)
}

#[cfg(not(unix))]
pub fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}
