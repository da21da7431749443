//! Buffers for received bytes and unsent answers. They release the memory of unusually large requests.

/// Initial size of an input buffer, in bytes. When a buffer of more than four times this size becomes empty, it is
/// replaced by a buffer of the initial size.
const KEPT: usize = 256 << 10;

/// Bytes from a client. The buffer grows only as bytes arrive, regardless of the length that a header announces.
pub struct Input {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Input {
    pub fn new() -> Self {
        Self { bytes: vec![0; KEPT], start: 0, end: 0 }
    }

    /// Returns the received bytes that are not handled yet.
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Marks bytes as handled.
    pub fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        debug_assert!(self.start <= self.end);
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.bytes.len() > 4 * KEPT {
                self.bytes = vec![0; KEPT];
            }
        }
    }

    /// Returns space for more bytes. After receiving bytes, the caller must pass their number to
    /// [`Input::filled`].
    pub fn room(&mut self) -> &mut [u8] {
        if self.end == self.bytes.len() {
            if self.start >= self.bytes.len() / 2 {
                self.bytes.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, self.end - self.start);
            } else {
                self.bytes.resize(2 * self.bytes.len(), 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    pub fn filled(&mut self, bytes: usize) {
        self.end += bytes;
    }
}

/// Unsent answers.
#[derive(Default)]
pub struct Output {
    /// Answers are appended here.
    pub bytes: Vec<u8>,
    written: usize,
}

impl Output {
    /// Returns the unsent bytes.
    pub fn waiting(&self) -> &[u8] {
        &self.bytes[self.written..]
    }

    /// Records that the client has accepted bytes. Removes the accepted bytes as soon as they are at least half of the
    /// buffer. With a slow client, the buffer may never become empty. If bytes were removed only when all are accepted,
    /// the memory of a long answer would stay in use.
    pub fn written(&mut self, bytes: usize) {
        self.written += bytes;
        if self.written >= self.waiting().len() {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
        if self.bytes.is_empty() {
            self.bytes.shrink_to(4 * KEPT);
        }
    }
}

/// Result of answering the next request.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress {
    /// A request was answered completely or in part.
    Answered,
    /// The input has no complete request.
    Incomplete,
    /// The connection must be closed after the answers are written.
    Close,
}

#[cfg(test)]
mod tests {
    use super::{Input, KEPT, Output};

    #[test]
    fn input_keeps_what_is_not_used_and_gives_memory_back() {
        let mut input = Input::new();
        for round in 0..20_u8 {
            let room = input.room();
            let filled = room.len().min(KEPT);
            room[..filled].fill(round);
            input.filled(filled);
        }
        let all = input.unread().len();
        assert!(all == 20 * KEPT && input.unread()[0] == 0 && input.unread()[all - 1] == 19);
        input.consume(all - 3);
        assert_eq!(input.unread(), [19; 3]);
        input.room()[..2].copy_from_slice(b"ab");
        input.filled(2);
        assert_eq!(input.unread(), [19, 19, 19, b'a', b'b']);
        input.consume(5);
        assert_eq!((input.unread().len(), input.bytes.len()), (0, KEPT));
    }

    #[test]
    fn output_remembers_what_was_written() {
        let mut output = Output::default();
        output.bytes.extend_from_slice(b"abcdef");
        output.written(2);
        assert_eq!((output.waiting(), output.bytes.len()), (&b"cdef"[..], 6));
        output.written(2);
        assert_eq!((output.waiting(), output.bytes.len()), (&b"ef"[..], 2));
        output.written(2);
        assert!(output.waiting().is_empty() && output.bytes.is_empty());
    }
}
