//! Opens regular files without waiting. Opening a pipe in the usual way would wait for its writer.

use std::fs::File;
use std::io;
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
