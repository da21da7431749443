//! Formats the statements of a psql script one by one. Between statements, removes trailing white space and repeated
//! empty lines. Everything else stays as written.

use std::ops::{Range, RangeFrom};

use pgq_lexer::script::{ScriptPart, ScriptSettings, script_parts};

use super::{FormatOptions, Formatted, Kept, KeptReason, line_ends, mask, regions, statement};
use crate::error::Position;

/// Formats the statements of `sql`, which is `text` with its templates masked ([`super::mask`]). Lines end in
/// `line_end`. Line ends inside tokens, and in text that stays as written, are unchanged.
pub(super) fn format(text: &str, sql: &str, options: &FormatOptions, line_end: &str) -> Formatted {
    Script { text, sql, options, line_end }.format()
}

struct Script<'a> {
    text: &'a str,
    /// The text with masked templates.
    sql: &'a str,
    options: &'a FormatOptions,
    line_end: &'a str,
}

/// The output so far, and the offset of the rest of the script.
struct Output<'a> {
    script: &'a str,
    /// The script with masked templates.
    sql: &'a str,
    line_end: &'a str,
    formatted: Formatted,
    at: usize,
    /// The position that was computed last. The next position is counted from there.
    last: Position,
}

impl Script<'_> {
    fn format(&self) -> Formatted {
        let off = regions::kept(self.text);
        let (starts, ends) = self.selected();
        let selects = |range: Range<usize>| starts.contains(&range.start) && ends.contains(&range.end);
        let (script, sql, line_end) = (self.text, self.sql, self.line_end);
        let mut output =
            Output { script, sql, line_end, formatted: Formatted::default(), at: 0, last: Position::START };
        let parts = script_parts(self.sql.as_bytes());
        // The end of the last part. Text after this offset follows a `\q`: `script_parts` returns no part for such
        // text.
        let end = parts.last().map_or(0, ScriptPart::end);
        // Whether COPY data begins on the next line. If so, the rest of the current line must not move to another line.
        let mut before_data = false;
        let mut settings = ScriptSettings::default();
        for part in parts {
            let range = part.range();
            let overlaps = |range: Range<usize>| {
                let next = off.partition_point(|off| off.end <= range.start);
                off.get(next).is_some_and(|off| off.start < range.end)
            };
            let is_off = overlaps(match &part {
                ScriptPart::Statement { start, range, .. } => *start..range.end,
                _ => range.clone(),
            });
            match part {
                ScriptPart::Blank(_) if !is_off => {} // the next part writes it
                ScriptPart::Statement { range, start, holes, copy_from_stdin } => {
                    let ends_line = self.text[output.at..start].contains('\n');
                    if before_data && ends_line {
                        // If COPY data has no end marker, psql reads data up to the end of the script.
                        if !is_off && selects(start..self.text.len()) {
                            output.keep(start, KeptReason::Psql);
                        }
                        break;
                    }
                    output.formatted.statements += 1;
                    let end = range.start + self.text[range.clone()].trim_ascii_end().len();
                    let result = match is_off || before_data || !selects(start..end) {
                        true => Err(None),
                        false if !holes.is_empty() => Err(Some(KeptReason::Psql)),
                        false if settings.backslash_escapes() && self.sql[start..end].contains('\\') => {
                            Err(Some(KeptReason::Backslashes))
                        }
                        false if mask::has_joining_tags(&self.text[start..end], &self.sql[start..end]) => {
                            Err(Some(KeptReason::Template))
                        }
                        false => {
                            let (text, sql) = (&self.text[start..end], &self.sql[start..end]);
                            statement::format(text, sql, self.options, self.line_end).map_err(Some)
                        }
                    };
                    match result {
                        Ok(statement) => {
                            match overlaps(output.at..start) {
                                true => output.verbatim(start),
                                false => output.gap(start, ends.start),
                            }
                            output.formatted.text.push_str(&statement.text);
                            if statement.keeps_body {
                                output.keep(start, KeptReason::Body);
                            }
                            output.at = end;
                        }
                        Err(reason) => {
                            if let Some(reason) = reason {
                                output.keep(start, reason);
                            }
                            // Including white space at the end, because it may be part of a literal without an end.
                            output.verbatim(range.end);
                        }
                    }
                    settings.run(&self.sql.as_bytes()[start..end]);
                    before_data |= copy_from_stdin;
                }
                _ => {
                    before_data &= !matches!(part, ScriptPart::CopyData(_));
                    output.verbatim(range.end);
                }
            }
        }
        // Format the comments and line breaks after the last statement, if the lines to format include the end of the
        // script. After `\q` there is nothing to format, because the last part is already written.
        if !before_data && output.at < end && starts.end >= end {
            output.gap(end, ends.start);
        }
        output.verbatim(self.text.len());
        output.formatted
    }

    /// Returns two ranges of byte offsets for the option `lines`. A statement is selected if it starts in the first
    /// range and ends in the second.
    fn selected(&self) -> (Range<usize>, RangeFrom<usize>) {
        let line_start = |line: usize| {
            let mut breaks = memchr::memchr_iter(b'\n', self.text.as_bytes());
            line.checked_sub(2).map_or(Some(0), |before| breaks.nth(before).map(|at| at + 1)).unwrap_or(usize::MAX)
        };
        match &self.options.lines {
            Some(lines) => (0..line_start(lines.end), line_start(lines.start)..),
            None => (0..usize::MAX, 0..),
        }
    }
}

