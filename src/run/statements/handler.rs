//! A command's work on a statement, as a trait. Reading, caches and errors are handled elsewhere.

use pgq::cache::KnownShape;
use pgq::{Error, FingerprintOptions, Replaced, Tree, Warning};

use super::comments::SurroundingComments;
use super::job::ChunkOutput;
use crate::run::input::{Granularity, StatementBatch};
use crate::run::report::Location;

/// A statement, or a whole record of the input, and its tree.
pub struct Statement<'a> {
    /// Its text; placeholders are replaced by `$n` if a style of them was named.
    pub text: &'a str,
    pub granularity: Granularity,
    /// A meta-command inside of it may have been replaced by blanks.
    pub interrupted: bool,
    /// The tree of the batch, and the statement's index in it. `None` for a handler that needs no trees.
    pub(super) parsed: Option<(&'a Tree, usize)>,
    /// Its batch, and the byte of it where it begins.
    pub(super) batch: &'a StatementBatch<'a>,
    pub(super) start: usize,
    pub(super) replaced: Option<&'a Replaced<'a>>,
}

impl Statement<'_> {
    /// Returns the tree of the batch, and the statement's index in it. The tree of a record covers that record only.
    ///
    /// # Panics
    /// If the handler needs no trees.
    pub fn tree(&self) -> (&Tree, usize) {
        self.parsed.expect("the handler needs trees")
    }

    /// Where it begins in the input.
    pub fn location(&self) -> Location<'_> {
        Location::new(self.batch.file, self.batch.position(self.start))
    }

    /// Maps a byte offset in `text` back to the original text. `WHERE a = ? AND b` became
    /// `WHERE a = $1 AND b`: offset 13 was 12.
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

/// The usual command: a result for each statement. [`super::run`] makes a [`super::Job`] of it, with the caches, the
/// parser and the errors in between. Each job has its own handler.
pub trait StatementHandler: Send {
    /// Output of a chunk: bytes, or rows.
    type Output: ChunkOutput;
    /// Key of the result in JSON records.
    const KEY: &'static str;
    /// Whether statements are parsed; text that does not parse is then an error.
    const NEEDS_TREE: bool;
    /// Whether a statement's text begins with the comments before it.
    const WITH_COMMENTS: bool = false;
    /// Whether results contain locations, which must then refer to the original text.
    const WITH_LOCATIONS: bool = false;

    /// Appends the result of a statement: as a JSON value if `json` is set, which further keys of the record may
    /// follow, each after a comma; otherwise as text with its newline. Rows are kept until [`Self::take`] instead.
    ///
    /// # Errors
    /// The error of the statement; `out` is then ignored.
    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error>;

    /// Returns the output of a chunk; `text` is its appended text.
    fn take(&mut self, text: Vec<u8>) -> Self::Output;

    /// Whether the comments of a script outside of statements are kept.
    fn keeps_comments(&self) -> bool {
        false
    }

    /// Called before a statement, with the comments around it, if comments are kept.
    fn surround(&mut self, _comments: SurroundingComments) {}

    /// Whether the result of a statement depends on its text alone, so that it can be cached.
    fn depends_on_text_only(&self, _granularity: Granularity) -> bool {
        true
    }

    /// Whether the last result of [`StatementHandler::statement`] may be written for an equal text without a call.
    fn may_reuse_result(&self) -> bool {
        true
    }

    /// The fingerprint options for which [`StatementHandler::known_shape`] is right; `None` if
    /// results cannot be derived from the shape of a statement.
    fn shape_options(&self) -> Option<FingerprintOptions> {
        None
    }

    /// Appends the result for a statement of a known shape, as a JSON value or as text; appends
    /// nothing if the statement must be parsed.
    fn known_shape(&mut self, _shape: &KnownShape<'_>, _json: bool, _out: &mut Vec<u8>) {}

    /// Called before the statements of a batch of this text and tree.
    /// `Some` means that the whole batch is handled, and its output appended; with `None`, its
    /// statements follow one by one.
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
