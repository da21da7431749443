//! Diagnostics: `file:line:col: error: message` on stderr, and what they mean for the exit
//! code. Soft errors go through here and the run goes on.

use std::cell::Cell;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};

use anstream::eprintln;

use super::Exit;

/// A place in the input, as a person finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    pub file: &'a str,
    /// 1-based.
    pub line: u64,
    /// 1-based, in characters.
    pub column: u64,
    /// Bytes from the start of the file.
    pub offset: u64,
}

/// Prints messages and remembers the worst.
#[derive(Default)]
pub struct Messages {
    worst: Cell<Exit>,
}

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();

impl Messages {
    pub fn exit(&self) -> Exit {
        self.worst.get()
    }

    fn note(&self, exit: Exit) {
        self.worst.set(self.worst.get().max(exit));
    }

    /// A statement that is invalid.
    pub fn invalid(&self, place: &Place<'_>, error: &pgq::Error) {
        self.note(Exit::Invalid);
        // PostgreSQL may quote a token that spans lines; a diagnostic is one line.
        let mut text = visible(&error.message.replace('\n', "\\n"));
        for (label, more) in [("detail", &error.detail), ("hint", &error.hint)] {
            if let Some(more) = more {
                let _ = write!(text, "\n  {label}: {}", visible(more));
            }
        }
        let Place { file, line, column, .. } = place;
        eprintln!("{}:{line}:{column}: {RED}error{RED:#}: {text}", visible(file));
    }

    /// Something that PostgreSQL remarks on a statement that it accepts.
    pub fn warning(&self, place: &Place<'_>, warning: &pgq::Warning) {
        let Place { file, line, column, .. } = place;
        let label = warning.severity.to_ascii_lowercase();
        eprintln!("{}:{line}:{column}: {YELLOW}{label}{YELLOW:#}: {}", visible(file), visible(&warning.message));
    }

    /// A file that cannot be read; the others still are.
    pub fn unreadable(&self, file: &str, problem: &dyn std::fmt::Display) {
        self.note(Exit::Failure);
        eprintln!("pgq: {RED}error{RED:#}: {}: {problem}", visible(file));
    }

    /// Something worth knowing that is no error.
    pub fn remark(&self, text: &str) {
        eprintln!("pgq: {text}");
    }

    /// The end of the run.
    pub fn fatal(&self, error: &anyhow::Error) {
        self.note(Exit::Failure);
        // `{:#}` is the whole chain on one line.
        let _ = writeln!(anstream::stderr(), "pgq: {RED}error{RED:#}: {}", visible(&format!("{error:#}")));
    }

    /// A result that is wrong, as bench finds it.
    pub fn mismatch(&self, text: &str) {
        self.note(Exit::Invalid);
        eprintln!("pgq: {RED}mismatch{RED:#}: {}", visible(text));
    }
}

/// On a terminal, control and bidirectional characters as escapes: SQL from a log must not
/// move the cursor or reorder the line. Elsewhere, the text as it is.
fn visible(text: &str) -> String {
    if std::io::stderr().is_terminal() { escaped(text) } else { text.to_string() }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let bidi = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if (c.is_control() && c != '\n' && c != '\t') || bidi {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn control_and_bidi_characters_are_shown_as_escapes() {
        assert_eq!(super::escaped("a\x1b[2J\u{202e}é\n"), "a\\u{1b}[2J\\u{202e}é\n");
    }
}
