//! Formats the statements of a psql script one by one. Everything else stays as written. Between statements, trailing
//! white space and repeated empty lines are removed.

use std::ops::Range;

use pgq_lexer::script::{ScriptPart, ScriptSettings, script_parts};

use super::{FormatOptions, Formatted, Kept, KeptReason, mask, regions, statement};
use crate::error::Position;

pub(super) fn format(text: &str, options: &FormatOptions) -> Formatted {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let bom = &text[..text.len() - body.len()];
    // If all lines end in CR LF, format with LF and restore CR LF afterwards. In all other scripts, keep the line ends
    // inside tokens.
    let breaks = body.matches('\n').count();
    let crlf = breaks > 0 && body.matches("\r\n").count() == breaks && body.matches('\r').count() == breaks;
    let unix;
    let plain = if crlf {
        unix = body.replace("\r\n", "\n");
        &unix
    } else {
        body
    };
    let mut formatted = formatted(plain, options);
    if crlf {
        formatted.text = formatted.text.replace('\n', "\r\n");
    }
    formatted.text.insert_str(0, bom);
    for kept in &mut formatted.kept {
        let original = |offset: usize| {
            let breaks = if crlf { plain[..plain.floor_char_boundary(offset)].matches('\n').count() } else { 0 };
            bom.len() + offset + breaks
        };
        if let KeptReason::Invalid(error) = &mut kept.reason
            && let Some(position) = &mut error.position
        {
            // The error's position is still relative to the statement.
            *position = Position::at(text, original(kept.offset + position.offset));
        }
        kept.offset = original(kept.offset);
    }
    formatted
}

/// Formats a script without a byte order mark and without CR LF. Masks the templates if this reduces the number of
/// invalid statements.
fn formatted(text: &str, options: &FormatOptions) -> Formatted {
    let plain = Script { text, sql: text, options }.format();
    let invalid = |formatted: &Formatted| {
        formatted.kept.iter().filter(|kept| matches!(kept.reason, KeptReason::Invalid(_))).count()
    };
    if invalid(&plain) == 0 {
        return plain;
    }
    match mask::templates(text).map(|sql| Script { text, sql: &sql, options }.format()) {
        Some(with_templates) if invalid(&with_templates) < invalid(&plain) => with_templates,
        _ => plain,
    }
}

struct Script<'a> {
    text: &'a str,
    /// The text with masked templates.
    sql: &'a str,
    options: &'a FormatOptions,
}

/// The output so far, and the offset of the rest of the script.
struct Output<'a> {
    script: &'a str,
    /// The script with masked templates.
    sql: &'a str,
    formatted: Formatted,
    at: usize,
}

impl Script<'_> {
    fn format(&self) -> Formatted {
        let off = regions::kept(self.text);
        let mut output = Output { script: self.text, sql: self.sql, formatted: Formatted::default(), at: 0 };
        let parts = script_parts(self.sql.as_bytes());
        // The text after `\q` is not a part.
        let end = parts.last().map_or(0, ScriptPart::end);
        // Whether COPY data begins on the next line. If so, the rest of the current line must not move to another line.
        let mut before_data = false;
        let mut settings = ScriptSettings::default();
        for part in parts {
            let range = part.range();
            let overlaps = |range: Range<usize>| off.iter().any(|off| off.start < range.end && range.start < off.end);
            let is_off = overlaps(match &part {
                ScriptPart::Statement { start, range, .. } => *start..range.end,
                _ => range.clone(),
            });
            match part {
                ScriptPart::Blank(_) if !is_off => {} // the next part writes it
                ScriptPart::Statement { range, start, holes, copy_from_stdin } => {
                    let ends_line = self.text[output.at..start].contains('\n');
                    if before_data && ends_line {
                        // If the data has no end marker, psql reads data up to the end of the script.
                        if !is_off && self.selects(start..self.text.len()) {
                            output.formatted.kept.push(Kept { offset: start, reason: KeptReason::Psql });
                        }
                        break;
                    }
                    output.formatted.statements += 1;
                    let end = range.start + self.text[range].trim_ascii_end().len();
                    let result = match is_off || before_data || !self.selects(start..end) {
                        true => Err(None),
                        false if !holes.is_empty() => Err(Some(KeptReason::Psql)),
                        false if settings.backslash_escapes() && self.sql[start..end].contains('\\') => {
                            Err(Some(KeptReason::Backslashes))
                        }
                        false => {
                            statement::format(&self.text[start..end], &self.sql[start..end], self.options).map_err(Some)
                        }
                    };
                    match result {
                        Ok(statement) => {
                            match overlaps(output.at..start) {
                                true => output.verbatim(start),
                                false => output.gap(start),
                            }
                            output.formatted.text.push_str(&statement.text);
                            if statement.keeps_body {
                                output.formatted.kept.push(Kept { offset: start, reason: KeptReason::Body });
                            }
                            output.at = end;
                        }
                        Err(None) => output.verbatim(end),
                        Err(Some(reason)) => {
                            output.formatted.kept.push(Kept { offset: start, reason });
                            output.verbatim(end);
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
        if !before_data {
            output.gap(end);
        }
        output.verbatim(self.text.len());
        output.formatted
    }

    /// Returns whether the options select a statement.
    fn selects(&self, range: Range<usize>) -> bool {
        let Some(lines) = &self.options.lines else { return true };
        let line = |offset: usize| self.text[..offset].matches('\n').count() + 1;
        line(range.start) < lines.end && lines.start <= line(range.end)
    }
}

impl Output<'_> {
    /// Copies the script unchanged up to `end`.
    fn verbatim(&mut self, end: usize) {
        self.formatted.text.push_str(&self.script[self.at..end]);
        self.at = end;
    }

    /// Writes the comments and line breaks between statements, up to `end`.
    fn gap(&mut self, end: usize) {
        let gap = &self.script[self.at..end];
        let Ok(leaves) = crate::scan(&self.sql[self.at..end]) else { return self.verbatim(end) };
        let is_end = end == self.script.len();
        let mut last = 0;
        for leaf in leaves {
            let space = &gap[last..leaf.start];
            self.white_space(space, if leaf.is_comment() { " " } else { space });
            self.formatted.text.push_str(&gap[leaf.start..leaf.end]);
            last = leaf.end;
        }
        let rest = &gap[last..];
        if is_end {
            // If the rest of the script has line breaks, the output ends with one line break.
            if rest.contains('\n') && !self.formatted.text.is_empty() && !self.formatted.text.ends_with('\n') {
                self.formatted.text.push('\n');
            }
        } else if last == 0 {
            // Begin a new line between two statements on the same line.
            self.white_space(rest, "\n");
        } else {
            self.white_space(rest, " ");
        }
        self.at = end;
    }

    /// Writes the line breaks of white space, with at most one empty line. If there is no line break, writes `on_line`.
    fn white_space(&mut self, space: &str, on_line: &str) {
        let out = &mut self.formatted.text;
        let breaks = space.matches('\n').count().min(2);
        // Omit white space at the start of the script.
        if out.is_empty() {
            return;
        }
        if out.ends_with('\n') {
            if breaks > 0 && !out.ends_with("\n\n") {
                out.push('\n');
            }
        } else if breaks == 0 {
            out.push_str(on_line);
        } else {
            out.extend(std::iter::repeat_n('\n', breaks));
        }
    }
}
