//! Diagnostics: `file:line:col: error: message` on stderr, and what they mean for the exit
//! code. Soft errors go through here and the run goes on.

use std::fmt::{self, Write as _};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use pgq_log::FilePosition;

use super::snippet::{self, Diagnostic, Level, Source};
use super::{Exit, progress};

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

impl<'a> Place<'a> {
    pub fn new(file: &'a str, position: FilePosition) -> Self {
        let FilePosition { line, column, offset } = position;
        Self { file, line, column, offset }
    }
}

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();

/// Whether the line of an error is shown, with a caret.
static SNIPPETS: AtomicBool = AtomicBool::new(false);

/// Chooses whether the lines of errors are shown; `None` does so on a terminal.
pub fn show_snippets(wanted: Option<bool>) {
    SNIPPETS.store(wanted.unwrap_or_else(|| std::io::stderr().is_terminal()), Ordering::Relaxed);
}

/// What a person is to be told of some statements, gathered: it is printed when it is their
/// turn.
#[derive(Default)]
pub struct Report {
    text: String,
    worst: Exit,
}

impl Report {
    /// A statement that is invalid, and the text that the place is in, to show its line.
    pub fn invalid(&mut self, place: &Place<'_>, error: &pgq::Error, source: Source<'_>) {
        self.worst = self.worst.max(Exit::Invalid);
        let notes = [("detail", error.detail.as_deref()), ("hint", error.hint.as_deref())];
        let notes = notes.into_iter().filter_map(|(label, text)| Some((label, text?))).collect();
        self.tell(place, &Diagnostic { level: Level::Error, message: &error.message, notes }, source);
    }

    /// Something that PostgreSQL remarks on a statement that it accepts.
    pub fn warning(&mut self, place: &Place<'_>, warning: &pgq::Warning, source: Source<'_>) {
        let level = if warning.severity == "NOTICE" { Level::Notice } else { Level::Warning };
        let notes = warning.hint.iter().map(|hint| ("hint", hint.as_str())).collect();
        self.tell(place, &Diagnostic { level, message: &warning.message, notes }, source);
    }

    fn tell(&mut self, place: &Place<'_>, diagnostic: &Diagnostic<'_>, source: Source<'_>) {
        if SNIPPETS.load(Ordering::Relaxed) {
            return self.text.push_str(&snippet::draw(diagnostic, place, source));
        }
        let Place { file, line, column, .. } = place;
        // PostgreSQL may quote a token that spans lines; a diagnostic is one line.
        let message = visible(&diagnostic.message.replace('\n', "\\n"));
        let style = if diagnostic.level == Level::Error { RED } else { YELLOW };
        let level = diagnostic.level.name();
        self.line(format_args!("{}:{line}:{column}: {style}{level}{style:#}: {message}", visible(file)));
        for (label, text) in &diagnostic.notes {
            self.line(format_args!("  {label}: {}", visible(text)));
        }
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{text}");
    }

    /// Bytes of memory that it takes up.
    pub fn weight(&self) -> usize {
        self.text.capacity()
    }
}

/// Prints messages and remembers the worst.
#[derive(Default)]
pub struct Messages {
    worst: AtomicU8,
}

impl Messages {
    pub fn exit(&self) -> Exit {
        [Exit::Success, Exit::Invalid, Exit::Failure][usize::from(self.worst.load(Ordering::Relaxed).min(2))]
    }

    fn note(&self, exit: Exit) {
        self.worst.fetch_max(exit as u8, Ordering::Relaxed);
    }

    fn print(&self, text: fmt::Arguments<'_>) {
        // Where stderr is gone there is nobody to tell.
        let _ = progress::aside(|| anstream::stderr().write_fmt(text));
    }

    /// Prints what was gathered.
    pub fn report(&self, report: &Report) {
        self.note(report.worst);
        if !report.text.is_empty() {
            self.print(format_args!("{}", report.text));
        }
    }

    /// A file that cannot be read; the others still are.
    pub fn unreadable(&self, file: &str, problem: &dyn fmt::Display) {
        self.note(Exit::Failure);
        self.print(format_args!("pgq: {RED}error{RED:#}: {}: {problem}\n", visible(file)));
    }

    /// Something worth knowing that is no error.
    pub fn remark(&self, text: &str) {
        self.print(format_args!("pgq: {}\n", visible(text)));
    }

    /// The end of the run.
    pub fn fatal(&self, error: &anyhow::Error) {
        self.note(Exit::Failure);
        // `{:#}` is the whole chain on one line.
        self.print(format_args!("pgq: {RED}error{RED:#}: {}\n", visible(&format!("{error:#}"))));
    }

    /// A result that is wrong, as bench finds it.
    pub fn mismatch(&self, text: &str) {
        self.note(Exit::Invalid);
        self.print(format_args!("pgq: {RED}mismatch{RED:#}: {}\n", visible(text)));
    }
}

/// On a terminal, control and bidirectional characters as escapes: SQL from a log must not
/// move the cursor or reorder the line. Elsewhere, the text as it is.
fn visible(text: &str) -> String {
    if std::io::stderr().is_terminal() { escaped(text) } else { text.to_string() }
}

/// Control and bidirectional characters as escapes.
pub fn escaped(text: &str) -> String {
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
