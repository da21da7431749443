//! Prints a document. In one pass over the elements, decides which groups fit on a line.

use super::document::{Document, Element};
use super::measure::{Measures, chars};
use super::{MAX_LEVELS, Style};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
    Fill,
}

impl Document<'_> {
    /// Prints the document. Lines do not end in white space, except inside a text.
    #[must_use]
    pub fn print(&self, style: &Style) -> String {
        let measures = Measures::of(&self.elements);
        let mut printer = Printer { style: *style, ..Printer::default() };
        let mut modes = vec![Mode::Broken];
        let mut levels = Vec::new();
        for (at, element) in self.elements.iter().enumerate() {
            let mode = *modes.last().unwrap_or(&Mode::Broken);
            match *element {
                Element::Text(text) => printer.text(text),
                Element::Break { always } => {
                    let breaks = printer.must_break.is_some()
                        || always
                        || match mode {
                            Mode::Flat => false,
                            Mode::Broken => true,
                            Mode::Fill => {
                                let width = measures.width_until(at + 1, measures.partner[at] as usize);
                                printer.column() + width > style.width
                            }
                        };
                    if breaks {
                        printer.newline(printer.level);
                    }
                }
                Element::Group { breaks, fill } => {
                    let fits = || {
                        let width = measures.width_until(at, measures.partner[at] as usize);
                        // A space at the start of a line is not printed.
                        let begins_line = !printer.has_text || printer.must_break.is_some();
                        let unseen = usize::from(begins_line && self.begins_with_space(at));
                        printer.column() + usize::from(printer.space) + width - unseen <= style.width
                    };
                    modes.push(match mode {
                        Mode::Flat => Mode::Flat,
                        _ if !breaks && fits() => Mode::Flat,
                        _ if fill => Mode::Fill,
                        _ => Mode::Broken,
                    });
                }
                Element::End => {
                    modes.pop();
                }
                Element::Indent => {
                    levels.push(printer.level);
                    printer.level += 1;
                }
                Element::Anchor => {
                    levels.push(printer.level);
                    printer.level = printer.must_break.unwrap_or(printer.line_level);
                }
                Element::Dedent => printer.level = levels.pop().unwrap_or(0),
                Element::Blank => printer.blank = true,
                Element::Newline => printer.must_break = Some(printer.level),
                Element::Comment { text, block } => {
                    printer.space = true;
                    printer.block = block;
                    printer.text(text);
                }
            }
        }
        printer.finish()
    }

    /// Returns whether the output of the elements from `at` on begins with a space.
    fn begins_with_space(&self, at: usize) -> bool {
        let first =
            self.elements[at..].iter().find(|element| matches!(element, Element::Text(_) | Element::Break { .. }));
        first == Some(&Element::Text(" "))
    }
}

#[derive(Default)]
struct Printer {
    style: Style,
    out: String,
    level: usize,
    /// Indentation level of the current line.
    line_level: usize,
    /// Number of characters on the current line.
    width: usize,
    line: usize,
    has_text: bool,
    space: bool,
    blank: bool,
    /// The indentation level of the next line if the next text must start a new line; otherwise `None`.
    must_break: Option<usize>,
    block: u32,
    comments: Vec<Comment>,
}

/// A comment to be aligned.
struct Comment {
    block: u32,
    line: usize,
    /// Offset of the comment in the output. `column` is its column on the line.
    at: usize,
    column: usize,
}

impl Printer {
    /// Returns the column at which a line with this indentation level starts.
    fn indentation(&self, level: usize) -> usize {
        level.min(MAX_LEVELS) * self.style.indent
    }

    /// Returns the column at which the next text starts.
    fn column(&self) -> usize {
        match self.must_break {
            Some(level) => self.indentation(level),
            None if self.has_text => self.width,
            None => self.indentation(self.line_level),
        }
    }

    fn newline(&mut self, level: usize) {
        if self.has_text {
            self.end_line();
        }
        (self.line_level, self.must_break) = (level, None);
    }

    fn end_line(&mut self) {
        self.out.push('\n');
        self.line += 1;
        (self.has_text, self.space, self.width) = (false, false, 0);
    }

    fn text(&mut self, text: &str) {
        if text == " " {
            self.space = true;
            return;
        }
        if let Some(level) = self.must_break {
            self.newline(level);
        }
        if !self.has_text {
            if self.blank && !self.out.is_empty() {
                self.end_line();
            }
            self.width = self.indentation(self.line_level);
            self.out.extend(std::iter::repeat_n(' ', self.width));
        } else if self.space {
            self.out.push(' ');
            self.width += 1;
        }
        if self.block > 0 {
            let comment = Comment { block: self.block, line: self.line, at: self.out.len(), column: self.width };
            self.comments.push(comment);
        }
        (self.has_text, self.space, self.blank, self.block) = (true, false, false, 0);
        self.out.push_str(text);
        match text.rsplit_once('\n') {
            Some((lines, last)) => {
                self.line += lines.matches('\n').count() + 1;
                self.width = chars(last) as usize;
            }
            None => self.width += chars(text) as usize,
        }
    }

    /// Returns the output. Aligns the comments of a block if they are on successive lines.
    fn finish(self) -> String {
        let Self { out, comments, .. } = self;
        let mut aligned = String::with_capacity(out.len());
        let mut copied = 0;
        let belongs = |one: &Comment, next: &Comment| one.block == next.block && one.line + 1 == next.line;
        for block in comments.chunk_by(belongs).filter(|block| block.len() > 1) {
            let column = block.iter().map(|comment| comment.column).max().unwrap_or(0);
            for comment in block {
                aligned.push_str(&out[copied..comment.at]);
                aligned.extend(std::iter::repeat_n(' ', column - comment.column));
                copied = comment.at;
            }
        }
        if copied == 0 {
            return out;
        }
        aligned + &out[copied..]
    }
}

impl Default for Style {
    /// Returns a width of 88 and an indentation of 4 characters.
    fn default() -> Self {
        Self { width: 88, indent: 4 }
    }
}
