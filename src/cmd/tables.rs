//! `pgq tables`: lists the tables, functions and columns that each statement refers to.

use anyhow::Result;
use pgq::{Access, Error, Summary};

use super::args::{FormatArgs, KeepArgs, ParserArgs, StatementArgs, TextCacheArgs};
use super::results::{self, ResultArgs};
use crate::run::input::{Granularity, encode_tsv};
use crate::run::report::{Diagnostics, quote};
use crate::run::statements::{RunOptions, Statement, StatementHandler};

pub const EXAMPLES: &str = "\
Examples:
  echo 'UPDATE t SET a = f(1) WHERE b = 2' | pgq tables
  echo 'INSERT INTO t SELECT * FROM u' | pgq tables --format json
  pgq tables --count fixtures/log/log.csv | head -3";

#[derive(clap::Args)]
pub struct Args {
    /// Print each distinct line once, preceded by its number of statements, most frequent first
    #[arg(long)]
    count: bool,

    /// Include the bodies of functions in SQL and PL/pgSQL
    #[arg(long)]
    function_bodies: bool,

    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    statements: StatementArgs,
    #[command(flatten)]
    keep: KeepArgs,
    #[command(flatten)]
    parser: ParserArgs,
    #[command(flatten)]
    caches: TextCacheArgs,
}

#[derive(Clone)]
struct Lister {
    function_bodies: bool,
    /// Whether the results are written as JSON into a column of an output table.
    is_table: bool,
}

/// Sorted, distinct names that statements refer to.
#[derive(Default)]
struct References {
    tables: Vec<(String, &'static str)>,
    functions: Vec<String>,
    filter_columns: Vec<String>,
    ctes: Vec<String>,
}

impl References {
    fn add(&mut self, summary: &Summary) {
        let all = [Access::Read, Access::Write, Access::Create, Access::Alter, Access::Drop, Access::Name];
        for access in all {
            let tables = summary.tables_with(access);
            self.tables.extend(tables.map(|table| (table.name.clone(), access_name(access))));
        }
        self.functions.extend(summary.function_names());
        self.filter_columns.extend(summary.filter_columns.iter().map(super::export::column_name));
        self.ctes.extend(summary.ctes.iter().cloned());
    }

    fn sort(&mut self) {
        self.tables.sort_unstable();
        self.tables.dedup();
        for names in [&mut self.functions, &mut self.filter_columns, &mut self.ctes] {
            names.sort_unstable();
            names.dedup();
        }
    }

    /// Writes a line for each name: kind, access, name. Line breaks and backslashes in names are escaped.
    fn write_lines(&self, out: &mut Vec<u8>) {
        let mut line = |what: &str, access: &str, name: &str| {
            out.extend_from_slice(format!("{what:<8} {access:<6} ").as_bytes());
            encode_tsv(name.as_bytes(), out);
            out.push(b'\n');
        };
        self.tables.iter().for_each(|(name, access)| line("table", access, name));
        self.functions.iter().for_each(|name| line("function", "call", name));
        self.filter_columns.iter().for_each(|name| line("column", "filter", name));
    }

    /// Writes the tables as a JSON array. Then writes a key and an array for each other kind of name: functions,
    /// filter columns and WITH queries.
    fn write_json(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        for (index, (name, access)) in self.tables.iter().enumerate() {
            out.extend_from_slice(if index > 0 { b",{\"name\":" } else { b"{\"name\":" });
            quote(name, out);
            out.extend_from_slice(b",\"access\":");
            quote(access, out);
            out.push(b'}');
        }
        out.push(b']');
        let lists = [("functions", &self.functions), ("filter_columns", &self.filter_columns), ("ctes", &self.ctes)];
        for (key, names) in lists {
            out.extend_from_slice(format!(",\"{key}\":").as_bytes());
            write_list(names.iter().map(String::as_str), out);
        }
    }
}

fn write_list<'a>(names: impl Iterator<Item = &'a str>, out: &mut Vec<u8>) {
    out.push(b'[');
    for (index, name) in names.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        quote(name, out);
    }
    out.push(b']');
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access::Read => "read",
        Access::Write => "write",
        Access::Create => "create",
        Access::Alter => "alter",
        Access::Drop => "drop",
        _ => "name",
    }
}

impl StatementHandler for Lister {
    type Output = Vec<u8>;

    const KEY: &'static str = "tables";
    const FURTHER_KEYS: &'static [&'static str] = &["functions", "filter_columns", "ctes"];
    const NEEDS_TREE: bool = true;

    fn statement(&mut self, statement: &Statement<'_>, json: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let (tree, index) = statement.tree();
        let mut references = References::default();
        let summary = |statement: pgq::Statement<'_>| match self.function_bodies {
            true => statement.summary_with_bodies(),
            false => statement.summary(),
        };
        match statement.granularity {
            Granularity::Statement => references.add(&summary(tree.statement(index))?),
            Granularity::Record => {
                tree.statements().try_for_each(|statement| summary(statement).map(|found| references.add(&found)))?;
            }
        }
        references.sort();
        if json {
            references.write_json(out);
        } else if self.is_table {
            write_list(references.tables.iter().map(|(name, _)| name.as_str()), out);
        } else {
            references.write_lines(out);
        }
        Ok(())
    }

    fn take(&mut self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

pub fn run(args: &Args, diagnostics: &Diagnostics) -> Result<()> {
    let output = args.format.answers(args.keep.keep_columns)?;
    let handler = Lister { function_bodies: args.function_bodies, is_table: output.answers.is_some() };
    let (parse, caches) = (args.parser.options(), args.caches.options());
    let options = RunOptions { output, parse, caches, ..args.statements.run_options() };
    let Args { count, format, statements, .. } = args;
    let results = ResultArgs { count: *count, format, statements };
    results::run(&handler, &results, &options, diagnostics)
}
