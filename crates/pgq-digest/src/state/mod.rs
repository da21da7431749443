//! Encodes a [`Digest`] as bytes (a state), so that the digest can be merged later or on another machine. A state is
//! compact, and has a version and a checksum. With the same build, equal digests have equal states.
//!
//! A state starts with 8 magic bytes, a version (4 bytes) and the XXH3 hash of all following bytes (8 bytes). All
//! fixed-size numbers are little-endian. After the hash, the parts follow, compressed by zstd. Each part (part.rs)
//! consists of its length (4 bytes) and a value in the format of postcard. In a text-only medium, a state is one line
//! of base64. Input without the magic bytes is decoded as lines of base64.

mod part;

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use xxhash_rust::xxh3::xxh3_64;

use crate::digest::{Digest, Limit};
use part::{MAX_PART_LEN, Part, parts};

const MAGIC: &[u8; 8] = b"pgqstate";
const VERSION: u32 = 8;
/// zstd's default level. Higher levels hardly reduce the size, because a state consists mostly of counters.
const ZSTD_LEVEL: i32 = 3;
/// The limit of the digest is enforced each time this number of bytes has been read.
const BYTES_BETWEEN_CHECKS: usize = 4 << 20;
/// Base-two logarithm of the maximum window that the decoder accepts: 2²³ bytes, which are 8 MiB. A state with a larger
/// window is an error, because the decoder would need more memory. With [`ZSTD_LEVEL`], the encoder's window is
/// smaller.
const MAX_WINDOW_LOG: u32 = 23;
/// Maximum size of a decompressed state in bytes, and as a multiple of the compressed size if this is more. Digests of
/// equal queries are about 20 times as large. Without a limit, a small file could take hours.
const MAX_LEN: usize = 64 << 20;
const MAX_RATIO: usize = 200;
/// Error while a state (an encoded digest) is decoded. Each message is the end of a sentence that starts with the file
/// name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// Input without the magic bytes of a state.
    #[error("is not a state of pgq digest")]
    NotAState,
    /// A state of another version.
    #[error("is a state of version {0}; this pgq reads version {VERSION}: merge with the pgq that wrote it")]
    Version(u32),
    /// A state with missing or changed bytes, or one that no digest has.
    #[error("is incomplete or damaged")]
    Damaged,
    /// There is too little memory to decompress the state.
    #[error("cannot be read: out of memory")]
    OutOfMemory,
}

/// Encodes a digest, which must be finished: [`Digest::finish`] drops surplus groups.
///
/// ```
/// use pgq_digest::{Digest, Limit, state};
///
/// let mut digest = Digest::new(Limit::Groups(1000));
/// digest.finish();
/// let bytes = state::encode(&digest)?;
/// let mut states = 0;
/// state::decode_each(&bytes, Limit::Groups(1000), |_| states += 1).unwrap();
/// assert_eq!(states, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Returns an error if zstd runs out of memory, or if an entry is too long, such as a parse error message of several
/// megabytes.
pub fn encode(digest: &Digest) -> std::io::Result<Vec<u8>> {
    let mut compressed = zstd::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
    let mut len = 0;
    for mut part in parts(digest) {
        let bytes = part.encode()?;
        len += bytes.len();
        compressed.write_all(&(bytes.len() as u32).to_le_bytes())?;
        compressed.write_all(&bytes)?;
    }
    let mut compressed = compressed.finish()?;
    if len > MAX_LEN {
        pad(&mut compressed, len / MAX_RATIO + 1);
    }
    Ok([&MAGIC[..], &VERSION.to_le_bytes(), &xxh3_64(&compressed).to_le_bytes(), &compressed].concat())
}

