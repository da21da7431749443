//! The header that an unwrapped line has on its way from its envelope to the parser: what only the envelope
//! knows. Written and read here, seen nowhere else.

use crate::format::file_position::FilePosition;
use crate::message::parts::Message;
use crate::time::timestamp::parse_timestamp;
use crate::time::zone::with_offset_near;

/// The first byte of a framed line, and the one behind its header.
const START: u8 = 0x1E;
const END: u8 = 0x1F;

/// What an envelope knows of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frame<'a> {
    /// Where the line of the envelope starts in the file; where the text starts, with a column greater than
    /// 1, if the envelope holds the text as it is.
    pub position: FilePosition,
    /// Of the process; 0 if the envelope does not have it.
    pub pid: u32,
    /// A number for each source of lines that the envelope tells apart.
    pub stream: u32,
    /// Number of the message and of the piece that the line is.
    pub piece: Option<(u64, u64)>,
    /// The line is a further one of the same event, so that no message starts with it.
    pub continued: bool,
    /// A text without a tab goes on without a line break: syslog cuts lines that are long.
    pub splits: bool,
    /// Not a line of the server.
    pub foreign: bool,
    /// The envelopes so far did not hold the text as it is. Not a part of the header.
    pub altered: bool,
    /// When the envelope was written; empty if it does not say.
    pub time: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Gives a message the process that only the envelope knows, and keeps the sessions of its sources apart.
    pub fn apply_session(&self, message: &mut Message) {
        if message.pid == 0 {
            message.pid = self.pid;
        }
        if message.session == 0 {
            message.session = u64::from(message.pid);
        }
        if message.session != 0 {
            message.session ^= u64::from(self.stream) << 32;
        }
    }

    /// The time that a line has by itself, where the envelope's time tells which zone it is in.
    pub fn time_with_zone(&self, own: &[u8]) -> Option<String> {
        let known = || parse_timestamp(std::str::from_utf8(self.time).ok()?)?.utc_micros();
        with_offset_near(own, known)
    }

    /// Appends a framed line with its line break.
    pub fn write(&self, text: &[u8], out: &mut Vec<u8>) {
        let FilePosition { offset, line, column } = self.position;
        let (message, piece) = self.piece.unwrap_or((0, 0));
        let flags = u64::from(self.continued) | u64::from(self.splits) << 1 | u64::from(self.foreign) << 2;
        let mut header = Header { bytes: [0; MAX_NUMBERS], len: 2 };
        header.bytes[0] = START;
        // Most lines have only these.
        let rare = [self.pid.into(), self.stream.into(), message, piece, flags];
        let has_rare = rare != [0; 5];
        header.bytes[1] = if has_rare { RARE } else { USUAL };
        for number in [line, offset, column - 1] {
            header.push(number);
        }
        if has_rare {
            rare.into_iter().for_each(|number| header.push(number));
        }
        out.reserve(header.len + self.time.len() + text.len() + 2);
        out.extend_from_slice(&header.bytes[..header.len]);
        out.extend_from_slice(self.time);
        out.push(END);
        out.extend_from_slice(text);
        out.push(b'\n');
    }

    /// The frame of a line, and the length of its header.
    pub fn parse(line: &'a [u8]) -> Option<(Self, usize)> {
        let &[START, kind, ref rest @ ..] = line else { return None };
        let mut numbers = Numbers(rest);
        let [line_number, offset, column] = [numbers.next()?, numbers.next()?, numbers.next()?];
        let mut rare = [0; 5];
        if kind == RARE {
            for number in &mut rare {
                *number = numbers.next()?;
            }
        }
        let time = &numbers.0[..memchr::memchr(END, numbers.0)?];
        let len = line.len() - numbers.0.len() + time.len() + 1;
        let [pid, stream, message, piece, flags] = rare;
        let frame = Self {
            position: FilePosition { offset, line: line_number, column: column + 1 },
            pid: pid as u32,
            stream: stream as u32,
            piece: (piece > 0).then_some((message, piece)),
            continued: flags & 1 > 0,
            splits: flags & 2 > 0,
            foreign: flags & 4 > 0,
            altered: column == 0,
            time,
        };
        Some((frame, len))
    }

    /// The same without its time.
    pub fn without_time(&self) -> Frame<'static> {
        Frame { time: b"", ..*self }
    }

    /// The text of a line that may be framed.
    pub fn strip(line: &[u8]) -> &[u8] {
        let header = if line.first() == Some(&START) { memchr::memchr(END, line) } else { None };
        header.map_or(line, |end| &line[end + 1..])
    }
}

/// The start of a header, up to its time.
struct Header {
    bytes: [u8; MAX_NUMBERS],
    len: usize,
}

/// Eight numbers of at most 11 bytes each, behind two bytes.
const MAX_NUMBERS: usize = 2 + 8 * 11;
/// The second byte of a header: whether numbers follow that most lines do not have.
const USUAL: u8 = b'u';
const RARE: u8 = b'r';

impl Header {
    /// Appends a number in groups of six bits, of which the last one has the highest bit: no byte of it is a line
    /// break, or the end of a header.
    #[inline]
    fn push(&mut self, mut number: u64) {
        while number > 0x3F {
            self.bytes[self.len] = 0x40 | (number & 0x3F) as u8;
            self.len += 1;
            number >>= 6;
        }
        self.bytes[self.len] = 0x80 | number as u8;
        self.len += 1;
    }
}

/// Takes numbers off the start of a text.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    #[inline]
    fn next(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x3F) << shift;
            if byte & 0x80 > 0 {
                return Some(number);
            }
            shift = if shift < 60 { shift + 6 } else { return None };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FilePosition, Frame};

    #[test]
    fn frames_come_back_as_they_were() {
        let position = FilePosition { offset: 70, line: 3, column: 1 };
        let frame = Frame {
            position,
            pid: 42,
            piece: Some((7, 2)),
            continued: true,
            altered: true,
            time: b"12:00",
            ..Frame::default()
        };
        let mut line = Vec::new();
        frame.write(b"LOG:  x", &mut line);
        assert_eq!(line.pop(), Some(b'\n'));
        assert_eq!(Frame::parse(&line).map(|(frame, len)| (frame, &line[len..])), Some((frame, &b"LOG:  x"[..])));
        for number in [0, 1, 63, 64, 10 << 6, u64::MAX >> 1, u64::MAX] {
            let position = FilePosition { offset: number, line: number, column: 7 };
            let (frame, mut line) = (Frame { position, ..Frame::default() }, Vec::new());
            frame.write(b"\x1f\x1e", &mut line);
            assert_eq!(memchr::memchr(b'\n', &line), Some(line.len() - 1));
            assert_eq!(
                Frame::parse(&line).map(|(frame, len)| (frame, &line[len..])),
                Some((frame, &b"\x1f\x1e\n"[..]))
            );
        }
        assert_eq!(Frame::parse(b"\x1eu"), None);
        assert_eq!((Frame::strip(&line), Frame::strip(b"x")), (&b"LOG:  x"[..], &b"x"[..]));
    }
}
