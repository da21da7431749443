//! Follows a growing file, like `tail -F`. Log rotation may replace the file by a new file of the same name, or by a
//! file whose name has a later date. A program that copies the log, such as rsync, may replace the file by a longer
//! copy. Only a signal ends the input, after what the log contained at the signal.

mod date;
mod progress;
mod successor;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pgq_log::without_compression;

use self::progress::Progress;
use self::successor::{Newer, is_like, is_removed, like, newer, renamed, same_file, sorts_by_time};
use super::name::path_name;
use super::outputs::{folder_of, is_output, note_read, without_links};
use super::regular_file::open_plain;

/// Pause before reading again.
const PAUSE: Duration = Duration::from_millis(200);

/// Number of pauses between two searches for a newer log in the folder.
const SEARCH_PAUSES: u32 = 5;

/// Events of a followed file. Another thread, which splits the input, polls them.
#[derive(Default)]
pub struct FollowEvents {
    /// Set when reading continues in another file, or restarts in the same file because it was truncated.
    pub rotated: AtomicBool,
    news: Mutex<VecDeque<News>>,
}

/// News about a newer log in the folder.
pub enum News {
    /// Reading continues with this file.
    Continues(PathBuf),
    /// Reading continues with a new file of the same name.
    Replaced,
    /// Reading continues at the start of the file, because it was truncated.
    Truncated,
    /// The file at this path is newer than the followed file. It is not read, because it may be from another server.
    Ignored(PathBuf),
    /// The file at this path is newer than the followed file, and cannot be opened.
    Unreadable(PathBuf, io::Error),
}

impl FollowEvents {
    fn news(&self) -> MutexGuard<'_, VecDeque<News>> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes and returns the first report about a newer log, if there is one.
    pub fn take_news(&self) -> Option<News> {
        self.news().pop_front()
    }

    pub fn has_news(&self) -> bool {
        !self.news().is_empty()
    }

    fn add_news(&self, news: News) {
        self.news().push_back(news);
    }
}

/// Reads a growing file. At the end of the file, a read waits for [`PAUSE`] and then tries again. If there are still no
/// bytes, the read fails with `WouldBlock`.
pub struct Follower {
    path: PathBuf,
    file: File,
    progress: Progress,
    /// Progress of other logs (the part of each log that was already read), by path. Contains only logs whose names do
    /// not sort by time, such as `postgresql-Tue.log`, because the server writes to such a log again later.
    others: HashMap<PathBuf, Progress>,
    /// Whether the file has become shorter than the part that was read. It may grow again to the same content, for
    /// example if a program copies the log again.
    has_shrunk: bool,
    pauses: u32,
    /// Files that are not read (again): those that were reported, and those that the server writes only once.
    reported: HashSet<PathBuf>,
    events: Arc<FollowEvents>,
    /// The outputs of the run, which may have names like those of renamed logs.
    outputs: Vec<PathBuf>,
    /// Whether a signal has ended the input.
    is_stopped: Box<dyn Fn() -> bool + Send>,
    /// Length of the file at the first read after the signal. Later bytes are not read.
    end: Option<u64>,
}

impl Follower {
    /// Opens a file. `is_stopped`: whether a signal has ended the input.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is not a regular file or is compressed, if its folder cannot be
    /// listed, or if the name of one of `outputs` looks like the name of the next log.
    pub fn open(
        path: &Path,
        outputs: &[PathBuf],
        is_stopped: impl Fn() -> bool + Send + 'static,
    ) -> io::Result<(Self, Arc<FollowEvents>)> {
        let file = open_plain(path)?;
        note_read(path);
        let like = like(path)?;
        let target = |output: &&PathBuf| without_links(output.to_path_buf()).unwrap_or_default();
        let output = outputs.iter().find(|output| is_like(path, &target(output)));
        if let Some(output) = output.or_else(|| like.iter().find(|other| is_output(other, outputs))) {
            let problem =
                format!("could be followed by {}, which is an output: name the output differently", output.display());
            return Err(io::Error::new(ErrorKind::InvalidInput, problem));
        }
        let others = like.into_iter().filter(|other| !sorts_by_time(other));
        let others = others.filter_map(|path| Progress::of_old_file(&path).map(|progress| (path, progress)));
        let events = Arc::new(FollowEvents::default());
        let follower = Self {
            path: path.to_path_buf(),
            file,
            progress: Progress::default(),
            others: others.collect(),
            has_shrunk: false,
            pauses: 0,
            reported: HashSet::new(),
            events: Arc::clone(&events),
            outputs: outputs.to_vec(),
            is_stopped: Box::new(is_stopped),
            end: None,
        };
        Ok((follower, events))
    }

