//! A buffered reader for splitters. It reads many bytes at a time. Splitters inspect the buffer, and consume bytes when
//! they find the end of a statement or record.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use pgq_log::{BeforeWait, ByteSource, FilePosition, Unwrapper};

use super::follow::{FollowEvents, News};
use super::open_input::OpenInput;

/// If the buffer contains at least this many bytes, [`ByteSource::fill`] doubles it.
const DOUBLE_FROM: usize = 1 << 20;

/// Pause after which a pipe counts as idle.
pub const MOMENT: Duration = Duration::from_millis(200);

/// State of the input.
enum Inner {
    Idle(OpenInput),
    /// A separate thread is reading, so that a slow input does not block the caller.
    Reading(Receiver<(OpenInput, io::Result<usize>)>),
    /// A read has panicked.
    Lost,
}

/// An open input, and the bytes that were read but not consumed.
pub struct Reader {
    inner: Inner,
    buffer: Vec<u8>,
    /// Number of consumed bytes at the start of the buffer.
    consumed: usize,
    /// Whether the end was reached.
    complete: bool,
    /// Whether the first bytes were read and accepted. A file that starts with a byte order mark of UTF-16 or UTF-32 is
    /// refused.
    started: bool,
    /// Removes the envelope of a log's lines.
    unwrapper: Option<Unwrapper>,
    /// Events of a followed file. `None` for other inputs.
    followed: Option<Arc<FollowEvents>>,
    /// Whether the input is a regular file. Reading a regular file does not block.
    is_file: bool,
    /// Whether [`ByteSource::fill`] returns if no bytes arrive for a moment.
    live: bool,
    /// An error that the next read returns.
    deferred: Option<io::Error>,
}

impl Reader {
    pub fn new(inner: Box<dyn Read + Send>) -> Self {
        let inner = Inner::Idle(OpenInput::new(inner));
        Self {
            inner,
            buffer: Vec::new(),
            consumed: 0,
            complete: false,
            started: false,
            unwrapper: None,
            followed: None,
            is_file: false,
            live: false,
            deferred: None,
        }
    }

    /// Creates a reader of a regular file.
    pub fn of_file(inner: Box<dyn Read + Send>) -> Self {
        Self { is_file: true, ..Self::new(inner) }
    }

    /// Sets whether [`ByteSource::fill`] returns without bytes if a pipe delivers no bytes for
    /// [`MOMENT`].
    pub fn live(self, live: bool) -> Self {
        Self { live, ..self }
    }

    /// Creates a reader of a followed file.
    pub fn of_growing_file(inner: Box<dyn Read + Send>, events: Arc<FollowEvents>) -> Self {
        Self { followed: Some(events), ..Self::new(inner) }
    }

    /// Removes and returns the oldest [`News`], which is a report about a log that is newer than the followed file.
    pub fn take_news(&self) -> Option<News> {
        self.followed.as_ref()?.take_news()
    }

    /// Whether the input is a regular file. Reading a regular file does not block.
    pub fn is_file(&self) -> bool {
        self.is_file
    }

    /// Whether envelopes, such as docker's JSON around each line, are removed.
    pub fn is_unwrapped(&self) -> bool {
        self.unwrapper.is_some()
    }

    /// Whether the program (such as logcli) that has added the envelopes has removed the tabs of continuation lines.
    pub fn lacks_tabs(&self) -> bool {
        self.unwrapper.as_ref().is_some_and(Unwrapper::lacks_tabs)
    }

    /// Whether the first bytes could be read.
    pub fn has_started(&self) -> bool {
        self.started
    }

    /// Skips a byte order mark at the start of the file. Does nothing if `position` is not the start.
    pub fn skip_byte_order_mark(&mut self, position: &mut FilePosition) {
        const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
        if *position == FilePosition::default() && self.bytes().starts_with(BYTE_ORDER_MARK) {
            self.consume(BYTE_ORDER_MARK.len());
            position.offset = BYTE_ORDER_MARK.len() as u64; // the mark has no column
        }
    }

    /// Reads more bytes. Skips a byte order mark at the start of the file. Returns false at the end.
    ///
    /// # Errors
    /// Same as [`ByteSource::fill`].
    pub fn read_more(&mut self, position: &mut FilePosition, before_wait: BeforeWait<'_>) -> io::Result<bool> {
        if self.is_complete() {
            return Ok(false);
        }
        self.fill(before_wait)?;
        self.skip_byte_order_mark(position);
        Ok(true)
    }

    /// Handles the result of a read during the detection of the format. If the read has failed but the buffer has
    /// bytes, returns `None`, so that these bytes are processed first. The next read returns the error.
    ///
    /// # Errors
    /// Returns the error of `read` if the buffer is empty.
    pub fn defer_error<T>(&mut self, read: io::Result<T>) -> io::Result<Option<T>> {
        match read {
            Err(error) if !self.bytes().is_empty() => {
                self.deferred = Some(error);
                Ok(None)
            }
            read => read.map(Some),
        }
    }

    /// Waits at most `limit` for more bytes. Returns true if bytes or the end of the input arrived.
    ///
    /// # Errors
    /// Same as [`ByteSource::fill`].
    pub fn fill_within(&mut self, limit: Duration, before_wait: BeforeWait<'_>) -> io::Result<bool> {
        if self.is_file {
            return self.fill(before_wait).map(|()| true);
        }
        self.deferred.take().map_or(Ok(()), Err)?;
        self.compact();
        before_wait();
        let done = match std::mem::replace(&mut self.inner, Inner::Lost) {
            Inner::Idle(mut input) => {
                let (send, done) = mpsc::channel();
                std::thread::Builder::new().spawn(move || {
                    let read = input.read();
                    let _ = send.send((input, read)); // fails if the program is ending
                })?;
                done
            }
            Inner::Reading(done) => done,
            Inner::Lost => return Err(io::Error::other("a read has failed before")),
        };
        match done.recv_timeout(limit) {
            Ok((input, read)) => {
                let held = self.buffer.len();
                self.accept(input, read)?;
                self.check_start()?;
                Ok(self.buffer.len() > held || self.complete)
            }
            Err(_) => {
                self.inner = Inner::Reading(done);
                Ok(false)
            }
        }
    }

