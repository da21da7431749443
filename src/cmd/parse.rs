//! `pgq parse`: SQL in, parse trees as libpg_query's JSON out.

use anyhow::Result;
use pgq::{Document, Error, Tree};

use super::printer::Listener;
use super::statements::{self, Answer, Manner, Statement};
use crate::cli::{FormatArgs, From, InputArgs, ParserArgs};
use crate::input::{Flow, Unit};
use crate::output::{Messages, Output, indent};
use crate::pipeline::{Event, Outlet};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1' | pgq parse
  echo 'SELECT 1; SELEC 2; SELECT 3' | pgq parse --format json || echo \"exit code $?\"
  printf 'SELECT 1\\nSELECT 2\\n' | pgq parse --from lines --format json";

/// As text, a script gives one document with all its valid statements at their true byte
/// offsets; of records, each line is the document of one. With --format json each statement
/// is a record, and the locations in its tree count from the record's offset.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    parser: ParserArgs,

    /// Write empty strings, which libpg_query's JSON leaves out, so that no SQL looks like other
    /// SQL: pgq deparse then gives it back as it was
    #[arg(long)]
    lossless: bool,
}

#[derive(Clone)]
struct Trees {
    indented: bool,
    lossless: bool,
}

fn document(lossless: bool) -> Document {
    if lossless { Document::lossless() } else { Document::new() }
}

impl Answer for Trees {
    const KEY: &'static str = "tree";
    const PARSED: bool = true;
    const WITH_PLACES: bool = true;

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let (tree, index) = statement.tree();
        match statement.unit {
            Unit::Statement if self.lossless => tree.statement_json_lossless(index, out),
            Unit::Statement => tree.statement_json(index, out),
            Unit::Record => {
                let mut document = document(self.lossless);
                document.append(tree, 0)?;
                out.extend_from_slice(document.finish().as_bytes());
                Ok(())
            }
        }
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut json = Vec::new();
        self.json(statement, &mut json)?;
        if self.indented {
            crate::output::indent(&json, out);
        } else {
            out.extend_from_slice(&json);
        }
        out.push(b'\n');
        Ok(())
    }
}

/// The [`Answer`] for documents: the trees of whole pieces, at their true places.
#[derive(Clone)]
struct Parts {
    lossless: bool,
}

impl Answer for Parts {
    const KEY: &'static str = "tree";
    const PARSED: bool = true;
    const WITH_PLACES: bool = true;

    fn json(&mut self, _: &Statement<'_>, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn text(&mut self, _: &Statement<'_>, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn is_by_text(&self) -> bool {
        false // but on their places
    }

    fn whole_piece(&mut self, _: &str, tree: &Tree, base: usize, out: &mut Vec<u8>) -> Option<Result<(), Error>> {
        if !out.is_empty() && !tree.is_empty() {
            out.push(b',');
        }
        let write = if self.lossless { Document::statements_lossless } else { Document::statements };
        Some(write(tree, base, out))
    }
}

/// Puts the parts of a script's document together. Longer ones are written part by part: a
/// document need not fit in memory.
struct Documents<'a> {
    output: Output,
    listener: Listener<'a>,
    document: Vec<u8>,
    /// Some of the document is on its way out.
    begun: bool,
    /// There is a statement in it.
    filled: bool,
    indented: bool,
}

/// Bytes of a document from which on it is written part by part.
const LONG: usize = 8 << 20;

impl Documents<'_> {
    fn part(&mut self, statements: &[u8]) -> Result<()> {
        if statements.is_empty() {
            return Ok(());
        }
        self.begin();
        if std::mem::replace(&mut self.filled, true) {
            self.document.push(b',');
        }
        self.document.extend_from_slice(statements);
        if self.document.len() > LONG && !self.indented {
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
        Ok(self.output.record(|out| out.extend_from_slice(&document))?)
    }

    fn end(&mut self) -> Result<()> {
        self.begin();
        Document::close(&mut self.document);
        (self.begun, self.filled) = (false, false);
        if self.indented {
            let compact = std::mem::take(&mut self.document);
            indent(&compact, &mut self.document);
        }
        self.document.push(b'\n');
        self.write()?;
        Ok(self.output.flush()?)
    }
}

impl Outlet<Vec<u8>> for Documents<'_> {
    fn take(&mut self, event: Event<Vec<u8>>) -> Result<Flow> {
        if let Event::End = event {
            self.end()?;
        }
        match self.listener.hear(event) {
            Some((statements, flow)) => {
                self.part(&statements)?;
                Ok(flow)
            }
            None => Ok(Flow::Continue),
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.listener.finish();
        // With --fail-fast, what came before the invalid statement.
        if self.begun { self.end() } else { Ok(()) }
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let manner = Manner::new(&args.input, args.format, args.parser);
    let lossless = args.lossless;
    if manner.json || args.input.form() != From::Sql {
        let trees = Trees { indented: manner.indented, lossless };
        return statements::run(&trees, &args.input, &manner, messages);
    }
    let mut documents = Documents {
        output: Output::new(),
        listener: Listener::new(false, messages),
        document: Vec::new(),
        begun: false,
        filled: false,
        indented: manner.indented,
    };
    statements::run_into(&Parts { lossless }, &args.input, &manner, &mut documents)
}
