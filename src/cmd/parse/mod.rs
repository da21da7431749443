//! `pgq parse`: prints parse trees in libpg_query's JSON.

mod document;
mod functions;
mod rows;
mod syntax;

use anyhow::{Result, bail};
use pgq::{Document, Error, JsonStyle, Tree};

use self::document::TreeList;
use self::functions::{FunctionList, Functions};
use self::rows::NodeRows;
use self::syntax::SyntaxPrinter;
use super::args::{FormatArgs, KeepArgs, NormalizedArgs, ResultFormat, StatementArgs, TextCacheArgs};
use crate::run::input::{Granularity, InputFormat, StatementBatch};
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
    format: FormatArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    parser: NormalizedArgs,
    #[command(flatten)]
    caches: TextCacheArgs,

    /// Also write empty strings, which libpg_query's JSON leaves out: different SQL then has different trees
    #[arg(long)]
    lossless: bool,

    /// Print the PL/pgSQL functions in CREATE FUNCTION, CREATE PROCEDURE and DO instead
    #[arg(long, conflicts_with = "lossless")]
    plpgsql: bool,

    /// Print the concrete syntax tree of each statement: every token and comment, with the symbols of PostgreSQL's
    /// grammar
    #[arg(long, conflicts_with_all = ["lossless", "plpgsql"])]
    syntax: bool,
}

/// Prints the tree of each statement.
#[derive(Clone)]
struct TreePrinter {
    style: JsonStyle,
    indented: bool,
    /// Whether all trees of a script are members of one JSON document.
    is_document: bool,
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

    /// Returns false if the statement's tree becomes a part of the script's document. In this document, locations are
    /// offsets in the file, so the result also depends on the statement's position.
    fn depends_on_text_only(&self, granularity: Granularity) -> bool {
        !self.is_document || granularity == Granularity::Record
    }

    fn batch(
        &mut self,
        batch: &StatementBatch<'_>,
        _: &str,
        tree: &Tree,
        out: &mut Vec<u8>,
    ) -> Option<Result<(), Error>> {
        if !self.is_document || batch.granularity == Granularity::Record {
            return None;
        }
        if !out.is_empty() && !tree.is_empty() {
            out.push(b',');
        }
        Some(Document::statements(self.style, tree, batch.start().offset as usize, out))
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
    let mut input = args.statements.input_options(&args.format.output)?;
    let keep = args.keep.keep_columns;
    let output = if keep { args.format.answers(keep)? } else { args.format.json_or_records()? };
    let options = RunOptions {
        output,
        parse: args.parser.options(),
        reads_tokens: args.syntax,
        caches: args.caches.options(),
        ..args.statements.run_options()
    };
    input.backslash_escapes = options.parse.backslash_escapes;
    let format = args.format.format()?;
    let has_rows = !keep && format.rows().is_some();
    if has_rows && (args.lossless || args.plpgsql || args.syntax) {
        let option = if args.lossless {
            "--lossless"
        } else if args.plpgsql {
            "--plpgsql"
        } else {
            "--syntax"
        };
        bail!("{option} is for JSON: other formats have a row for each node");
    }
    if has_rows && let Some((layout, writer)) = args.format.open_rows()? {
        return statements::run_rows(|| NodeRows::new(&layout), input, &options, writer, diagnostics);
    }
    let output = args.format.open()?;
    if args.syntax {
        let handler = SyntaxPrinter { indented: options.output.indented };
        return statements::run_answers(&handler, input, &options, output, diagnostics);
    }
    // In the text format, a script becomes one JSON document. For other inputs, such as logs, each record becomes a
    // JSON document on its own line.
    let is_text = !keep && format == ResultFormat::Text;
    if is_text && options.reports.stats && !matches!(input.format, InputFormat::Log(_)) {
        bail!("--stats has nothing to count for one document: add --format json");
    }
    let trees = TreePrinter { style, indented: options.output.indented, is_document: is_text };
    let functions = Functions { is_document: is_text };
    match (is_text, args.plpgsql) {
        (true, true) => document::run(&functions, FunctionList, input, &options, output, diagnostics),
        (true, false) => document::run(&trees, TreeList, input, &options, output, diagnostics),
        (false, true) => statements::run_answers(&functions, input, &options, output, diagnostics),
        (false, false) => statements::run_answers(&trees, input, &options, output, diagnostics),
    }
}