    /// If the open file has become shorter, or the path has a different file, reads the file at the path from its
    /// start. Exception: if this file begins with the bytes that were already read, it may be a copy of the same log,
    /// possibly an incomplete one. In this case, reading continues from the same position.
    fn reopen_if_rotated(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A missing file is not an error, because log rotation renames the old file before it creates the new one.
        let current = std::fs::metadata(&self.path).ok();
        // Opening a pipe would block.
        if current.as_ref().is_some_and(|current| !current.is_file()) {
            return Ok(0);
        }
        let open = self.file.metadata()?;
        if let Some(current) = current.as_ref().filter(|current| same_file(current, &open)) {
            self.has_shrunk |= current.len() < self.progress.position;
            if self.has_shrunk && !self.progress.fits(&mut self.file)? {
                self.file.rewind()?;
                self.events.add_news(News::Truncated);
                return self.begin(Progress::default(), buffer);
            }
            self.has_shrunk = current.len() < self.progress.position;
            self.file.seek(SeekFrom::Start(self.progress.position))?;
            return Ok(0);
        }
        // First reads the rest of the old file, which may have grown before the writer opened the new one.
        let read = self.file.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        // If the log was rotated several times, first reads the older ones of the new logs.
        let path = self.next_renamed()?.or_else(|| current.map(|_| self.path.clone()));
        let Some(mut file) = path.and_then(|path| self.open_log(&path)) else { return Ok(0) };
        let current = file.metadata()?;
        // Log rotation creates an empty file, and then tells the writer to open it. Until the writer opens this new file,
        // it appends to the old file.
        if current.len() == 0 {
            return Ok(0);
        }
        // If the old file still has a name, log rotation has probably renamed it.
        let is_removed = is_removed(&self.file.metadata()?);
        let is_shorter = current.len() < self.progress.position;
        let may_be_copy = is_removed || self.progress.has_whole_head() && !is_shorter;
        if may_be_copy && self.progress.fits(&mut file)? {
            if is_shorter {
                return Ok(0); // an incomplete copy
            }
            file.seek(SeekFrom::Start(self.progress.position))?;
            self.file = file;
            return self.file.read(buffer);
        }
        file.rewind()?;
        self.file = file;
        self.events.add_news(News::Replaced);
        self.begin(Progress::default(), buffer)
    }

    /// Returns the path of the oldest log that had the followed path after the open file, and was renamed. Reports the
    /// compressed ones of these logs, and omits them.
    fn next_renamed(&mut self) -> io::Result<Option<PathBuf>> {
        let mut renamed = renamed(&self.path, &self.file.metadata()?);
        renamed.retain(|path| !is_output(path, &self.outputs) && !self.reported.contains(path));
        for path in renamed {
            if without_compression(&path_name(&path)) == path_name(&path) {
                return Ok(Some(path));
            }
            self.report(&path, |path| News::Unreadable(path, io::Error::other("is compressed")));
        }
        Ok(None)
    }

    /// Begins to read another file, or new content of the same file, at the position of `progress`.
    fn begin(&mut self, progress: Progress, buffer: &mut [u8]) -> io::Result<usize> {
        self.progress = progress;
        self.has_shrunk = false;
        self.end = None;
        self.events.rotated.store(true, Ordering::Relaxed);
        self.file.read(buffer)
    }

