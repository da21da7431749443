//! Finds placeholders where the grammar takes no `$n`, and tries what psql or psycopg 2 would
//! splice there: an identifier or a literal. The parser decides, statement by statement.

use std::borrow::Cow;
use std::ops::Range;

use super::PlaceholderStyle;
use super::forms::FoundPlaceholder;
use super::write::write;
use crate::options::ParseOptions;
use crate::tree::Tree;
use pgq_lexer::script::{ScriptPart, next_part};

/// Most times that a statement is parsed. Each time but the last settles one placeholder.
const MOST_TRIES: usize = 64;

/// Replaces the forms in `found` that do not parse as `$n` by those that do.
pub(super) fn fit(sql: &str, style: PlaceholderStyle, found: &mut [FoundPlaceholder<'_>]) {
    if found.iter().all(|found| found.form.otherwise().is_none()) {
        return;
    }
    let (mut at, mut rest) = (0, found);
    while !rest.is_empty() {
        let Some(part) = next_part(sql.as_bytes(), at, true) else { return };
        // A placeholder across the end of a statement belongs to neither side.
        let first = rest.partition_point(|found| found.range.start < at);
        at = part.end();
        let end = rest.partition_point(|found| found.range.end <= at);
        let (here, behind) = rest.split_at_mut(end);
        rest = behind;
        if let ScriptPart::Statement { range, meta_commands, .. } = part {
            let text = without_holes(sql, &range, &meta_commands);
            statement(&text, range.start, style, here.get_mut(first..).unwrap_or_default());
        }
    }
}

/// The statement with its meta-commands replaced by white space.
fn without_holes<'a>(sql: &'a str, range: &Range<usize>, meta_commands: &[Range<usize>]) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(&sql[range.clone()]);
    for hole in meta_commands {
        let hole = hole.start - range.start..hole.end - range.start;
        text.to_mut().replace_range(hole.clone(), &" ".repeat(hole.len()));
    }
    text
}

/// `text` starts `base` bytes into the original, where `found` are its placeholders.
fn statement(text: &str, base: usize, style: PlaceholderStyle, found: &mut [FoundPlaceholder<'_>]) {
    if found.iter().all(|found| found.form.otherwise().is_none()) {
        return;
    }
    let mut changed = None;
    for _ in 0..MOST_TRIES {
        let written = write(text, base, found, 0, style);
        let Err(error) = Tree::parse(&written.sql, &ParseOptions::default()) else { return };
        let Some(stop) = error.position else { return };
        let Some(index) = written.edits.iter().position(|edit| edit.new.contains(&stop.offset)) else { return };
        let form = &mut found[index].form;
        match (form.otherwise(), changed) {
            (Some(other), _) => {
                changed = Some((index, *form));
                *form = other;
            }
            // Neither parses: report the error at the form that the user wrote.
            (None, Some((last, before))) if last == index => {
                *form = before;
                return;
            }
            _ => return,
        }
    }
}
