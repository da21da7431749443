//! Options for input files and their format.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args, Command};
use pgq_log::{LogKind, envelope_names};

use crate::run::input::{InputFormat, TableFormat};

#[derive(Args, Clone)]
pub struct InputArgs {
    /// Scripts, logs, tables, folders; standard input for `-` or without files
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Format (stderr), or envelope and format (docker,stderr) [default: auto]
    #[arg(help_heading = "Input", long, value_name = "FORMAT", value_parser = SourceFormatParser)]
    from: Option<SourceFormat>,

    /// Statements end in NUL bytes: the same as --from null
    #[arg(help_heading = "Input", short = '0', conflicts_with = "from")]
    null: bool,
}

impl InputArgs {
    /// Returns the chosen format. By default the format of each file is detected.
    pub fn format(&self) -> InputFormat {
        if self.null { InputFormat::Null } else { self.from.as_ref().map_or(InputFormat::Auto, |from| from.format) }
    }

    /// Returns the names of the envelopes in `--from`, such as `docker`. An envelope is the format in which another
    /// program wraps the lines of the server's log.
    pub fn envelopes(&self) -> Vec<String> {
        self.from.as_ref().map(|from| from.envelopes.clone()).unwrap_or_default()
    }
}

/// The formats, each with its name and help text.
const FORMATS: [(InputFormat, &str, &str); 13] = [
    (InputFormat::Auto, "auto", "Detected for each file, by its name and first lines"),
    (InputFormat::Sql, "sql", "A script as psql reads it, without meta-commands and COPY data"),
    (InputFormat::Lines, "lines", "A statement a line"),
    (InputFormat::Null, "null", "Statements that end in NUL bytes"),
    (InputFormat::Log(LogKind::Stderr), "stderr", "A log as the server writes it to stderr, or through syslog"),
    (InputFormat::Log(LogKind::Csvlog), "csvlog", "A log in CSV"),
    (InputFormat::Log(LogKind::Jsonlog), "jsonlog", "A log in JSON"),
    (InputFormat::Table(TableFormat::Csv), "csv", "A table with a header, as COPY … (FORMAT csv, HEADER) writes it"),
    (InputFormat::Table(TableFormat::Tsv), "tsv", "A table with a header and tabs, as COPY … (HEADER) writes it"),
    (InputFormat::Table(TableFormat::Jsonl), "jsonl", "A table as JSON objects, one a line"),
    (InputFormat::Table(TableFormat::Parquet), "parquet", "A table in Parquet"),
    (InputFormat::Table(TableFormat::Arrow), "arrow", "A table as an Arrow IPC stream or file"),
    (InputFormat::JsonTrees, "trees", "Parse trees in JSON, as pgq parse writes them (deparse)"),
];

/// Value of `--from`: a format and the names of envelopes. An envelope, such as `docker`, is the format in which
/// another program wraps the lines of the server's log.
#[derive(Clone)]
pub struct SourceFormat {
    format: InputFormat,
    envelopes: Vec<String>,
}

/// Parses a format with or without envelopes: `stderr`, `docker,stderr`, or `docker` for a log of
/// any format in Docker's JSON.
#[derive(Clone)]
struct SourceFormatParser;

impl TypedValueParser for SourceFormatParser {
    type Value = SourceFormat;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<SourceFormat, clap::Error> {
        let text = value.to_string_lossy();
        let known = envelope_names();
        let names: Vec<&str> = text.split(',').collect();
        let (envelopes, rest) = names.split_at(names.iter().take_while(|name| known.contains(name)).count());
        let format = OsStr::new(rest.first().copied().unwrap_or("auto"));
        let format = format_parser().parse_ref(command, argument, format)?;
        if rest.len() <= 1 && (envelopes.is_empty() || format.may_be_log()) {
            return Ok(SourceFormat { format, envelopes: envelopes.iter().map(ToString::to_string).collect() });
        }
        let message =
            format!("invalid value '{text}' for '--from': an envelope goes before stderr, csvlog, jsonlog or auto\n");
        Err(clap::Error::raw(clap::error::ErrorKind::InvalidValue, message))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let formats = FORMATS.iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
        let envelopes = envelope_names().into_iter().map(|name| PossibleValue::new(name).hide(true));
        Some(Box::new(formats.chain(envelopes)))
    }
}

fn format_parser() -> impl TypedValueParser<Value = InputFormat> {
    let values = FORMATS.iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).map(|value| {
        let format = FORMATS.iter().find(|(_, name, _)| *name == value);
        format.expect("one of the names").0
    })
}
