//! The page of `pgq digest --format html`: one self-contained file, without network access, frameworks or fonts.
//!
//! All text is in the HTML, so the page is readable without its script. The script sorts, searches, draws histograms
//! and copies SQL.
//!
//! Text from a log cannot become markup. `maud` escapes every value, `push_visible` escapes control characters in the
//! whole page, and the Content-Security-Policy allows only the page's own script. `PreEscaped`, which is not escaped,
//! is used only for constants of this module and for JSON without `<`.

mod bars;
mod chart;
mod columns;
mod detail;
mod facts;
mod heatmap;
mod markup;
mod others;
mod parts;
mod queries;
mod short_rows;
mod sql;
mod summary;
mod timeline;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::run::report::escaped;
use pgq_digest::report::Report;

const STYLE: &str = include_str!("page.css");
/// The script is wrapped in a function, so its names cannot clash with names of the browser.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("page.js"),
    include_str!("timeline.js"),
    include_str!("parts.js"),
    include_str!("queries.js"),
    include_str!("export.js"),
    "})();\n"
);

/// The source of the page's statements, as shown in its header.
#[derive(Default)]
pub struct PageSource {
    /// Name of the server or log.
    pub title: Option<String>,
    pub files: Vec<String>,
    /// The filters for statements, in words.
    pub filters: Vec<String>,
}

pub fn write(report: &Report, source: &PageSource, out: &mut Vec<u8>) {
    push_visible(&document(report, source).into_string(), out);
}

/// Appends the page. Replaces control and bidirectional characters with visible escapes, because HTML cannot represent
/// some control characters, and bidirectional characters reorder the text around them.
fn push_visible(html: &str, out: &mut Vec<u8>) {
    out.reserve(html.len());
    // Works line by line to avoid a second copy of the page.
    for line in html.split_inclusive('\n') {
        if line.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n')) {
            out.extend_from_slice(line.as_bytes());
            continue;
        }
        let (line, end) = line.strip_suffix("\r\n").map_or((line, ""), |line| (line, "\n"));
        out.extend_from_slice(escaped(line).as_bytes());
        out.extend_from_slice(end.as_bytes());
    }
}

fn document(report: &Report, source: &PageSource) -> Markup {
    let mut budget = sql::HtmlBudget::default();
    html! {
        (DOCTYPE) "\n"
        html lang="en" { "\n"
            head { "\n" (head(report, source)) } "\n"
            body { "\n"
                header { "\n" (summary::head(report, source)) } "\n"
                main { "\n"
                    (others::alarms(report))
                    section #time-line aria-label="Timeline" { "\n" (timeline::section(report)) } "\n"
                    (bars::section(report))
                    (queries::section(report, &mut budget))
                    (others::sections(report, &mut budget))
                    (summary::totals(report))
                } "\n"
                (footer()) "\n"
                script { (PreEscaped(SCRIPT)) } "\n"
            } "\n"
        } "\n"
    }
}

fn head(report: &Report, source: &PageSource) -> Markup {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        policy_hash(SCRIPT),
        policy_hash(STYLE)
    );
    html! {
        meta charset="utf-8"; "\n"
        meta http-equiv="Content-Security-Policy" content=(policy); "\n"
        meta name="viewport" content="width=device-width, initial-scale=1"; "\n"
        meta name="color-scheme" content="light dark"; "\n"
        meta name="generator" content=(concat!("pgq ", env!("CARGO_PKG_VERSION"))); "\n"
        link rel="icon" href="data:,"; "\n"
        title { (summary::title(report, source)) } "\n"
        style { (PreEscaped(STYLE)) } "\n"
    }
}

fn footer() -> Markup {
    html! {
        footer { "\n"
            p {
                "A query is all statements with one fingerprint: they differ only in constants; and a table with an\n\
                 alias counts by its alias, as in pg_stat_statements of PostgreSQL 18. Calls are executions; statements that failed are counted as errors. Times are the durations in the server's log; totals\n\
                 are exact, percentiles accurate to 1\u{a0}%."
            } "\n"
            p { "Written by pgq " (env!("CARGO_PKG_VERSION")) ". The page loads nothing from the network." } "\n"
        }
    }
}

/// Returns the hash that identifies an inline script or style in a Content-Security-Policy.
fn policy_hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::{SCRIPT, STYLE, push_visible};

    fn visible(html: &str) -> String {
        let mut out = Vec::new();
        push_visible(html, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_stays_text() {
        let hostile = "</script><!-- ' \" & \u{2028}\u{1b}[2J\u{202e}\0\r\n\tx\r";
        let shown =
            "<p title=\"&lt;/script&gt;&lt;!-- ' &quot; &amp; \\u2028\\u001b[2J\\u202e\\u0000\n\tx\\u000d\"></p>";
        assert_eq!(visible(&html! { p title=(hostile) {} }.into_string()), shown);
    }

    #[test]
    fn script_and_style_cannot_end_their_elements() {
        assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
    }

    #[test]
    fn script_and_style_load_nothing() {
        // Removes the name of SVG's XML namespace. It looks like an address, but the browser does not load it.
        let script = SCRIPT.replace("http://www.w3.org/2000/svg", "");
        for address in ["http:", "https:", "//cdn", "@import", "url("] {
            assert!(!STYLE.contains(address) && !script.contains(address), "{address}");
        }
    }

    #[test]
    fn script_and_style_keep_their_hashes() {
        assert_eq!((visible(SCRIPT), visible(STYLE)), (SCRIPT.into(), STYLE.into()));
    }
}
