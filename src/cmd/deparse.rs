//! `pgq deparse`: parse trees as JSON in, SQL out; or SQL in and out again.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use pgq::{DeparseOptions, Error, Parsed, Tree};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::statements::{self, Answer, Statement, write_json};
use crate::cli::{self, FormatArgs, InputArgs};
use crate::input::{self, Cursor, Flow, Unit};
use crate::output::{Messages, Output, Place, Record, quote};

/// Reads libpg_query's JSON documents or the records of `pgq parse --format json`, or SQL.
/// From SQL it goes over the C tree, which keeps what JSON cannot say.
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

    /// Stop at the first invalid tree or statement
    #[arg(long)]
    fail_fast: bool,

    /// Text, or one JSON record per statement
    #[arg(long, value_enum, default_value_t = cli::Format::Text)]
    format: cli::Format,

    #[command(flatten)]
    style: Style,

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

impl Style {
    fn options(&self) -> DeparseOptions {
        let mut options = DeparseOptions::default();
        options.pretty = self.pretty;
        options.indent = self.indent.unwrap_or(0);
        options.max_line_length = self.max_line_length.unwrap_or(0);
        options.trailing_newline = self.trailing_newline;
        options.commas_first = self.commas_first;
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
        from: sql,
        null: false,
        fail_fast: args.fail_fast,
        log: args.log.clone(),
    };
    let answer = Again { options: args.style.options(), keep_comments: args.style.keep_comments };
    let format = FormatArgs { format: args.format, pretty: false, compact: true };
    statements::run(answer, &input, format, cli::ParserArgs::default(), messages)
}

/// SQL from SQL.
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

    fn whole_piece(&mut self, text: &str, _: &Tree, _: usize) -> Option<Result<(), Error>> {
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
    let options = args.style.options();
    let json = args.format == cli::Format::Json;
    let output = std::cell::RefCell::new(Output::new());
    for source in input::sources(&args.files)? {
        let mut reader = match source.open() {
            Ok(reader) => reader,
            Err(problem) => {
                messages.unreadable(source.name(), &problem);
                continue;
            }
        };
        let mut each = |bytes: &[u8], start: Cursor| {
            let mut output = output.borrow_mut();
            let mut run = Trees { file: source.name(), start, bytes, json, options: &options, messages };
            let good = run.document(&mut output)?;
            Ok(if good || !args.fail_fast { Flow::Continue } else { Flow::Stop })
        };
        let mut idle = || Ok(output.borrow_mut().flush()?);
        if input::documents(source.name(), &mut reader, messages, &mut each, &mut idle)? == Flow::Stop {
            break;
        }
    }
    Ok(output.borrow_mut().flush()?)
}

/// One JSON document and where it stands.
struct Trees<'a> {
    file: &'a str,
    start: Cursor,
    bytes: &'a [u8],
    json: bool,
    options: &'a DeparseOptions,
    messages: &'a Messages,
}

impl Trees<'_> {
    /// Writes the SQL of a document; false when some of it is invalid.
    fn document(&mut self, output: &mut Output) -> Result<bool> {
        let document = match self.read() {
            Ok(document) => document,
            Err(error) => return self.failed(&error, None, output),
        };
        let tree = match self.tree(&document) {
            Ok(tree) => tree,
            Err(error) => return self.failed(&error, Some(&document), output),
        };
        if self.json {
            match pgq::deparse_with(&tree.tree, self.options) {
                Ok(sql) => {
                    let place = self.place(Some(&document), 0);
                    let record = |out: &mut Vec<u8>| {
                        Record::open(out, &place).field("sql", |out| quote(&sql, out)).close();
                    };
                    write_json(output, false, record)?;
                    return Ok(true);
                }
                Err(error) => return self.failed(&error, Some(&document), output),
            }
        }
        let mut good = true;
        for index in 0..tree.tree.stmts.len() {
            match tree.deparse_statement(index, self.options) {
                Ok(sql) => output.record(|out| {
                    out.extend_from_slice(sql.as_bytes());
                    out.extend_from_slice(b";\n");
                })?,
                Err(error) => good &= self.failed(&error, Some(&document), output)?,
            }
        }
        Ok(good)
    }

    fn read(&self) -> Result<Document<'_>, Error> {
        let text = pgq::check_utf8(self.bytes)?;
        serde_json::from_str(text)
            .map_err(|problem| Error::json(&problem.to_string(), text, problem.line(), problem.column()))
    }

    fn tree(&self, document: &Document<'_>) -> Result<Parsed, Error> {
        let text = pgq::check_utf8(self.bytes)?;
        if let Some(tree) = document.tree {
            // The place inside the record is that inside the tree, moved.
            let base = tree.get().as_ptr() as usize - text.as_ptr() as usize;
            return pgq::from_json(tree.get()).map_err(|error| error.moved("tree", text, base));
        }
        if document.stmts.is_some() {
            return pgq::from_json(text);
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
        let own = at.in_file(self.file);
        match document {
            Some(Document { file: Some(file), line: Some(line), offset: Some(offset), .. }) => {
                Place { file, line: *line, column: 1, offset: *offset }
            }
            _ => own,
        }
    }

    fn failed(&self, error: &Error, document: Option<&Document<'_>>, output: &mut Output) -> Result<bool> {
        let place = self.place(None, error.position.map_or(0, |position| position.offset));
        self.messages.invalid(&place, error);
        if self.json {
            let own = self.place(document, 0);
            write_json(output, false, |out| Record::open(out, &own).error(error, &place).close())?;
        }
        Ok(false)
    }
}