    /// Handles the result of a read. Returns true if bytes or the end of the input arrived.
    fn accept(&mut self, input: OpenInput, read: io::Result<usize>) -> io::Result<bool> {
        let result = match read {
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(e) => Err(e),
            Ok(read) => {
                self.complete = read == 0;
                match &mut self.unwrapper {
                    None => {
                        self.buffer.extend_from_slice(input.bytes(read));
                        Ok(true)
                    }
                    Some(unwrapper) => {
                        if self.followed.as_ref().is_some_and(|events| events.rotated.load(Ordering::Relaxed)) {
                            // The followed log was rotated. Ignore an error at the end of the old file, because its
                            // last line may be incomplete. Restart the unwrapper, which removes the envelopes of
                            // lines. Without the restart, it would ignore the bytes of the new file if the old file
                            // ended in a complete JSON document.
                            let _ = unwrapper.finish(&mut self.buffer);
                            unwrapper.restart();
                        }
                        let fed = unwrapper.feed(input.bytes(read), &mut self.buffer);
                        let end = if self.complete { unwrapper.finish(&mut self.buffer) } else { Ok(()) };
                        fed.and(end).map(|()| true)
                    }
                }
            }
        };
        self.inner = Inner::Idle(input);
        result
    }

    /// Removes the envelopes, such as docker's JSON, from the buffered lines and from all lines that will be read.
    ///
    /// # Errors
    /// Same as [`Unwrapper::feed`].
    pub fn unwrap_lines(&mut self, mut unwrapper: Unwrapper) -> io::Result<()> {
        self.compact();
        let wrapped = std::mem::take(&mut self.buffer);
        unwrapper.feed(&wrapped, &mut self.buffer)?;
        if self.complete {
            unwrapper.finish(&mut self.buffer)?;
        }
        self.unwrapper = Some(unwrapper);
        Ok(())
    }

    /// Moves the buffered bytes to the start of the buffer.
    fn compact(&mut self) {
        self.buffer.drain(..self.consumed);
        self.consumed = 0;
    }

    /// Refuses a file that starts with the byte order mark of UTF-32. Also refuses a file that still starts with the
    /// byte order mark of UTF-16, which shows that the file was not decoded.
    fn check_start(&mut self) -> io::Result<()> {
        if self.started || (self.buffer.len() < 4 && !self.complete) {
            return Ok(());
        }
        match self.buffer.as_slice() {
            [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => {
                let message = "is UTF-32 by its byte order mark; convert it (iconv -f UTF-32 -t UTF-8)";
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
                let message =
                    "is UTF-16 by its byte order mark; add --encoding utf-16, or convert it (iconv -f UTF-16 -t UTF-8)";
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
            _ => {
                self.started = true;
                Ok(())
            }
        }
    }
}

impl ByteSource for Reader {
    fn bytes(&self) -> &[u8] {
        &self.buffer[self.consumed..]
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    /// Reads more bytes into the buffer.
    ///
    /// A large buffer contains a long statement whose end is unread. Callers search the whole buffer after each call,
    /// so small steps would take quadratic time. Therefore a call doubles a large buffer, even if this takes several
    /// reads.
    ///
    /// Adds no bytes if a followed file has not grown, or if a live pipe has paused. In both cases,
    /// [`ByteSource::is_complete`] still returns false.
    fn fill(&mut self, before_wait: BeforeWait<'_>) -> io::Result<()> {
        self.deferred.take().map_or(Ok(()), Err)?;
        self.compact();
        let held = self.buffer.len();
        let enough = if held < DOUBLE_FROM { held + 1 } else { 2 * held };
        while self.buffer.len() < enough && !self.complete {
            if self.live {
                match self.fill_within(MOMENT, before_wait)? {
                    true => continue,
                    false => return Ok(()),
                }
            }
            if !self.is_file {
                before_wait();
            }
            if let Inner::Idle(input) = &mut self.inner {
                input.make_room(&mut self.buffer);
                if self.is_file && self.unwrapper.is_none() && input.is_plentiful() {
                    self.complete = input.read_behind(&mut self.buffer)? == 0;
                    continue;
                }
            }
            let (input, read) = match std::mem::replace(&mut self.inner, Inner::Lost) {
                Inner::Idle(mut input) => {
                    let read = input.read();
                    (input, read)
                }
                Inner::Reading(done) => done.recv().map_err(io::Error::other)?,
                Inner::Lost => return Err(io::Error::other("a read has failed before")),
            };
            if !self.accept(input, read)? {
                return Ok(()); // a followed file has not grown
            }
        }
        self.check_start()
    }

    fn consume(&mut self, count: usize) {
        self.consumed += count;
        debug_assert!(self.consumed <= self.buffer.len());
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        self.compact();
        let mut taken = std::mem::take(&mut self.buffer);
        self.buffer.extend_from_slice(&taken[count..]);
        taken.truncate(count);
        taken
    }

    fn take_rotated(&mut self) -> bool {
        self.followed.as_ref().is_some_and(|events| events.rotated.swap(false, Ordering::Relaxed))
    }

    fn mark_complete(&mut self) {
        self.complete = true;
    }

    fn has_news(&self) -> bool {
        self.followed.as_ref().is_some_and(|events| events.has_news())
    }
}
