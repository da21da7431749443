//! Follows a growing file, like `tail -F`. Log rotation may replace the file by a new file of the same name, or by a
//! file whose name has a later date. A program that copies the log, such as rsync, may replace the file by a longer copy.
//! Only a signal ends the input.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::outputs::is_output;
use super::successor::{Successor, successor};

/// Pause before reading again.
const PAUSE: Duration = Duration::from_millis(200);

/// Number of pauses between two searches for a newer log in the folder.
const SEARCH_PAUSES: u32 = 5;

/// Maximum number of bytes at the start of two files that are compared to recognize a copy of the same log.
const COMPARED: usize = 4096;

/// Events of a followed file. Another thread, which splits the input, polls them.
#[derive(Default)]
pub struct FollowEvents {
    /// Set when reading begins at the start of another file, or of the same file after a truncation.
    pub rotated: AtomicBool,
    news: Mutex<Option<News>>,
}

/// News about a newer log in the folder.
pub enum News {
    /// Reading continues with this file.
    Continues(PathBuf),
    /// Reading continues with a new file of the same name.
    Replaced,
    /// The file at this path is newer than the followed file. It is not read, because it may be from another server.
    Ignored(PathBuf),
}

impl FollowEvents {
    /// Removes and returns the latest report about a newer log, if there is one.
    pub fn take_news(&self) -> Option<News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub fn has_news(&self) -> bool {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn set_news(&self, news: News) {
        *self.news.lock().unwrap_or_else(PoisonError::into_inner) = Some(news);
    }
}

/// Reads a growing file. At the end of the file, a read waits for [`PAUSE`]. If there are still no bytes, it fails with
/// `WouldBlock`.
pub struct Follower {
    path: PathBuf,
    file: File,
    /// Number of bytes read from the current file.
    position: u64,
    /// The first bytes of the current file, at most [`COMPARED`].
    head: Vec<u8>,
    /// Files that the program writes. They are not logs.
    outputs: Vec<PathBuf>,
    pauses: u32,
    /// Whether a newer file was reported as ignored.
    has_ignored: bool,
    events: Arc<FollowEvents>,
}

impl Follower {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be opened or is not a regular file.
    pub fn open(path: &Path, outputs: Vec<PathBuf>) -> io::Result<(Self, Arc<FollowEvents>)> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "is not a regular file, which --follow needs"));
        }
        let events = Arc::new(FollowEvents::default());
        let follower = Self {
            path: path.to_path_buf(),
            file,
            position: 0,
            head: Vec::new(),
            outputs,
            pauses: 0,
            has_ignored: false,
            events: Arc::clone(&events),
        };
        Ok((follower, events))
    }

    /// If the path now leads to a different file, or if the file has become shorter, reads from the start of that file.
    /// Exception: in a longer copy of the same log, continues at the same position.
    fn reopen_if_rotated(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A missing file is no error, because log rotation renames the old file before it creates the new one.
        let Ok(current) = std::fs::metadata(&self.path) else { return Ok(0) };
        // Opening a pipe would block.
        if !current.is_file() {
            return Ok(0);
        }
        if same_file(&current, &self.file.metadata()?) {
            if current.len() >= self.position {
                return Ok(0);
            }
            self.file.rewind()?;
        } else {
            // Log rotation creates the new file, and then tells the writer to open it. Until then, the writer appends
            // to the old file.
            if current.len() == 0 {
                return Ok(0);
            }
            // The old file may have grown before the writer opened the new one.
            let read = self.file.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            let Ok(mut file) = File::open(&self.path) else { return Ok(0) };
            if current.len() >= self.position && begins_with(&mut file, &self.head)? {
                file.seek(SeekFrom::Start(self.position))?;
                self.file = file;
                return self.file.read(buffer);
            }
            file.rewind()?;
            self.file = file;
            self.events.set_news(News::Replaced);
        }
        self.begin_file();
        self.file.read(buffer)
    }

    fn begin_file(&mut self) {
        self.position = 0;
        self.head.clear();
        self.events.rotated.store(true, Ordering::Relaxed);
    }

    /// Counts bytes that were read.
    fn advance(&mut self, read: &[u8]) {
        self.position += read.len() as u64;
        let missing = COMPARED.saturating_sub(self.head.len());
        self.head.extend(&read[..missing.min(read.len())]);
    }

    /// Continues with the next log in the folder, if there is one. The current log is then complete, because the server
    /// stops writing to a log before it writes to the next one.
    fn open_successor(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pauses += 1;
        if !self.pauses.is_multiple_of(SEARCH_PAUSES) {
            return Ok(0);
        }
        match successor(&self.path, |path| is_output(path, &self.outputs)) {
            None => Ok(0),
            Some(Successor::Unclear(path)) => {
                if !std::mem::replace(&mut self.has_ignored, true) {
                    self.events.set_news(News::Ignored(path));
                }
                Ok(0)
            }
            Some(Successor::Next(path)) => {
                // Reads the current file again, because it may have grown before the next one was created.
                let read = self.file.read(buffer)?;
                if read > 0 {
                    return Ok(read);
                }
                let Ok(file) = File::open(&path) else { return Ok(0) };
                self.file = file;
                self.path.clone_from(&path);
                self.events.set_news(News::Continues(path));
                self.begin_file();
                self.file.read(buffer)
            }
        }
    }
}

