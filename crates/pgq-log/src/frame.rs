//! The header that an unwrapped line has on its way from its envelope to the parser: what only the envelope
//! knows. Written and read here, seen nowhere else.

use crate::file_position::FilePosition;
use crate::message::Message;

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

    /// Appends a framed line with its line break.
    pub fn write(&self, text: &[u8], out: &mut Vec<u8>) {
        let FilePosition { offset, line, column } = self.position;
        let (message, piece) = self.piece.unwrap_or((0, 0));
        let flags = u64::from(self.continued) | u64::from(self.splits) << 1 | u64::from(self.foreign) << 2;
        out.push(START);
        let numbers = [line, offset, self.pid.into(), self.stream.into(), message, piece, flags, column - 1];
        for number in numbers {
            if number > 0 {
                push_number(number, out);
            }
            out.push(b',');
        }
        out.extend_from_slice(self.time);
        out.push(END);
        out.extend_from_slice(text);
        out.push(b'\n');
    }

    /// The frame of a line, and the length of its header.
    pub fn parse(line: &'a [u8]) -> Option<(Self, usize)> {
        let header = line.strip_prefix(&[START])?;
        let end = memchr::memchr(END, header)?;
        let (mut at, mut numbers) = (0, [0u64; 8]);
        for number in &mut numbers {
            while header[at].is_ascii_digit() {
                *number = number.wrapping_mul(10) + u64::from(header[at] - b'0');
                at += 1;
            }
            at += 1;
        }
        let [line, offset, pid, stream, message, piece, flags, column] = numbers;
        let frame = Self {
            position: FilePosition { offset, line, column: column + 1 },
            pid: pid as u32,
            stream: stream as u32,
            piece: (piece > 0).then_some((message, piece)),
            continued: flags & 1 > 0,
            splits: flags & 2 > 0,
            foreign: flags & 4 > 0,
            altered: column == 0,
            time: header.get(at..end)?,
        };
        Some((frame, end + 2))
    }

    /// The text of a line that may be framed.
    pub fn strip(line: &[u8]) -> &[u8] {
        let header = if line.first() == Some(&START) { memchr::memchr(END, line) } else { None };
        header.map_or(line, |end| &line[end + 1..])
    }
}

/// Appends decimal digits: a line has two large numbers.
fn push_number(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    while number > 0 {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    out.extend_from_slice(&digits[at..]);
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
        assert_eq!((Frame::strip(&line), Frame::strip(b"x")), (&b"LOG:  x"[..], &b"x"[..]));
    }
}
