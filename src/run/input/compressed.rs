//! Decompresses inputs. Detects the format from the first bytes, because pipes have no file name. Refuses archives of
//! several files, even if the archive is compressed. If the file name or the first bytes show that an input is
//! compressed, truncation of the input is an error, in every format.

use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use pgq_log::without_compression;

use super::frames::{Lz4Frames, next_magic};
use super::storage::{START_BYTES, Storage, may_be_magic, storage};

enum State {
    /// An input whose first bytes are not read yet. They are read as late as possible, because reading from a pipe may
    /// block. The flag is true if the file name has the extension of a compressed file.
    Unread(Option<Box<dyn Read + Send>>, bool),
    Open(Box<dyn Read + Send>),
}

/// A reader that decompresses its input if necessary.
pub struct Decompressed(State);

impl Decompressed {
    pub fn new(inner: Box<dyn Read + Send>) -> Self {
        Self(State::Unread(Some(inner), false))
    }

    /// Reads a file. If its name has the extension of a compressed file, content that is not compressed is an error.
    pub fn of_file(inner: Box<dyn Read + Send>, path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Self(State::Unread(Some(inner), without_compression(&name) != name))
    }

    /// Reads the first bytes and chooses the decoder.
    fn detect(inner: Box<dyn Read + Send>, has_compressed_name: bool) -> io::Result<Box<dyn Read + Send>> {
        let (storage, input) = inspect(inner)?;
        match storage {
            Storage::Cut if has_compressed_name => {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "is too short for a compressed file"));
            }
            Storage::Plain if has_compressed_name => {
                return Err(refuse(
                    "not compressed, although it has the extension of a compressed file",
                    "it is damaged, or must be renamed",
                ));
            }
            Storage::Plain | Storage::Cut => return Ok(input),
            _ => {}
        }
        // The input is compressed, but its content may be an archive, or compressed again.
        match inspect(decoder(storage, BufReader::new(input))?)? {
            (Storage::Plain | Storage::Cut, decoded) => Ok(decoded),
            (Storage::Archive(..), _) => Err(refuse("a compressed archive", "unpack it (tar -xOf FILE | pgq …)")),
            _ => Err(refuse("compressed twice", "decompress it once (gzip -dc FILE | pgq …)")),
        }
    }
}

/// Returns the storage format, and a reader of the whole input.
fn inspect(mut inner: Box<dyn Read + Send>) -> io::Result<(Storage, Box<dyn Read + Send>)> {
    let mut start = Vec::new();
    while may_be_magic(&start) {
        let mut more = [0; START_BYTES];
        let missing = START_BYTES - start.len();
        match inner.read(&mut more[..missing]) {
            Ok(0) => break,
            Ok(read) => start.extend_from_slice(&more[..read]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            // The returned reader first returns the bytes that were read before the error, and then the error.
            Err(e) => return Ok((storage(&start), Box::new(Cursor::new(start).chain(Failing(Some(e)))))),
        }
    }
    Ok((storage(&start), Box::new(Cursor::new(start).chain(inner))))
}

/// A reader that fails once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn refuse(name: &str, way: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("is {name}: {way}"))
}

/// Maximum memory of the xz decoder, in KiB: 128 MiB for the dictionary, as for zstd, and 1 MiB for everything else.
const XZ_KIB: u32 = 129 << 10;

/// Returns the decoder of a storage format. Not inlined, because the decoders would enlarge the stack frame of the
/// caller, which also reads plain inputs.
#[cold]
#[inline(never)]
fn decoder(storage: Storage, input: BufReader<Box<dyn Read + Send>>) -> io::Result<Box<dyn Read + Send>> {
    Ok(match storage {
        Storage::Plain | Storage::Cut => Box::new(input),
        Storage::Gzip => Box::new(MultiGzDecoder::new(input)),
        Storage::Zstd => Box::new(zstd::Decoder::with_buffer(input)?),
        Storage::Bzip2 => Box::new(MultiBzDecoder::new(input)),
        Storage::Xz => Box::new(XzReader::new_mem_limit(input, true, XZ_KIB)),
        Storage::Lz4 => Box::new(Lz4Frames::new(input)),
        Storage::Skipped => return after_skipped(input),
        Storage::Archive(name, way) => return Err(refuse(name, way)),
    })
}

