//! Opens regular files. Refuses a pipe without waiting for its writer. Notices if another program truncates a file
//! while it is read.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// Opens a regular file without waiting. Another user may replace the file with a pipe after the caller has checked its
/// type, and opening a pipe normally waits for its writer.
///
/// # Errors
/// The file cannot be opened, or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = open_at_once(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("is not a regular file")) }
}

/// Reads a regular file to its end. Returns an error at the end if the file is then shorter than the bytes that were
/// read: another program has truncated the file, so bytes may be missing.
pub struct WholeFile {
    file: File,
    /// Size in bytes at the start. The size of a file in /proc is always 0.
    size: u64,
}

impl WholeFile {
    /// # Errors
    /// The size of the file cannot be determined.
    pub fn new(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file, size })
    }
}

impl Read for WholeFile {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(target)?;
        if count == 0 && self.size > 0 && self.file.metadata()?.len() < self.file.stream_position()? {
            return Err(io::Error::other("was truncated by another program while pgq read it: the rest is missing"));
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
