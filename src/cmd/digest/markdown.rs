//! The Markdown report of `pgq digest`, for tickets and wikis. It contains tables of queries, messages and names. Text
//! from the log is escaped.

use std::io::Write;

use super::figures;
use super::text::{
    ALARMS, FACETS, MESSAGES, columns, dropped_messages, event_lists, name_figures, parts, queries_line, ranked_names,
    row_figures, severity, sort_label, totals, totals_line,
};
use crate::run::report::escaped;
use pgq_digest::Severity;
use pgq_digest::report::Report;

pub fn write(report: &Report, out: &mut Vec<u8>) {
    let _ = writeln!(out, "# Queries by {}\n", sort_label(report.sort));
    let _ = writeln!(out, "{}, {}", totals_line(report), queries_line(report));
    if let (Some(first), Some(last)) = (&report.first, &report.last) {
        let _ = writeln!(out, "from {} to {}.", cell(first), cell(last));
    }
    report.notes.iter().for_each(|note| drop(writeln!(out, "\nNote: {}.", cell(note))));
    messages(ALARMS, Severity::is_alarming, report, out);
    let columns = columns(report);
    let rule: String = columns.iter().map(|name| if *name == "before" { ":--|" } else { "--:|" }).collect();
    let _ = writeln!(out, "\n| {} | query |\n|{rule}:--|", columns.join(" | "));
    for row in &report.rows {
        let _ = writeln!(out, "| {} | {} |", row_figures(row, report).join(" | "), code(&row.title));
    }
    let rest = report.not_shown;
    if rest.groups > 0 {
        let groups = figures::counted(rest.groups, "more query", "more queries");
        let _ = writeln!(out, "\n{groups}: {}.", totals(rest.calls, rest.errors, rest.total));
    }
    for row in report.unparsed.iter().chain([&report.truncated, &report.other]) {
        if row.group.statements() > 0 {
            let totals = totals(row.group.calls, row.group.errors, row.times.total);
            let _ = writeln!(out, "\n{}: {totals}.", cell(&row.title));
        }
    }
    for (title, severity) in MESSAGES {
        messages(title, |it| it == severity, report, out);
    }
    if let Some(dropped) = dropped_messages(report) {
        let _ = writeln!(out, "\n{dropped}.");
    }
    for (title, facet) in FACETS {
        let (names, rest) = ranked_names(report.facets.get(facet), report.top);
        if names.len() > 1 {
            let _ = writeln!(out, "\n| calls | total | errors | {title} |\n|--:|--:|--:|:--|");
            for (name, kept) in names {
                let [calls, total, errors] = name_figures(&kept.sum.totals, kept.missing);
                let _ = writeln!(out, "| {calls} | {total} | {errors} | {} |", cell(name));
            }
            if rest > 0 {
                let _ = writeln!(out, "\nAnd {}.", figures::counted(rest, "more name", "more names"));
            }
        }
    }
    for list in event_lists(report) {
        let _ = writeln!(out, "\n{}:\n", cell(&list.title));
        for (figure, row) in &list.rows {
            let _ = writeln!(out, "- {figure}: {}", code(&row.title));
        }
    }
    for gone in &report.gone {
        let _ = writeln!(out, "\nGone: {} of {}", figures::calls(gone.query.calls), code(&gone.query.normalized));
    }
}

/// Writes a table of message kinds. The table has at most `--top` rows.
fn messages(title: &str, is_of: impl Fn(Severity) -> bool, report: &Report, out: &mut Vec<u8>) {
    let rows = report.messages_of(is_of);
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n| {title} | SQLSTATE | message |\n|--:|:--|:--|");
    let (shown, rest) = rows.split_at(rows.len().min(report.top.unwrap_or(usize::MAX)));
    for row in shown {
        let severity = severity(row);
        let severity = if severity.is_empty() { String::new() } else { format!("{severity}: ") };
        let parts: String = parts(row).iter().map(|(label, text)| format!("<br>{label}: {}", cell(text))).collect();
        let count = figures::at_least(row.kind.count, row.missing);
        let _ =
            writeln!(out, "| {count} | {} | {severity}{}{parts} |", cell(&row.key.sqlstate), cell(&row.key.message));
    }
    let count = rest.iter().map(|row| row.kind.count).fold(0, u64::saturating_add);
    if count > 0 {
        let kinds = figures::counted(rest.len() as u64, "more kind", "more kinds");
        let _ = writeln!(out, "\n{} of {kinds}.", figures::count(count));
    }
}

/// Returns text on one line. Escapes characters that are special in Markdown or HTML, and control characters of
/// terminals. Text with an address (such as a URL) or an emoji (`:smile:`) becomes code (in backticks), because GitHub
/// and other programs turn it into a link or an image, even if its characters are escaped. Text with a brace becomes
/// code, too, because other programs read attributes of HTML in braces.
fn cell(text: &str) -> String {
    if has_address(text) || has_emoji(text) || text.contains('{') {
        return code(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in escaped(text).chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '#' | '|' | '~' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Whether GitHub or an editor would turn a part of the text, such as a URL or an email address, into a link.
fn has_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_mail = |pair: &[u8]| pair[0] == b'@' && pair[1].is_ascii_alphanumeric();
    ["//", "www.", "mailto:", "xmpp:"].iter().any(|start| lower.contains(start))
        || lower.as_bytes().windows(2).any(is_mail)
}

/// Whether the text contains the name of an emoji between colons. A time such as `12:00:00` contains none.
fn has_emoji(text: &str) -> bool {
    let is_part = |c: u8| c.is_ascii_alphanumeric() || b"_+-".contains(&c);
    let is_name = |part: &str| {
        let is_number = part.len() < 3 && part.bytes().all(|c| c.is_ascii_digit());
        !is_number && part.bytes().all(is_part)
    };
    text.matches(':').count() > 1 && text.split(':').skip(1).any(is_name)
}

/// Returns SQL or other text as a code span on one line. The delimiters have more backticks than any run of backticks
/// in the text.
fn code(text: &str) -> String {
    // A blank separates a backslash from a bar. In `\\|`, some programs take the first backslash for the escape of the
    // second one, and the bar for the end of the cell.
    let text = escaped(text).replace(['\n', '\t'], " ").replace("\\|", "\\ |").replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn code_keeps_backticks_and_bars() {
        assert_eq!(super::code("a || b"), "`a \\|\\| b`");
        assert_eq!(super::code("a \\|| b"), "`a \\ \\|\\| b`");
        assert_eq!(super::code("a `b`"), "`` a `b` ``");
    }

    #[test]
    fn text_cannot_become_markup() {
        for address in [
            "x {: onfocus=alert() }",
            "https://a.example/b_c",
            "//a",
            "see WWW.a.example",
            "ann@a.example",
            "mailto:a",
            "a :smile:",
        ] {
            assert_eq!(super::cell(address), format!("`{address}`"));
        }
        assert_eq!(super::cell("![a](b) <i> | *c*\n\u{202e}"), "\\!\\[a\\](b) &lt;i&gt; \\| \\*c\\* \\\\u202e");
    }
}
