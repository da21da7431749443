//! The answers that a server writes and a client reads. The answer to a batch (a request with several texts) has an
//! item for each text.

use crate::read::frame;
use crate::{BodyError, BodyReader, COUNTED, ErrorCode, FrameError, HEADER_BYTES, flag};

/// Size of an item's header, in bytes.
pub const ITEM_HEADER_BYTES: usize = 8;

/// Status of a request, or of one text of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// The request succeeded. The body is the answer.
    Done = 0,
    /// The request failed. The body is a [`crate::Fault`].
    Error = 1,
    /// The request was not run, because an earlier request failed.
    NotRun = 2,
}

impl Status {
    fn from_number(number: u8) -> Result<Self, BodyError> {
        match number {
            0 => Ok(Self::Done),
            1 => Ok(Self::Error),
            2 => Ok(Self::NotRun),
            _ => Err(BodyError::Value("a status", number.into())),
        }
    }
}

/// Fields that the headers of answers and items share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Status of the request or item.
    pub status: Status,
    /// Flags of [`crate::flag`].
    pub flags: u8,
    /// Number of an [`ErrorCode`], 0 on success.
    pub code: u16,
}

impl Outcome {
    /// Creates the outcome of a success.
    #[must_use]
    pub fn done(flags: u8) -> Self {
        Self { status: Status::Done, flags, code: 0 }
    }

    /// Creates the outcome of an error.
    #[must_use]
    pub fn error(code: ErrorCode) -> Self {
        Self { status: Status::Error, flags: flag::NONE, code: code as u16 }
    }

    /// Creates the outcome of a request that was not run.
    #[must_use]
    pub fn not_run() -> Self {
        Self { status: Status::NotRun, flags: flag::NONE, code: 0 }
    }
}

/// An unfinished answer at the end of a buffer. Finish the answer before you remove bytes from the start of the buffer,
/// because this value stores the answer's offset in the buffer.
#[must_use = "a frame has to be finished"]
#[derive(Debug)]
pub struct OpenAnswer {
    start: usize,
}

/// Begins the answer to the request `id`.
pub fn begin(out: &mut Vec<u8>, id: u32) -> OpenAnswer {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&id.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    OpenAnswer { start }
}

impl OpenAnswer {
    /// Returns the offset of the answer's body in the buffer.
    #[must_use]
    pub fn body(&self) -> usize {
        self.start + HEADER_BYTES
    }

    /// Writes the header of the complete answer.
    ///
    /// # Panics
    /// Panics if the body has 4 GiB or more.
    pub fn finish(self, out: &mut [u8], outcome: Outcome) {
        let length = u32::try_from(out.len() - self.start - 4).expect("a frame has less than 4 GiB");
        out[self.start..self.start + 4].copy_from_slice(&length.to_le_bytes());
        let [c0, c1] = outcome.code.to_le_bytes();
        out[self.start + 8..self.start + HEADER_BYTES].copy_from_slice(&[outcome.status as u8, outcome.flags, c0, c1]);
    }

    /// Removes the unfinished answer from the buffer.
    pub fn abandon(self, out: &mut Vec<u8>) {
        out.truncate(self.start);
    }
}

/// An unfinished answer to a batch, at the end of a buffer.
#[must_use = "the items have to be finished"]
#[derive(Debug)]
pub struct OpenItems {
    answer: OpenAnswer,
    count: u32,
}

/// Begins an answer to a batch.
pub fn begin_items(out: &mut Vec<u8>, id: u32) -> OpenItems {
    let answer = begin(out, id);
    out.extend_from_slice(&[0; 4]);
    OpenItems { answer, count: 0 }
}

impl OpenItems {
    /// Begins an item. Returns the offset of its header, for [`OpenItems::finish_item`].
    pub fn begin_item(&mut self, out: &mut Vec<u8>) -> usize {
        self.count += 1;
        out.extend_from_slice(&[0; ITEM_HEADER_BYTES]);
        out.len() - ITEM_HEADER_BYTES
    }

    /// Writes the header of the complete item that begins at `start`.
    ///
    /// # Panics
    /// Panics if the body has 4 GiB or more.
    pub fn finish_item(&mut self, out: &mut [u8], start: usize, outcome: Outcome) {
        let length = u32::try_from(out.len() - start - ITEM_HEADER_BYTES).expect("an item has less than 4 GiB");
        let [c0, c1] = outcome.code.to_le_bytes();
        out[start..start + 4].copy_from_slice(&[outcome.status as u8, outcome.flags, c0, c1]);
        out[start + 4..start + ITEM_HEADER_BYTES].copy_from_slice(&length.to_le_bytes());
    }

    /// Returns the number of items so far.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Completes the frame. `more` is true if another frame with items of this answer follows.
    pub fn finish(self, out: &mut [u8], more: bool) {
        let count = self.answer.body();
        out[count..count + 4].copy_from_slice(&self.count.to_le_bytes());
        self.answer.finish(out, Outcome::done(flag::BATCH | if more { flag::MORE } else { flag::NONE }));
    }
}

/// The frame of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer<'a> {
    /// ID of the request, 0 for a message without a request.
    pub id: u32,
    /// Status as a number. See [`Answer::outcome`].
    pub status: u8,
    /// Flags of [`crate::flag`].
    pub flags: u8,
    /// Number of an [`ErrorCode`], or 0.
    pub code: u16,
    /// The answer, a [`crate::Fault`], or items.
    pub body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// Reads the answer at the start of `buffer`. Returns the answer and its length, or `None` if the answer is
    /// incomplete.
    ///
    /// # Errors
    /// Returns an error if the length is invalid or exceeds the limit.
    pub fn read(buffer: &'a [u8], limit: usize) -> Result<Option<(Self, usize)>, FrameError> {
        let Some((header, body)) = frame(buffer, limit)? else { return Ok(None) };
        let [i0, i1, i2, i3, status, flags, c0, c1] = *header;
        let (id, code) = (u32::from_le_bytes([i0, i1, i2, i3]), u16::from_le_bytes([c0, c1]));
        Ok(Some((Self { id, status, flags, code, body }, COUNTED + 4 + body.len())))
    }

    /// Returns the status, flags and code.
    ///
    /// # Errors
    /// Returns an error if the status is unknown.
    pub fn outcome(&self) -> Result<Outcome, BodyError> {
        Ok(Outcome { status: Status::from_number(self.status)?, flags: self.flags, code: self.code })
    }

    /// Returns the items.
    ///
    /// # Errors
    /// Returns an error if a length is inconsistent or a status is unknown.
    pub fn items(&self) -> Result<Vec<Item<'a>>, BodyError> {
        let mut reader = BodyReader::new(self.body);
        let count = reader.u32("the number of items")?;
        // Every item has a header, so the body's length limits the number of items. Therefore a wrong count cannot
        // cause a large allocation.
        let mut items = Vec::with_capacity((count as usize).min(self.body.len() / ITEM_HEADER_BYTES));
        for _ in 0..count {
            let [status, flags, c0, c1] = reader.array("the header of an item")?;
            let outcome = Outcome { status: Status::from_number(status)?, flags, code: u16::from_le_bytes([c0, c1]) };
            items.push(Item { outcome, body: reader.sized("an item")? });
        }
        reader.end()?;
        Ok(items)
    }
}

/// An item of an answer to a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item<'a> {
    /// The status, flags and code.
    pub outcome: Outcome,
    /// The answer or a [`crate::Fault`].
    pub body: &'a [u8],
}
