//! `pgq export --keep-columns`: each row has the columns of the input table and the columns that describe a statement.

use std::sync::Arc;

use anyhow::Result;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pgq_columns::{Column, RowGroup, TableColumn};

use super::worker::ExportWorker;
use crate::cmd::digest::Disclosure;
use crate::run::input::{Data, InputOptions, TableRow, Value, encode_csv, encode_tsv};
use crate::run::report::{Diagnostics, Output, RowFormat, RowLayout, Rows, quote};
use crate::run::statements::{
    AnswerFormat, AnswerOutput, ChunkReport, Job, OutputOptions, RunOptions, join_columns, run_jobs,
};

/// Writes the rows of `input` to `output`, each followed by the added columns.
///
/// # Errors
/// Same as [`run_jobs`].
pub fn run(
    layout: &RowLayout<Column>,
    disclosure: Disclosure,
    mut input: InputOptions,
    options: &RunOptions,
    mut output: Output,
    diagnostics: &Diagnostics,
) -> Result<()> {
    let format = match layout.format {
        RowFormat::Json => None,
        RowFormat::Csv => Some(AnswerFormat::Csv),
        RowFormat::Tsv => Some(AnswerFormat::Tsv),
        RowFormat::Arrow => Some(AnswerFormat::Arrow),
        RowFormat::Parquet => Some(AnswerFormat::Parquet),
    };
    input.kept = OutputOptions { answers: format, keep_columns: true, ..OutputOptions::default() }.kept();
    // For Parquet output, build the added columns as Arrow batches, because Arrow batches can be joined with the
    // columns of the input table. The joined batches are then written as Parquet.
    let rows = RowLayout {
        format: if layout.format == RowFormat::Parquet { RowFormat::Arrow } else { layout.format },
        columns: layout.columns.clone(),
        compression: layout.compression,
        guarded: false,
    };
    let jobs = (0..options.jobs).map(|_| KeptExport {
        worker: ExportWorker::new(&rows, None, disclosure, options),
        format: layout.format,
        names: layout.columns.iter().map(|column| column.name()).collect(),
        schema: rows.schema(),
    });
    match format {
        None => {
            run_jobs(input, jobs, &mut output, options.reports, diagnostics)?;
            output.complete()
        }
        Some(format) => {
            let mut answers = AnswerOutput::new(format, output);
            run_jobs(input, jobs, &mut answers, options.reports, diagnostics)?;
            answers.complete()
        }
    }
}

struct KeptExport {
    worker: ExportWorker,
    format: RowFormat,
    names: Vec<&'static str>,
    /// Schema of the added columns.
    schema: SchemaRef,
}

impl Job for KeptExport {
    type Output = Vec<u8>;

    fn work(&mut self, file: &str, data: &Data, report: &mut ChunkReport) -> Vec<u8> {
        let rows = self.worker.work(file, data, report);
        let mut out = Vec::new();
        let Data::Table(table) = data else {
            report.stop = true;
            report.fatal = Some("--keep-columns is for tables (--from csv, tsv, jsonl, parquet or arrow)".into());
            return out;
        };
        match rows {
            Rows::Text(lines) => self.join(&table.names, &table.rows, &lines, &mut out),
            Rows::Columns(group) => {
                let added =
                    group.map_or_else(|| RecordBatch::new_empty(Arc::clone(&self.schema)), RowGroup::into_batch);
                join_columns(table, &added, &mut out);
            }
        }
        out
    }
}

impl KeptExport {
    /// Appends each row of the table, followed by the added columns. `lines` has the added columns, one line per row.
    fn join(&self, names: &[String], rows: &[TableRow], lines: &[u8], out: &mut Vec<u8>) {
        if self.format != RowFormat::Json {
            names.iter().for_each(|name| self.field(name.as_bytes(), out));
            self.names.iter().for_each(|name| self.field(name.as_bytes(), out));
            out.pop();
            out.push(b'\n');
        }
        for (row, line) in rows.iter().zip(logical_lines(lines, self.format)) {
            if self.format == RowFormat::Json {
                out.push(b'{');
                for (name, value) in names.iter().zip(&row.values) {
                    quote(name, out);
                    out.push(b':');
                    value.write_json(out);
                    out.push(b',');
                }
                out.extend_from_slice(&line[1..]);
                continue;
            }
            for value in &row.values {
                match value {
                    Value::Text(text) => self.field(text, out),
                    Value::Json(json) => self.field(json.as_bytes(), out),
                    Value::Null if self.format == RowFormat::Csv => out.push(b','),
                    Value::Null => out.extend_from_slice(b"\\N\t"),
                }
            }
            out.extend_from_slice(line);
        }
    }

    fn field(&self, value: &[u8], out: &mut Vec<u8>) {
        if self.format == RowFormat::Csv {
            encode_csv(value, out);
            out.push(b',');
        } else {
            encode_tsv(value, out);
            out.push(b'\t');
        }
    }
}

/// Splits bytes into lines that include their line breaks. In CSV, a line break in quotes does not end a line.
fn logical_lines(lines: &[u8], format: RowFormat) -> impl Iterator<Item = &[u8]> {
    let mut is_quoted = false;
    lines.split_inclusive(move |byte| {
        is_quoted ^= format == RowFormat::Csv && *byte == b'"';
        *byte == b'\n' && !is_quoted
    })
}
