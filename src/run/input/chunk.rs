//! Chunks. A chunk is a part of a file, or an event that occurs when the file is read.

use std::ops::ControlFlow;
use std::sync::Arc;

use pgq_log::Records;

use super::batch::{StatementBatch, TableRecord};
use super::documents::JsonDocuments;
use super::escape_strings::escape_strings;
use super::records::DelimitedRecords;
use super::script::ScriptStatements;
use super::table::TableRows;

/// A chunk of a file. `L` is the type of a log's content: raw, parsed, or assembled into records.
pub struct Chunk<L = Records> {
    pub file: Arc<str>,
    pub content: Content<L>,
}

/// Content of a chunk.
pub enum Content<L = Records> {
    Data(Data<L>),
    /// A notice for the user about the file.
    Notice(String),
    /// A notice about parts of a script that were skipped because they are not statements.
    LeftOut(String),
    /// The reason why the file, or the rest of it, cannot be read.
    Unreadable(String),
    /// The reason why the run must end at this file.
    Refused(String),
    /// The end of a file. It is reported only if the first bytes of the file could be read.
    EndOfFile,
}

/// Whether to rewrite plain literals (`'…'`) as `E'…'` in SQL that treats a backslash as an escape. The rewritten SQL
/// has the same tokens with every setting of standard_conforming_strings, but all offsets after a rewritten literal are
/// different.
#[derive(Debug, Clone, Copy)]
pub enum EscapeStrings {
    /// The SQL stays as written, except in scripts of extensions. Their literals are rewritten, so that plain literals
    /// have no escapes: the search for placeholders such as `@extschema@` assumes this.
    AsWritten,
    /// Literals are rewritten. In a script, the settings of the script determine whether a backslash is an escape. In
    /// all other inputs, `initial` determines this.
    Rewritten { initial: bool },
}

impl EscapeStrings {
    fn apply_to(self, batch: &StatementBatch<'_>) -> bool {
        match self {
            Self::AsWritten => batch.is_extension && batch.backslash_escapes == Some(true),
            Self::Rewritten { initial } => batch.backslash_escapes.unwrap_or(initial),
        }
    }
}

/// Part of a file.
pub enum Data<L = Records> {
    Script(Vec<ScriptStatements>),
    Records(DelimitedRecords),
    Documents(JsonDocuments),
    Table(TableRows),
    Log(L),
}

impl<L> Chunk<L> {
    /// If the content is part of a log, converts it with `f`.
    pub fn map_log<M>(self, f: impl FnOnce(L) -> M) -> Chunk<M> {
        let content = match self.content {
            Content::Data(Data::Log(log)) => Content::Data(Data::Log(f(log))),
            Content::Data(Data::Script(statements)) => Content::Data(Data::Script(statements)),
            Content::Data(Data::Records(records)) => Content::Data(Data::Records(records)),
            Content::Data(Data::Documents(documents)) => Content::Data(Data::Documents(documents)),
            Content::Data(Data::Table(rows)) => Content::Data(Data::Table(rows)),
            Content::Notice(text) => Content::Notice(text),
            Content::LeftOut(text) => Content::LeftOut(text),
            Content::Unreadable(problem) => Content::Unreadable(problem),
            Content::Refused(problem) => Content::Refused(problem),
            Content::EndOfFile => Content::EndOfFile,
        };
        Chunk { file: self.file, content }
    }
}

impl Data {
    /// Passes all statements to `f` in batches, in order, until `f` returns `Break`. The literals of a batch are first
    /// rewritten as `escapes` specifies.
    ///
    /// # Panics
    /// Panics if the data are JSON documents, because they contain no SQL.
    pub fn try_for_each_batch(
        &self,
        file: &str,
        escapes: EscapeStrings,
        mut f: impl FnMut(&StatementBatch<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut f = |batch: &StatementBatch<'_>| {
            let rewritten = if escapes.apply_to(batch) { escape_strings(batch.bytes, batch.ranges()) } else { None };
            match rewritten {
                Some((bytes, ranges)) => f(&batch.with_text(&bytes, &ranges)),
                None => f(batch),
            }
        };
        match self {
            Self::Script(chunks) => chunks.iter().try_for_each(|script| {
                let batch = if script.ranges.is_empty() {
                    StatementBatch::from_comments(file, &script.bytes, script.start)
                } else {
                    StatementBatch::from_script(file, &script.bytes, script.start, &script.ranges)
                };
                let mut batch = batch.with_properties(script.interrupted, script.is_extension);
                batch.line_breaks = script.line_breaks;
                batch.backslash_escapes = Some(script.backslash_escapes);
                batch.skips_bodies = script.skips_bodies;
                f(&batch)
            }),
            Self::Records(records) => {
                records.iter().try_for_each(|(bytes, start)| f(&StatementBatch::from_record(file, bytes, start)))
            }
            Self::Log(records) => records.iter().try_for_each(|entry| f(&StatementBatch::from_log_entry(file, entry))),
            Self::Table(table) => table.rows.iter().try_for_each(|row| {
                // Skip a row without SQL, unless the table's columns are copied to the output: then every row needs a
                // result.
                if row.sql.is_none() && table.names.is_empty() {
                    return ControlFlow::Continue(());
                }
                f(&StatementBatch::from_table(file, TableRecord { names: &table.names, row }))
            }),
            Self::Documents(_) => unreachable!("only trees are read from JSON documents"),
        }
    }
}
