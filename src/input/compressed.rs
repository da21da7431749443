//! Decompresses gzip and zstd inputs, recognised by their first bytes: the name does not matter,
//! nor whether the input is a pipe.

use std::io::{self, BufReader, Chain, Cursor, Read};

use flate2::read::MultiGzDecoder;

/// Magic number of zstd.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// Magic number of gzip.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// An input with the inspected bytes put back in front.
type Rewound = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

enum State {
    /// Not inspected yet: reading the first bytes of a pipe may wait.
    Unread(Option<Box<dyn Read + Send>>),
    Plain(Rewound),
    Gzip(MultiGzDecoder<BufReader<Rewound>>),
    Zstd(zstd::Decoder<'static, BufReader<Rewound>>),
}

/// Reads an input, decompressed if it is compressed.
pub struct Decompressed(State);

impl Decompressed {
    pub fn new(inner: Box<dyn Read + Send>) -> Self {
        Self(State::Unread(Some(inner)))
    }

    /// Reads the first bytes to choose the decoder.
    fn detect(mut inner: Box<dyn Read + Send>) -> io::Result<State> {
        let mut start = Vec::new();
        while start.len() < ZSTD.len() && (ZSTD.starts_with(&start) || GZIP.starts_with(&start)) {
            let mut more = [0; ZSTD.len()];
            let missing = ZSTD.len() - start.len();
            match inner.read(&mut more[..missing]) {
                Ok(0) => break,
                Ok(read) => start.extend_from_slice(&more[..read]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        let (is_gzip, is_zstd) = (start.starts_with(&GZIP), start == ZSTD);
        let rewound = Cursor::new(start).chain(inner);
        Ok(if is_gzip {
            State::Gzip(MultiGzDecoder::new(BufReader::new(rewound)))
        } else if is_zstd {
            State::Zstd(zstd::Decoder::with_buffer(BufReader::new(rewound))?)
        } else {
            State::Plain(rewound)
        })
    }
}

impl Read for Decompressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            State::Unread(inner) => {
                let Some(inner) = inner.take() else { return Ok(0) };
                self.0 = Self::detect(inner)?;
                self.read(buffer)
            }
            State::Plain(inner) => inner.read(buffer),
            State::Gzip(inner) => inner.read(buffer),
            State::Zstd(inner) => inner.read(buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::Decompressed;

    fn read(bytes: Vec<u8>) -> Vec<u8> {
        let mut all = Vec::new();
        Decompressed::new(Box::new(std::io::Cursor::new(bytes))).read_to_end(&mut all).unwrap();
        all
    }

    #[test]
    fn compression_is_recognised_by_the_first_bytes() {
        let text = b"SELECT 1;\n".repeat(1000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        let gzip = gzip.finish().unwrap();
        assert_eq!(read(gzip.repeat(2)), text.repeat(2)); // several members are one input
        assert_eq!(read(zstd::encode_all(&text[..], 1).unwrap()), text);
        for plain in [&text[..], b"", b"(", b"\x1f\x8a", b"\x28\xb5\x2f", b"\x28\xb5\x2fx"] {
            assert_eq!(read(plain.to_vec()), plain);
        }
    }
}