/// Returns the decoder of an input that starts with skippable frames. Both zstd and lz4 have such frames, so the first
/// other frame determines the format.
fn after_skipped(mut input: BufReader<Box<dyn Read + Send>>) -> io::Result<Box<dyn Read + Send>> {
    let Some(magic) = next_magic(&mut input).map_err(reworded)? else { return Ok(Box::new(input)) };
    match storage(&magic) {
        storage @ (Storage::Zstd | Storage::Lz4) => {
            decoder(storage, BufReader::new(Box::new(Cursor::new(magic).chain(input))))
        }
        _ => Err(refuse("not supported", "neither zstd nor lz4 follows its skippable frame")),
    }
}

impl Read for Decompressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            State::Unread(inner, has_compressed_name) => {
                let Some(inner) = inner.take() else { return Ok(0) };
                self.0 = State::Open(Self::detect(inner, *has_compressed_name)?);
                self.read(buffer)
            }
            State::Open(inner) => inner.read(buffer).map_err(reworded),
        }
    }
}

/// Replaces the message of two errors: truncated data, which each decoder reports in different words, and a dictionary
/// that exceeds the memory limit [`XZ_KIB`]. Returns other errors unchanged.
fn reworded(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ io::ErrorKind::UnexpectedEof => io::Error::new(kind, "is truncated: the compressed data lacks its end"),
        io::ErrorKind::OutOfMemory if error.raw_os_error().is_none() => {
            refuse("compressed with a dictionary of more than 128 MiB", "decompress it (xz -dc FILE | pgq …)")
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::{Decompressed, Path};

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
            assert_eq!(read(compressed.repeat(2)), Ok(text.repeat(2))); // concatenated members are one input
        }
        assert_eq!(read(zstd::encode_all(&text[..], 1).unwrap()), Ok(text.clone()));
        // Output of `printf 'SELECT 1;\n' | xz`.
        let xz = include_bytes!("compressed.test.xz").to_vec();
        assert_eq!(read(xz), Ok(b"SELECT 1;\n".to_vec()));
        for plain in [&text[..], b"", b"(", b"\x1f", b"\x28\xb5\x2f", b"\x28\xb5\x2fx", b"B", b"a\0b"] {
            assert_eq!(read(plain.to_vec()).as_deref(), Ok(plain));
        }
    }

    /// Compresses `text` in each supported format.
    fn compressed(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(text).unwrap();
        let blocks = lz4_flex::frame::FrameInfo::new().block_size(lz4_flex::frame::BlockSize::Max64KB);
        let mut lz4 = lz4_flex::frame::FrameEncoder::with_frame_info(blocks, Vec::new());
        lz4.write_all(text).unwrap();
        vec![
            ("gz", gzip.finish().unwrap()),
            ("bz2", bzip2.finish().unwrap()),
            ("lz4", lz4.finish().unwrap()),
            ("zst", zstd::encode_all(text, 1).unwrap()),
        ]
    }

    #[test]
    fn an_input_that_is_cut_anywhere_is_an_error() {
        // The first input has several lz4 blocks. The second has one block.
        for lines in [20_000_u32, 10] {
            let text: String =
                (0..lines).map(|line| format!("SELECT {}, {line};\n", line.wrapping_mul(0x9E37_79B9))).collect();
            for (name, bytes) in compressed(text.as_bytes()) {
                assert_eq!(read(bytes.clone()).as_deref(), Ok(text.as_bytes()), "{name}");
                // The input is cut near its start, near its end, and at 24 positions between them.
                let step = (bytes.len() / 24).max(1);
                let path = format!("a.log.{name}");
                for cut in (0..bytes.len()).filter(|cut| *cut < 40 || bytes.len() - cut < 12 || cut % step == 0) {
                    let cut = bytes[..cut].to_vec();
                    let mut file = Decompressed::of_file(Box::new(std::io::Cursor::new(cut.clone())), Path::new(&path));
                    assert!(
                        file.read_to_end(&mut Vec::new()).is_err(),
                        "{name}: {} of {} bytes",
                        cut.len(),
                        bytes.len()
                    );
                    // An input without a file name is recognized as compressed only by its magic number, which has at
                    // most 6 bytes.
                    assert!(cut.len() < 6 || read(cut).is_err(), "{name}");
                }
            }
        }
    }

    #[test]
    fn a_zstd_that_begins_with_a_frame_to_skip_is_read() {
        let mut bytes = b"\x50\x2A\x4D\x18\x04\0\0\0\x20\0\0\0".to_vec();
        bytes.extend(zstd::encode_all(&b"SELECT 1"[..], 0).unwrap());
        assert_eq!(read(bytes).as_deref(), Ok(&b"SELECT 1"[..]));
    }

    #[test]
    fn an_xz_that_is_cut_anywhere_is_an_error() {
        let bytes = include_bytes!("compressed.test.xz");
        for cut in 6..bytes.len() {
            assert!(read(bytes[..cut].to_vec()).is_err(), "{cut}");
        }
    }

    #[test]
    fn an_xz_with_a_dictionary_of_more_than_128_mib_is_refused() {
        // Reads a file with this dictionary size in its block header, and with this checksum of the header.
        let with = |size: u8, checksum: [u8; 4]| {
            let mut bytes = include_bytes!("compressed.test.xz").to_vec();
            bytes[16] = size;
            bytes[20..24].copy_from_slice(&checksum);
            read(bytes)
        };
        assert_eq!(with(30, [0x9b, 0x07, 0x51, 0x66]).as_deref(), Ok(&b"SELECT 1;\n"[..]));
        assert!(with(31, [0xfe, 0x60, 0xed, 0xde]).is_err_and(|it| it.contains("a dictionary of more than 128 MiB")));
    }

    #[test]
    fn an_input_that_is_compressed_twice_is_refused() {
        for (name, once) in compressed(b"SELECT 1;") {
            for (_, twice) in compressed(&once) {
                assert!(read(twice).is_err_and(|error| error.starts_with("is compressed twice")), "{name}");
            }
        }
    }

    #[test]
    fn archives_are_refused_also_when_they_are_compressed() {
        // The oldest tar format has no magic number.
        for magic in [&b"ustar\0"[..], b""] {
            let mut tar = b"a.log".to_vec();
            tar.resize(257, 0);
            tar.extend_from_slice(magic);
            tar.resize(512, 0);
            tar[100..107].copy_from_slice(b"0000644");
            let sum: u32 = tar.iter().map(|byte| u32::from(*byte)).sum::<u32>() + 8 * 32;
            tar[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
            tar.extend_from_slice(&b"SELECT 1;\n".repeat(100));
            assert_eq!(read(tar.clone()), Err("is a tar archive: unpack it (tar -xOf FILE | pgq …)".into()));
            for (name, bytes) in compressed(&tar) {
                let expected = "is a compressed archive: unpack it (tar -xOf FILE | pgq …)";
                assert_eq!(read(bytes), Err(expected.into()), "{name}");
            }
        }
    }

    #[test]
    fn archives_are_refused() {
        for (start, name) in [("070701", "a cpio"), ("070702", "a cpio"), ("070707", "a cpio"), ("!<arch>\n", "an ar")]
        {
            let archive = format!("{start}0001a4\nSELECT 1;\n");
            let expected = format!("is {name} archive: ");
            assert!(read(archive.clone().into_bytes()).is_err_and(|error| error.starts_with(&expected)));
            for (format, bytes) in compressed(archive.as_bytes()) {
                assert!(read(bytes).is_err_and(|error| error.starts_with("is a compressed archive")), "{format}");
            }
        }
        for magic in [[0xC7, 0x71], [0x71, 0xC7]] {
            let archive = [&magic[..], &[0; 24], b"a.log\0SELECT 1;\n"].concat();
            assert!(read(archive).is_err_and(|error| error.starts_with("is a cpio archive")));
            assert!(read([&magic[..], b" := 1"].concat()).is_ok());
        }
        for start in ["PK\x03\x04...", "PK\x07\x08PK\x03\x04", "PK00PK\x03\x04"] {
            let expected = "is a zip archive: unpack it (unzip -p FILE | pgq …)";
            assert_eq!(read(start.as_bytes().to_vec()), Err(expected.into()));
        }
        let mut tar = b"a.log".to_vec();
        tar.resize(257, 0);
        tar.extend_from_slice(b"ustar\0");
        assert_eq!(read(tar), Err("is a tar archive: unpack it (tar -xOf FILE | pgq …)".into()));
        let stream = b"\x02\0\0\0\0\0\0\x10";
        assert!(read(stream.to_vec()).is_err_and(|error| error.contains("docker logs")));
    }
}
