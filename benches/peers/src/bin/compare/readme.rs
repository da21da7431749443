//! Updates the figures in README.md: two charts and a sentence between markers. The rest is unchanged.

use std::fmt::Write;

use anyhow::{Context, Result};

use crate::chart::FIRST_CORPUS;
use crate::page::{CHARTS, alternative_text};
use crate::results::Results;

/// The markers, each on its own line.
const START: &str = "<!-- speed: written by benches/peers/run.sh -->";
const END: &str = "<!-- /speed -->";

/// The functions with a chart, and the functions in the sentence.
const SHOWN: [(&str, &str); 2] = [("walk", "Parse and walk"), ("fingerprint", "Fingerprint")];
const TOLD: [(&str, &str); 3] =
    [("deparse", "deparse a tree"), ("normalize", "normalize SQL"), ("scan", "split SQL into tokens")];

/// Replaces the figures in README.md with the results of a run.
pub fn with_figures(readme: &str, results: &Results) -> Result<String> {
    let (before, rest) = readme.split_once(START).context("README.md has no mark where figures start")?;
    let (_, after) = rest.split_once(END).context("README.md has no mark where figures end")?;
    Ok(format!("{before}{START}\n{}{END}{after}", speed(results)))
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
    let _ = writeln!(text, "More functions, compared with pg_query and pg_raw_parse on PostgreSQL's regression SQL:\n");
    for (name, verb) in TOLD {
        if let Some(told) = told(results, name) {
            let _ = writeln!(text, "- To {verb}, {told}");
        }
    }
    text
}

/// Returns the CPU times of the two parsers that are most similar to pgq: `pg_query takes 3.2 times pgq's CPU time,
/// and pg_raw_parse 1.4 times`.
fn told(results: &Results, function: &str) -> Option<String> {
    let rows = results.rows_of(function, FIRST_CORPUS).into_iter();
    let alike = rows.filter(|row| ["pg_query", "pg_raw_parse"].contains(&row.label.as_str()));
    let figures: Vec<String> = alike.map(|row| format!("{} takes {:.1} times", row.label, row.ratio.median)).collect();
    let (first, others) = figures.split_first()?;
    let others: String = others.iter().map(|figure| format!(", and {}", figure.replacen(" takes", "", 1))).collect();
    Some(format!("{first} pgq's CPU time{others}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tests::results;

    #[test]
    fn only_figures_change() {
        let readme = format!("# pgq\n\n{START}\nold\n{END}\n\nEnd.\n");
        let written = with_figures(&readme, &results()).expect("it has marks");
        assert!(!written.contains("old"), "{written}");
        assert!(written.starts_with(&format!("# pgq\n\n{START}\n<picture>")), "{written}");
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
        assert!(with_figures(&readme, &results()).is_ok());
    }
}
