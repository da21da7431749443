//! Tables of the text report. If the layout is at least [`WIDE_ENOUGH`] characters wide, each query
//! is to the right of its figures. Otherwise, the query is on the lines below its figures.

use std::borrow::Cow;
use std::io::Write;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::run::report::{SqlPart, sql_parts};

/// Minimum terminal width at which queries are to the right of their figures.
const WIDE_ENOUGH: usize = 120;
/// Maximum lines of a query, unless the layout is `wide`.
const MAX_LINES: usize = 3;

const HEADER: Style = Style::new().bold();

/// Layout of a report.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// Width in terminal columns.
    pub width: usize,
    pub color: bool,
    /// Whether to show fingerprints, and all lines of long queries.
    pub wide: bool,
}

impl Layout {
    /// Returns text in a style if colours are on.
    pub fn styled(self, style: Style, text: &str) -> String {
        if self.color && style != Style::new() { format!("{style}{text}{style:#}") } else { text.to_string() }
    }
}

/// A row: right-aligned figures, and a string such as a query.
pub struct TextRow {
    pub figures: Vec<(String, Style)>,
    pub text: String,
    /// Whether the text is SQL, which is highlighted.
    pub is_sql: bool,
}

/// Writes a table. The last item of `header` is the title above [`TextRow::text`].
pub fn write(header: &[&str], rows: &[TextRow], layout: Layout, out: &mut Vec<u8>) {
    let Some((name, header)) = header.split_last() else { return };
    let column_width = |(index, name): (usize, &&str)| {
        rows.iter().map(|row| row.figures[index].0.width()).max().unwrap_or(0).max(name.width())
    };
    let widths: Vec<usize> = header.iter().enumerate().map(column_width).collect();
    let figures_width = widths.iter().map(|width| width + 1).sum::<usize>();
    let is_beside = layout.width >= WIDE_ENOUGH;
    let names: String =
        widths.iter().zip(header).map(|(width, name)| format!("{}{name} ", " ".repeat(width - name.width()))).collect();
    let names = if is_beside { names + name } else { names };
    let _ = writeln!(out, "{}", layout.styled(HEADER, names.trim_end()));
    // A query below its figures is indented by the width of the first column.
    let indent = if is_beside { figures_width } else { widths.first().map_or(0, |width| width + 1) };
    for row in rows {
        let mut line = String::new();
        for ((figure, style), width) in row.figures.iter().zip(&widths) {
            line.extend(std::iter::repeat_n(' ', width - figure.width()));
            line += &layout.styled(*style, figure);
            line.push(' ');
        }
        if !is_beside {
            let _ = writeln!(out, "{}", line.trim_end());
            line = " ".repeat(indent);
        }
        let max_lines = if layout.wide { usize::MAX } else { MAX_LINES };
        let parts = if row.is_sql && layout.color { sql_parts(&row.text) } else { Vec::new() };
        // Escapes line breaks, because a name with a line break would look like two rows. SQL is on one line already.
        let text = match row.is_sql {
            true => Cow::Borrowed(&row.text),
            false => Cow::Owned(row.text.replace('\n', "\\n").replace('\r', "\\r")),
        };
        let lines = wrap(&text, layout.width.saturating_sub(indent).max(20), max_lines);
        let end = lines.last().map_or(0, |last| last.end);
        for range in lines {
            let goes_on = range.end == end && !text[end..].trim_end().is_empty();
            let ellipsis = if goes_on { "…" } else { "" };
            let _ = writeln!(out, "{line}{}{ellipsis}", colored(&text, range, &parts));
            line = " ".repeat(indent);
        }
    }
}

/// Breaks a string into lines of at most `width` terminal columns, between words if possible.
/// Returns the byte range of each line. Omits the lines after the first `max_lines`. If lines are omitted, the last
/// remaining line has room for an ellipsis.
fn wrap(text: &str, width: usize, max_lines: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < text.len() && lines.len() < max_lines {
        let room = if lines.len() + 1 == max_lines { width - 1 } else { width };
        let end = fitting(text, start, if text[start..].width() <= width { width } else { room });
        lines.push(start..start + text[start..end].trim_end().len());
        start = end + (text[end..].len() - text[end..].trim_start().len());
    }
    lines
}

/// Returns the end of a line that begins at `start`.
fn fitting(text: &str, start: usize, width: usize) -> usize {
    let (mut columns, mut space) = (0, None);
    for (offset, c) in text[start..].char_indices() {
        columns += c.width().unwrap_or(0);
        if columns > width {
            // A line has at least one character, even if the character is wider than the line.
            return space.unwrap_or(start + if offset == 0 { c.len_utf8() } else { offset });
        }
        if c.is_whitespace() {
            space = Some(start + offset);
        }
    }
    text.len()
}

/// Returns `text[range]` with colours.
fn colored(text: &str, range: Range<usize>, parts: &[(Range<usize>, SqlPart)]) -> String {
    let mut out = String::new();
    let mut at = range.start;
    for (part, kind) in parts.iter().filter(|(part, _)| part.end > range.start && part.start < range.end) {
        let (start, end) = (part.start.max(range.start), part.end.min(range.end));
        let style = style(*kind);
        out += &text[at..start];
        out += &format!("{style}{}{style:#}", &text[start..end]);
        at = end;
    }
    out += &text[at..range.end];
    out
}

fn style(part: SqlPart) -> Style {
    match part {
        SqlPart::Comment => Style::new().dimmed(),
        SqlPart::String => AnsiColor::Green.on_default(),
        SqlPart::Number => AnsiColor::Magenta.on_default(),
        SqlPart::Parameter => AnsiColor::Yellow.on_default(),
        SqlPart::Keyword => AnsiColor::Blue.on_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::wrap;

    fn lines(text: &str, width: usize, max_lines: usize) -> Vec<&str> {
        wrap(text, width, max_lines).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn texts_are_cut_between_words() {
        assert_eq!(lines("SELECT a, b FROM t", 10, 9), ["SELECT a,", "b FROM t"]);
        assert_eq!(lines("SELECT a, b FROM t", 10, 1), ["SELECT"]);
        assert_eq!(lines("SELECT aaaaaaaaaaaaaaaaaaaa", 8, 9), ["SELECT", "aaaaaaaa", "aaaaaaaa", "aaaa"]);
        assert_eq!(lines("", 8, 9), [""; 0]);
    }

    #[test]
    fn characters_have_their_own_widths() {
        assert_eq!(lines("東京東京", 4, 9), ["東京", "東京"]);
        assert_eq!(lines("東京", 1, 9), ["東", "京"]);
        assert_eq!(lines("ééé é", 3, 9), ["ééé", "é"]);
    }
}
