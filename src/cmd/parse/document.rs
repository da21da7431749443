//! One JSON document with all statements, or all functions, of a script.

use std::io::Write;

use anyhow::Result;
use pgq::{Document, Error, JsonStyle, Tree};

use crate::run::input::InputOptions;
use crate::run::report::{Diagnostics, Output, indent};
use crate::run::statements::{self, ChunkReport, OrderedOutput, RunOptions, Statement, StatementHandler};

/// What stands around and between the members of a document.
pub trait Framing: Send {
    /// Stands between two members.
    const SEPARATOR: &'static [u8];
    /// Begins a document, which has members or not.
    fn open(&self, has_members: bool, out: &mut Vec<u8>);
    /// Ends it.
    fn close(&self, has_members: bool, out: &mut Vec<u8>);
}

/// Writes one document for each script of `input`: the trees of its statements.
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
    run_with(&DocumentFragments { style }, Trees, input, options, output, diagnostics)
}

/// Writes one document for each script of `input`, of the fragments that `handler` makes.
///
/// # Errors
/// As for [`statements::run`].
pub fn run_with<H: StatementHandler<Output = Vec<u8>> + Clone>(
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
        indented: options.output.indented,
    };
    statements::run_into(|| handler.clone(), input, options, &mut documents, diagnostics)?;
    documents.output.complete()
}

/// A document of trees.
struct Trees;

impl Framing for Trees {
    const SEPARATOR: &'static [u8] = b",";

    fn open(&self, _: bool, out: &mut Vec<u8>) {
        Document::open(out);
    }

    fn close(&self, _: bool, out: &mut Vec<u8>) {
        Document::close(out);
    }
}

/// The trees of whole batches, at their offsets in the file, joined by commas.
#[derive(Clone)]
struct DocumentFragments {
    style: JsonStyle,
}

impl StatementHandler for DocumentFragments {
    type Output = Vec<u8>;

    const KEY: &'static str = "tree";
    const NEEDS_TREE: bool = true;
    const WITH_LOCATIONS: bool = true;

    fn statement(&mut self, _: &Statement<'_>, _: bool, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(()) // [`Self::batch`] has written it
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
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

/// A document that is larger, in bytes, is written while it is made, so that it need not fit in memory.
const LARGE_BYTES: usize = 8 << 20;

/// Joins the fragments of a document.
struct Documents<F> {
    framing: F,
    output: Output,
    /// The part of the document that is not written yet.
    document: Vec<u8>,
    /// A part of it is written.
    is_large: bool,
    begun: bool,
    has_members: bool,
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
        // An indented document is indented as a whole.
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
    fn take(&mut self, fragment: Vec<u8>, _: &ChunkReport) -> Result<()> {
        self.append(&fragment)
    }

    fn end_of_file(&mut self) -> Result<()> {
        self.end()
    }

    fn finish(&mut self) -> Result<()> {
        // With --fail-fast, the statements before the invalid one.
        if self.begun { self.end() } else { Ok(()) }
    }

    fn prints_during_run(&self) -> bool {
        self.output.is_stdout()
    }
}
