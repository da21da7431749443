//! Reads the files that settings name: certificates, keys, services and passwords. In a daemon, an untrusted client may
//! have chosen the path. Reading a device, a pipe or a huge file could block the daemon or fill its memory. Therefore
//! only regular files of limited size are read, and never a file whose content must be waited for.

use std::fs::File;
use std::io::{Error, Read, Result};
use std::path::Path;

/// Maximum bytes of a file.
const MAX_BYTES: u64 = 16 << 20;

/// Returns the bytes of a regular file.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file, or is too large.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>> {
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(Error::other("larger than 16 MB")) } else { Ok(bytes) }
}

/// Opens a file without waiting for the writer of a pipe, or for a program with a lease on the file.
#[cfg(unix)]
fn open(path: &Path) -> Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(nix::libc::O_NONBLOCK).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<File> {
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "a").unwrap();
        assert_eq!(read_file(file.path()).unwrap(), b"a");
        file.as_file().set_len(MAX_BYTES + 1).unwrap();
        assert!(read_file(file.path()).is_err());
        assert!(read_file(Path::new("/dev/zero")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_content_yet_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(read_file(&pipe).is_err());
        assert!(read_file(Path::new("/proc/kmsg")).is_err()); // blocks a root's read until the kernel logs a message
    }
}
