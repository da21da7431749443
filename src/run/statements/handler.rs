//! A trait for the part of a command that processes one statement. Other modules read the input, use caches and report
//! errors.

use pgq::cache::KnownShape;
use pgq::{Error, FingerprintOptions, Replaced, Tree, Warning};

use super::comments::SurroundingComments;
use super::job::ChunkOutput;
use crate::run::input::{Granularity, StatementBatch};
use crate::run::report::Location;

/// A statement of the input, or a whole record (such as a line, a log entry or a table row), with its tree.
pub struct Statement<'a> {
    /// The SQL. If a placeholder style was chosen, placeholders are replaced by `$n`.
    pub text: &'a str,
    pub granularity: Granularity,
    /// Whether the statement may have contained a psql meta-command. In `text`, spaces replace the meta-command.
    pub interrupted: bool,
    /// The tree of the batch, and the index of the statement in the tree. `None` if the handler needs no trees.
    pub(super) parsed: Option<(&'a Tree, usize)>,
    /// The batch that contains the statement. `start` is the byte offset of the statement in the batch.
    pub(super) batch: &'a StatementBatch<'a>,
    pub(super) start: usize,
    pub(super) replaced: Option<&'a Replaced<'a>>,
}

impl Statement<'_> {
    /// Returns the tree of the batch, and the index of the statement in the tree. If `self` is a whole record, such as
    /// a log entry, the tree contains all statements of the record, and the index is 0.
    ///
    /// # Panics
    /// Panics if the handler needs no trees.
    pub fn tree(&self) -> (&Tree, usize) {
        self.parsed.expect("the handler needs trees")
    }

    /// Returns the statement's location in the input.
    pub fn location(&self) -> Location<'_> {
        Location::new(self.batch.file, self.batch.position(self.start))
    }

    /// Converts a byte offset in `text` to an offset in the original text. Example: if `WHERE a = ? AND b` became
    /// `WHERE a = $1 AND b`, offset 13 becomes 12.
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

/// A command that has a result for each statement. [`super::run`] wraps the handler in a [`super::Job`], which adds
/// caching, parsing and error handling. Each job has its own handler.
pub trait StatementHandler: Send {
    /// Output of a chunk, such as bytes or rows.
    type Output: ChunkOutput;
    /// Key of the result in JSON records.
    const KEY: &'static str;
    /// Names of further keys that [`Self::statement`] adds to JSON records.
    const FURTHER_KEYS: &'static [&'static str] = &[];
    /// Whether statements are parsed. If so, text that does not parse is an error.
    const NEEDS_TREE: bool;
    /// Whether a statement's text includes the comments before it. If so, comments after the last statement of a script
    /// are handled like a statement.
    const WITH_COMMENTS: bool = false;
    /// Whether results contain locations. If they do, the locations must refer to the original text.
    const WITH_LOCATIONS: bool = false;

    /// Appends the result of a statement. If `json` is true, the result is a JSON value. Further
    /// keys of the record may follow the JSON value: `,"key":value`. If `json` is false, the result
    /// is text that ends with a newline. If the output is rows, the handler keeps them until
    /// [`Self::take`] and appends nothing.
    ///
    /// # Errors
    /// The statement has an error. In this case, the caller ignores `out`. The error's position is an offset in the SQL
    /// of the tree, or in `text` if the handler needs no trees.
    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Returns the output of a chunk. `text` is all text that was appended for the chunk.
    fn take(&mut self, text: Vec<u8>) -> Self::Output;

    /// Whether the handler uses the comments between the statements of a script.
    fn keeps_comments(&self) -> bool {
        false
    }

    /// Called before each statement if [`Self::keeps_comments`] is true. Receives the comments around the statement.
    fn surround(&mut self, _comments: SurroundingComments) {}

    /// Whether the result of a statement depends only on the statement's text. Such a result can be cached.
    fn depends_on_text_only(&self, _granularity: Granularity) -> bool {
        true
    }

    /// Called after [`StatementHandler::statement`] has appended a result. Returns whether this result may be reused
    /// for later statements with the same text.
    fn may_reuse_result(&self) -> bool {
        true
    }

    /// Returns the fingerprint options that [`StatementHandler::known_shape`] requires. Returns `None` if a result
    /// cannot be derived from the shape of a statement (its tokens without the values of literals).
    fn shape_options(&self) -> Option<FingerprintOptions> {
        None
    }

    /// Appends the result for a statement with a cached shape (its tokens without the values of literals). The result
    /// is a JSON value or text. Appends nothing if the statement must be parsed.
    fn known_shape(&mut self, _shape: &KnownShape<'_>, _json: bool, _out: &mut Vec<u8>) {}

    /// Processes a whole batch at once, if the handler supports this. In this case, appends the output of the batch, or
    /// returns an error. Returns `None` if the caller must process the statements one by one.
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
