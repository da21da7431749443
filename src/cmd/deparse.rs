//! `pgq deparse`: parse trees as JSON in, SQL out; or SQL in and out again.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use pgq::{DeparseOptions, Error, JsonTree, Tree};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::printer::Printer;
use super::statements::{self, Answer, Manner, Statement};
use crate::cli::{self, FormatArgs, InputArgs};
use crate::input::{Cursor, Input, Unit, Wish};
use crate::output::{self, Messages, Place, Record, quote};
use crate::pipeline::{self, Told, Work, Worker};

pub const EXAMPLES: &str = "\
Examples:
  echo 'select  a,b from t where c in (1,2)' | pgq deparse --from sql
  echo 'select a, b from t join u using (id)' | pgq deparse --from sql --pretty
  echo 'SELECT 1' | pgq parse | pgq deparse";

/// Reads libpg_query's JSON documents or the records of `pgq parse --format json`, or SQL.
/// From SQL it goes over the C tree, which keeps what JSON cannot say (see pgq parse --lossless).
/// What is written is parsed again and compared with the tree; a difference is an error.
#[derive(clap::Args)]
pub struct Args {
    /// Files to read, in order; `-` or none is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// What the input is
    #[arg(long, value_enum, default_value_t = From::Json)]
    from: From,

    /// Records of SQL that end in NUL: the same as --from null
    #[arg(short = '0', conflicts_with = "from")]
    null: bool,

    /// Of SQL: take placeholders of this style for parameters, $1, $2, …
    #[arg(long, value_name = "STYLE", value_parser = cli::placeholder_style())]
    placeholders: Option<pgq::PlaceholderStyle>,

    /// Stop at the first invalid tree or statement
    #[arg(long)]
    fail_fast: bool,

    /// Text, or one JSON record per statement
    #[arg(long, value_enum, default_value_t = cli::Format::Text)]
    format: cli::Format,

    /// Do not parse what was written to see whether it says the same
    #[arg(long)]
    no_verify: bool,

    #[command(flatten)]
    style: Style,

    #[command(flatten)]
    jobs: cli::JobArgs,

    /// Parse every statement, also where its text was seen before
    #[arg(long)]
    no_cache: bool,

    #[command(flatten)]
    log: cli::LogArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum From {
    /// Trees: libpg_query's documents, or records with a tree in them
    Json,
    /// A script of SQL
    Sql,
    /// SQL, one statement a line
    Lines,
    /// SQL, records that end in NUL
    Null,
    /// A PostgreSQL log as written to stderr, or through syslog
    Stderr,
    /// A PostgreSQL log in CSV
    Csvlog,
    /// A PostgreSQL log in JSON
    Jsonlog,
    /// SQL or a log, by the name and the first lines
    Auto,
}

/// How the SQL looks.
#[derive(clap::Args, Clone)]
struct Style {
    /// Break and indent lines
    #[arg(long)]
    pretty: bool,

    /// Spaces a level [default: 4]
    #[arg(long, requires = "pretty", value_parser = clap::value_parser!(u16).range(1..))]
    indent: Option<u16>,

    /// Characters that a line of list items may have [default: 80]
    #[arg(long, requires = "pretty", value_parser = clap::value_parser!(u16).range(1..))]
    max_line_length: Option<u16>,

    /// End each statement in a newline of its own
    #[arg(long, requires = "pretty")]
    trailing_newline: bool,

    /// Put commas at the start of lines
    #[arg(long, requires = "pretty")]
    commas_first: bool,

    /// Keep the comments of the SQL (not from JSON, which has none)
    #[arg(long, requires = "pretty")]
    keep_comments: bool,
}

impl Args {
    fn options(&self) -> DeparseOptions {
        let style = &self.style;
        let mut options = DeparseOptions::default();
        options.pretty = style.pretty;
        options.indent = style.indent.unwrap_or(0);
        options.max_line_length = style.max_line_length.unwrap_or(0);
        options.trailing_newline = style.trailing_newline;
        options.commas_first = style.commas_first;
        options.verify = !self.no_verify;
        options
    }
}

pub fn run(args: &Args, messages: &Messages) -> Result<()> {
    let sql = match args.from {
        _ if args.null => cli::From::Null,
        From::Json if args.log.given().is_some() => {
            bail!("options for logs need --from stderr, csvlog, jsonlog or auto")
        }
        From::Json => return from_json(args, messages),
        From::Sql => cli::From::Sql,
        From::Lines => cli::From::Lines,
        From::Null => cli::From::Null,
        From::Stderr => cli::From::Stderr,
        From::Csvlog => cli::From::Csvlog,
        From::Jsonlog => cli::From::Jsonlog,
        From::Auto => cli::From::Auto,
    };
    let input = InputArgs {
        files: args.files.clone(),
        from: Some(sql),
        null: false,
        placeholders: args.placeholders,
        fail_fast: args.fail_fast,
        jobs: args.jobs,
        no_cache: args.no_cache,
        no_shape_cache: true,
        log: args.log.clone(),
    };
    let answer = Again { options: args.options(), keep_comments: args.style.keep_comments };
    let format = FormatArgs { format: args.format, pretty: false, compact: true };
    let manner = Manner::new(&input, format, cli::ParserArgs::default());
    statements::run(&answer, &input, &manner, messages)
}

/// SQL from SQL.
#[derive(Clone)]
struct Again {
    options: DeparseOptions,
    keep_comments: bool,
}

impl Again {
    fn sql(&self, statement: &Statement<'_>) -> Result<String, Error> {
        let (tree, index) = statement.tree();
        match statement.unit {
            Unit::Statement => tree.deparse_statement(index, &self.options),
            Unit::Record => tree.deparse(&self.options),
        }
    }
}

impl Answer for Again {
    const KEY: &'static str = "sql";
    const PARSED: bool = true;

