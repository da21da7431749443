//! Which files are read, and their format.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use pgq_log::{LogKind, envelope_names};

use crate::run::input::{InputFormat, TableFormat};

#[derive(Args, Clone)]
pub struct InputArgs {
    /// Files to read, in this order, or folders of scripts and logs; standard input for `-`, or if none is named
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Format of the input [default: auto; parse to one document: sql]; for a log in an envelope, its name before
    /// the format: docker,stderr
    #[arg(help_heading = "Input", long, value_parser = SourceFormatParser)]
    from: Option<SourceFormat>,

    /// Statements end in NUL bytes: the same as --from null
    #[arg(help_heading = "Input", short = '0', conflicts_with = "from")]
    null: bool,
}

impl InputArgs {
    pub fn format(&self, default: InputFormat) -> InputFormat {
        if self.null { InputFormat::Null } else { self.from.as_ref().map_or(default, |from| from.format) }
    }

    /// The envelopes that --from names.
    pub fn envelopes(&self) -> Vec<String> {
        self.from.as_ref().map(|from| from.envelopes.clone()).unwrap_or_default()
    }
}

/// The formats by name, with their help.
const FORMATS: [(InputFormat, &str, &str); 10] = [
    (InputFormat::JsonTrees, "json", "Parse trees: libpg_query's JSON documents, or records with a \"tree\""),
    (
        InputFormat::Sql,
        "sql",
        "A script as psql reads it: meta-commands and COPY data are skipped; of \\if inside a statement one branch is read, between statements all are",
    ),
    (InputFormat::Lines, "lines", "One statement a line"),
    (InputFormat::Null, "null", "Statements that end in NUL bytes"),
    (
        InputFormat::Log(LogKind::Stderr),
        "stderr",
        "A PostgreSQL log as the server writes it to stderr, or through syslog",
    ),
    (InputFormat::Log(LogKind::Csvlog), "csvlog", "A PostgreSQL log in CSV"),
    (InputFormat::Log(LogKind::Jsonlog), "jsonlog", "A PostgreSQL log in JSON"),
    (
        InputFormat::Table(TableFormat::Csv),
        "csv",
        "A table in CSV, as `COPY … (FORMAT csv, HEADER)` writes it, with SQL in the column --column (fingerprint, normalize)",
    ),
    (InputFormat::Table(TableFormat::Tsv), "tsv", "The same with tabs, as `COPY … (HEADER)` writes it"),
    (InputFormat::Auto, "auto", "A script or a log, detected by the name and the first lines"),
];

/// A format, and the envelopes around it.
#[derive(Clone)]
pub struct SourceFormat {
    format: InputFormat,
    envelopes: Vec<String>,
}

/// Parses the formats that hold SQL: `stderr`, or `docker,stderr`, or `docker` for any log in it.
#[derive(Clone)]
struct SourceFormatParser;

impl TypedValueParser for SourceFormatParser {
    type Value = SourceFormat;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<SourceFormat, clap::Error> {
        let text = value.to_string_lossy();
        let known = envelope_names();
        let (mut envelopes, mut last) = (Vec::new(), None);
        for name in text.split(',') {
            match (last, known.contains(&name)) {
                (None, true) => envelopes.push(name.to_string()),
                _ => last = Some(name),
            }
        }
        let format = last.unwrap_or("auto");
        if envelopes.is_empty() || text.ends_with(format) || last.is_none() {
            let format = format_parser(&FORMATS[1..]).parse_ref(command, argument, OsStr::new(format))?;
            if envelopes.is_empty() || format.may_be_log() {
                return Ok(SourceFormat { format, envelopes });
            }
        }
        let message =
            format!("invalid value '{text}' for '--from': an envelope goes before stderr, csvlog, jsonlog or auto\n");
        Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, message))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let formats = FORMATS[1..].iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
        let envelopes = envelope_names().into_iter().map(|name| PossibleValue::new(name).hide(true));
        Some(Box::new(formats.chain(envelopes)))
    }
}

/// Parses all formats, that of trees included.
pub fn input_or_tree_format() -> impl TypedValueParser<Value = InputFormat> {
    format_parser(&FORMATS)
}

fn format_parser(
    formats: &'static [(InputFormat, &'static str, &'static str)],
) -> impl TypedValueParser<Value = InputFormat> {
    let values = formats.iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).map(|value| {
        let format = FORMATS.iter().find(|(_, name, _)| *name == value);
        format.expect("one of the names").0
    })
}