    /// Opens a log, or reports once that it cannot be opened.
    fn open_log(&mut self, path: &Path) -> Option<File> {
        let opened = File::open(path).inspect(|_| note_read(path));
        opened.map_err(|error| self.report(path, |path| News::Unreadable(path, error))).ok()
    }

    fn report(&mut self, path: &Path, news: impl FnOnce(PathBuf) -> News) {
        if self.reported.insert(path.to_path_buf()) {
            self.events.add_news(news(path.to_path_buf()));
        }
    }

    /// Continues with the next log in the folder, if there is one. In this case, the current log is complete, because
    /// the server stops writing to a log before it writes to the next one.
    fn open_successor(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let is_known = |path: &Path| {
            let is_read = |known: &Progress| Progress::of_old_file(path).is_some_and(|now| now == *known);
            self.reported.contains(path) || self.others.get(path).is_some_and(is_read)
        };
        let Newer { next, unclear } = match newer(&self.path, self.file.metadata()?.modified()?, is_known) {
            Ok(newer) => newer,
            Err(error) => {
                let folder = folder_of(&self.path).to_path_buf();
                self.report(&folder, |folder| News::Unreadable(folder, error));
                return Ok(0);
            }
        };
        unclear.iter().for_each(|path| self.report(path, News::Ignored));
        let Some(path) = next else { return Ok(0) };
        // Reads the current file again, because it may have grown before the next one was created.
        let read = self.file.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        let Some(mut file) = self.open_log(&path) else { return Ok(0) };
        let known = self.others.remove(&path).unwrap_or_default();
        let continues = file.metadata()?.len() >= known.position && known.fits(&mut file)?;
        let known = if continues { known } else { Progress::default() };
        file.seek(SeekFrom::Start(known.position))?;
        self.file = file;
        let read = std::mem::replace(&mut self.path, path.clone());
        if sorts_by_time(&read) {
            self.reported.insert(read);
        } else {
            self.others.insert(read, std::mem::take(&mut self.progress));
        }
        self.events.add_news(News::Continues(path));
        self.begin(known, buffer)
    }

    /// Continues with the file that has replaced the read one, or, if `searches` is true, with the next log in the
    /// folder.
    fn read_newer(&mut self, searches: bool, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reopen_if_rotated(buffer)?;
        if read == 0 && searches && !self.has_shrunk { self.open_successor(buffer) } else { Ok(read) }
    }

    /// Reads what the log contained when it was stopped, including newer logs. Returns 0 at the end.
    fn read_rest(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let end = match self.end {
            Some(end) => end,
            None => self.file.metadata()?.len(),
        };
        self.end = Some(end);
        let left = if self.has_shrunk { 0 } else { end.saturating_sub(self.progress.position) };
        let mut read = self.file.by_ref().take(left).read(buffer)?;
        if read == 0 {
            read = self.read_newer(true, buffer)?;
        }
        self.progress.advance(&buffer[..read]);
        Ok(read)
    }
}

impl Read for Follower {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.is_stopped)() {
            return self.read_rest(buffer);
        }
        let mut read = if self.has_shrunk { 0 } else { self.file.read(buffer)? };
        if read > 0 {
            self.progress.advance(&buffer[..read]);
            return Ok(read);
        }
        std::thread::sleep(PAUSE);
        if !self.has_shrunk {
            read = self.file.read(buffer)?;
        }
        self.pauses += 1;
        if read == 0 {
            read = self.read_newer(self.pauses.is_multiple_of(SEARCH_PAUSES), buffer)?;
        }
        self.progress.advance(&buffer[..read]);
        if read > 0 { Ok(read) } else { Err(ErrorKind::WouldBlock.into()) }
    }
}

#[cfg(test)]
mod tests;
