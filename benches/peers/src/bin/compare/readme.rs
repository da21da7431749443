//! Updates the figures in README.md: two charts and a sentence between markers, and two rows of a table. The rest is
//! unchanged.

use std::fmt::Write;

use anyhow::{Context, Result};

use crate::chart::FIRST_CORPUS;
use crate::page::{CHARTS, alternative_text};
use crate::results::{LogRow, Results};

/// The markers, each on its own line.
const START: &str = "<!-- speed: written by benches/peers/run.sh -->";
const END: &str = "<!-- /speed -->";

/// The prefixes of the table rows.
const CPU_TIME: &str = "| CPU time for a log of ";
const MEMORY: &str = "| most memory |";

/// The functions with a chart, and the functions in the sentence.
const SHOWN: [(&str, &str); 2] = [("walk", "Parse and walk"), ("fingerprint", "Fingerprint")];
const TOLD: [(&str, &str); 3] = [("deparse", "deparse"), ("normalize", "normalize"), ("scan", "scan")];

/// Replaces the figures in README.md with the results of a run.
pub fn with_figures(readme: &str, results: &Results) -> Result<String> {
    let (before, rest) = readme.split_once(START).context("README.md has no mark where figures start")?;
    let (_, after) = rest.split_once(END).context("README.md has no mark where figures end")?;
    let readme = format!("{before}{START}\n{}{END}{after}", speed(results));
    let [cpu_time, memory] = log_rows(results);
    let line = |line: &str| match line {
        _ if line.starts_with(CPU_TIME) => cpu_time.clone(),
        _ if line.starts_with(MEMORY) => memory.clone(),
        _ => line.to_string(),
    };
    Ok(readme.lines().map(|text| line(text) + "\n").collect())
}

/// Returns the text to insert between the markers.
fn speed(results: &Results) -> String {
    let mut text = String::new();
    for (name, title) in SHOWN {
        let _ = writeln!(
            text,
            "<picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"docs/{CHARTS}/{name}-dark.svg\">\n  \
             <img alt=\"{}\" src=\"docs/{CHARTS}/{name}-light.svg\">\n</picture>\n",
            alternative_text(&results.rows_of(name, FIRST_CORPUS), title)
        );
    }
    let told: Vec<String> =
        TOLD.iter().filter_map(|(name, verb)| Some(format!("to {verb} {}", told(results, name)?))).collect();
    let _ = writeln!(text, "CPU time on PostgreSQL's regression SQL, as a multiple of pgq's: {}.", told.join("; "));
    text
}

/// Returns the ratios of the two parsers that are most similar to pgq, such as `pg_query 3.2, pg_raw_parse 1.4`.
fn told(results: &Results, function: &str) -> Option<String> {
    let rows = results.rows_of(function, FIRST_CORPUS).into_iter();
    let alike = rows.filter(|row| ["pg_query", "pg_raw_parse"].contains(&row.label.as_str()));
    let figures: Vec<String> = alike.map(|row| format!("{} {:.1}", row.label, row.ratio.median)).collect();
    (!figures.is_empty()).then(|| figures.join(", "))
}

/// Returns the table rows. The columns are pgq, pgBadger, a pglast script, and a program that was not measured.
fn log_rows(results: &Results) -> [String; 2] {
    let row = |label: &str| results.log.rows.iter().find(|row| row.label.starts_with(label));
    let cells = |figure: fn(&LogRow) -> String, [of_fingerprints, of_page]: [&str; 2]| {
        let cell = |label: &str, what: &str| row(label).map(|row| figure(row) + what);
        let both = [cell("pgq fingerprint", of_fingerprints), cell("pgq digest", of_page)];
        let pgq = both.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "–".to_string());
        let (badger, script) = (cell("pgBadger", of_page), cell("a script around pglast", of_fingerprints));
        format!("{pgq} | {} | {} | – |", or_dash(badger), or_dash(script))
    };
    let seconds = |row: &LogRow| {
        let seconds = row.seconds.median;
        if seconds < 10.0 { format!("{seconds:.2} s") } else { format!("{seconds:.0} s") }
    };
    let megabytes = |row: &LogRow| format!("{:.0} MB", row.megabytes.median);
    let size = results.log.bytes as f64 / 1e6;
    [
        format!("{CPU_TIME}{size:.0} MB | {}", cells(seconds, [" fingerprints", " page"])),
        format!("{MEMORY} {}", cells(megabytes, ["", ""])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tests::results;

    #[test]
    fn only_figures_change() {
        let readme = format!(
            "# pgq\n\n| a | b |\n{CPU_TIME}1 MB | old |\n{MEMORY} old |\n| c | d |\n\n{START}\nold\n{END}\n\nEnd.\n"
        );
        let written = with_figures(&readme, &results()).expect("it has marks");
        assert!(!written.contains("old"), "{written}");
        assert!(written.contains(&format!("{CPU_TIME}32 MB | 0.50 s fingerprints | – | – | – |\n")), "{written}");
        assert!(
            written.contains(&format!("{MEMORY} 20 MB | – | – | – |\n| c | d |\n\n{START}\n<picture>")),
            "{written}"
        );
        assert!(written.ends_with(&format!("{END}\n\nEnd.\n")), "{written}");
        assert_eq!(with_figures(&written, &results()).expect("it has marks"), written);
    }

    #[test]
    fn a_text_without_marks_is_refused() {
        assert!(with_figures("# pgq\n", &results()).is_err());
    }

    #[test]
    fn the_projects_readme_has_marks() {
        let readme = std::fs::read_to_string(pgq_corpus::project_path("README.md")).expect("it is there");
        let written = with_figures(&readme, &results()).expect("it has marks");
        assert!(written.contains(CPU_TIME) && written.contains(MEMORY), "{written}");
    }
}
