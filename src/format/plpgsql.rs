//! Formats PL/pgSQL bodies. Blocks, loops and conditions are indented, with one statement per line. SQL statements are
//! formatted. Other statements keep their line breaks and are indented as a whole.

use std::ops::Range;

use super::layout::MAX_LEVELS;
use super::{FormatOptions, check, line_ends};
use crate::parse::tokens::Token;

/// Formats a body. Returns `None` if the blocks are not nested correctly or a token would change.
pub(super) fn format(body: &str, options: &FormatOptions) -> Option<String> {
    let tokens = crate::scan(body).ok()?;
    let mut printer = Printer {
        body,
        tokens: &tokens,
        options,
        out: String::new(),
        at: 0,
        level: 0,
        open: Vec::new(),
        measured: 0,
        column: 0,
    };
    while printer.at < tokens.len() {
        printer.part()?;
    }
    if !printer.open.is_empty() {
        return None;
    }
    let formatted = format!("\n{}\n", printer.out.trim_ascii_end());
    check::tokens_differ(body, &formatted).is_none().then_some(formatted)
}

/// A construct that END closes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// DECLARE, after which BEGIN must follow.
    Declare,
    /// BEGIN, up to EXCEPTION or END.
    Begin,
    /// EXCEPTION, up to END.
    Handlers,
    If,
    Loop,
    /// CASE. The flag is true after its first WHEN.
    Case(bool),
}

struct Printer<'a> {
    body: &'a str,
    tokens: &'a [Token],
    options: &'a FormatOptions,
    out: String,
    /// Index of the next token.
    at: usize,
    level: usize,
    open: Vec<Open>,
    /// The offset that was last passed to [`Printer::column`]. `column` is the indentation of the line that contains
    /// this offset.
    measured: usize,
    column: usize,
}

