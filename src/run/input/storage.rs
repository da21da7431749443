//! Recognizes compressed inputs and archives by their first bytes.

/// Number of inspected bytes: the size of a tar header.
pub const START_BYTES: usize = 512;

/// Storage format of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    Plain,
    /// The input is empty, or ends within the magic number of a compressed format. It may be a truncated compressed
    /// file or a very short plain text.
    Cut,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lz4,
    /// A skippable frame, which the decoders of zstd and lz4 ignore. The next frame shows the format. All files that
    /// the compressor pzstd writes start with a skippable frame.
    Skipped,
    /// Name of an unsupported archive or stream, and advice for the user.
    Archive(&'static str, &'static str),
}

/// Magic numbers at the start of an input, with their formats.
const MAGIC: [(&[u8], Storage); 20] = [
    (&[0x1F, 0x8B], Storage::Gzip),
    (&[0x28, 0xB5, 0x2F, 0xFD], Storage::Zstd),
    (b"BZh", Storage::Bzip2),
    (&[0xFD, b'7', b'z', b'X', b'Z', 0], Storage::Xz),
    (&[0x04, 0x22, 0x4D, 0x18], Storage::Lz4),
    (&[0x1F, 0x9D], Storage::Archive("a file of compress", "decompress it (gzip -dc FILE | pgq …)")),
    (&[0x5D, 0, 0], Storage::Archive("an lzma file", "decompress it (xz -dc FILE | pgq …)")),
    (
        &[0x02, 0x21, 0x4C, 0x18],
        Storage::Archive("an lz4 file in the legacy format", "decompress it (lz4 -dc FILE | pgq …)"),
    ),
    (b"PK\x03\x04", Storage::Archive("a zip archive", "unpack it (unzip -p FILE | pgq …)")),
    (b"PK\x07\x08", Storage::Archive("a zip archive", "unpack it (unzip -p FILE | pgq …)")),
    (b"PK00PK", Storage::Archive("a zip archive", "unpack it (unzip -p FILE | pgq …)")),
    (b"PK\x05\x06", Storage::Archive("an empty zip archive", "unpack it (unzip -l FILE)")),
    (b"7z\xBC\xAF\x27\x1C", Storage::Archive("a 7z archive", "unpack it (7z x -so FILE | pgq …)")),
    (b"Rar!", Storage::Archive("a rar archive", "unpack it (unrar p -inul FILE | pgq …)")),
    (b"!<arch>\n", Storage::Archive("an ar archive", "unpack it (ar p FILE | pgq …)")),
    (b"070701", CPIO),
    (b"070702", CPIO),
    (b"070707", CPIO),
    // In docker's stream, the first byte is 1 for standard output and 2 for standard error.
    (b"\x01\0\0\0\0", DOCKERS_STREAM),
    (b"\x02\0\0\0\0", DOCKERS_STREAM),
];

const DOCKERS_STREAM: Storage =
    Storage::Archive("a raw stream of docker's API", "let docker read it (docker logs CONTAINER 2>&1 | pgq …)");

const CPIO: Storage = Storage::Archive("a cpio archive", "unpack it (cpio -i --to-stdout < FILE | pgq …)");

/// Length of the magic number of a frame of zstd or lz4.
pub const FRAME_BYTES: usize = 4;

/// Whether `start` begins with the magic number of a skippable frame, or is a prefix of such a number. There are 16
/// such numbers.
fn is_skipped(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5F, rest @ ..] if rest.iter().zip(&[0x2A, 0x4D, 0x18]).all(|(byte, magic)| byte == magic))
}

/// Whether more bytes are needed to recognize a magic number or a tar header.
pub fn may_be_magic(start: &[u8]) -> bool {
    let first = MAGIC.iter().any(|(magic, _)| start.len() < magic.len() && magic.starts_with(start))
        || start.len() < FRAME_BYTES && is_skipped(start);
    // A tar header contains NUL bytes after the file name, whereas scripts and logs contain no NUL bytes. Therefore, if
    // there is a NUL byte, the whole header is needed to recognize a tar archive.
    first
        || (start.len() < START_BYTES && start.contains(&0) && !MAGIC.iter().any(|(magic, _)| start.starts_with(magic)))
}

/// Returns the format of an input by its first bytes.
pub fn storage(start: &[u8]) -> Storage {
    if let Some((_, storage)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return *storage;
    }
    if is_skipped(start) {
        return if start.len() < FRAME_BYTES { Storage::Cut } else { Storage::Skipped };
    }
    if is_old_cpio(start) {
        return CPIO;
    }
    if is_tar(start) {
        return Storage::Archive("a tar archive", "unpack it (tar -xOf FILE | pgq …)");
    }
    let mut compressed = MAGIC.iter().filter(|(_, storage)| !matches!(storage, Storage::Archive(..)));
    if compressed.any(|(magic, _)| magic.starts_with(start)) { Storage::Cut } else { Storage::Plain }
}

/// Whether an input is neither compressed nor an archive, by its first bytes.
pub fn is_plain(start: &[u8]) -> bool {
    matches!(storage(start), Storage::Plain | Storage::Cut)
}

/// Whether an input starts with a header of the oldest cpio format. The magic number is too short
/// to be conclusive. Therefore the header must also contain a NUL byte, which text does not
/// contain.
fn is_old_cpio(start: &[u8]) -> bool {
    matches!(start, [0xC7, 0x71, ..] | [0x71, 0xC7, ..]) && start[..start.len().min(26)].contains(&0)
}

/// Whether an input starts with a tar header. Tests the magic number. If there is none, as in the oldest tar format,
/// tests the checksum.
fn is_tar(start: &[u8]) -> bool {
    let Some((before, rest)) = start.get(..START_BYTES).and_then(|header| header.split_at_checked(148)) else {
        return start.get(257..262) == Some(b"ustar");
    };
    let (checksum, after) = rest.split_at(8);
    let digits = checksum.iter().skip_while(|byte| **byte == b' ').take_while(|byte| byte.is_ascii_digit());
    let written = digits.fold(0, |sum, digit| sum * 8 + u32::from(digit - b'0'));
    // As in tar, each byte of the checksum field counts as a space in this sum.
    let sum: u32 = before.iter().chain(b"        ").chain(after).map(|byte| u32::from(*byte)).sum();
    &start[257..262] == b"ustar" || (written > 256 && written == sum)
}
