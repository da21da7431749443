//! Decodes an input to UTF-8 while reading.

use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding};

/// Number of bytes per read.
const READ_SIZE: usize = 64 * 1024;

/// Converts an input from `encoding` to UTF-8. Removes a byte order mark.
pub struct Decoded {
    inner: Box<dyn Read + Send>,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// Bytes that were read but not decoded.
    encoded: Vec<u8>,
    /// Decoded bytes that were not consumed.
    decoded: Vec<u8>,
    /// Number of input bytes before `encoded`.
    offset: u64,
    complete: bool,
}

impl Decoded {
    pub fn new(inner: Box<dyn Read + Send>, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { inner, encoding, decoder, encoded: Vec::new(), decoded: Vec::new(), offset: 0, complete: false }
    }

    /// Reads and decodes more bytes.
    fn fill(&mut self) -> io::Result<()> {
        self.encoded.resize(READ_SIZE, 0);
        let read = self.inner.read(&mut self.encoded)?;
        self.encoded.truncate(read);
        self.complete = read == 0;
        let most = self.decoder.max_utf8_buffer_length_without_replacement(read).unwrap_or(4 * READ_SIZE);
        self.decoded.resize(most, 0);
        let (result, taken, written) =
            self.decoder.decode_to_utf8_without_replacement(&self.encoded, &mut self.decoded, self.complete);
        self.decoded.truncate(written);
        self.offset += taken as u64;
        match result {
            DecoderResult::Malformed(bad, behind) => {
                let at = self.offset.saturating_sub(u64::from(bad) + u64::from(behind));
                let message = format!("is not valid {} at byte {at} (see --encoding)", self.encoding.name());
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
            _ => Ok(()),
        }
    }
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoded.is_empty() && !self.complete {
            self.fill()?;
        }
        let count = buffer.len().min(self.decoded.len());
        buffer[..count].copy_from_slice(&self.decoded[..count]);
        self.decoded.drain(..count);
        Ok(count)
    }
}

/// An input that is decoded if it starts with a UTF-16 byte order mark. Other inputs are unchanged.
pub enum ByMark {
    /// Before the first read.
    Unread(Box<dyn Read + Send>),
    Plain(Box<dyn Read + Send>),
    Wide(Decoded),
}

impl ByMark {
    pub fn new(inner: Box<dyn Read + Send>) -> Self {
        Self::Unread(inner)
    }
}

impl Read for ByMark {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let inner = match self {
            Self::Plain(inner) => return inner.read(buffer),
            Self::Wide(decoded) => return decoded.read(buffer),
            Self::Unread(inner) => inner,
        };
        // Four bytes are needed to distinguish UTF-16 from UTF-32. UTF-32 is refused.
        let mut read = inner.read(buffer)?;
        let is_mark = |start: &[u8]| matches!(start, [0xFF | 0xFE] | [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
        while is_mark(&buffer[..read]) && read < 4.min(buffer.len()) {
            match inner.read(&mut buffer[read..])? {
                0 => break,
                more => read += more,
            }
        }
        let encoding = match buffer[..read] {
            [0xFF, 0xFE, 0, 0, ..] => None,
            [0xFF, 0xFE, ..] => Some(encoding_rs::UTF_16LE),
            [0xFE, 0xFF, ..] => Some(encoding_rs::UTF_16BE),
            _ => None,
        };
        let inner = std::mem::replace(inner, Box::new(io::empty()));
        let Some(encoding) = encoding else {
            *self = Self::Plain(inner);
            return Ok(read);
        };
        let start = io::Cursor::new(buffer[..read].to_vec());
        let mut decoded = Decoded::new(Box::new(start.chain(inner)), encoding);
        let read = decoded.read(buffer);
        *self = Self::Wide(decoded);
        read
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::{ByMark, Decoded, Encoding};

    fn decode(bytes: &[u8], encoding: &str) -> Result<String, String> {
        let encoding = Encoding::for_label(encoding.as_bytes()).unwrap();
        let mut text = String::new();
        let mut reader = Decoded::new(Box::new(Cursor::new(bytes.to_vec())), encoding);
        reader.read_to_string(&mut text).map(|_| text).map_err(|error| error.to_string())
    }

    #[test]
    fn other_encodings_become_utf8() {
        assert_eq!(decode(b"caf\xe9", "latin1").unwrap(), "café");
        assert_eq!(decode(b"\x95\x5c", "sjis").unwrap(), "表");
        assert_eq!(decode(b"\xff\xfeS\0", "utf-16").unwrap(), "S");
        let long = [0xe9].repeat(200_000);
        assert_eq!(decode(&long, "latin1").unwrap(), "é".repeat(200_000));
    }

    #[test]
    fn a_mark_says_what_is_utf_16() {
        let read = |bytes: &[u8]| {
            let mut text = Vec::new();
            let read = ByMark::new(Box::new(Cursor::new(bytes.to_vec()))).read_to_end(&mut text);
            read.map(|_| text).map_err(|error| error.to_string())
        };
        assert_eq!(read(b"\xff\xfeS\0\n\0").unwrap(), b"S\n");
        assert_eq!(read(b"\xfe\xff\0S").unwrap(), b"S");
        assert_eq!(read(b"\xff\xfeS").unwrap_err(), "is not valid UTF-16LE at byte 2 (see --encoding)");
        for plain in [&b"S"[..], b"\xff", b"\xef\xbb\xbfS", b"", b"\xff\xfe\0\0S\0\0\0"] {
            assert_eq!(read(plain).unwrap(), plain);
        }
    }

    #[test]
    fn a_byte_that_the_encoding_lacks_is_an_error() {
        assert_eq!(decode(b"ab\xff", "euc-jp").unwrap_err(), "is not valid EUC-JP at byte 2 (see --encoding)");
    }
}
