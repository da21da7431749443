//! `pgq parse`: SQL in, parse trees as libpg_query's JSON out.

mod document;
mod functions;
mod rows;

use anyhow::{Result, bail};
use pgq::{Document, Error, JsonStyle};

use self::functions::{FunctionList, Functions};
use self::rows::NodeRows;
use super::args::{FormatArgs, NormalizedArgs, StatementArgs, TableFormat, TextCacheArgs};
use crate::run::input::{Granularity, InputFormat};
use crate::run::report::{Diagnostics, indent};
use crate::run::statements::{self, RunOptions, Statement, StatementHandler};

pub const EXAMPLES: &str = "\
Examples:
  echo 'SELECT a FROM t WHERE b = 1' | pgq parse
  echo 'SELECT 1; SELEC 2; SELECT 3' | pgq parse --format json || echo \"exit code $?\"
  printf 'SELECT 1\\nSELECT 2\\n' | pgq parse --from lines --format json
  echo \"DO 'BEGIN PERFORM 1; END'\" | pgq parse --plpgsql";

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    format: FormatArgs<TableFormat>,
    #[command(flatten)]
    parser: NormalizedArgs,
    #[command(flatten)]
    caches: TextCacheArgs,

    /// Write empty strings, which libpg_query's JSON leaves out, so that different SQL never has
    /// the same tree, and pgq deparse gives back the SQL as it was
    #[arg(long)]
    lossless: bool,

    /// Print the functions in PL/pgSQL that CREATE FUNCTION, CREATE PROCEDURE and DO hold, as
    /// libpg_query's JSON, in place of the statements' trees
    #[arg(long, conflicts_with = "lossless")]
    plpgsql: bool,
}

/// A tree for each statement.
#[derive(Clone)]
struct TreePrinter {
    style: JsonStyle,
    indented: bool,
}

impl StatementHandler for TreePrinter {
    type Output = Vec<u8>;

    const KEY: &'static str = "tree";
    const NEEDS_TREE: bool = true;
    const WITH_LOCATIONS: bool = true;

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        if json {
            return self.write(statement, out);
        }
        if self.indented {
            let mut compact = Vec::new();
            self.write(statement, &mut compact)?;
            indent(&compact, out);
        } else {
            self.write(statement, out)?;
        }
        out.push(b'\n');
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

impl TreePrinter {
    /// Appends the tree of a statement, or the document of a record.
    fn write(&self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let (tree, index) = statement.tree();
        match statement.granularity {
            Granularity::Statement => tree.statement(index).write_json(self.style, out),
            Granularity::Record => {
                let mut document = Document::new(self.style);
                document.append(tree, 0)?;
                out.extend_from_slice(document.finish().as_bytes());
                Ok(())
            }
        }
    }
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let style = if args.lossless { JsonStyle::Lossless } else { JsonStyle::Compatible };
    // One document holds all of a script; everything else has a result for each statement.
    let is_document = args.format.format == TableFormat::Text;
    let default = if is_document { InputFormat::Sql } else { InputFormat::Auto };
    let mut input = args.statements.input_options(default)?;
    let options = RunOptions {
        output: args.format.json_or_records(),
        parse: args.parser.options(),
        caches: args.caches.options(),
        ..args.statements.run_options()
    };
    input.backslash_escapes = options.parse.backslash_escapes;
    if args.lossless && args.format.format.rows().is_some() {
        bail!("--lossless is for JSON: rows have no empty strings to keep");
    }
    if args.plpgsql && args.format.format.rows().is_some() {
        bail!("--plpgsql is for JSON: functions have no rows");
    }
    if let Some((layout, writer)) = args.format.open_rows()? {
        return statements::run_rows(|| NodeRows::new(&layout), input, &options, writer, diagnostics);
    }
    let output = args.format.output.open()?;
    if input.format == InputFormat::Sql && !options.output.json {
        if options.reports.stats {
            bail!("--stats has nothing to count for one document: add --format json");
        }
        if args.plpgsql {
            let handler = Functions { is_document: true };
            return document::run_with(&handler, FunctionList, input, &options, output, diagnostics);
        }
        return document::run(style, input, &options, output, diagnostics);
    }
    if args.plpgsql {
        return statements::run(&Functions { is_document: false }, input, &options, output, diagnostics);
    }
    let handler = TreePrinter { style, indented: options.output.indented };
    statements::run(&handler, input, &options, output, diagnostics)
}
