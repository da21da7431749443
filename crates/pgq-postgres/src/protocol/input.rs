//! Splits the server's bytes into messages.

use std::ops::Range;

use crate::error::Error;

/// Maximum number of bytes per read.
const SPACE: usize = 128 << 10;
/// Maximum buffer size that is kept after a long message.
const KEPT: usize = 1 << 20;

/// Tags of messages that may be longer than `SHORT` bytes: rows, descriptions, data, errors and notices.
const LONG: &[u8] = b"DTtdENA";
const SHORT: usize = 30_000;

/// Received bytes that were not consumed.
pub struct Input {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

/// A message: its tag, and the range of its body in the buffer.
#[derive(Debug, Clone)]
pub struct Frame {
    pub tag: u8,
    pub body: Range<usize>,
}

/// Maximum length of a message in bytes: 1 GiB, as in PostgreSQL (MaxAllocSize).
const MAX_LENGTH: usize = 1 << 30;

impl Input {
    pub fn new() -> Self {
        Self { bytes: Vec::new(), start: 0, end: 0 }
    }

    /// Returns free space for received bytes. The space grows with the bytes that arrive, so a forged length field
    /// cannot cause a large allocation.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.bytes.len() > KEPT {
                self.bytes = Vec::new();
            }
        }
        if self.bytes.len() - self.end < SPACE / 2 {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            if self.bytes.len() - self.end < SPACE / 2 {
                self.bytes.resize((self.end * 2).max(SPACE), 0);
            }
        }
        &mut self.bytes[self.end..]
    }

    /// Records that `count` bytes of the space were filled.
    pub fn filled(&mut self, count: usize) {
        assert!(count <= self.bytes.len() - self.end, "more bytes than there was space");
        self.end += count;
    }

    /// Takes the next message, or returns `None` if the message is incomplete.
    pub fn take(&mut self) -> Result<Option<Frame>, Error> {
        let Some(header) = self.bytes[self.start..self.end].first_chunk::<5>() else { return Ok(None) };
        let length = u32::from_be_bytes([header[1], header[2], header[3], header[4]]) as usize;
        if !(4..=MAX_LENGTH).contains(&length) {
            return Err(Error::Protocol(format!("a message of type {:#04x} has length {length}", header[0])));
        }
        let tag = header[0];
        // Only the message types in `LONG` can be this long. A different type means that the bytes are from another
        // protocol. Fail at once, because the client would otherwise wait for the rest of a huge message that never
        // arrives.
        if length > SHORT && !LONG.contains(&tag) {
            return Err(Error::Protocol(format!("a message of type {tag:#04x} cannot have {length} bytes")));
        }
        if self.end - self.start < length + 1 {
            return Ok(None);
        }
        let body = self.start + 5..self.start + 1 + length;
        self.start = body.end;
        Ok(Some(Frame { tag, body }))
    }

    /// Returns bytes of the message that was taken last. They are valid until the next call of `space`.
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// Returns the number of buffered bytes in complete and incomplete messages.
    pub fn len(&self) -> usize {
        self.end - self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(tag: u8, body: &[u8]) -> Vec<u8> {
        [&[tag], &(body.len() as u32 + 4).to_be_bytes()[..], body].concat()
    }

    #[test]
    fn messages_are_the_same_whatever_pieces_they_come_in() {
        let sent = [message(b'Z', b"I"), message(b'D', &vec![7; 300_000]), message(b'1', b"")].concat();
        for piece in [1, 3, 1000, 70_000] {
            let mut input = Input::new();
            let mut taken = Vec::new();
            for mut bytes in sent.chunks(piece) {
                while !bytes.is_empty() {
                    let space = input.space();
                    let count = bytes.len().min(space.len());
                    space[..count].copy_from_slice(&bytes[..count]);
                    input.filled(count);
                    bytes = &bytes[count..];
                    while let Some(frame) = input.take().unwrap() {
                        taken.push((frame.tag, input.bytes(frame.body).to_vec()));
                    }
                }
            }
            assert_eq!(taken, [(b'Z', b"I".to_vec()), (b'D', vec![7; 300_000]), (b'1', Vec::new())], "{piece}");
            assert_eq!(input.len(), 0);
        }
    }

    #[test]
    fn a_length_that_cannot_be_is_an_error_and_a_long_one_takes_no_memory() {
        let mut input = Input::new();
        input.space()[..5].copy_from_slice(b"D\0\0\0\x03");
        input.filled(5);
        assert!(input.take().is_err());
        let mut input = Input::new();
        input.space()[..5].copy_from_slice(b"D\x40\0\0\x01");
        input.filled(5);
        assert!(input.take().is_err());
        let mut input = Input::new();
        input.space()[..5].copy_from_slice(b"HTTP/");
        input.filled(5);
        assert!(input.take().is_err());
        let mut input = Input::new();
        input.space()[..5].copy_from_slice(b"D\x3f\0\0\0");
        input.filled(5);
        assert!(input.take().unwrap().is_none());
        assert!(input.space().len() <= SPACE);
    }
}