/// Reads the start of a file, and returns whether it is `head`.
fn begins_with(file: &mut File, head: &[u8]) -> io::Result<bool> {
    let mut start = Vec::with_capacity(head.len());
    file.take(head.len() as u64).read_to_end(&mut start)?;
    Ok(start == head)
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Returns whether two files are the same file. Always returns true, because systems other than Unix do not allow a
/// program to replace an open file.
#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

impl Read for Follower {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read > 0 {
            self.advance(&buffer[..read]);
            return Ok(read);
        }
        std::thread::sleep(PAUSE);
        let mut read = self.file.read(buffer)?;
        if read == 0 {
            read = self.reopen_if_rotated(buffer)?;
        }
        if read == 0 {
            read = self.open_successor(buffer)?;
        }
        self.advance(&buffer[..read]);
        if read > 0 { Ok(read) } else { Err(ErrorKind::WouldBlock.into()) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::{ErrorKind, Follower, News, Ordering};

    #[test]
    fn growth_rotation_and_truncation_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "one\n").unwrap();
        let (mut follower, events) = Follower::open(&path, Vec::new()).unwrap();
        let rotated = &events.rotated;
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

    /// logrotate renames the log, creates an empty one, and only then tells the writer to open it.
    #[test]
    fn the_old_file_is_read_until_the_new_one_has_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "one\n").unwrap();
        let (mut follower, events) = Follower::open(&path, Vec::new()).unwrap();
        let mut next = || {
            let mut buffer = [0; 64];
            let read = follower.read(&mut buffer).unwrap_or(0);
            (String::from_utf8_lossy(&buffer[..read]).into_owned(), events.rotated.swap(false, Ordering::Relaxed))
        };
        assert_eq!(next(), ("one\n".into(), false));
        let mut old = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        std::fs::rename(&path, folder.path().join("log.1")).unwrap();
        std::fs::write(&path, "").unwrap();
        assert_eq!(next(), (String::new(), false));
        old.write_all(b"two\n").unwrap();
        assert_eq!(next(), ("two\n".into(), false));
        assert_eq!(next(), (String::new(), false));
        old.write_all(b"three\n").unwrap();
        std::fs::write(&path, "new\n").unwrap();
        assert_eq!(next(), ("three\n".into(), false));
        assert_eq!(next(), ("new\n".into(), true));
        assert!(matches!(events.take_news(), Some(News::Replaced)));
    }

    #[test]
    fn a_longer_copy_of_the_log_is_read_from_the_same_position() {
        let folder = tempfile::tempdir().unwrap();
        let (path, copy) = (folder.path().join("log"), folder.path().join("copy"));
        std::fs::write(&path, "one\n").unwrap();
        let (mut follower, events) = Follower::open(&path, Vec::new()).unwrap();
        let mut next = || {
            let mut buffer = [0; 64];
            let read = follower.read(&mut buffer).unwrap_or(0);
            (String::from_utf8_lossy(&buffer[..read]).into_owned(), events.rotated.swap(false, Ordering::Relaxed))
        };
        assert_eq!(next(), ("one\n".into(), false));
        std::fs::write(&copy, "one\ntwo\n").unwrap();
        std::fs::rename(&copy, &path).unwrap();
        assert_eq!(next(), ("two\n".into(), false));
        std::fs::write(&copy, "another\n").unwrap();
        std::fs::rename(&copy, &path).unwrap();
        assert_eq!(next(), ("another\n".into(), true));
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_that_replaces_the_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        std::fs::write(&path, "one\n").unwrap();
        let (mut follower, _) = Follower::open(&path, Vec::new()).unwrap();
        let mut buffer = [0; 64];
        assert_eq!(follower.read(&mut buffer).unwrap(), 4);
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!(follower.read(&mut buffer).unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}