    fn json(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        quote(&self.sql(statement)?, out);
        Ok(())
    }

    fn text(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        let sql = self.sql(statement)?;
        out.extend_from_slice(sql.as_bytes());
        // Behind a `--` comment the semicolon would be part of it.
        let in_comment = self.keep_comments && pgq::scan(&sql)?.last().is_some_and(pgq::Token::is_comment);
        out.extend_from_slice(if in_comment { b"\n;\n" } else { b";\n" });
        Ok(())
    }

    fn is_by_text(&self) -> bool {
        !self.keep_comments
    }

    fn whole_piece(&mut self, text: &str, _: &Tree, _: usize, _: &mut Vec<u8>) -> Option<Result<(), Error>> {
        if self.keep_comments {
            match pgq::comments(text) {
                Ok(comments) => self.options.comments = comments,
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

/// What may be in a JSON document: a tree, or a record of ours around one.
#[derive(Deserialize)]
struct Document<'a> {
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

fn from_json(args: &Args, messages: &Messages) -> Result<()> {
    let worker = Trees {
        json: args.format == cli::Format::Json,
        fail_fast: args.fail_fast,
        options: args.options(),
        out: Vec::new(),
    };
    let input = Input::new(&Wish::new(&args.files, None, &args.log))?;
    let workers = vec![worker; args.jobs.count()];
    pipeline::run(input, workers, &mut Printer::new(false, messages))?;
    Ok(())
}

/// A job that writes trees as SQL.
#[derive(Clone)]
struct Trees {
    json: bool,
    fail_fast: bool,
    options: DeparseOptions,
    out: Vec<u8>,
}

impl Worker for Trees {
    type Made = Vec<u8>;

    fn work(&mut self, file: &str, work: &Work, told: &mut Told) -> Vec<u8> {
        let Work::Documents(documents) = work else { unreachable!("trees come in documents") };
        for (bytes, start) in documents.iter() {
            let source = Source { file, start, bytes };
            let good = self.document(&source, told);
            if !good && self.fail_fast {
                told.stop = true;
                break;
            }
        }
        std::mem::take(&mut self.out)
    }

    fn weight(made: &Vec<u8>) -> usize {
        made.capacity()
    }
}

impl Trees {
    /// Writes the SQL of a document; false when some of it is invalid.
    fn document(&mut self, source: &Source<'_>, told: &mut Told) -> bool {
        let document = match source.read() {
            Ok(document) => document,
            Err(error) => return self.failed(source, &error, None, told),
        };
        let tree = match source.tree(&document) {
            Ok(tree) => tree,
            Err(error) => return self.failed(source, &error, Some(&document), told),
        };
        if self.json {
            return match tree.deparse(&self.options) {
                Ok(sql) => {
                    let place = source.place(Some(&document), 0);
                    Record::open(&mut self.out, &place).field("sql", |out| quote(&sql, out)).close();
                    true
                }
                Err(error) => self.failed(source, &error, Some(&document), told),
            };
        }
        let mut good = true;
        for index in 0..tree.len() {
            match tree.deparse_statement(index, &self.options) {
                Ok(sql) => {
                    self.out.extend_from_slice(sql.as_bytes());
                    self.out.extend_from_slice(b";\n");
                }
                Err(mut error) => {
                    if tree.len() > 1 {
                        error.message = format!("stmts[{index}]: {}", error.message);
                    }
                    good &= self.failed(source, &error, Some(&document), told);
                }
            }
        }
        good
    }

    fn failed(&mut self, source: &Source<'_>, error: &Error, document: Option<&Document<'_>>, told: &mut Told) -> bool {
        let offset = error.position.map_or(0, |position| position.offset);
        let place = source.place(None, offset);
        told.report.invalid(&place, error, output::Source { text: source.bytes, offset });
        if self.json {
            let own = source.place(document, 0);
            Record::open(&mut self.out, &own).error(error, &place).close();
        }
        false
    }
}

/// One JSON document and where it stands.
struct Source<'a> {
    file: &'a str,
    start: Cursor,
    bytes: &'a [u8],
}

impl Source<'_> {
    fn read(&self) -> Result<Document<'_>, Error> {
        let text = pgq::check_utf8(self.bytes)?;
        serde_json::from_str(text)
            .map_err(|problem| Error::json(&problem.to_string(), text, problem.line(), problem.column()))
    }

    fn tree(&self, document: &Document<'_>) -> Result<JsonTree, Error> {
        let text = pgq::check_utf8(self.bytes)?;
        if let Some(tree) = document.tree {
            // The place inside the record is that inside the tree, moved.
            let base = tree.get().as_ptr() as usize - text.as_ptr() as usize;
            return JsonTree::read(tree.get()).map_err(|error| error.moved("tree", text, base));
        }
        if document.stmts.is_some() {
            return JsonTree::read(text);
        }
        let message = match document.error {
            Some(_) => "the record holds an error where a tree was to be",
            None => "neither a libpg_query document (\"stmts\") nor a record with a \"tree\"",
        };
        Err(Error::json(message, text, 1, 1))
    }

    /// The place that a record names, or that of the document itself, `offset` bytes in.
    fn place<'p>(&'p self, document: Option<&'p Document<'_>>, offset: usize) -> Place<'p> {
        let at = self.start.after(&self.bytes[..offset.min(self.bytes.len())]);
        let own = Place::new(self.file, at);
        match document {
            Some(Document { file: Some(file), line: Some(line), offset: Some(offset), .. }) => {
                Place { file, line: *line, column: 1, offset: *offset }
            }
            _ => own,
        }
    }
}
