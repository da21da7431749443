//! Writes the page docs/benchmarks.md from the results of a run.

use std::fmt::Write;

use crate::chart::FIRST_CORPUS;
use crate::function::{Comparison, FUNCTIONS, Function};
use crate::results::{LogResults, Results, Row};
use crate::single::{Single, Times};
use crate::spread::Spread;

/// The directory of the charts, next to the page.
pub const CHARTS: &str = "benchmarks";

/// Maximum load at the start and at the end. If it is exceeded, the page warns that the machine was busy. The load at
/// the end includes the run itself.
const BUSY: (f64, f64) = (1.5, 2.5);

pub fn page(results: &Results) -> String {
    let mut page = format!("<!-- Written by `{}`. Do not edit: run that again. -->\n", results.command);
    page += "# Benchmarks\n\n";
    page += &introduction(results);
    page += &parsers(results);
    page += &corpora(results);
    for function in &FUNCTIONS {
        page += &section(results, function);
    }
    page += &log(&results.log);
    page += &bench(results);
    page
}

fn introduction(results: &Results) -> String {
    let machine = &results.machine;
    let mut text = format!(
        "Other parsers beside pgq, in one run of `{}` ({}, {:.0} minutes), which builds the parsers, runs them, and writes \
         this page and its charts.\n\n",
        results.command, results.date, results.minutes
    );
    let _ = writeln!(
        text,
        "- The machine: {}, {} cores, {}. Load average {:.2} when it began and {:.2} when it ended.{}",
        machine.cpu,
        machine.cores,
        machine.system,
        results.load.0,
        results.load.1,
        if results.load.0 > BUSY.0 || results.load.1 > BUSY.1 {
            " **The machine had other work: compare ratios, not times, and mind the spread.**"
        } else {
            ""
        }
    );
    let _ = writeln!(text, "- The tools: {}.", machine.tools.join("; "));
    let _ = writeln!(
        text,
        "- Times are CPU time of all threads of a program, so that a garbage collector counts. pgq and another parser take \
         turns with the same statements, those that both answer, up to {} times; the best round of each counts. That is \
         repeated {} times with new processes: the tables have the median and, behind it, the least and the most. The row \
         of pgq against itself shows what the noise is.",
        results.turns, results.repeats
    );
    text += "- *pgq's ns* is pgq's time on the same statements, and *× pgq* the parser's time divided by it, in one repeat. *refused* are statements \
             that pgq answers and the parser refuses, *more* are those that it answers and pgq refuses. All programs in \
             Rust have pgq's allocator, mimalloc.\n\n";
    text
}

fn parsers(results: &Results) -> String {
    let mut text = "## Parsers\n\n| parser | version | PostgreSQL | |\n| --- | --- | --- | --- |\n".to_string();
    for parser in &results.parsers {
        let version = results.rows.iter().find(|row| row.label == parser.name).and_then(|row| row.postgresql);
        let version = version.map_or(String::new(), |version| format!("{}.{}", version / 10_000, version % 10_000));
        let _ = writeln!(text, "| {} | {} | {version} | {} |", parser.name, parser.version, parser.about);
    }
    text.push('\n');
    for (name, reason) in &results.left_out {
        let _ = writeln!(text, "Left out: {name} ({reason}).\n");
    }
    for note in &results.notes {
        let _ = writeln!(text, "Note: {note}.\n");
    }
    text
}

fn corpora(results: &Results) -> String {
    let mut text = "## Statements\n\n| corpus | statements | |\n| --- | ---: | --- |\n".to_string();
    for corpus in &results.corpora {
        let _ = writeln!(text, "| {} | {} | {} |", corpus.name, corpus.statements, corpus.about);
    }
    text.push('\n');
    text
}

fn section(results: &Results, function: &Function) -> String {
    let Function { name, title, about, column, .. } = function;
    let mut text = format!("## {title}\n\n{about}\n\n");
    text += &picture(name, &alternative_text(&results.rows_of(name, FIRST_CORPUS), title));
    let _ = writeln!(
        text,
        "| corpus | parser | statements | refused | more | {column} | ns a statement | statements a second | pgq's ns | × pgq |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for (number, corpus) in results.corpora.iter().enumerate() {
        for row in results.rows_of(name, number) {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {:.0} | {:.0} | {} |",
                corpus.name,
                row.label,
                row.statements,
                row.refused,
                row.extra,
                answers(row, function.comparison),
                spread(row.nanoseconds, 0),
                1e9 / row.nanoseconds.median,
                row.pgq.median,
                spread(row.ratio, 2),
            );
        }
    }
    text.push('\n');
    if results.rows_of(name, FIRST_CORPUS).iter().any(|row| row.single.is_some()) {
        text += &singles(results, name);
    }
    text
}

