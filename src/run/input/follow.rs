//! Follows a growing file, like `tail -F`. Log rotation may replace the file by a new file of the same name. Only a
//! signal ends the input.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Pause before reading again.
const PAUSE: Duration = Duration::from_millis(200);

/// Reads a growing file. At the current end, a read pauses once and then fails with `WouldBlock`.
pub struct Follower {
    path: PathBuf,
    file: File,
    /// Number of bytes read from the current file.
    position: u64,
    rotated: Arc<AtomicBool>,
}

impl Follower {
    /// Opens a file. The returned flag becomes true when a new file is read for the first time.
    ///
    /// # Errors
    /// The file cannot be opened or is not a regular file.
    pub fn open(path: &Path) -> io::Result<(Self, Arc<AtomicBool>)> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "is not a regular file, which --follow needs"));
        }
        let rotated = Arc::new(AtomicBool::new(false));
        Ok((Self { path: path.to_path_buf(), file, position: 0, rotated: Arc::clone(&rotated) }, rotated))
    }

    /// Starts again at the beginning if the path leads to another file, or if the file has become shorter.
    fn reopen_if_rotated(&mut self) -> io::Result<bool> {
        // Log rotation renames the old file before it creates the new one. For a moment, no file has the name.
        let Ok(current) = std::fs::metadata(&self.path) else { return Ok(false) };
        if same_file(&current, &self.file.metadata()?) {
            if current.len() >= self.position {
                return Ok(false);
            }
            self.file.rewind()?;
        } else {
            let Ok(file) = File::open(&self.path) else { return Ok(false) };
            self.file = file;
        }
        self.position = 0;
        Ok(true)
    }
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// On other systems, an open file cannot be replaced.
#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

impl Read for Follower {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.position += read as u64;
        if read > 0 {
            return Ok(read);
        }
        // Reads the old file again, because its writer may continue for a moment after the file was renamed.
        std::thread::sleep(PAUSE);
        let mut read = self.file.read(buffer)?;
        if read == 0 && self.reopen_if_rotated()? {
            self.rotated.store(true, Ordering::Relaxed);
            read = self.file.read(buffer)?;
        }
        self.position += read as u64;
        if read > 0 { Ok(read) } else { Err(ErrorKind::WouldBlock.into()) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::{ErrorKind, Follower, Ordering};

    #[test]
    fn growth_rotation_and_truncation_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "one\n").unwrap();
        let (mut follower, rotated) = Follower::open(&path).unwrap();
        let mut next = || {
            let mut buffer = [0; 64];
            match follower.read(&mut buffer) {
                Ok(read) => String::from_utf8_lossy(&buffer[..read]).into_owned(),
                Err(e) => format!("{:?}", e.kind()),
            }
        };
        assert_eq!(next(), "one\n");
        assert_eq!(next(), format!("{:?}", ErrorKind::WouldBlock));
        let mut old = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        old.write_all(b"two\n").unwrap();
        assert_eq!(next(), "two\n");
        std::fs::rename(&path, folder.path().join("log.1")).unwrap();
        old.write_all(b"last\n").unwrap();
        std::fs::write(&path, "new\n").unwrap();
        assert_eq!((next().as_str(), rotated.swap(false, Ordering::Relaxed)), ("last\n", false));
        assert_eq!((next().as_str(), rotated.swap(false, Ordering::Relaxed)), ("new\n", true));
        std::fs::write(&path, "x\n").unwrap(); // makes the same file shorter
        assert_eq!((next().as_str(), rotated.swap(false, Ordering::Relaxed)), ("x\n", true));
    }
}