impl Output<'_> {
    /// Records a statement that starts at `start` and stays as written.
    fn keep(&mut self, start: usize, mut reason: KeptReason) {
        // Count from the last position. Counting from the start of the script each time would take quadratic time.
        let mut position = |offset| {
            self.last = self.last.moved_to(self.script, offset);
            self.last
        };
        let kept = position(start);
        if let KeptReason::Invalid(error) = &mut reason
            && let Some(at) = &mut error.position
        {
            *at = position(start + at.offset);
        }
        self.formatted.kept.push(Kept { position: kept, reason });
    }

    /// Copies the script unchanged up to `end`.
    fn verbatim(&mut self, end: usize) {
        self.formatted.text.push_str(&self.script[self.at..end]);
        self.at = end;
    }

    /// Writes the comments and line breaks between statements, up to `end`. The part before `from` stays as written.
    fn gap(&mut self, end: usize, from: usize) {
        let gap = &self.script[self.at..end];
        // A gap with other tokens contains meta-commands or COPY data, in which `--` does not begin a comment.
        let is_comment = |leaf: &crate::Token| leaf.is_comment() || &gap[leaf.start..leaf.end] == ";";
        let leaves = crate::scan(&self.sql[self.at..end]).ok().filter(|leaves| leaves.iter().all(is_comment));
        let Some(leaves) = leaves else { return self.verbatim(end) };
        let is_end = end == self.script.len();
        let from = from.clamp(self.at, end) - self.at;
        let mut last = 0;
        for leaf in leaves {
            let (kept, space) = gap[last..leaf.start].split_at(from.clamp(last, leaf.start) - last);
            self.formatted.text.push_str(kept);
            if leaf.start >= from {
                self.white_space(space, if leaf.is_comment() { " " } else { space });
            }
            self.formatted.text.push_str(&gap[leaf.start..leaf.end]);
            last = leaf.end;
        }
        let (kept, rest) = gap[last..].split_at(from.saturating_sub(last));
        self.formatted.text.push_str(kept);
        if is_end {
            // If the rest of the script has line breaks, the output ends with one line break.
            let out = &mut self.formatted.text;
            if line_ends::count(rest) > 0 && !out.is_empty() && !out.ends_with(['\n', '\r']) {
                out.push_str(self.line_end);
            }
        } else if last == 0 {
            // If two statements are on the same line, begin a new line between them.
            self.white_space(rest, self.line_end);
        } else {
            self.white_space(rest, " ");
        }
        self.at = end;
    }

    /// Writes the line breaks of white space, with at most one empty line. If `space` has no line break, writes
    /// `on_line`.
    fn white_space(&mut self, space: &str, on_line: &str) {
        let out = &mut self.formatted.text;
        let breaks = line_ends::count(space).min(2);
        // Omit white space at the start of the script.
        if out.is_empty() {
            return;
        }
        if out.ends_with(['\n', '\r']) {
            if breaks > 0 && line_ends::count(&out[out.trim_ascii_end().len()..]) < 2 {
                out.push_str(self.line_end);
            }
        } else if breaks == 0 {
            out.push_str(on_line);
        } else {
            out.push_str(&self.line_end.repeat(breaks));
        }
    }
}
