//! The report, as text, Markdown or JSON. Text and Markdown have a table, a legend, and a sentence for each function.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};
use pgq_log::counted;
use serde_json::{Map, Value, json};

use super::corpus::Corpus;
use super::function::Path;
use super::measure::Timing;
use super::runs::Runs;
use super::spread::{Spread, median_run};
use super::verify::Verified;

/// Whether this program was built with the optimization level that `cargo install` uses.
const IS_OPTIMIZED: bool = matches!(env!("PGQ_OPT_LEVEL").as_bytes(), b"3");

const NOT_OPTIMIZED: &str =
    "not optimized: cargo run built this program; measure with the program that cargo install builds";

/// Names and explanations of the columns.
const COLUMNS: [(&str, &str); 9] = [
    ("function", ""),
    ("path", ""),
    ("queries/s", "statements per second in the median run; a run adds up the best round of every few"),
    ("us/query", "the same as microseconds per statement: the mean"),
    ("MB/s", "the same as megabytes of SQL per second"),
    ("p50 us", "half of all single calls took at most this long"),
    ("p99 us", "99 % of all single calls took at most this long"),
    ("speed-up", "times as fast as Protobuf; for tokens and nodes, as reflection"),
    ("x floor", "time as a multiple of C alone: PostgreSQL's parser or scanner, or the raw deparser"),
];

/// Layout of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Text,
    Markdown,
}

pub fn write(layout: Layout, corpus: &Corpus, verified: &[Verified], all: &[Runs], out: &mut Vec<u8>) {
    let Corpus { inputs, statements, bytes, .. } = corpus;
    let (files, count) = (counted(*inputs as u64, "inputs"), counted(statements.len() as u64, "statements"));
    let mut notes = vec![format!("corpus: {count}, {bytes} bytes, from {files}")];
    if !IS_OPTIMIZED {
        notes.push(NOT_OPTIMIZED.into());
    }
    notes.extend(
        corpus
            .skipped
            .iter()
            .map(|(reason, count)| format!("skipped: {}: {reason}", counted(*count as u64, "statements"))),
    );
    notes.extend(verified.iter().map(verified_line));
    lines(layout, &notes, out);
    write_table(layout, figures(all), out);
    let legend: Vec<String> = COLUMNS
        .iter()
        .filter(|(_, meaning)| !meaning.is_empty())
        .map(|(name, meaning)| format!("{name:<9} {meaning}"))
        .collect();
    if all.iter().any(|runs| runs.runs.len() > 1) {
        let _ =
            writeln!(out, "\nspread of the runs (again: measured again; off: still more than 25 % from the median):");
        write_table(layout, spread_table(all), out);
    }
    out.push(b'\n');
    lines(layout, &legend, out);
    let sentences: Vec<String> = all.iter().filter_map(sentence).collect();
    if !sentences.is_empty() {
        out.push(b'\n');
        lines(layout, &sentences, out);
    }
}

/// Writes lines as plain text or as a Markdown list.
fn lines(layout: Layout, lines: &[String], out: &mut Vec<u8>) {
    for line in lines {
        let _ = writeln!(out, "{}{line}", if layout == Layout::Markdown { "- " } else { "" });
    }
}

fn verified_line(v: &Verified) -> String {
    let Verified { compared, differ, refused, .. } = v;
    let some = |count: usize, what: &str| if count > 0 { format!("{count} {what}, ") } else { String::new() };
    let wrong = some(v.wrong, "written wrong by libpg_query");
    let alone = some(v.refused_by_libpg_query, "refused by libpg_query alone");
    let name = v.function.name();
    format!(
        "verified: {name:<13} {compared} equal, {differ} differ, {wrong}{alone}{refused} refused by both (not timed)"
    )
}

fn figures(all: &[Runs]) -> Table {
    let mut table = Table::new();
    table.set_header(COLUMNS.map(|(name, _)| name));
    for (runs, index) in rows(all) {
        let run = median_run(&runs.runs, index);
        let (timing, row) = (&run[index], Row::new(&run[index], run));
        let number = |value: f64, digits: usize| format!("{value:.digits$}");
        let times = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}x"));
        let mark = if runs.outliers > 0 { " !" } else { "" };
        table.add_row([
            format!("{}{mark}", timing.function.name()),
            timing.path.name().to_string(),
            number(row.qps, 0),
            number(row.us_per_query, 3),
            number(row.mb_per_s, 1),
            number(row.p50_us, 2),
            number(row.p99_us, 2),
            times(row.speedup),
            times(row.ratio_to_floor),
        ]);
    }
    table
}

/// Iterates over all functions and over the paths (implementations) of each function. Yields the runs of the
/// function, and the index of the path in each run.
fn rows(all: &[Runs]) -> impl Iterator<Item = (&Runs, usize)> {
    all.iter().flat_map(|runs| (0..runs.runs.first().map_or(0, Vec::len)).map(move |index| (runs, index)))
}

fn spread_table(all: &[Runs]) -> Table {
    let mut table = Table::new();
    table.set_header(["function", "path", "runs", "least us", "median us", "most us", "speed-up"]);
    for (runs, index) in rows(all) {
        let timing = &runs.runs[0][index];
        let spread =
            |values: Option<Spread>, digits: usize| values.map(|of| of.figures().map(|of| format!("{of:.digits$}")));
        let [least, median, most] =
            spread(Spread::of(runs.runs.iter().map(|run| run[index].us_per_query())), 3).unwrap_or_default();
        let speedup = spread(speedups(runs, index), 2);
        let mut count = runs.runs.len().to_string();
        if runs.repeated > 0 {
            count += &format!(", {} again", runs.repeated);
        }
        if runs.outliers > 0 {
            count += &format!(", {} off", runs.outliers);
        }
        table.add_row([
            timing.function.name().to_string(),
            timing.path.name().to_string(),
            count,
            least,
            median,
            most,
            speedup.map_or_else(String::new, |[least, _, most]| format!("{least}x to {most}x")),
        ]);
    }
    table
}

