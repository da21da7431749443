//! One JSON document with all statements of a script.

use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Result;
use pgq::{Document, Error, JsonStyle, Tree};

use crate::input::InputOptions;
use crate::pipeline::Sink;
use crate::report::{Diagnostics, Output, indent};
use crate::statements::{self, Event, EventReporter, LogReports, RunOptions, Statement, StatementHandler};

/// Writes one document for each script of `input`.
///
/// # Errors
/// As for [`statements::run`].
pub fn run(
    style: JsonStyle,
    input: InputOptions,
    options: &RunOptions,
    output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let mut sink = DocumentSink {
        output,
        reporter: EventReporter::new(LogReports::default(), diagnostics),
        document: Vec::new(),
        begun: false,
        has_statements: false,
        indented: options.output.indented,
    };
    statements::run_into(&DocumentFragments { style }, input, options, &mut sink)?;
    sink.output.complete()
}

/// The trees of whole batches, at their offsets in the file, joined by commas.
#[derive(Clone)]
struct DocumentFragments {
    style: JsonStyle,
}

impl StatementHandler for DocumentFragments {
    const KEY: &'static str = "tree";
    const NEEDS_TREE: bool = true;
    const WITH_LOCATIONS: bool = true;

    fn json(&mut self, _: &Statement<'_>, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn text(&mut self, _: &Statement<'_>, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(())
    }

    /// Trees contain locations in the file.
    fn depends_on_text_only(&self) -> bool {
        false
    }

    fn batch(&mut self, _: &str, tree: &Tree, base: usize, out: &mut Vec<u8>) -> Option<Result<(), Error>> {
        if !out.is_empty() && !tree.is_empty() {
            out.push(b',');
        }
        Some(Document::statements(self.style, tree, base, out))
    }
}

/// Size in bytes from which on a document is written part by part, so that it need not fit in
/// memory.
const PART_BYTES: usize = 8 << 20;

/// Joins the fragments of a document.
struct DocumentSink<'a> {
    output: Output,
    reporter: EventReporter<'a>,
    /// The part of the document that is not written yet.
    document: Vec<u8>,
    begun: bool,
    has_statements: bool,
    indented: bool,
}

impl DocumentSink<'_> {
    fn append(&mut self, fragment: &[u8]) -> Result<()> {
        if fragment.is_empty() {
            return Ok(());
        }
        self.begin();
        if std::mem::replace(&mut self.has_statements, true) {
            self.document.push(b',');
        }
        self.document.extend_from_slice(fragment);
        // An indented document is indented as a whole.
        if self.document.len() > PART_BYTES && !self.indented {
            self.write()?;
        }
        Ok(())
    }

    fn begin(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            Document::open(&mut self.document);
        }
    }

    fn write(&mut self) -> Result<()> {
        let document = std::mem::take(&mut self.document);
        self.output.write_records(&document)
    }

    fn end(&mut self) -> Result<()> {
        self.begin();
        Document::close(&mut self.document);
        (self.begun, self.has_statements) = (false, false);
        if self.indented {
            let compact = std::mem::take(&mut self.document);
            indent(&compact, &mut self.document);
        }
        self.document.push(b'\n');
        self.write()?;
        Ok(self.output.flush()?)
    }
}

impl Sink<Event<Vec<u8>>> for DocumentSink<'_> {
    fn take(&mut self, event: Event<Vec<u8>>) -> Result<ControlFlow<()>> {
        if let Event::EndOfFile = event {
            self.end()?;
        }
        let Some((fragment, flow)) = self.reporter.handle(event) else { return Ok(ControlFlow::Continue(())) };
        self.append(&fragment)?;
        Ok(flow)
    }

    /// Half a document is of no use to its reader.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.reporter.finish();
        // With --fail-fast, the statements before the invalid one.
        if self.begun { self.end() } else { Ok(()) }
    }
}
