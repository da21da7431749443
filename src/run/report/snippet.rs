//! Renders a diagnostic for a terminal. The output includes the line of SQL, with a caret below the location.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level as Style, Renderer, Snippet};

use super::diagnostic::{Diagnostic, Level, SourceText};
use super::escape::{escaped, escaped_line};
use super::location::Location;

/// Maximum number of characters that are shown on each side of the location. A longer line is cut.
const MAX_CONTEXT: usize = 400;

/// Maximum number of bytes that are read on each side of the location. These bytes contain more than [`MAX_CONTEXT`]
/// characters. Without this limit, each of thousands of diagnostics could read a whole line of millions of characters.
const MAX_BYTES: usize = 4 * (MAX_CONTEXT + 2);

/// Style of line numbers and of the arrow.
const MARGIN: anstyle::Style = anstyle::AnsiColor::BrightBlue.on_default().bold();

/// Renders a diagnostic with colours and a final newline.
pub fn render(diagnostic: &Diagnostic<'_>, location: &Location<'_>, source: SourceText<'_>) -> String {
    let (line, span) = shown_line(location, source);
    let snippet = Snippet::source(line)
        .line_start(usize::try_from(location.line).unwrap_or(usize::MAX))
        .fold(false)
        .annotation(AnnotationKind::Primary.span(span));
    let title = escaped_line(diagnostic.message);
    let style = if diagnostic.level == Level::Error { Style::ERROR } else { Style::WARNING };
    let group = style.with_name(diagnostic.level.name()).primary_title(title).element(snippet);
    let group = diagnostic
        .notes
        .iter()
        .fold(group, |group, (label, text)| group.element(Style::NOTE.with_name(*label).message(escaped(text))));
    let mut rendered = Renderer::styled().line_num(MARGIN).render(&[group]) + "\n";
    // This header reports the column in the file. The renderer's own header would report the column in the displayed
    // text, which may be cut and contains escapes.
    let title_len = rendered.find('\n').map_or(0, |at| at + 1);
    let Location { file, line, column, .. } = location;
    let indent = line.to_string().len();
    let header = format!("{:indent$}{MARGIN}-->{MARGIN:#} {}:{line}:{column}\n", "", escaped_line(file));
    rendered.insert_str(title_len, &header);
    rendered
}

/// Returns the line at the location, and the byte range to mark. If `text` starts in the middle of the line, spaces
/// replace the missing part. Therefore columns match the file.
fn shown_line(location: &Location<'_>, source: SourceText<'_>) -> (String, Range<usize>) {
    let SourceText { text, offset } = source;
    let offset = offset.min(text.len());
    let first = offset.saturating_sub(MAX_BYTES);
    let start = memchr::memrchr(b'\n', &text[first..offset]).map_or(first, |at| first + at + 1);
    let last = text.len().min(offset + MAX_BYTES);
    let end = memchr::memchr(b'\n', &text[offset..last]).map_or(last, |len| offset + len);
    let before = String::from_utf8_lossy(&text[start..offset]);
    let behind = String::from_utf8_lossy(&text[offset..end]);
    let behind = behind.trim_end_matches('\r');
    let column = usize::try_from(location.column).unwrap_or(1).saturating_sub(1);
    let cut = before.char_indices().rev().nth(MAX_CONTEXT).map_or(0, |(at, _)| at);
    let missing = if cut > 0 { 0 } else { column.saturating_sub(before.chars().count()).min(MAX_CONTEXT) };
    let mut line = " ".repeat(missing);
    line += &escaped(&before[cut..]);
    let start = line.len();
    let token = token_len(behind);
    let marked = escaped(&behind[..token]);
    let rest = &behind[token..];
    let shown = rest.char_indices().nth(MAX_CONTEXT).map_or(rest.len(), |(at, _)| at);
    line += &marked;
    line += &escaped(&rest[..shown]);
    (line, start..start + marked.len())
}

/// Returns the length of the marked token. It is the first word of `text`, or the first character if there is no word.
fn token_len(text: &str) -> usize {
    let word = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(text.len());
    if word > 0 { word } else { text.chars().next().map_or(0, char::len_utf8) }
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, Level, Location, SourceText, render};

    fn plain(text: &str, offset: usize, line: u64, column: u64) -> String {
        let diagnostic = Diagnostic { level: Level::Error, message: "no", notes: vec![("hint", "look")] };
        let location = Location { file: "f", line, column, offset: 0 };
        let rendered = render(&diagnostic, &location, SourceText { text: text.as_bytes(), offset });
        anstream::adapter::strip_str(&rendered).to_string()
    }

    #[test]
    fn the_caret_is_under_the_token_in_the_column_of_the_file() {
        let text = "SELECT 'é',\n  * FORM t;";
        let rendered = plain(text, text.find("FORM").unwrap(), 8, 5);
        assert_eq!(rendered, "error: no\n --> f:8:5\n  |\n8 |   * FORM t;\n  |     ^^^^\n  |\n  = hint: look\n");
        // In this test, the statement follows another statement on the same line.
        assert!(plain("SELECT )", 7, 1, 20).contains("1 |             SELECT )\n  |                    ^\n"));
        assert!(plain("SELECT", 6, 1, 7).contains("1 | SELECT\n  |       ^\n"));
    }

    #[test]
    fn control_characters_are_escaped_and_long_lines_cut() {
        assert!(plain("\x1b[2J\u{202e} x", 8, 1, 6).contains("\\u001b[2J\\u202e x"));
        let long = format!("{}!{}", "a".repeat(100_000), "b".repeat(100_000));
        let rendered = plain(&long, 100_000, 1, 100_001);
        assert!(rendered.len() < 4000);
        assert!(rendered.starts_with("error: no\n --> f:1:100001\n  |\n1 | "), "{rendered}");
    }

    #[test]
    fn the_header_has_the_column_of_the_file() {
        for before in ["\u{202e}a", "a\0", "\u{1f469}\u{200d}\u{1f469}", "\t\u{feff}", "\u{4f60}"] {
            let column = before.chars().count() as u64 + 1;
            let rendered = plain(&format!("{before})"), before.len(), 12, column);
            let header = format!("error: no\n  --> f:12:{column}\n   |\n12 | ");
            assert!(rendered.starts_with(&header), "{rendered}");
        }
    }
}
