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
    let mut page = format!("<!-- Written by `{}`. Do not edit: run this command again. -->\n", results.command);
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
        "This page compares pgq with other parsers. All figures are from one run of `{}` ({}, {:.0} minutes). This \
         command builds the parsers, runs them, and writes this page and its charts.\n\n",
        results.command, results.date, results.minutes
    );
    let _ = writeln!(
        text,
        "- Machine: {}, {} cores, {}. Load average {:.2} when the run began and {:.2} when it ended.{}",
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
    let _ = writeln!(text, "- Tools: {}.\n", machine.tools.join("; "));
    let _ = writeln!(
        text,
        "- Times are CPU times of all threads of a program, so they include the work of a garbage collector. Each \
         parser is compared with pgq on the statements that both accept. The parser and pgq run alternately, in up \
         to {} rounds, and only the best round of each counts.\n\n\
         - Each measurement is repeated {} times with new processes. The tables show the median of these repetitions, \
         followed by the minimum and the maximum in parentheses. The row *pgq* compares pgq with itself, and shows the \
         error of the measurement: without any error, its value of *× pgq* would be 1.",
        results.turns, results.repeats
    );
    text += "\nThe tables of this page have these columns:\n\n| column | meaning |\n| --- | --- |\n\
             | statements | number of statements that pgq and the parser both accept. Only these are measured |\n\
             | refused | number of statements that pgq accepts and the parser refuses |\n\
             | more | number of statements that the parser accepts and pgq refuses |\n\
             | ns a statement | the parser's time per statement, in nanoseconds |\n\
             | pgq's ns | pgq's time per statement, for the same statements |\n\
             | × pgq | the parser's time divided by pgq's time in the same repetition. For example, 2 \
             means that the parser takes twice as long |\n\
             \nAll programs in Rust use pgq's allocator, mimalloc.\n\n";
    text
}

fn parsers(results: &Results) -> String {
    let mut text = "## Parsers\n\n\
        | parser | version | version of PostgreSQL | language and method |\n| --- | --- | --- | --- |\n"
        .to_string();
    for parser in &results.parsers {
        let version = results.rows.iter().find(|row| row.label == parser.name).and_then(|row| row.postgresql);
        let version = version.map_or(String::new(), |version| format!("{}.{}", version / 10_000, version % 10_000));
        let _ = writeln!(text, "| {} | {} | {version} | {} |", parser.name, parser.version, parser.about);
    }
    text.push('\n');
    for (name, reason) in &results.left_out {
        let _ = writeln!(text, "This page does not include {name} ({reason}).\n");
    }
    for note in &results.notes {
        let _ = writeln!(text, "Note: {note}.\n");
    }
    text
}

fn corpora(results: &Results) -> String {
    let mut text = "## Statements\n\n| corpus | statements | origin |\n| --- | ---: | --- |\n".to_string();
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
    text += "### Single statements\n\n\
             Each statement is timed alone, in many rounds over all statements. The times are elapsed times in \
             nanoseconds, and the best round of each statement counts. The columns *mean*, *median*, *p90* and \
             *p99* summarize the times of the statements that pgq and the parser both accept. The first column *× \
             pgq* is the parser's median divided by the median of pgq's parse.\n\n\
             The columns *kept* and *peak* are bytes of memory per statement, measured only for programs in Rust. \
             *kept* is the mean size of a tree while the trees of all statements stay in memory. *peak* is the \
             maximum memory during the parsing of a statement, as the mean over all statements. *kept* and *peak* \
             count all heap blocks of Rust and C, by their usable size in glibc's allocator.\n\n\
             The second column *× pgq* is the parser's *kept* divided by pgq's *kept*. For pgq's *kept*, it uses the \
             row *pgq, a tree to keep* (`Tree::parse_shared`). The trees of the row *pgq* (`Tree::parse`) need more \
             memory, because they are for programs that drop a tree soon.\n\n\
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

/// Of the statements that pgq accepts, formats the share that the parser also accepts.
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
    let bars: Vec<String> = rows.iter().map(|row| format!("{}: {:.1}", row.label, row.ratio.median)).collect();
    format!("{title}, CPU time as a multiple of pgq's. {}", bars.join("; "))
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
        "## Logs\n\n\
         Each row of this table is a command that reads a generated log in the stderr format, of {:.0} MB and with \
         {} executions. Every command uses one job. The row *a script around pglast* runs the script \
         [fingerprint_log.py](../benches/peers/fingerprint_log.py).\n\n\
         pgBadger's work differs from pgq's: pgBadger also reports connections, checkpoints and vacuums. pgBadger does \
         not parse queries. It replaces patterns in the text of each query, and then groups equal texts.\n\n\
         | program | s of CPU time | MB of memory | result | command |\n| --- | ---: | ---: | --- | --- |\n",
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
    let mut text = "## pgq compared with libpg_query's functions\n\n\
        `pgq bench` compares pgq's functions (the path *raw*) with libpg_query's functions (the path *protobuf*), \
        on any SQL. Before `pgq bench` measures, it checks that both paths have equal results for every statement.\n\n\
        For *json*, *fingerprint*, *normalize* and *log*, libpg_query has C functions that need no Protobuf. For \
        these functions, the path named *protobuf* measures the C functions. *log* computes the fingerprint and \
        the normalized SQL of a statement; pgq computes both from one parse.\n\n\
        The path *floor* measures only C code: PostgreSQL's scanner for *scan* and *tokens*, libpg_query's \
        deparser for *deparse*, and PostgreSQL's parser for the other functions. For this path, libpg_query's \
        deparser has pgq's fixes, writes to a single buffer as in pgq, and starts from the parser's tree.\n\n\
        pgq may take less time than the path *floor*, because pgq has its own lexer and its own parser loop. For \
        example, pgq can parse SQL and walk the tree in less time than PostgreSQL's parser needs to parse the SQL.\n\n\
        For each set of SQL, `pgq bench` prints two tables. The first table shows the median run. The second table \
        shows the minimum, median and maximum of the runs.\n\n"
        .to_string();
    for table in &results.bench {
        let _ = writeln!(
            text,
            "This is the output of `{}` for {}:\n\n```text\n{}\n```\n",
            table.command,
            table.about,
            table.text.trim_end()
        );
    }
    text += "`cargo bench --bench instructions` counts instructions instead of measuring time. It needs valgrind. For \
             each function of pgq, [benches/instructions.txt](../benches/instructions.txt) contains pgq's count \
             divided by the count of a C function. The C function is PostgreSQL's scanner for `scan`, libpg_query's \
             deparser for `deparse`, and PostgreSQL's parser for all other functions.\n";
    text
}

#[cfg(test)]
#[path = "page_tests.rs"]
pub mod tests;
