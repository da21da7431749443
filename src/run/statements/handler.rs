//! A command's work on a statement, as a trait. Other modules handle reading, caches and errors.

use pgq::cache::KnownShape;
use pgq::{Error, FingerprintOptions, Replaced, Tree, Warning};

use super::comments::SurroundingComments;
use super::job::ChunkOutput;
use crate::run::input::{Granularity, StatementBatch};
use crate::run::report::Location;

/// A statement or a whole record of the input, and its tree.
pub struct Statement<'a> {
    /// SQL in which placeholders are replaced by `$n` if a placeholder style was chosen.
    pub text: &'a str,
    pub granularity: Granularity,
    /// Whether spaces may have replaced a meta-command inside the statement.
    pub interrupted: bool,
    /// The batch's tree and the statement's index in it. `None` if the handler needs no trees.
    pub(super) parsed: Option<(&'a Tree, usize)>,
    /// The statement's batch. `start` is the statement's byte offset in it.
    pub(super) batch: &'a StatementBatch<'a>,
    pub(super) start: usize,
    pub(super) replaced: Option<&'a Replaced<'a>>,
}

impl Statement<'_> {
    /// Returns the batch's tree and the statement's index in it. A record has its own tree.
    ///
    /// # Panics
    /// The handler needs no trees.
    pub fn tree(&self) -> (&Tree, usize) {
        self.parsed.expect("the handler needs trees")
    }

    /// Returns the statement's location in the input.
    pub fn location(&self) -> Location<'_> {
        Location::new(self.batch.file, self.batch.position(self.start))
    }

    /// Maps a byte offset in `text` to the original text. If `WHERE a = ? AND b` became `WHERE a = $1 AND b`, offset 13
    /// maps to 12.
    pub fn original_offset(&self, offset: usize) -> usize {
        self.replaced.map_or(offset, |replaced| replaced.original(offset))
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        match self.parsed {
            Some((tree, _)) => tree.warnings(),
            None => &[],
        }
    }
}

/// A command with a result for each statement. [`super::run`] wraps it in a [`super::Job`] that adds caching, parsing
/// and error handling. Each job has its own handler.
pub trait StatementHandler: Send {
    /// Output of a chunk, such as bytes or rows.
    type Output: ChunkOutput;
    /// Key of the result in JSON records.
    const KEY: &'static str;
    /// Further keys that [`Self::statement`] adds to JSON records.
    const FURTHER_KEYS: &'static [&'static str] = &[];
    /// Whether statements are parsed. If so, text that does not parse is an error.
    const NEEDS_TREE: bool;
    /// Whether a statement's text includes the comments before it.
    const WITH_COMMENTS: bool = false;
    /// Whether results contain locations. These must refer to the original text.
    const WITH_LOCATIONS: bool = false;

    /// Appends the result of a statement. If `json` is set, this is a JSON value, optionally followed by further keys
    /// of the record, each after a comma. Otherwise it is text with a newline. Rows are kept until [`Self::take`]
    /// instead.
    ///
    /// # Errors
    /// The statement has an error. The caller then ignores `out`.
    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Returns the output of a chunk. `text` contains all text appended for the chunk.
    fn take(&mut self, text: Vec<u8>) -> Self::Output;

    /// Whether comments between the statements of a script are kept.
    fn keeps_comments(&self) -> bool {
        false
    }

    /// Called before a statement with the comments around it, if comments are kept.
    fn surround(&mut self, _comments: SurroundingComments) {}

    /// Whether a statement's result depends only on its text. Such results can be cached.
    fn depends_on_text_only(&self, _granularity: Granularity) -> bool {
        true
    }

    /// Whether the last result of [`StatementHandler::statement`] can be reused for equal text.
    fn may_reuse_result(&self) -> bool {
        true
    }

    /// Returns the fingerprint options that [`StatementHandler::known_shape`] requires. Returns `None` if results
    /// cannot be derived from a statement's shape.
    fn shape_options(&self) -> Option<FingerprintOptions> {
        None
    }

    /// Appends the result for a statement of a known shape, as a JSON value or text. Appends nothing if the statement
    /// must be parsed.
    fn known_shape(&mut self, _shape: &KnownShape<'_>, _json: bool, _out: &mut Vec<u8>) {}

    /// Called before the statements of a batch. Returns `Some` if it has handled the whole batch and appended its
    /// output. After `None`, the statements follow one by one.
    fn batch(
        &mut self,
        _batch: &StatementBatch<'_>,
        _text: &str,
        _tree: &Tree,
        _out: &mut Vec<u8>,
    ) -> Option<Result<(), Error>> {
        None
    }
}
