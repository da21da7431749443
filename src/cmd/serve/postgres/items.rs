//! Writes the answer to a request that executes a statement once for each row of parameters. The answer has one item
//! for each of these rows. If the commit of a transaction fails, the item of the transaction's last row contains the
//! error. Therefore this item is held back until the server answers the transaction's Sync message.

use pgq_frames::answer::{self, OpenItems, Outcome, Status};
use pgq_frames::postgres::Results;
use pgq_frames::{Fault, flag};
use pgq_postgres::ServerError;

use super::super::limits::FRAME_BYTES;
use super::fault::notice_body;

/// Destination of complete frames.
pub trait Sink {
    /// The buffer that frames are appended to.
    fn out(&mut self) -> &mut Vec<u8>;

    /// Makes room in the buffer by sending bytes to the client. Called between two frames. Returns
    /// false if the client has disconnected.
    fn make_room(&mut self) -> bool;
}

/// Writes the items of the answer: one for each row of parameters, or several if the row's result is long.
pub struct ItemWriter<S> {
    sink: S,
    id: u32,
    results: Results,
    frame: Option<(usize, OpenItems)>,
    /// The current item, open or held back.
    item: Option<OpenItem>,
    /// Number of complete items, one for each executed row of parameters. An item that is held back also counts.
    rows: u64,
    gone: bool,
}

struct OpenItem {
    start: usize,
    outcome: Outcome,
    /// Whether the item is complete. It may still be held back until the server answers the transaction's Sync
    /// message.
    complete: bool,
}

impl<S: Sink> ItemWriter<S> {
    pub fn new(sink: S, id: u32, results: Results) -> Self {
        Self { sink, id, results, frame: None, item: None, rows: 0, gone: false }
    }

    /// Returns the number of rows of parameters whose item is complete.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether the client has disconnected.
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// Adds a row of a result.
    pub fn row(&mut self, data: &[u8]) {
        if self.results != Results::Rows {
            return;
        }
        self.open();
        self.message(b'D', data);
        self.cut();
    }

    /// Adds a server's notice to the item for the row of parameters with index `row`. If this item is already
    /// complete and held back, the server has sent the notice during the commit.
    pub fn notice(&mut self, row: u64, notice: &ServerError) {
        if row >= self.rows {
            self.open();
        }
        let Some(item) = &mut self.item else { return };
        item.outcome.flags |= flag::WARNINGS;
        if self.results == Results::Rows && item.outcome.status == Status::Done {
            self.message(b'N', &notice_body(notice));
            self.cut();
        }
    }

    /// Completes the current item after the server has executed its row of parameters without an error. `tag` is the
    /// command tag, such as `INSERT 0 1`.
    pub fn ran(&mut self, tag: &str) {
        self.open();
        match self.results {
            Results::Count => self.sink.out().extend_from_slice(&affected(tag).to_le_bytes()),
            Results::Tag => self.sink.out().extend_from_slice(tag.as_bytes()),
            Results::Rows if tag.is_empty() => self.message(b'I', b""),
            Results::Rows => {
                let body = [tag.as_bytes(), b"\0"].concat();
                self.message(b'C', &body);
            }
        }
        self.complete();
    }

    /// Completes the current item with an error, because the execution of its row of parameters failed. If the item
    /// already contains a part of the result, the error is written into another item.
    pub fn failed(&mut self, fault: &Fault) {
        self.open();
        if self.item_bytes() > 0 {
            self.continue_item();
        }
        self.set_fault(fault);
        self.complete();
    }

    /// Adds items for rows that were not run.
    pub fn not_run(&mut self, count: u64) {
        for _ in 0..count {
            self.open();
            self.clear_item();
            if let Some(item) = &mut self.item {
                item.outcome = Outcome::not_run();
            }
            self.complete();
        }
    }

    /// Records that the commit after the last row failed.
    pub fn commit_failed(&mut self, fault: &Fault) {
        self.clear_item();
        self.set_fault(fault);
    }

    /// Ends the item that is held back. Must be called when the server has answered the transaction's Sync message.
    pub fn synced(&mut self) {
        self.finish_item(flag::SYNC);
    }

    /// Ends the answer.
    pub fn finish(mut self) -> S {
        self.finish_item(flag::NONE);
        let (_, frame) = self.frame.take().unwrap_or_else(|| Self::begin_frame(&mut self.sink, self.id));
        frame.finish(self.sink.out(), false);
        self.sink
    }

    fn set_fault(&mut self, fault: &Fault) {
        let Some(item) = &mut self.item else { return };
        item.outcome = Outcome { flags: item.outcome.flags, ..Outcome::error(fault.code) };
        fault.write(self.sink.out());
    }

    /// Removes the current item's body.
    fn clear_item(&mut self) {
        if let Some(OpenItem { start, .. }) = self.item {
            self.sink.out().truncate(start + answer::ITEM_HEADER_BYTES);
        }
    }

    /// Returns the length of the current item's body.
    fn item_bytes(&mut self) -> usize {
        let end = self.sink.out().len();
        self.item.as_ref().map_or(0, |item| end - item.start - answer::ITEM_HEADER_BYTES)
    }

    fn complete(&mut self) {
        self.rows += 1;
        if let Some(item) = &mut self.item {
            item.complete = true;
        }
    }

    /// Opens an item, unless an item is already open. Starts a new frame if the current frame is full.
    fn open(&mut self) {
        match &self.item {
            Some(item) if !item.complete => return,
            Some(_) => self.finish_item(flag::NONE),
            None => {}
        }
        if self.frame.as_ref().is_some_and(|(start, _)| self.sink.out().len() - start >= FRAME_BYTES) {
            if let Some((_, frame)) = self.frame.take() {
                frame.finish(self.sink.out(), true);
            }
            self.gone |= !self.sink.make_room();
        }
        let (_, frame) = self.frame.get_or_insert_with(|| Self::begin_frame(&mut self.sink, self.id));
        let start = frame.begin_item(self.sink.out());
        self.item = Some(OpenItem { start, outcome: Outcome::done(flag::NONE), complete: false });
    }

    /// If the current item has reached the maximum length of a frame, continues the result in another item.
    fn cut(&mut self) {
        if self.item_bytes() >= FRAME_BYTES {
            self.continue_item();
        }
    }

    /// Ends the current item, and opens another item for the rest of the same result.
    fn continue_item(&mut self) {
        let Some(OpenItem { outcome, complete, .. }) = self.item else { return };
        self.finish_item(flag::MORE);
        self.open();
        if let Some(item) = &mut self.item {
            (item.outcome, item.complete) = (outcome, complete);
        }
    }

    fn finish_item(&mut self, flags: u8) {
        if let (Some(mut item), Some((_, frame))) = (self.item.take(), &mut self.frame) {
            item.outcome.flags |= flags;
            frame.finish_item(self.sink.out(), item.start, item.outcome);
        }
    }

    fn begin_frame(sink: &mut S, id: u32) -> (usize, OpenItems) {
        let start = sink.out().len();
        (start, answer::begin_items(sink.out(), id))
    }

    /// Appends a PostgreSQL message.
    fn message(&mut self, kind: u8, body: &[u8]) {
        let out = self.sink.out();
        out.push(kind);
        // Messages are shorter than 1 GiB.
        out.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        out.extend_from_slice(body);
    }
}

/// Returns the number at the end of a command tag: 3 for `INSERT 0 3`.
pub fn affected(tag: &str) -> u64 {
    tag.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
