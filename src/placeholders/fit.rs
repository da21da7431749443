//! Finds placeholders at positions where the grammar does not accept `$n`. For each of them, tries
//! the identifier or literal that psql or psycopg 2 would insert. The parser decides for each
//! statement whether a replacement is accepted.

use std::borrow::Cow;
use std::ops::Range;

use super::PlaceholderStyle;
use super::forms::FoundPlaceholder;
use super::write::write;
use crate::parse::error_of_grammar;
use pgq_lexer::script::{ScriptPart, script_parts};

/// Maximum number of parses of a statement. After each failed parse, one placeholder gets a
/// different replacement.
const MOST_TRIES: usize = 64;

/// Changes the replacement of each placeholder that does not parse as `$n`, if an alternative parses.
pub(super) fn fit(sql: &str, style: PlaceholderStyle, found: &mut [FoundPlaceholder<'_>]) {
    if found.iter().all(|found| found.form.otherwise().is_none()) {
        return;
    }
    let mut rest = found;
    for part in script_parts(sql.as_bytes()) {
        // Ignore a placeholder that crosses the end of a statement.
        let first = rest.partition_point(|found| found.range.start < part.start());
        let end = rest.partition_point(|found| found.range.end <= part.end());
        let (here, behind) = rest.split_at_mut(end);
        rest = behind;
        if let ScriptPart::Statement { range, holes, .. } = part {
            let text = without_holes(sql, &range, &holes);
            statement(&text, range.start, style, here.get_mut(first..).unwrap_or_default());
        }
    }
}

fn without_holes<'a>(sql: &'a str, range: &Range<usize>, holes: &[Range<usize>]) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(&sql[range.clone()]);
    for hole in holes {
        let hole = hole.start - range.start..hole.end - range.start;
        text.to_mut().replace_range(hole.clone(), &" ".repeat(hole.len()));
    }
    text
}

/// Chooses the replacement of each placeholder in one statement. `text` starts at byte `base` of
/// the original SQL.
fn statement(text: &str, base: usize, style: PlaceholderStyle, found: &mut [FoundPlaceholder<'_>]) {
    if found.iter().all(|found| found.form.otherwise().is_none()) {
        return;
    }
    let mut changed = None;
    for _ in 0..MOST_TRIES {
        let written = write(text, base, found, 0, style);
        let Some(error) = error_of_grammar(&written.sql) else { return };
        let Some(stop) = error.position else { return };
        let Some(index) = written.edits.iter().position(|edit| edit.new.contains(&stop.offset)) else { return };
        let form = &mut found[index].form;
        match (form.otherwise(), changed) {
            (Some(other), _) => {
                changed = Some((index, *form));
                *form = other;
            }
            // Neither form parses. Restore the first form, so that the error is reported at the placeholder.
            (None, Some((last, before))) if last == index => {
                *form = before;
                return;
            }
            _ => return,
        }
    }
}
