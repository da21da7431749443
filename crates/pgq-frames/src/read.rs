//! Finds the end of a frame. Reads numbers and strings from a body. Checks every length against the available bytes.

use crate::{COUNTED, HEADER_BYTES};

/// An error that ends the connection, because the start of the next frame is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The length is smaller than the frame's header.
    #[error("a frame's length is {0}: the minimum is {COUNTED}")]
    Broken(u32),
    /// The length exceeds the limit.
    #[error("a frame of {length} bytes: {limit} are allowed")]
    TooLong {
        /// ID of the frame.
        id: u32,
        /// Length of the frame.
        length: u32,
        /// Maximum length.
        limit: usize,
    },
}

/// An error in a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// The body ends too early. Contains the name of the incomplete field.
    #[error("the body ends inside the field {0}")]
    Ends(&'static str),
    /// Bytes follow the last field of the body. Contains the count of these bytes.
    #[error("{0} bytes follow the body")]
    Rest(usize),
    /// A string is not UTF-8. Contains the name of the field.
    #[error("{0} is not UTF-8")]
    Encoding(&'static str),
    /// A number has no defined meaning. Contains the name of the field, and the number.
    #[error("{0} cannot be {1}")]
    Value(&'static str, u32),
}

/// The eight header bytes after a frame's length field, and the frame's body.
type Parts<'a> = (&'a [u8; COUNTED], &'a [u8]);

/// Splits the frame at the start of `buffer` into its header and body. Returns `None` if the frame is incomplete.
pub(crate) fn frame(buffer: &[u8], limit: usize) -> Result<Option<Parts<'_>>, FrameError> {
    let Some((length, rest)) = buffer.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length);
    if (length as usize) < COUNTED {
        return Err(FrameError::Broken(length));
    }
    let Some((header, body)) = rest.split_first_chunk::<COUNTED>() else { return Ok(None) };
    if length as usize > limit {
        let [a, b, c, d, ..] = *header;
        return Err(FrameError::TooLong { id: u32::from_le_bytes([a, b, c, d]), length, limit });
    }
    Ok(body.get(..length as usize - COUNTED).map(|body| (header, body)))
}

/// Returns the size of the frame at the start of `buffer`. The frame may be incomplete. Returns `None` if its header is
/// incomplete.
#[must_use]
pub(crate) fn frame_bytes(buffer: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(*buffer.first_chunk::<4>()?) as usize;
    (buffer.len() >= HEADER_BYTES).then_some(length + 4)
}

/// Reads the fields of a body in order.
#[derive(Debug, Clone, Copy)]
pub struct BodyReader<'a> {
    rest: &'a [u8],
}

impl<'a> BodyReader<'a> {
    /// Creates a reader at the start of `body`.
    #[must_use]
    pub fn new(body: &'a [u8]) -> Self {
        Self { rest: body }
    }

    /// Returns the unread bytes.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Reads `N` bytes. Errors contain `what`, the name of the field.
    ///
    /// # Errors
    /// Returns an error if the body has fewer than `N` bytes left.
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], BodyError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(BodyError::Ends(what))?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads a one-byte number.
    ///
    /// # Errors
    /// Same as for [`BodyReader::array`].
    pub fn u8(&mut self, what: &'static str) -> Result<u8, BodyError> {
        self.array(what).map(u8::from_le_bytes)
    }

    /// Reads a two-byte number.
    ///
    /// # Errors
    /// Same as for [`BodyReader::array`].
    pub fn u16(&mut self, what: &'static str) -> Result<u16, BodyError> {
        self.array(what).map(u16::from_le_bytes)
    }

    /// Reads a four-byte number.
    ///
    /// # Errors
    /// Same as for [`BodyReader::array`].
    pub fn u32(&mut self, what: &'static str) -> Result<u32, BodyError> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// Reads an eight-byte number.
    ///
    /// # Errors
    /// Same as for [`BodyReader::array`].
    pub fn u64(&mut self, what: &'static str) -> Result<u64, BodyError> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Reads `length` bytes.
    ///
    /// # Errors
    /// Returns an error if the body has fewer than `length` bytes left.
    pub fn bytes(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], BodyError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(BodyError::Ends(what))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads a length, then the bytes of this length.
    ///
    /// # Errors
    /// Same as for [`BodyReader::bytes`].
    pub fn sized(&mut self, what: &'static str) -> Result<&'a [u8], BodyError> {
        let length = self.u32(what)?;
        self.bytes(length as usize, what)
    }

    /// Checks that the whole body was read.
    ///
    /// # Errors
    /// Returns an error if unread bytes remain.
    pub fn end(&self) -> Result<(), BodyError> {
        if self.rest.is_empty() { Ok(()) } else { Err(BodyError::Rest(self.rest.len())) }
    }
}
