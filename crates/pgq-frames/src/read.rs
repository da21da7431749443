//! Reading: where a frame ends, and numbers and texts of a body. Lengths are checked against what
//! is there before anything is taken.

use crate::{COUNTED, HEADER_BYTES};

/// Why a connection cannot go on: where the next frame begins is unknown, or too far away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A length that does not cover the frame's own header.
    #[error("a frame's length is {0}: at least {COUNTED} bytes belong to every frame")]
    Broken(u32),
    /// A length above the limit.
    #[error("a frame of {length} bytes: {limit} are allowed")]
    TooLong {
        /// The frame's id.
        id: u32,
        /// Its length.
        length: u32,
        /// The most that is allowed.
        limit: usize,
    },
}

/// A body that is not as the protocol says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It ends too early.
    #[error("the body ends within {0}")]
    Ends(&'static str),
    /// It goes on.
    #[error("{0} bytes follow what belongs to the body")]
    Rest(usize),
    /// A text that is not UTF-8.
    #[error("{0} is not UTF-8")]
    Encoding(&'static str),
    /// A number that is none of those allowed.
    #[error("{0} cannot be {1}")]
    Value(&'static str, u32),
}

/// The eight bytes of a frame's header behind its length, and its body.
type Parts<'a> = (&'a [u8; COUNTED], &'a [u8]);

/// The parts of the frame at the start of `buffer`; `None` if it is not complete.
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

/// Bytes of the frame at the start of `buffer`, complete or not; `None` while that is unknown.
#[must_use]
pub(crate) fn frame_bytes(buffer: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(*buffer.first_chunk::<4>()?) as usize;
    (buffer.len() >= HEADER_BYTES).then_some(length + 4)
}

/// Takes a body apart, from its start to its end.
#[derive(Debug, Clone, Copy)]
pub struct BodyReader<'a> {
    rest: &'a [u8],
}

impl<'a> BodyReader<'a> {
    /// A reader at the start of `body`.
    #[must_use]
    pub fn new(body: &'a [u8]) -> Self {
        Self { rest: body }
    }

    /// What was not taken yet.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Takes `N` bytes of what is called `what`.
    ///
    /// # Errors
    /// There are fewer.
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], BodyError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(BodyError::Ends(what))?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Takes a number of one byte.
    ///
    /// # Errors
    /// As for [`BodyReader::array`].
    pub fn u8(&mut self, what: &'static str) -> Result<u8, BodyError> {
        self.array(what).map(u8::from_le_bytes)
    }

    /// Takes a number of two bytes.
    ///
    /// # Errors
    /// As for [`BodyReader::array`].
    pub fn u16(&mut self, what: &'static str) -> Result<u16, BodyError> {
        self.array(what).map(u16::from_le_bytes)
    }

    /// Takes a number of four bytes.
    ///
    /// # Errors
    /// As for [`BodyReader::array`].
    pub fn u32(&mut self, what: &'static str) -> Result<u32, BodyError> {
        self.array(what).map(u32::from_le_bytes)
    }

    /// Takes a number of eight bytes.
    ///
    /// # Errors
    /// As for [`BodyReader::array`].
    pub fn u64(&mut self, what: &'static str) -> Result<u64, BodyError> {
        self.array(what).map(u64::from_le_bytes)
    }

    /// Takes `length` bytes.
    ///
    /// # Errors
    /// There are fewer.
    pub fn bytes(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], BodyError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(BodyError::Ends(what))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes a length and as many bytes.
    ///
    /// # Errors
    /// As for [`BodyReader::bytes`].
    pub fn sized(&mut self, what: &'static str) -> Result<&'a [u8], BodyError> {
        let length = self.u32(what)?;
        self.bytes(length as usize, what)
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// Something is.
    pub fn end(&self) -> Result<(), BodyError> {
        if self.rest.is_empty() { Ok(()) } else { Err(BodyError::Rest(self.rest.len())) }
    }
}
