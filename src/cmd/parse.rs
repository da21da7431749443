//! `pgq parse`: SQL in, parse trees as libpg_query's JSON out.

use anyhow::Result;
use pgq::{Document, Error, Tree};

use super::statements::{self, Answer, Statement, Statements, write_json};
use crate::cli::{FormatArgs, From, InputArgs, ParserArgs};
use crate::input::{Flow, Piece, Sink, Unit, for_each_piece};
use crate::output::Messages;

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
}

struct Trees {
    indented: bool,
}

impl Answer for Trees {
    const KEY: &'static str = "tree";
    const PARSED: bool = true;

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let (tree, index) = statement.tree();
        match statement.unit {
            Unit::Statement => tree.statement_json(index, out),
            Unit::Record => {
                let mut document = Document::new();
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

/// A script as one document: the trees of its pieces, gathered.
struct WholeScript<'a> {
    statements: Statements<'a, Gather>,
    indented: bool,
}

/// The [`Answer`] that only gathers.
struct Gather(Document);

impl Answer for Gather {
    const KEY: &'static str = "tree";
    const PARSED: bool = true;

    fn json(&mut self, _: &Statement<'_>, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn text(&mut self, _: &Statement<'_>, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn whole_piece(&mut self, _text: &str, tree: &Tree, base: usize) -> Option<Result<(), Error>> {
        Some(self.0.append(tree, base))
    }
}

impl Sink for WholeScript<'_> {
    fn piece(&mut self, piece: &Piece<'_>) -> Result<Flow> {
        self.statements.piece(piece)
    }

    fn end(&mut self, _file: &str) -> Result<()> {
        let document = std::mem::take(&mut self.statements.answer.0).finish();
        let write = |out: &mut Vec<u8>| {
            out.extend_from_slice(document.as_bytes());
            out.push(b'\n');
        };
        write_json(&mut self.statements.output, self.indented, write)?;
        Ok(self.statements.output.flush()?)
    }

    fn idle(&mut self) -> Result<()> {
        Ok(())
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let indented = args.format.indented();
    if !args.format.json() && args.input.form() == From::Sql {
        let mut statements = Statements::new(Gather(Document::new()), messages);
        statements.configure(&args.input, args.format, args.parser);
        return for_each_piece(&args.input, messages, &mut WholeScript { statements, indented });
    }
    statements::run(Trees { indented }, &args.input, args.format, args.parser, messages)
}
