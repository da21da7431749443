//! Writes all statements or all functions of a script as one JSON document.

use std::io::Write;

use anyhow::Result;
use pgq::Document;

use crate::run::input::InputOptions;
use crate::run::report::{Diagnostics, Output, indent};
use crate::run::statements::{self, ChunkReport, OrderedOutput, RunOptions, StatementHandler};

/// The start and end of a document, and the delimiter between its members.
pub trait Framing: Send {
    /// Delimiter between two members.
    const SEPARATOR: &'static [u8];
    /// Writes the start of a document. `has_members` is false if the document is empty.
    fn open(&self, has_members: bool, out: &mut Vec<u8>);
    /// Writes the end of a document.
    fn close(&self, has_members: bool, out: &mut Vec<u8>);
}

/// Writes one document for each script of `input`. `handler` produces the members of the documents.
///
/// # Errors
/// Same as [`statements::run`].
pub fn run<H: StatementHandler<Output = Vec<u8>> + Clone>(
    handler: &H,
    framing: impl Framing,
    input: InputOptions,
    options: &RunOptions,
    output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut documents = Documents {
        framing,
        output,
        document: Vec::new(),
        is_large: false,
        begun: false,
        has_members: false,
        has_records: false,
        indented: options.output.indented,
    };
    statements::run_into(|| handler.clone(), input, options, &mut documents, diagnostics)?;
    documents.output.complete()
}

/// The delimiters of a document of trees.
pub struct TreeList;

impl Framing for TreeList {
    const SEPARATOR: &'static [u8] = b",";

    fn open(&self, _: bool, out: &mut Vec<u8>) {
        Document::open(out);
    }

    fn close(&self, _: bool, out: &mut Vec<u8>) {
        Document::close(out);
    }
}

/// A document that is larger than this is written in parts to save memory.
const LARGE_BYTES: usize = 8 << 20;

/// Joins fragments into documents. A fragment is the output for one chunk of a script.
struct Documents<F> {
    framing: F,
    output: Output,
    /// Unwritten part of the document.
    document: Vec<u8>,
    /// Whether the document is larger than [`LARGE_BYTES`], so that each fragment is written
    /// immediately.
    is_large: bool,
    begun: bool,
    has_members: bool,
    /// Whether the input consists of records, as every input except a script does. In this case, each record is a
    /// document on its own line.
    has_records: bool,
    indented: bool,
}

impl<F: Framing> Documents<F> {
    fn append(&mut self, fragment: &[u8]) -> Result<()> {
        if fragment.is_empty() {
            return Ok(());
        }
        self.begin(true);
        if std::mem::replace(&mut self.has_members, true) {
            self.document.extend_from_slice(F::SEPARATOR);
        }
        // An indented document is never written in parts, because only a whole document can be
        // indented.
        if !self.indented && self.document.len() + fragment.len() > LARGE_BYTES {
            self.is_large = true;
        }
        if !self.is_large {
            self.document.extend_from_slice(fragment);
            return Ok(());
        }
        self.write()?;
        self.output.write_records(fragment)
    }

    fn begin(&mut self, has_members: bool) {
        if !std::mem::replace(&mut self.begun, true) {
            self.framing.open(has_members, &mut self.document);
        }
    }

    fn write(&mut self) -> Result<()> {
        self.output.write_records(&self.document)?;
        self.document.clear();
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        self.begin(false);
        self.framing.close(self.has_members, &mut self.document);
        (self.begun, self.has_members, self.is_large) = (false, false, false);
        if self.indented {
            let compact = std::mem::take(&mut self.document);
            indent(&compact, &mut self.document);
        }
        self.document.push(b'\n');
        self.write()?;
        Ok(Write::flush(&mut self.output)?)
    }
}

impl<F: Framing> OrderedOutput<Vec<u8>> for Documents<F> {
    fn take(&mut self, fragment: Vec<u8>, report: &ChunkReport) -> Result<()> {
        if report.is_script {
            return self.append(&fragment);
        }
        self.has_records = true;
        self.output.write_records(&fragment)
    }

    fn end_of_file(&mut self) -> Result<()> {
        if std::mem::take(&mut self.has_records) { Ok(()) } else { self.end() }
    }

    fn flush(&mut self) -> Result<()> {
        // The document of a script is not flushed, because an incomplete document is of no use to a
        // reader.
        if self.has_records { Ok(Write::flush(&mut self.output)?) } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<()> {
        // Normally, the document has been completed at the end of the file. If `--fail-fast` has ended the run, the
        // document is still open, and is completed here, with the statements before the invalid one.
        if self.begun { self.end() } else { Ok(()) }
    }

    fn prints_during_run(&self) -> bool {
        self.output.is_stdout()
    }
}
