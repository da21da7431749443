//! Tests the page and the charts with invented figures.

use super::*;
use crate::chart;
use crate::results::{BenchTable, CorpusFacts, LogRow, Machine, Parser};
use crate::single::Bytes;

fn figure(median: f64) -> Spread {
    Spread { median, least: median * 0.9, most: median * 1.2 }
}

fn row(function: &'static str, label: &str, ratio: f64) -> Row {
    Row {
        function,
        corpus: 0,
        label: label.to_string(),
        statements: 90,
        refused: 10,
        extra: 2,
        agreeing: 88,
        compared: 90,
        counted: (function == "walk").then_some(900),
        postgresql: Some(180_006),
        nanoseconds: figure(1000.0 * ratio),
        pgq: figure(1000.0),
        ratio: figure(ratio),
        single: None,
    }
}

/// A row of the function `parse`, with figures for single statements.
fn parsed(label: &str, ratio: f64, bytes: Option<f64>) -> Row {
    let times =
        |ratio: u64| Times { mean: 600.4 * ratio as f64, median: 500 * ratio, p90: 900 * ratio, p99: 2000 * ratio };
    let of = |kept: f64| Bytes { kept, peak: 3.0 * kept };
    let bytes = bytes.map(|kept| [of(kept), of(1000.0)]);
    Row { single: Some(Single { times: [times(ratio as u64), times(1)], bytes }), ..row("parse", label, ratio) }
}

pub fn results() -> Results {
    Results {
        machine: Machine {
            cpu: "A processor".to_string(),
            cores: 2,
            system: "Linux 6.1 x86_64".to_string(),
            tools: vec!["rustc 1.95.0".to_string(), "go1.26".to_string()],
        },
        load: (0.25, 0.75),
        date: "2026-01-31".to_string(),
        minutes: 8.2,
        command: "benches/peers/run.sh".to_string(),
        turns: 5,
        repeats: 7,
        parsers: vec![Parser { name: "pgq".to_string(), version: "0.1.0".to_string(), about: "Rust".to_string() }],
        left_out: vec![("pgBadger".to_string(), "it is not installed".to_string())],
        corpora: vec![CorpusFacts { name: "regression".to_string(), about: "SQL".to_string(), statements: 100 }],
        rows: vec![
            row("fingerprint", "pgq", 1.0),
            row("fingerprint", "<other>", 40.0),
            row("walk", "pgq", 1.0),
            parsed("counted", 4.0, Some(1500.0)),
            parsed("not in Rust", 9.0, None),
        ],
        notes: vec!["x crashes on 1 statement".to_string()],
        log: LogResults {
            bytes: 32_000_000,
            statements: 1000,
            rows: vec![LogRow {
                label: "pgq fingerprint".to_string(),
                command: "pgq fingerprint log".to_string(),
                seconds: figure(0.5),
                megabytes: figure(20.0),
                result: "1000 fingerprints, the same".to_string(),
            }],
        },
        bench: vec![BenchTable {
            about: "The corpus".to_string(),
            command: "pgq bench x".to_string(),
            text: "function path\n".to_string(),
        }],
    }
}

#[test]
fn the_first_line_names_the_command() {
    let page = page(&results());
    assert!(page.starts_with("<!-- Written by `benches/peers/run.sh`."), "{page}");
    assert!(page.contains("\n```text\nfunction path\n```\n"), "{page}");
}

#[test]
fn a_row_has_every_figure() {
    let page = page(&results());
    for line in [
        "| regression | <other> | 90 | 10 | 2 | 88 | 40000 (36000–48000) | 25000 | 1000 | 40.00 (36.00–48.00) |",
        "| regression | pgq | 90 | 10 | 2 | 10.0 | 1000 (900–1200) | 1000000 | 1000 | 1.00 (0.90–1.20) |",
        "| regression | counted | 90.0 % | 2402 | 2000 | 3600 | 8000 | 4.00 | 1500 | 4500 | 1.50 |",
        "| regression | not in Rust | 90.0 % | 5404 | 4500 | 8100 | 18000 | 9.00 | – | – | – |",
        "| pgq | 0.1.0 | 18.6 | Rust |",
        "| pgq fingerprint | 0.50 (0.45–0.60) | 20 (18–24) | 1000 fingerprints, the same | `pgq fingerprint log` |",
        "This page does not include pgBadger (it is not installed).",
        "Note: x crashes on 1 statement.",
    ] {
        assert!(page.lines().any(|found| found == line), "{line}\n{page}");
    }
}

#[test]
fn a_busy_machine_is_told() {
    let mut results = results();
    assert!(!page(&results).contains("had other work"));
    results.load.0 = 1.75;
    let page = page(&results);
    assert!(
        page.contains("Load average 1.75 when the run began and 0.75 when it ended. **The machine had other work"),
        "{page}"
    );
}

#[test]
fn answers_that_cannot_be_compared_have_a_dash() {
    let mut row = row("parse", "baseline", 0.9);
    (row.agreeing, row.compared) = (0, 0);
    assert_eq!(answers(&row, Comparison::Text), "–");
}

#[test]
fn a_chart_has_a_bar_for_each_row() {
    let results = results();
    let rows = results.rows_of("fingerprint", 0);
    for theme in &chart::THEMES {
        let svg = chart::svg(&rows, "Fingerprint", "regression", theme).expect("it is drawn");
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        assert_eq!(
            svg.matches("<rect").count(),
            rows.len() + 1,
            "no background, a bar for each row, a broken one: {svg}"
        );
        assert!(svg.contains("40.0 (36.0–48.0)") && svg.contains("&lt;other&gt;"), "{svg}");
        assert!(svg.len() < 40_000);
    }
}

#[test]
fn a_chart_has_a_point_for_each_parser() {
    let results = results();
    let rows = results.rows_of("parse", 0);
    for theme in &chart::THEMES {
        let svg = chart::scatter(&rows, theme).expect("it is drawn");
        assert_eq!(svg.matches("<circle").count(), rows.len(), "{svg}");
        assert!(svg.contains("not in Rust") && svg.contains("90 %"), "{svg}");
    }
}
