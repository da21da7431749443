//! Header before each line whose envelope was removed. The header passes the envelope's values to the parser.

use crate::format::file_position::FilePosition;
use crate::message::parts::Message;
use crate::time::timestamp::{parse_timestamp, with_offset_near};

/// First and last byte of the header.
const START: u8 = 0x1E;
const END: u8 = 0x1F;

/// Values of an envelope for one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frame<'a> {
    /// Position of the text in the file. If the file may contain the text only in an encoded form, the column is 1, and
    /// only the line number is exact.
    pub position: FilePosition,
    /// Process ID, 0 if the envelope lacks it.
    pub pid: u32,
    /// Number of the line's source.
    pub stream: u32,
    /// Number of the message, and number of the piece on this line, if syslog numbers them (`[7-2]`).
    pub piece: Option<(u64, u64)>,
    /// Whether the server wrote only a piece number (`[2]`) before the line, instead of a message number and a piece
    /// number (`[7-2]`). It does so with syslog_sequence_numbers = off.
    pub numbered: bool,
    /// Whether the line belongs to the same event as the previous line. If so, and if it has no log_line_prefix, it
    /// continues the message of the previous line.
    pub continued: bool,
    /// Whether syslog may have split a long line. If so, a line without a tab directly continues the previous line.
    pub splits: bool,
    /// Whether the line is from a program other than the server.
    pub foreign: bool,
    /// Whether this line may be the rest of a line that the platform has split without a mark.
    pub is_rest: bool,
    /// Whether an outer envelope changed the text. [`Frame::parse`] derives this flag from the column, so the header
    /// does not contain it.
    pub altered: bool,
    /// Whether a container wrote the line to its standard output. The header does not contain this flag.
    pub is_stdout: bool,
    /// Time in the envelope. Empty if the envelope has no time.
    pub time: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Returns the position for text that was decoded from this line. The file does not contain such text verbatim, so
    /// the position is the start of the line, and the column is always 1.
    pub fn line_position(&self) -> FilePosition {
        FilePosition { column: 1, ..self.position }
    }

    /// Returns a copy of the frame for text that was decoded from this line.
    pub fn with_altered_text(&self) -> Self {
        Self { position: self.line_position(), altered: true, ..*self }
    }

    /// Takes a message's process ID from the envelope if the message itself has no process ID. Adds the source to the
    /// session key, so that sessions of different sources have different keys.
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

    /// If the zone of the message's time `own` is ambiguous (`CST`), returns the time with a UTC offset in place of the
    /// zone. The envelope's time shows which offset is right. Returns `None` if the zone is not ambiguous, or if no
    /// offset fits the envelope's time.
    pub fn time_with_zone(&self, own: &[u8]) -> Option<String> {
        let known = || parse_timestamp(std::str::from_utf8(self.time).ok()?)?.utc_micros();
        with_offset_near(own, known)
    }

    /// Appends the line's frame (the header in place of the envelope), the line itself, and a line break.
    pub fn write(&self, text: &[u8], out: &mut Vec<u8>) {
        let FilePosition { offset, line, column } = self.position;
        let (message, piece) = self.piece.unwrap_or((0, 0));
        let flags = u64::from(self.continued) | u64::from(self.splits) << 1 | u64::from(self.foreign) << 2;
        let flags = flags | u64::from(self.is_rest) << 3 | u64::from(self.numbered) << 4;
        let mut header = Header { bytes: [0; MAX_NUMBERS], len: 2 };
        header.bytes[0] = START;
        // Most lines lack these values.
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

    /// Parses the frame of a line. Returns the frame and the length of its header.
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
            is_rest: flags & 8 > 0,
            numbered: flags & 16 > 0,
            altered: column == 0,
            is_stdout: false,
            time,
        };
        Some((frame, len))
    }

    /// Returns the frame without its time, which is the only field that borrows from the line.
    pub fn without_time(&self) -> Frame<'static> {
        Frame { time: b"", ..*self }
    }

    /// Whether the text begins, or may begin, in the middle of a line that the server wrote. Such a text may begin with
    /// a client's text, which can look like any format.
    pub fn begins_inside(&self) -> bool {
        self.is_rest || self.piece.is_some_and(|(_, piece)| piece > 1)
    }

    /// Removes the frame of a line (the header that replaces the envelope) and returns the rest. Returns a line without
    /// a frame unchanged.
    pub fn strip(line: &[u8]) -> &[u8] {
        let header = if line.first() == Some(&START) { memchr::memchr(END, line) } else { None };
        header.map_or(line, |end| &line[end + 1..])
    }
}

/// Returns the lines of a framed sample without their frames. If a line of the server is split into several framed
/// lines, only the first part is returned. Omits lines that are not from the server.
pub fn first_parts(framed: &[u8]) -> Vec<u8> {
    let is_first = |line: &&[u8]| Frame::parse(line).is_none_or(|(frame, _)| !frame.begins_inside() && !frame.foreign);
    framed.split_inclusive(|b| *b == b'\n').filter(is_first).flat_map(Frame::strip).copied().collect()
}

/// Receives the lines inside an envelope, each with the envelope's values.
pub type Emit<'a> = &'a mut dyn FnMut(&Frame<'_>, &[u8]);

/// Encoder of the header up to the time.
struct Header {
    bytes: [u8; MAX_NUMBERS],
    len: usize,
}

/// Maximum length of the header up to the time: two bytes, and eight numbers of at most 11 bytes
/// each.
const MAX_NUMBERS: usize = 2 + 8 * 11;
/// Second byte of a header that omits the process ID, the stream, the piece and the flags, because all are 0.
const USUAL: u8 = b'u';
const RARE: u8 = b'r';

impl Header {
    /// Appends a number as groups of six bits, one byte per group. The highest bit of a byte marks the last group. None
    /// of these bytes equals a line break or [`END`].
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

/// Decodes numbers from the start of its bytes.
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
