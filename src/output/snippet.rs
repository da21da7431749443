//! An error as a person reads it on a terminal: the line that it is in, with a caret. It only
//! draws; what is wrong and where is known before.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level as Style, Renderer, Snippet};

use super::{Place, escaped};

/// Characters before and behind the place that are shown of a long line.
const AROUND: usize = 400;

/// The text around an error.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The statement, or more.
    pub text: &'a [u8],
    /// The byte of it that the place is.
    pub offset: usize,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// What is drawn beside the line.
pub struct Diagnostic<'a> {
    pub level: Level,
    pub message: &'a str,
    /// Labels and texts of what else there is to say.
    pub notes: Vec<(&'static str, &'a str)>,
}

/// Draws a diagnostic, with colours and its last line ended.
pub fn draw(diagnostic: &Diagnostic<'_>, place: &Place<'_>, source: Source<'_>) -> String {
    let (line, span) = line_of(place, source);
    let snippet = Snippet::source(line)
        .path(escaped(place.file))
        .line_start(usize::try_from(place.line).unwrap_or(usize::MAX))
        .fold(false)
        .annotation(AnnotationKind::Primary.span(span));
    let title = escaped(&diagnostic.message.replace('\n', "\\n"));
    let style = if diagnostic.level == Level::Error { Style::ERROR } else { Style::WARNING };
    let group = style.with_name(diagnostic.level.name()).primary_title(title).element(snippet);
    let group = diagnostic
        .notes
        .iter()
        .fold(group, |group, (label, text)| group.element(Style::NOTE.with_name(*label).message(escaped(text))));
    Renderer::styled().render(&[group]) + "\n"
}

/// The line of the place as it is shown, and what of it is marked, in bytes. Blanks stand for
/// what is before the text, so that columns are those of the file.
fn line_of(place: &Place<'_>, source: Source<'_>) -> (String, Range<usize>) {
    let Source { text, offset } = source;
    let offset = offset.min(text.len());
    let start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &text[offset..]).map_or(text.len(), |len| offset + len);
    let before = String::from_utf8_lossy(&text[start..offset]);
    let behind = String::from_utf8_lossy(&text[offset..end]);
    let behind = behind.trim_end_matches('\r');
    let column = usize::try_from(place.column).unwrap_or(1).saturating_sub(1);
    let missing = column.saturating_sub(before.chars().count()).min(AROUND);
    let cut = before.char_indices().rev().nth(AROUND).map_or(0, |(at, _)| at);
    let mut line = " ".repeat(missing);
    line += &escaped(&before[cut..]);
    let at = line.len();
    let token = token_len(behind);
    let marked = escaped(&behind[..token]);
    let rest = &behind[token..];
    let shown = rest.char_indices().nth(AROUND).map_or(rest.len(), |(at, _)| at);
    line += &marked;
    line += &escaped(&rest[..shown]);
    (line, at..at + marked.len())
}

/// How much of a text is marked: its first word, or its first character.
fn token_len(text: &str) -> usize {
    let word = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(text.len());
    if word > 0 { word } else { text.chars().next().map_or(0, char::len_utf8) }
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, Level, Place, Source, draw};

    fn plain(text: &str, offset: usize, line: u64, column: u64) -> String {
        let diagnostic = Diagnostic { level: Level::Error, message: "no", notes: vec![("hint", "look")] };
        let place = Place { file: "f", line, column, offset: 0 };
        let drawn = draw(&diagnostic, &place, Source { text: text.as_bytes(), offset });
        anstream::adapter::strip_str(&drawn).to_string()
    }

    #[test]
    fn the_caret_is_under_the_token_in_the_column_of_the_file() {
        let text = "SELECT 'é',\n  * FORM t;";
        let drawn = plain(text, text.find("FORM").unwrap(), 8, 5);
        assert_eq!(drawn, "error: no\n --> f:8:5\n  |\n8 |   * FORM t;\n  |     ^^^^\n  |\n  = hint: look\n");
        // A statement behind another on its line.
        assert!(plain("SELECT )", 7, 1, 20).contains("1 |             SELECT )\n  |                    ^\n"));
        assert!(plain("SELECT", 6, 1, 7).contains("1 | SELECT\n  |       ^\n"));
    }

    #[test]
    fn control_characters_and_long_lines_do_no_harm() {
        assert!(plain("\x1b[2J\u{202e} x", 8, 1, 6).contains("\\u{1b}[2J\\u{202e} x"));
        let long = format!("{}!{}", "a".repeat(100_000), "b".repeat(100_000));
        assert!(plain(&long, 100_000, 1, 100_001).len() < 4000);
    }
}
