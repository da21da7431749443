//! Decompresses inputs, recognised by their first bytes: the name does not matter, nor whether the input is a
//! pipe. Archives of several files are refused.

use std::io::{self, BufReader, Cursor, Read};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;
use lzma_rust2::XzReader;

/// Bytes that decide: a tar has its magic number at byte 257.
const START_BYTES: usize = 262;

/// How the input is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Storage {
    Plain,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lz4,
    /// What is no log as it is, by its name and what to do.
    Archive(&'static str, &'static str),
}

/// Magic numbers at the start of an input.
const MAGIC: [(&[u8], Storage); 11] = [
    (&[0x1F, 0x8B], Storage::Gzip),
    (&[0x28, 0xB5, 0x2F, 0xFD], Storage::Zstd),
    (b"BZh", Storage::Bzip2),
    (&[0xFD, b'7', b'z', b'X', b'Z', 0], Storage::Xz),
    (&[0x04, 0x22, 0x4D, 0x18], Storage::Lz4),
    (b"PK\x03\x04", Storage::Archive("a zip archive", "unpack it (unzip -p FILE | pgq …)")),
    (b"PK\x05\x06", Storage::Archive("an empty zip archive", "unpack it (unzip -l FILE)")),
    (b"7z\xBC\xAF\x27\x1C", Storage::Archive("a 7z archive", "unpack it (7z x -so FILE | pgq …)")),
    (b"Rar!", Storage::Archive("a rar archive", "unpack it (unrar p -inul FILE | pgq …)")),
    // Standard output and standard error.
    (b"\x01\0\0\0\0", DOCKERS_STREAM),
    (b"\x02\0\0\0\0", DOCKERS_STREAM),
];

const DOCKERS_STREAM: Storage =
    Storage::Archive("a raw stream of docker's API", "let docker read it (docker logs CONTAINER 2>&1 | pgq …)");

enum State {
    /// Not inspected yet: reading the first bytes of a pipe may wait.
    Unread(Option<Box<dyn Read + Send>>),
    Open(Box<dyn Read + Send>),
}

/// Reads an input, decompressed if it is compressed.
pub struct Decompressed(State);

impl Decompressed {
    pub fn new(inner: Box<dyn Read + Send>) -> Self {
        Self(State::Unread(Some(inner)))
    }

    /// Reads the first bytes to choose the decoder.
    fn detect(mut inner: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        let mut start = Vec::new();
        while may_be_magic(&start) {
            let mut more = [0; START_BYTES];
            let missing = START_BYTES - start.len();
            match inner.read(&mut more[..missing]) {
                Ok(0) => break,
                Ok(read) => start.extend_from_slice(&more[..read]),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        let storage = storage(&start);
        let chain: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(inner));
        if storage == Storage::Plain {
            return Ok(chain);
        }
        decoder(storage, BufReader::new(chain))
    }
}

/// Whether more bytes could still make a magic number of these.
fn may_be_magic(start: &[u8]) -> bool {
    let first = MAGIC.iter().any(|(magic, _)| start.len() < magic.len() && magic.starts_with(start));
    // The name of a file in a tar is padded with NULs; the text of a script or a log has none.
    first
        || (start.len() < START_BYTES && start.contains(&0) && !MAGIC.iter().any(|(magic, _)| start.starts_with(magic)))
}

fn storage(start: &[u8]) -> Storage {
    if let Some((_, storage)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return *storage;
    }
    match start.get(257..262) {
        Some(b"ustar") => Storage::Archive("a tar archive", "unpack it (tar -xOf FILE | pgq …)"),
        _ => Storage::Plain,
    }
}

fn decoder(storage: Storage, input: BufReader<Box<dyn Read + Send>>) -> io::Result<Box<dyn Read + Send>> {
    Ok(match storage {
        Storage::Plain => Box::new(input),
        Storage::Gzip => Box::new(MultiGzDecoder::new(input)),
        Storage::Zstd => Box::new(zstd::Decoder::with_buffer(input)?),
        Storage::Bzip2 => Box::new(MultiBzDecoder::new(input)),
        Storage::Xz => Box::new(XzReader::new(input, true)),
        Storage::Lz4 => Box::new(Frames(Some(FrameDecoder::new(input)))),
        Storage::Archive(name, way) => {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("is {name}: {way}")));
        }
    })
}

/// The frames of an lz4 file, one after the other: a decoder ends with the first.
struct Frames(Option<FrameDecoder<BufReader<Box<dyn Read + Send>>>>);

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use std::io::BufRead;
        while let Some(decoder) = &mut self.0 {
            let read = decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let mut input = self.0.take().expect("it was there").into_inner();
            if !input.fill_buf()?.is_empty() {
                self.0 = Some(FrameDecoder::new(input));
            }
        }
        Ok(0)
    }
}

impl Read for Decompressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            State::Unread(inner) => {
                let Some(inner) = inner.take() else { return Ok(0) };
                self.0 = State::Open(Self::detect(inner)?);
                self.read(buffer)
            }
            State::Open(inner) => inner.read(buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::Decompressed;

    fn read(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
        let mut all = Vec::new();
        let mut input = Decompressed::new(Box::new(std::io::Cursor::new(bytes)));
        input.read_to_end(&mut all).map(|_| all).map_err(|error| error.to_string())
    }

    #[test]
    fn compression_is_recognised_by_the_first_bytes() {
        let text = b"SELECT 1;\n".repeat(1000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&text).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(&text).unwrap();
        let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
        lz4.write_all(&text).unwrap();
        for compressed in [gzip.finish().unwrap(), bzip2.finish().unwrap(), lz4.finish().unwrap()] {
            assert_eq!(read(compressed.clone()), Ok(text.clone()));
            assert_eq!(read(compressed.repeat(2)), Ok(text.repeat(2))); // several members are one input
        }
        assert_eq!(read(zstd::encode_all(&text[..], 1).unwrap()), Ok(text.clone()));
        // `printf 'SELECT 1;\n' | xz`
        let xz = include_bytes!("compressed.test.xz").to_vec();
        assert_eq!(read(xz), Ok(b"SELECT 1;\n".to_vec()));
        for plain in [&text[..], b"", b"(", b"\x1f", b"\x28\xb5\x2f", b"\x28\xb5\x2fx", b"B", b"a\0b"] {
            assert_eq!(read(plain.to_vec()).as_deref(), Ok(plain));
        }
    }

    #[test]
    fn archives_are_refused() {
        assert_eq!(read(b"PK\x03\x04...".to_vec()), Err("is a zip archive: unpack it (unzip -p FILE | pgq …)".into()));
        let mut tar = b"a.log".to_vec();
        tar.resize(257, 0);
        tar.extend_from_slice(b"ustar\0");
        assert_eq!(read(tar), Err("is a tar archive: unpack it (tar -xOf FILE | pgq …)".into()));
        let stream = b"\x02\0\0\0\0\0\0\x10";
        assert!(read(stream.to_vec()).is_err_and(|error| error.contains("docker logs")));
    }
}
