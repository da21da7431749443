//! The report: a table, or one JSON document.

use std::io::Write;

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};

use super::corpus::Corpus;
use super::function::Path;
use super::measure::Timing;
use super::spread::{Spread, middle_runs};
use super::verify::Verified;

/// The figures of the run in the middle, then those that tell how far the runs are apart.
pub fn text(corpus: &Corpus, verified: &[Verified], runs: &[Vec<Timing>], out: &mut Vec<u8>) {
    let Corpus { files, statements, bytes, .. } = corpus;
    let _ = writeln!(out, "corpus: {} statements, {bytes} bytes, from {files} files", statements.len());
    for (reason, count) in &corpus.skipped {
        let _ = writeln!(out, "skipped: {count} statements: {reason}");
    }
    for v in verified {
        let Verified { compared, differ, refused, .. } = v;
        let name = v.function.name();
        let some = |count: usize, what: &str| if count > 0 { format!("{count} {what}, ") } else { String::new() };
        let wrong = some(v.wrong, "written wrong by libpg_query");
        let alone = some(v.refused_by_libpg_query, "refused by libpg_query alone");
        let _ = writeln!(
            out,
            "verified: {name:<13} {compared} equal, {differ} differ, {wrong}{alone}{refused} refused by both (not timed)"
        );
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["function", "path", "queries/s", "us/query", "MB/s", "p50 us", "p99 us", "speed-up", "x floor"]);
    for (index, run) in middle_runs(runs).into_iter().enumerate() {
        let (timing, row) = (&run[index], Row::new(&run[index], run));
        let number = |value: f64, digits: usize| format!("{value:.digits$}");
        let times = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}x"));
        table.add_row([
            timing.function.name().to_string(),
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
    write_table(table, out);
    if runs.len() > 1 {
        let _ = writeln!(out, "\n{} runs: least, median and most queries/s and speed-up", runs.len());
        write_table(spread_table(runs), out);
    }
}

fn spread_table(runs: &[Vec<Timing>]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["function", "path", "least", "median", "most", "least", "median", "most"]);
    for (index, timing) in runs[0].iter().enumerate() {
        let (qps, speedup) = spreads(runs, index);
        let figures = |spread: Option<Spread>, format: fn(f64) -> String| {
            spread.map_or_else(Default::default, |spread| spread.figures().map(format))
        };
        let names = [timing.function.name().to_string(), timing.path.name().to_string()];
        let qps = figures(qps, |qps| format!("{qps:.0}"));
        let speedup = figures(speedup, |factor| format!("{factor:.2}x"));
        table.add_row(names.into_iter().chain(qps).chain(speedup));
    }
    table
}

/// How far queries per second and speed-ups of a function on a path are apart.
fn spreads(runs: &[Vec<Timing>], index: usize) -> (Option<Spread>, Option<Spread>) {
    let rows = || runs.iter().map(|run| Row::new(&run[index], run));
    (Spread::of(rows().map(|row| row.qps)), Spread::of(rows().filter_map(|row| row.speedup)))
}

fn write_table(mut table: Table, out: &mut Vec<u8>) {
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let _ = writeln!(out, "\n{}", table.trim_fmt());
}

pub fn json(corpus: &Corpus, verified: &[Verified], runs: &[Vec<Timing>], out: &mut Vec<u8>) {
    let skipped: usize = corpus.skipped.iter().map(|(_, count)| count).sum();
    let reasons: Map<String, Value> = corpus.skipped.iter().map(|(r, c)| (r.clone(), json!(c))).collect();
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
    let results: Vec<Value> = middle_runs(runs)
        .into_iter()
        .enumerate()
        .map(|(index, run)| {
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
            if runs.len() > 1 {
                let figures = |spread: Option<Spread>| {
                    spread.map(|spread| json!({"min": spread.min, "median": spread.median, "max": spread.max}))
                };
                let (qps, speedup) = spreads(runs, index);
                result["spread"] = json!({"runs": runs.len(), "qps": figures(qps), "speedup": figures(speedup)});
            }
            result
        })
        .collect();
    let corpus = json!({
        "statements": corpus.statements.len(),
        "bytes": corpus.bytes,
        "files": corpus.files,
        "skipped": skipped,
        "skipped_why": reasons,
    });
    let _ = writeln!(out, "{}", json!({"corpus": corpus, "verified": verified, "results": results}));
}

/// The figures of a row; names end in units.
struct Row {
    qps: f64,
    us_per_query: f64,
    mb_per_s: f64,
    p50_us: f64,
    p99_us: f64,
    /// Relative to the baseline of the same function: the Protobuf path, or reflection.
    speedup: Option<f64>,
    /// Time relative to the floor of the same function, on the same statements in the same rounds.
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
