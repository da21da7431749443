//! Requests, which a client writes and a server reads.

use crate::{COUNTED, FrameError, HEADER_BYTES, batch, flag, read as reading};

/// The frame of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// ID that the client chose.
    pub id: u32,
    /// Number of the operation. See [`crate::Operation::from_number`].
    pub operation: u8,
    /// Flags. Only [`flag::BATCH`] may be set.
    pub flags: u8,
    /// A handle, or 0.
    pub handle: u16,
    /// The text or another argument of the operation.
    pub body: &'a [u8],
}

/// Reads the request at the start of `buffer`. Returns the request and its length, or `None` if the request is
/// incomplete. `limit` is the maximum length of a frame.
///
/// # Errors
/// Returns an error if the length is invalid or exceeds the limit. After this error, the start of the next frame is
/// unknown.
pub fn read(buffer: &[u8], limit: usize) -> Result<Option<(Request<'_>, usize)>, FrameError> {
    let Some((header, body)) = reading::frame(buffer, limit)? else { return Ok(None) };
    let [i0, i1, i2, i3, operation, flags, h0, h1] = *header;
    let (id, handle) = (u32::from_le_bytes([i0, i1, i2, i3]), u16::from_le_bytes([h0, h1]));
    Ok(Some((Request { id, operation, flags, handle, body }, HEADER_BYTES + body.len())))
}

/// Returns the size in bytes of the frame at the start of `buffer`. Returns `None` if the header is incomplete.
#[must_use]
pub fn length(buffer: &[u8]) -> Option<usize> {
    reading::frame_bytes(buffer)
}

/// Appends a request.
///
/// # Panics
/// Panics if the body has 4 GiB or more.
pub fn write(out: &mut Vec<u8>, request: &Request<'_>) {
    begin(out, request.id, request.operation, request.flags, request.handle, request.body.len());
    out.extend_from_slice(request.body);
}

/// Appends a request with a batch of texts.
///
/// # Panics
/// Panics if the texts have 4 GiB or more.
pub fn write_batch<T: AsRef<[u8]>>(out: &mut Vec<u8>, id: u32, operation: u8, handle: u16, texts: &[T]) {
    begin(out, id, operation, flag::BATCH, handle, batch::bytes(texts));
    batch::write(out, texts);
}

fn begin(out: &mut Vec<u8>, id: u32, operation: u8, flags: u8, handle: u16, body: usize) {
    let length = u32::try_from(body + COUNTED).expect("a frame has less than 4 GiB");
    out.reserve(body + HEADER_BYTES);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&id.to_le_bytes());
    out.extend_from_slice(&[operation, flags]);
    out.extend_from_slice(&handle.to_le_bytes());
}
