//! A state is a [`Digest`] as bytes, to be merged later or on another machine. It is compact and
//! has a version and a checksum. Equal digests give equal bytes with the same build. This module
//! opens no files.
//!
//! A state begins with the magic bytes (8), a version (4) and the XXH3 of what follows (8), all
//! little endian. Then comes a Protobuf message compressed by zstd. Where only text can pass, a
//! state is one line of base64: input that does not begin with the magic bytes is read as such
//! lines.

mod events;
mod message;
mod sums;

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use prost::Message;
use xxhash_rust::xxh3::xxh3_64;

use crate::digest::{Digest, Limit};
use message::DigestMessage;

const MAGIC: &[u8; 8] = b"pgqstate";
const VERSION: u32 = 4;
const HEADER_LEN: usize = MAGIC.len() + 4 + 8;
/// zstd's default; higher levels make states hardly smaller, since they are mostly counters.
const ZSTD_LEVEL: i32 = 3;
/// 8 GiB: maximum length of an uncompressed message. A longer one is damaged or a compression bomb.
const MAX_MESSAGE_LEN: u64 = 8 << 30;

/// Why bytes are not a state. The messages continue a sentence that starts with the file name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// Bytes that do not start like a state.
    #[error("is not a state of pgq digest")]
    NotAState,
    /// A state of another version.
    #[error("is a state of version {0}; this pgq reads version {VERSION}: merge with the pgq that wrote it")]
    Version(u32),
    /// A state with missing or changed bytes.
    #[error("is cut short or damaged (its checksum does not fit)")]
    Damaged,
}

/// Encodes a digest. Call [`Digest::finish`] first, which drops surplus groups.
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
/// A failure of zstd: out of memory.
pub fn encode(digest: &Digest) -> std::io::Result<Vec<u8>> {
    let compressed = zstd::encode_all(DigestMessage::new(digest).encode_to_vec().as_slice(), ZSTD_LEVEL)?;
    let mut bytes = Vec::with_capacity(HEADER_LEN + compressed.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&xxh3_64(&compressed).to_le_bytes());
    bytes.extend_from_slice(&compressed);
    Ok(bytes)
}

/// [`encode`] as a line of base64, without a line break.
///
/// # Errors
/// As for [`encode`].
pub fn encode_line(digest: &Digest) -> std::io::Result<String> {
    Ok(BASE64.encode(encode(digest)?))
}

/// Decodes a state, or lines of base64 with a state each, and passes each digest to `take`. Each
/// digest keeps `limit`, as [`Digest::new`] says.
///
/// # Errors
/// Bytes that are not states. The digests of earlier lines have been passed to `take` then.
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

/// A line of invalid base64 is a damaged state if it starts like one.
fn invalid_base64(line: &[u8]) -> StateError {
    let start = BASE64.encode(MAGIC);
    // These 8 characters are 6 bytes; the characters behind them depend on what follows.
    if line.starts_with(&start.as_bytes()[..8]) { StateError::Damaged } else { StateError::NotAState }
}

fn decode(bytes: &[u8], limit: Limit) -> Result<Digest, StateError> {
    if !bytes.starts_with(MAGIC) {
        return Err(StateError::NotAState);
    }
    let version =
        bytes.get(8..12).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes).ok_or(StateError::Damaged)?;
    if version != VERSION {
        return Err(StateError::Version(version));
    }
    let checksum =
        bytes.get(12..HEADER_LEN).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes).ok_or(StateError::Damaged)?;
    let compressed = &bytes[HEADER_LEN..];
    if xxh3_64(compressed) != checksum {
        return Err(StateError::Damaged);
    }
    let mut plain = Vec::new();
    let reader = zstd::Decoder::new(compressed).map_err(|_| StateError::Damaged)?;
    reader.take(MAX_MESSAGE_LEN + 1).read_to_end(&mut plain).map_err(|_| StateError::Damaged)?;
    if plain.len() as u64 > MAX_MESSAGE_LEN {
        return Err(StateError::Damaged);
    }
    let message = DigestMessage::decode(plain.as_slice()).map_err(|_| StateError::Damaged)?;
    message.into_digest(limit).ok_or(StateError::Damaged)
}