/// Returns the chart of accepted statements and the table of single statements.
fn singles(results: &Results, name: &str) -> String {
    let accepted = |row: &&Row| format!("{} {}", row.label, percent(row));
    let accepted: Vec<String> = results.rows_of(name, FIRST_CORPUS).iter().map(accepted).collect();
    let mut text = picture("accepted", &format!("Share of the statements accepted: {}", accepted.join(", ")));
    text += "### Single statements\n\nEach statement is timed alone, in rounds over all statements: the elapsed time in \
             nanoseconds, the best of many rounds. The columns are the mean and the distribution over the \
             statements that pgq and the parser both accept; *× pgq* is the median divided by that of pgq's parse. \
             *kept* are the bytes of the heap that the tree of a statement occupies while all trees are kept, and *peak* \
             the most during the parse, both as the mean of a statement: the usable size of all blocks of Rust and C, with \
             glibc's allocator. *× pgq* is *kept* divided by that of pgq's tree to keep (`Tree::parse_shared`). `Tree::parse` \
             is for trees that are dropped soon. Only programs in Rust count bytes.\n\n\
             | corpus | parser | accepted | mean | median | p90 | p99 | × pgq | kept | peak | × pgq |\n\
             | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (number, corpus) in results.corpora.iter().enumerate() {
        for row in results.rows_of(name, number) {
            let Some(Single { times: [times, pgq], bytes }) = row.single else { continue };
            let bytes = bytes.map_or("– | – | –".to_string(), |[of, pgq]| {
                format!("{:.0} | {:.0} | {:.2}", of.kept, of.peak, of.kept / pgq.kept)
            });
            let Times { mean, median, p90, p99 } = times;
            let ratio = median as f64 / pgq.median as f64;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {mean:.0} | {median} | {p90} | {p99} | {ratio:.2} | {bytes} |",
                corpus.name,
                row.label,
                percent(row)
            );
        }
    }
    text.push('\n');
    text
}

/// Formats the share of pgq's accepted statements that the parser also accepts.
fn percent(row: &Row) -> String {
    format!("{:.1} %", 100.0 * row.statements as f64 / (row.statements + row.refused) as f64)
}

/// Returns a chart with its alternative text.
fn picture(chart: &str, alternative: &str) -> String {
    format!(
        "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"{CHARTS}/{chart}-dark.svg\">\n  \
         <img alt=\"{alternative}\" src=\"{CHARTS}/{chart}-light.svg\">\n</picture>\n\n"
    )
}

/// Returns the alternative text of a chart.
pub fn alternative_text(rows: &[&Row], title: &str) -> String {
    let bars: Vec<String> = rows.iter().map(|row| format!("{} {:.1}", row.label, row.ratio.median)).collect();
    format!("{title}, CPU time as a multiple of pgq's: {}", bars.join(", "))
}

/// Returns the cell in the answers' column: the mean of the counts or the number of answers that agree.
fn answers(row: &Row, comparison: Comparison) -> String {
    match row.counted {
        Some(counted) if comparison == Comparison::Count => format!("{:.1}", counted as f64 / row.statements as f64),
        _ if row.compared == 0 => "–".to_string(),
        _ => row.agreeing.to_string(),
    }
}

/// Formats the median and the range, such as `2.10 (2.05–2.30)`.
fn spread(spread: Spread, decimals: usize) -> String {
    let Spread { median, least, most } = spread;
    format!("{median:.decimals$} ({least:.decimals$}–{most:.decimals$})")
}

fn log(log: &LogResults) -> String {
    let mut text = format!(
        "## Logs\n\nWhole commands on a made log of {:.0} MB in stderr's format with {} executions, one job each. The script \
         around pglast is [fingerprint_log.py](../benches/peers/fingerprint_log.py). pgBadger does other work than pgq: it \
         also reports connections, checkpoints and vacuums, and it groups queries by a text in which patterns are \
         replaced, where pgq parses them.\n\n\
         | | s of CPU time | MB of memory | result | command |\n| --- | ---: | ---: | --- | --- |\n",
        log.bytes as f64 / 1e6,
        log.statements
    );
    for row in &log.rows {
        let (seconds, megabytes) = (spread(row.seconds, 2), spread(row.megabytes, 0));
        let _ = writeln!(text, "| {} | {seconds} | {megabytes} | {} | `{}` |", row.label, row.result, row.command);
    }
    text.push('\n');
    text
}

fn bench(results: &Results) -> String {
    let mut text = "## pgq beside libpg_query's functions\n\n\
        `pgq bench` measures pgq's functions beside libpg_query's, which is in the same program: on your SQL as well. Before \
        it measures, it checks that both give equal results on every statement. The rows *protobuf* of json, fingerprint, \
        normalize and log are libpg_query's own C functions, which use no Protobuf. *log* is fingerprint and normalize from \
        one parse. The *floor* is the time of the C code alone: PostgreSQL's parser, for scan its scanner, for deparse \
        libpg_query's deparser, with the fixes and the single buffer that pgq builds into it, on the parser's tree. pgq has \
        its own lexer and drives PostgreSQL's grammar itself, so that parsing and walking together can take less time than \
        PostgreSQL's parser. Each row is that of the run in the middle; the second table has the least, the median and the \
        most.\n\n"
        .to_string();
    for table in &results.bench {
        let _ = writeln!(text, "{}, `{}`:\n\n```text\n{}\n```\n", table.about, table.command, table.text.trim_end());
    }
    text += "`cargo bench --bench instructions` counts instructions instead (it needs valgrind; \
             [benches/instructions.txt](../benches/instructions.txt) holds the ratios).\n";
    text
}

#[cfg(test)]
#[path = "page_tests.rs"]
pub mod tests;
