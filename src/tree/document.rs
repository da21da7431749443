//! Builds libpg_query's JSON document from the trees of several pieces of SQL.

use super::Tree;
use crate::convert::{JsonWriter, LocationShift, StatementPosition};
use crate::error::Error;

/// Whether JSON includes empty strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JsonStyle {
    /// Omits empty strings, like `pg_query_parse`. Therefore `COPY t FROM ''` looks like `COPY t FROM STDIN`.
    #[default]
    Compatible,
    /// Writes empty strings, such as `"filename":""`. Omits only fields that are absent, zero or false. Therefore the
    /// JSON can be converted back to the same tree. [`crate::JsonTree::read`] reads both styles.
    Lossless,
}

impl JsonStyle {
    fn writer(self, out: Vec<u8>) -> JsonWriter {
        match self {
            Self::Compatible => JsonWriter::new(out),
            Self::Lossless => JsonWriter::lossless(out),
        }
    }
}

/// A builder of libpg_query's JSON document for SQL that is parsed in pieces.
///
/// ```
/// use pgq::{Document, JsonStyle, Tree};
///
/// let mut document = Document::new(JsonStyle::Compatible);
/// document.append(&Tree::parse_piece("SELECT 1;", &Default::default())?, 0)?;
/// document.append(&Tree::parse_piece(" SELECT 2", &Default::default())?, 9)?;
/// assert_eq!(document.finish(), pgq::parse_to_json("SELECT 1; SELECT 2")?);
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct Document {
    writer: JsonWriter,
    empty: bool,
}

impl Document {
    /// Creates a document without statements.
    #[must_use]
    pub fn new(style: JsonStyle) -> Self {
        Self::for_text(style, 0)
    }

    /// Creates a document with capacity for the JSON of `sql_bytes` bytes of SQL.
    pub(super) fn for_text(style: JsonStyle, sql_bytes: usize) -> Self {
        /// Maximum size of the document without its statements, in bytes.
        const AROUND: usize = 64;
        let mut writer = style.writer(Vec::with_capacity(JsonWriter::usual_bytes(sql_bytes) + AROUND));
        writer.open();
        Self { writer, empty: true }
    }

    /// Appends the statements of `tree`. The SQL of `tree` starts at byte `base` of the whole text.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit. In this case, the document is unchanged.
    pub fn append(&mut self, tree: &Tree, base: usize) -> Result<(), Error> {
        let before = self.writer.len();
        if !self.empty && !tree.is_empty() {
            self.writer.comma();
        }
        write_statements(&mut self.writer, tree, base);
        if let Some(problem) = self.writer.take_problem() {
            self.writer.truncate(before);
            return Err(problem.into());
        }
        self.empty &= tree.is_empty();
        Ok(())
    }

    /// Returns the complete JSON document.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.writer.close();
        self.writer.into_string()
    }

    /// Appends the start of a document, `{"version":…,"stmts":[`. Use this to assemble a document from parts.
    pub fn open(out: &mut Vec<u8>) {
        let _ = append_to(out, JsonStyle::Compatible, JsonWriter::open);
    }

    /// Appends the statements of `tree`, separated by commas. Use this to assemble a document from parts.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit. In this case, `out` is unchanged.
    pub fn statements(style: JsonStyle, tree: &Tree, base: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        append_to(out, style, |writer| write_statements(writer, tree, base))
    }

    /// Appends the end of a document. Use this to assemble a document from parts.
    pub fn close(out: &mut Vec<u8>) {
        let _ = append_to(out, JsonStyle::Compatible, JsonWriter::close);
    }
}

/// Calls `write`. If `write` fails, truncates `out` to its old length.
pub(super) fn append_to(out: &mut Vec<u8>, style: JsonStyle, write: impl FnOnce(&mut JsonWriter)) -> Result<(), Error> {
    let before = out.len();
    let mut writer = style.writer(std::mem::take(out));
    write(&mut writer);
    let problem = writer.take_problem();
    *out = writer.into_bytes();
    problem.map_or(Ok(()), |problem| {
        out.truncate(before);
        Err(problem.into())
    })
}

fn write_statements(writer: &mut JsonWriter, tree: &Tree, base: usize) {
    writer.reserve_for(tree.sql().len());
    let shift = LocationShift(base as i64 - tree.padding as i64);
    for statement in tree.statements() {
        if statement.index() > 0 {
            writer.comma();
        }
        writer.statement(statement.raw(), shift, StatementPosition::AsParsed);
    }
}
