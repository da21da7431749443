//! Converts parse trees in JSON to SQL.

use pgq::{DeparseOptions, Error, JsonTree};
use pgq_log::FilePosition;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::run::input::JsonDocuments;
use crate::run::report::{JsonRecord, Location, SourceText, quote};
use crate::run::statements::{ChunkReport, RunOptions};

/// Deparses the trees of one job.
pub struct TreeDeparser {
    style: DeparseOptions,
    json: bool,
    fail_fast: bool,
    out: Vec<u8>,
}

/// JSON keys of a libpg_query document (`stmts`), or of a record that contains a tree.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Fields<'a> {
    #[serde(borrow)]
    tree: Option<&'a RawValue>,
    #[serde(borrow)]
    stmts: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    file: Option<String>,
    line: Option<u64>,
    offset: Option<u64>,
}

/// A JSON document and its position in the file.
struct TreeDocument<'a> {
    file: &'a str,
    start: FilePosition,
    bytes: &'a [u8],
}

impl TreeDocument<'_> {
    fn fields(&self) -> Result<Fields<'_>, Error> {
        let text = pgq::check_utf8(self.bytes)?;
        serde_json::from_str(text)
            .map_err(|problem| Error::json(&problem.to_string(), text, problem.line(), problem.column()))
    }

    fn tree(&self, fields: &Fields<'_>) -> Result<JsonTree, Error> {
        let text = pgq::check_utf8(self.bytes)?;
        if let Some(tree) = fields.tree {
            // Converts an error's position in the tree to its position in the record.
            let base = tree.get().as_ptr() as usize - text.as_ptr() as usize;
            return JsonTree::read(tree.get()).map_err(|error| error.moved("tree", text, base));
        }
        if fields.stmts.is_some() {
            return JsonTree::read(text);
        }
        let message = match fields.error {
            Some(_) => "the record has an error instead of a tree",
            None => "neither a libpg_query document (\"stmts\") nor a record with a \"tree\"",
        };
        Err(Error::json(message, text, 1, 1))
    }

    /// Returns the location of byte `offset`.
    fn location(&self, offset: usize) -> Location<'_> {
        let before = &self.bytes[..offset.min(self.bytes.len())];
        Location::new(self.file, self.start.after(before))
    }

    /// Returns the location to report for the statement. If the record contains the location of the statement's SQL,
    /// returns that location. Otherwise, returns the location of the JSON document itself.
    fn statement_location<'l>(&'l self, fields: Option<&'l Fields<'_>>) -> Location<'l> {
        match fields {
            Some(Fields { file: Some(file), line: Some(line), offset: Some(offset), .. }) => {
                Location { file, line: *line, column: 1, offset: *offset }
            }
            _ => self.location(0),
        }
    }
}

impl TreeDeparser {
    pub fn new(style: DeparseOptions, options: &RunOptions) -> Self {
        Self { style, json: options.output.json, fail_fast: options.fail_fast, out: Vec::new() }
    }

    /// Deparses a document. Returns false if part of the document is invalid.
    fn deparse(&mut self, document: &TreeDocument<'_>, report: &mut ChunkReport) -> bool {
        let fields = match document.fields() {
            Ok(fields) => fields,
            Err(error) => return self.fail(document, &error, None, report),
        };
        let tree = match document.tree(&fields) {
            Ok(tree) => tree,
            Err(error) => return self.fail(document, &error, Some(&fields), report),
        };
        if !self.json {
            return self.deparse_statements(document, &fields, &tree, report);
        }
        match tree.deparse(&self.style) {
            Ok(sql) => {
                let location = document.statement_location(Some(&fields));
                JsonRecord::begin(&mut self.out, &location).field("sql", |out| quote(&sql, out)).end();
                true
            }
            Err(error) => self.fail(document, &error, Some(&fields), report),
        }
    }

    fn deparse_statements(
        &mut self,
        document: &TreeDocument<'_>,
        fields: &Fields<'_>,
        tree: &JsonTree,
        report: &mut ChunkReport,
    ) -> bool {
        let mut valid = true;
        for index in 0..tree.len() {
            match tree.deparse_statement(index, &self.style) {
                Ok(sql) => {
                    self.out.extend_from_slice(sql.as_bytes());
                    self.out.extend_from_slice(b";\n");
                }
                Err(mut error) => {
                    if tree.len() > 1 {
                        error.message = format!("stmts[{index}]: {}", error.message);
                    }
                    valid &= self.fail(document, &error, Some(fields), report);
                }
            }
        }
        valid
    }

    /// Reports an error. If the output is JSON, also writes a record with the error. Returns false.
    fn fail(
        &mut self,
        document: &TreeDocument<'_>,
        error: &Error,
        fields: Option<&Fields<'_>>,
        report: &mut ChunkReport,
    ) -> bool {
        let offset = error.position.map_or(0, |position| position.offset);
        let location = document.location(offset);
        report.diagnostics.error(&location, error, &[], SourceText { text: document.bytes, offset });
        if self.json {
            let statement = document.statement_location(fields);
            JsonRecord::begin(&mut self.out, &statement).error(error, &location).end();
        }
        false
    }

    /// Deparses all documents of `file`.
    pub fn deparse_all(&mut self, file: &str, documents: &JsonDocuments, report: &mut ChunkReport) -> Vec<u8> {
        for (bytes, start) in documents.iter() {
            let valid = self.deparse(&TreeDocument { file, start, bytes }, report);
            if !valid && self.fail_fast {
                report.stop = true;
                break;
            }
        }
        std::mem::take(&mut self.out)
    }
}