impl Printer<'_> {
    fn text(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| &self.body[token.start..token.end])
    }

    /// Returns whether the token at `index` is `word`.
    fn is(&self, index: usize, word: &str) -> bool {
        self.text(index).eq_ignore_ascii_case(word)
    }

    /// Returns the index after the next token `word` that is not inside a CASE expression.
    fn behind(&self, word: &str) -> Option<usize> {
        let mut cases = 0;
        for index in self.at..self.tokens.len() {
            match self.text(index) {
                text if cases == 0 && text.eq_ignore_ascii_case(word) => return Some(index + 1),
                text if text.eq_ignore_ascii_case("case") => cases += 1,
                text if text.eq_ignore_ascii_case("end") => cases -= 1,
                ";" if word != ";" => return None,
                _ => {}
            }
            if cases < 0 {
                return None;
            }
        }
        None
    }

    /// Writes the next line, statement or comment.
    fn part(&mut self) -> Option<()> {
        let at = self.at;
        if self.tokens[at].is_comment() {
            self.comment();
            return Some(());
        }
        match self.text(at).to_ascii_lowercase().as_str() {
            "<<" => {
                self.line(at..self.behind(">>")?);
            }
            "declare" => {
                self.line(at..at + 1);
                self.enter(Open::Declare);
            }
            "begin" => {
                if self.open.last() == Some(&Open::Declare) {
                    self.leave();
                }
                self.line(at..at + 1);
                self.enter(Open::Begin);
            }
            "exception" if self.is(at + 1, "when") && self.open.last() == Some(&Open::Begin) => {
                self.leave();
                self.line(at..at + 1);
                self.enter(Open::Handlers);
                self.level += 1; // for the statements of the handlers
            }
            "when" if self.open.last() == Some(&Open::Handlers) => {
                self.branch(at..self.behind("then")?);
            }
            "when" if matches!(self.open.last(), Some(Open::Case(_))) => {
                let is_first = self.open.last() == Some(&Open::Case(false));
                if is_first {
                    *self.open.last_mut()? = Open::Case(true);
                    self.level += 1;
                }
                self.branch(at..self.behind("then")?);
            }
            "if" => {
                self.line(at..self.behind("then")?);
                self.enter(Open::If);
            }
            "elsif" | "elseif" if self.open.last() == Some(&Open::If) => self.branch(at..self.behind("then")?),
            "else" if matches!(self.open.last(), Some(Open::If | Open::Case(true))) => self.branch(at..at + 1),
            "case" => {
                let end = (at + 1..self.tokens.len()).find(|index| self.is(*index, "when"))?;
                self.line(at..end);
                self.enter(Open::Case(false));
            }
            "loop" => {
                self.line(at..at + 1);
                self.enter(Open::Loop);
            }
            "while" | "for" | "foreach" => {
                self.line(at..self.behind("loop")?);
                self.enter(Open::Loop);
            }
            "end" => {
                match self.open.last()? {
                    Open::Handlers | Open::Case(true) => self.level -= 1,
                    Open::Declare => return None,
                    _ => {}
                }
                self.leave();
                let end = (at..self.tokens.len())
                    .find(|index| self.text(*index) == ";")
                    .map_or(self.tokens.len(), |end| end + 1);
                self.line(at..end);
            }
            _ => {
                let end = (at..self.tokens.len()).find(|index| self.text(*index) == ";")? + 1;
                self.line(at..end);
            }
        }
        Some(())
    }

    fn enter(&mut self, open: Open) {
        self.open.push(open);
        self.level += 1;
    }

    fn leave(&mut self) {
        self.open.pop();
        self.level = self.level.saturating_sub(1);
    }

    /// Writes a line such as ELSE, one level less indented than the surrounding statements.
    fn branch(&mut self, tokens: Range<usize>) {
        self.level = self.level.saturating_sub(1);
        self.line(tokens);
        self.level += 1;
    }

    /// Returns the number of line breaks before a token, at most two.
    fn breaks_before(&self, index: usize) -> usize {
        let from = index.checked_sub(1).map_or(0, |last| self.tokens[last].end);
        line_ends::count(&self.body[from..self.tokens[index].start]).min(2)
    }

    fn comment(&mut self) {
        let index = self.at;
        if self.breaks_before(index) == 0 && !self.out.is_empty() {
            self.out.push(' ');
            let text = self.text(index).to_string();
            self.out.push_str(&text);
            self.at += 1;
            return;
        }
        self.line(index..index + 1);
    }

    /// Writes tokens as lines at the current level.
    fn line(&mut self, tokens: Range<usize>) {
        if !self.out.is_empty() {
            let last = self.out.len() - self.out.trim_end_matches(['\n', ' ']).len();
            debug_assert_eq!(last, 0);
            // Always begin a new line, even after a `/* */` comment on the same line.
            let blank = self.breaks_before(tokens.start) > 1;
            self.out.push_str(if blank { "\n\n" } else { "\n" });
        }
        let indent = self.level.min(MAX_LEVELS) * self.options.indent;
        let column = self.column(self.tokens[tokens.start].start);
        let range = self.tokens[tokens.start].start..self.tokens[tokens.end - 1].end;
        let text = &self.body[range.clone()];
        self.out.extend(std::iter::repeat_n(' ', indent));
        let has_long_tokens =
            self.tokens[tokens.clone()].iter().any(|token| self.body[token.start..token.end].contains('\n'));
        if has_long_tokens {
            // Do not indent lines inside a token, because the indentation would become part of the token.
            self.out.push_str(text);
        } else {
            let options =
                FormatOptions { width: self.options.width.saturating_sub(indent).max(20), ..self.options.clone() };
            let options = FormatOptions { bodies: false, ..options };
            match tokens.len() > 2 && text.ends_with(';') {
                true => match super::format_statement(text, &options) {
                    Ok(formatted) => self.indented(&formatted.text, indent, 0),
                    Err(_) => self.indented(text, indent, column),
                },
                false => self.indented(text, indent, column),
            }
        }
        self.at = tokens.end;
    }

    /// Appends lines. The caller has already indented the first line. Changes the indentation of the other lines by the
    /// difference between `indent` (the new indentation) and `column` (the old one).
    fn indented(&mut self, text: &str, indent: usize, column: usize) {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.out.push('\n');
                if line.trim().is_empty() {
                    continue;
                }
                let here = width(&line[..line.len() - line.trim_start().len()]);
                self.out.extend(std::iter::repeat_n(' ', indent + here.saturating_sub(column)));
            }
            self.out.push_str(line.trim_ascii());
        }
    }

    /// Returns the indentation of the line that contains byte `offset` of the body. Each call continues the search for
    /// the start of the line at the offset of the last call. Therefore `offset` must not decrease from call to call. A
    /// new search in each call would take quadratic time for a long line.
    fn column(&mut self, offset: usize) -> usize {
        let new = &self.body[self.measured..offset];
        let line = new.rfind('\n').map(|at| &new[at + 1..]).or((self.measured == 0).then_some(new));
        if let Some(line) = line {
            self.column = width(&line[..line.len() - line.trim_start().len()]);
        }
        self.measured = offset;
        self.column
    }
}

/// Returns the width of white space, with tabs as 4 columns.
fn width(space: &str) -> usize {
    space.chars().map(|char| if char == '\t' { 4 } else { 1 }).sum()
}
