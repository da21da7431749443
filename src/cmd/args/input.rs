//! Which files are read, and their format.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pgq_log::LogKind;

use crate::input::InputFormat;

#[derive(Args, Clone)]
pub struct InputArgs {
    /// Files to read, in this order; standard input for `-`, or if no file is named
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Format of the input [default: sql; digest, export: auto]
    #[arg(long, value_parser = input_format())]
    from: Option<InputFormat>,

    /// Statements end in NUL bytes: the same as --from null
    #[arg(short = '0', conflicts_with = "from")]
    null: bool,
}

impl InputArgs {
    pub fn format(&self, default: InputFormat) -> InputFormat {
        if self.null { InputFormat::Null } else { self.from.unwrap_or(default) }
    }
}

/// The formats by name, with their help.
const FORMATS: [(InputFormat, &str, &str); 8] = [
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
    (InputFormat::Auto, "auto", "A script or a log, detected by the name and the first lines"),
];

/// Parses the formats that hold SQL.
fn input_format() -> impl TypedValueParser<Value = InputFormat> {
    format_parser(&FORMATS[1..])
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