/// If `compressed` is shorter than `len`, lengthens it by a frame that zstd skips. Without this frame, the decoder would
/// refuse a state with texts that compress very well.
fn pad(compressed: &mut Vec<u8>, len: usize) {
    const SKIPPED_FRAME: u32 = 0x184D_2A50;
    let missing = len.saturating_sub(compressed.len());
    if missing > 0 {
        compressed.extend([SKIPPED_FRAME.to_le_bytes(), (missing as u32).to_le_bytes()].concat());
        compressed.resize(compressed.len() + missing, 0);
    }
}

/// Encodes a digest as a line of base64 without a line break.
///
/// # Errors
/// Same as for [`encode`].
pub fn encode_line(digest: &Digest) -> std::io::Result<String> {
    Ok(BASE64.encode(encode(digest)?))
}

/// Decodes a state, or lines of base64 with one state each. Passes each digest to `take`. `limit` is the limit of each
/// digest ([`Digest::new`]).
///
/// # Errors
/// Returns an error if the bytes are not a state. If a later line causes the error, `take` has already received the
/// digests of the lines before it.
pub fn decode_each(bytes: &[u8], limit: Limit, mut take: impl FnMut(Digest)) -> Result<(), StateError> {
    if bytes.starts_with(MAGIC) {
        take(decode(bytes, limit)?);
        return Ok(());
    }
    let mut lines =
        bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).peekable();
    if lines.peek().is_none() {
        return Err(StateError::NotAState);
    }
    lines.try_for_each(|line| {
        let bytes = BASE64.decode(line).map_err(|_| invalid_base64(line))?;
        take(decode(&bytes, limit)?);
        Ok(())
    })
}

/// Returns the error for a line of invalid base64: `Damaged` if the line starts like a state, otherwise `NotAState`.
fn invalid_base64(line: &[u8]) -> StateError {
    let start = BASE64.encode(MAGIC);
    // The first 8 characters encode the first 6 magic bytes. Only these characters are compared, because later
    // characters may also depend on the bytes after the magic bytes.
    if line.starts_with(&start.as_bytes()[..8]) { StateError::Damaged } else { StateError::NotAState }
}

fn decode(bytes: &[u8], limit: Limit) -> Result<Digest, StateError> {
    let header = bytes.strip_prefix(MAGIC).ok_or(StateError::NotAState)?;
    let (version, header) = header.split_first_chunk().ok_or(StateError::Damaged)?;
    match u32::from_le_bytes(*version) {
        VERSION => {}
        version => return Err(StateError::Version(version)),
    }
    let (checksum, compressed) = header.split_first_chunk().ok_or(StateError::Damaged)?;
    if xxh3_64(compressed) != u64::from_le_bytes(*checksum) {
        return Err(StateError::Damaged);
    }
    decode_parts(compressed, limit).map_err(|error| match error.to_string().contains("not enough memory") {
        true => StateError::OutOfMemory, // zstd's message
        false => StateError::Damaged,
    })
}

fn decode_parts(compressed: &[u8], limit: Limit) -> std::io::Result<Digest> {
    let mut reader = zstd::Decoder::new(compressed)?;
    reader.window_log_max(MAX_WINDOW_LOG)?;
    let mut reader = BufReader::new(reader);
    let mut digest = Digest::new(limit);
    let (mut part, mut unchecked) = (Vec::new(), 0);
    let mut left = MAX_LEN.max(compressed.len().saturating_mul(MAX_RATIO));
    while !reader.fill_buf()?.is_empty() {
        let mut len = [0; 4];
        reader.read_exact(&mut len)?;
        let len = u32::from_le_bytes(len) as usize;
        if len > MAX_PART_LEN.min(left) {
            return Err(ErrorKind::InvalidData.into());
        }
        left -= len;
        part.resize(len, 0);
        reader.read_exact(&mut part)?;
        postcard::from_bytes::<Part<'_>>(&part).map_err(Error::other)?.add_to(&mut digest);
        unchecked += part.len();
        if unchecked >= BYTES_BETWEEN_CHECKS {
            digest.keep_limit();
            unchecked = 0;
        }
    }
    Ok(digest)
}