/// Returns the speed-up of a path (implementation): its median and range over all runs.
fn speedups(runs: &Runs, index: usize) -> Option<Spread> {
    Spread::of(runs.runs.iter().filter_map(|run| Row::new(&run[index], run).speedup))
}

/// Returns a sentence with the speed of the raw path as a multiple of the baseline's speed. On the raw path, pgq reads
/// the C tree directly.
fn sentence(runs: &Runs) -> Option<String> {
    let index = runs.runs.first()?.iter().position(|timing| timing.path == Path::Raw)?;
    let spread = speedups(runs, index)?;
    let baseline = match runs.function.baseline() {
        Path::Protobuf => "the Protobuf path",
        _ => "reflection",
    };
    let range = match runs.runs.len() {
        1 => String::new(),
        count => format!(" ({:.1} to {:.1} in {count} runs)", spread.min, spread.max),
    };
    let doubt = if runs.outliers > 0 { "; ! the machine was not steady: repeat this" } else { "" };
    let name = runs.function.name();
    Some(format!("{name}: {:.1} times as fast as {baseline} on this corpus{range}{doubt}", spread.median))
}

fn write_table(layout: Layout, mut table: Table, out: &mut Vec<u8>) {
    table.load_style(if layout == Layout::Markdown { presets::ASCII_MARKDOWN } else { presets::NOTHING });
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let _ = writeln!(out, "\n{}", table.trim_fmt());
}

pub fn json(corpus: &Corpus, verified: &[Verified], all: &[Runs], out: &mut Vec<u8>) {
    let skipped: usize = corpus.skipped.iter().map(|(_, count)| count).sum();
    let reasons: Map<String, Value> = corpus.skipped.iter().map(|(r, c)| ((*r).to_string(), json!(c))).collect();
    let verified: Map<String, Value> = verified
        .iter()
        .map(|v| {
            let counts = json!({
                "compared": v.compared,
                "differ": v.differ,
                "refused": v.refused,
                "wrong": v.wrong,
                "refused_by_libpg_query": v.refused_by_libpg_query,
            });
            (v.function.name().to_string(), counts)
        })
        .collect();
    let results: Vec<Value> = rows(all)
        .map(|(runs, index)| {
            let run = median_run(&runs.runs, index);
            let (timing, row) = (&run[index], Row::new(&run[index], run));
            let mut result = json!({
                "function": timing.function.name(),
                "path": timing.path.name(),
                "queries": timing.queries,
                "qps": row.qps,
                "us_per_query": row.us_per_query,
                "mb_per_s": row.mb_per_s,
                "p50_us": row.p50_us,
                "p99_us": row.p99_us,
                "speedup": row.speedup,
                "ratio_to_floor": row.ratio_to_floor,
            });
            if runs.runs.len() > 1 {
                let figures = |spread: Option<Spread>| {
                    spread.map(|spread| json!({"min": spread.min, "median": spread.median, "max": spread.max}))
                };
                let qps = Spread::of(runs.runs.iter().map(|run| Row::new(&run[index], run).qps));
                result["spread"] = json!({
                    "runs": runs.runs.len(),
                    "measured_again": runs.repeated,
                    "outliers": runs.outliers,
                    "qps": figures(qps),
                    "speedup": figures(speedups(runs, index)),
                });
            }
            result
        })
        .collect();
    let corpus = json!({
        "statements": corpus.statements.len(),
        "bytes": corpus.bytes,
        "inputs": corpus.inputs,
        "skipped": skipped,
        "skipped_why": reasons,
    });
    let report = json!({"corpus": corpus, "optimized": IS_OPTIMIZED, "verified": verified, "results": results});
    let _ = writeln!(out, "{report}");
}

/// Figures of a row. The suffix of a field's name is the unit.
struct Row {
    qps: f64,
    us_per_query: f64,
    mb_per_s: f64,
    p50_us: f64,
    p99_us: f64,
    /// Speed as a multiple of the baseline's speed. The baseline (`Function::baseline`) is the Protobuf path or
    /// reflection. `None` for the baseline itself and for C code alone (the floor).
    speedup: Option<f64>,
    /// Time as a multiple of the time of C code alone (the floor). Both times are from the same statements in the same
    /// rounds.
    ratio_to_floor: Option<f64>,
}

impl Row {
    fn new(timing: &Timing, all: &[Timing]) -> Self {
        let us = timing.us_per_query();
        let of =
            |path: Path| all.iter().find(|t| t.function == timing.function && t.path == path).map(Timing::us_per_query);
        let baseline = timing.function.baseline();
        let quantile = |q: f64| timing.calls.value_at_quantile(q) as f64 / 1e3;
        Self {
            qps: 1e6 / us,
            us_per_query: us,
            mb_per_s: timing.bytes as f64 / timing.best.as_secs_f64() / 1e6,
            p50_us: quantile(0.5),
            p99_us: quantile(0.99),
            speedup: of(baseline)
                .map(|baseline| baseline / us)
                .filter(|_| ![baseline, Path::Floor].contains(&timing.path)),
            ratio_to_floor: of(Path::Floor).map(|floor| us / floor),
        }
    }
}
