//! Prints diagnostics to stderr, as `file:line:column: error: message` or with a snippet of the SQL. Also determines
//! the exit code. An error of a statement does not end the run.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use pgq::secrets::anonymize_message;

use super::diagnostic::{Diagnostic, Level, SourceText};
use super::escape::{escaped, escaped_line};
use super::exit::Exit;
use super::location::Location;
use super::placeholder_hint::placeholder_hint;
use super::progress::Progress;
use super::repeats::{Repeats, Subject};
use super::{annotation, snippet};

const RED: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();
const YELLOW: anstyle::Style = anstyle::AnsiColor::Yellow.on_default().bold();

const NOT_UTF8_HINT: &str =
    "if the file has another encoding, name it (--encoding latin1), or convert the file (iconv -f LATIN1 -t UTF-8)";

/// Style of the diagnostics of statements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DiagnosticStyle {
    /// `file:line:column: error: message`.
    #[default]
    Lines,
    /// The line of SQL with a caret.
    Snippets,
    /// GitHub workflow commands. GitHub shows each diagnostic next to its line of SQL.
    Annotations,
    /// Like `Lines`, but without the text that messages quote.
    Anonymous,
}

/// Options for diagnostics.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiagnosticOptions {
    /// Print only errors that end the run and errors about files.
    pub quiet: bool,
    /// Print repeated diagnostics too.
    pub all: bool,
    pub style: DiagnosticStyle,
}

/// Rendered diagnostics of some statements, in order.
pub struct DiagnosticBuffer {
    style: DiagnosticStyle,
    /// Whether a syntax error at a placeholder gets a hint about `--placeholders`.
    pub hints_at_placeholders: bool,
    text: String,
    /// For each diagnostic, the [`Subject`] (the key that equal diagnostics share), and the end of its text in `text`.
    subjects: Vec<(Subject, usize)>,
    worst: Exit,
}

impl DiagnosticBuffer {
    /// Creates an empty buffer.
    pub fn new(style: DiagnosticStyle) -> Self {
        Self { style, hints_at_placeholders: false, text: String::new(), subjects: Vec::new(), worst: Exit::default() }
    }

    /// Adds the error of an invalid statement, with the statement's comments as notes.
    pub fn error(&mut self, location: &Location<'_>, error: &pgq::Error, comments: &[String], source: SourceText<'_>) {
        self.worst = self.worst.max(Exit::Invalid);
        let mut diagnostic = Diagnostic::from_error(error);
        diagnostic.notes.extend(comments.iter().map(|comment| ("comment", comment.as_str())));
        let hint = if self.hints_at_placeholders { placeholder_hint(error, source) } else { None };
        diagnostic.notes.extend(hint.iter().map(|hint| ("hint", hint.as_str())));
        if error.kind != pgq::ErrorKind::Encoding {
            return self.add(location, diagnostic, source);
        }
        diagnostic.notes.push(("hint", NOT_UTF8_HINT));
        self.add_about(Subject::NotUtf8, location, &diagnostic, source);
    }

    /// Records an invalid statement whose message is printed elsewhere.
    pub fn invalid(&mut self) {
        self.worst = self.worst.max(Exit::Invalid);
    }

    /// Adds PostgreSQL's warning or notice for a valid statement.
    pub fn warning(&mut self, location: &Location<'_>, warning: &pgq::Warning, source: SourceText<'_>) {
        self.add(location, Diagnostic::from_warning(warning), source);
    }

    /// Adds a warning about an operator in a valid statement, because the user may have meant the operator as a
    /// placeholder.
    pub fn placeholder_in_operator(&mut self, location: &Location<'_>, style: &str, source: SourceText<'_>) {
        let hint = format!("for a placeholder, add --placeholders {style}");
        let notes = vec![("hint", hint.as_str())];
        let message = "PostgreSQL reads this as an operator";
        self.add(location, Diagnostic { level: Level::Warning, message, notes }, source);
    }

    fn add(&mut self, location: &Location<'_>, diagnostic: Diagnostic<'_>, source: SourceText<'_>) {
        let masked = (self.style == DiagnosticStyle::Anonymous).then(|| anonymize_message(diagnostic.message));
        let message = masked.as_deref().unwrap_or(diagnostic.message);
        let subject = Subject::Message(format!("{}: {message}", diagnostic.level.name()).into());
        self.add_about(subject, location, &Diagnostic { message, ..diagnostic }, source);
    }

    fn add_about(
        &mut self,
        subject: Subject,
        location: &Location<'_>,
        diagnostic: &Diagnostic<'_>,
        source: SourceText<'_>,
    ) {
        self.render(location, diagnostic, source);
        self.subjects.push((subject, self.text.len()));
    }

    fn render(&mut self, location: &Location<'_>, diagnostic: &Diagnostic<'_>, source: SourceText<'_>) {
        match self.style {
            DiagnosticStyle::Annotations => return self.text.push_str(&annotation::render(diagnostic, location)),
            DiagnosticStyle::Snippets => return self.text.push_str(&snippet::render(diagnostic, location, source)),
            DiagnosticStyle::Lines | DiagnosticStyle::Anonymous => {}
        }
        let is_anonymous = self.style == DiagnosticStyle::Anonymous;
        let Location { file, line, column, .. } = location;
        // PostgreSQL may quote a token that spans lines, but a diagnostic must be on one line.
        let message = escaped_line(diagnostic.message);
        let style = if diagnostic.level == Level::Error { RED } else { YELLOW };
        let level = diagnostic.level.name();
        self.line(format_args!("{}:{line}:{column}: {style}{level}{style:#}: {message}", escaped_line(file)));
        for (label, text) in diagnostic.notes.iter().filter(|_| !is_anonymous) {
            self.line(format_args!("  {label}: {}", escaped(text)));
        }
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{text}");
    }

    /// Returns the approximate size in memory.
    pub fn weight(&self) -> usize {
        2 * self.text.capacity()
    }
}

/// Prints to stderr, shows progress, and records the worst outcome.
pub struct Diagnostics {
    options: DiagnosticOptions,
    progress: Progress,
    worst: AtomicU8,
}

impl Diagnostics {
    pub fn new(options: DiagnosticOptions) -> Self {
        Self { options, progress: Progress::new(options.quiet), worst: AtomicU8::default() }
    }

    /// Returns the style of the diagnostics of statements.
    pub fn style(&self) -> DiagnosticStyle {
        self.options.style
    }

    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Returns a new counter of repeated diagnostics.
    pub fn repeats(&self) -> Repeats {
        Repeats::new(self.options.all)
    }

    /// Returns the outcome of the run. If an error has ended the run, prints this error. A closed pipe does not count
    /// as an error, because the reader has stopped reading on purpose.
    pub fn finish(&self, result: anyhow::Result<()>) -> Exit {
        match result {
            Ok(()) => self.worst(),
            Err(error) if is_broken_pipe(&error) => Exit::Success,
            Err(error) if error.is::<NothingRead>() => self.worst(),
            Err(error) => {
                // `{:#}` prints all causes on one line.
                let message = escaped_line(&format!("{error:#}"));
                self.print(format_args!("pgq: {RED}error{RED:#}: {message}\n"));
                Exit::Failure
            }
        }
    }

    fn worst(&self) -> Exit {
        [Exit::Success, Exit::Invalid, Exit::Failure, Exit::ConditionMet]
            [usize::from(self.worst.load(Ordering::Relaxed))]
    }

    fn raise(&self, exit: Exit) {
        self.worst.fetch_max(exit as u8, Ordering::Relaxed);
    }

    fn print(&self, text: fmt::Arguments<'_>) {
        let text = text.to_string();
        let is_plain = anstream::AutoStream::choice(&io::stderr()) == anstream::ColorChoice::Never;
        // If stderr is closed, the message is lost.
        let _ = self.progress.suspended(|| match is_plain {
            // Plain text is printed with one write. anstream would use a write for each styled part.
            true => io::stderr().write_all(anstream::adapter::strip_str(&text).to_string().as_bytes()),
            false => anstream::stderr().write_all(text.as_bytes()),
        });
    }

    /// Prints buffered diagnostics. `repeats` decides which repeated diagnostics are omitted.
    pub fn print_buffer(&self, buffer: &DiagnosticBuffer, repeats: &mut Repeats) {
        self.raise(buffer.worst);
        let (mut text, mut start) = (String::new(), 0);
        for (subject, end) in &buffer.subjects {
            if repeats.admits(subject) {
                text.push_str(&buffer.text[start..*end]);
            }
            start = *end;
        }
        if !text.is_empty() && !self.options.quiet {
            self.print(format_args!("{text}"));
        }
    }

    /// Prints that a file cannot be read. The run continues with the other files.
    pub fn unreadable(&self, file: &str, problem: &str) {
        self.failed(&format!("{file}: {problem}"));
    }

    /// Prints an error about a file. `problem` includes the file's name. The run continues with the other files.
    pub fn failed(&self, problem: &str) {
        self.raise(Exit::Failure);
        self.print(format_args!("pgq: {RED}error{RED:#}: {}\n", escaped_line(problem)));
    }

    /// Whether a file could not be read.
    pub fn has_unreadable(&self) -> bool {
        self.worst() == Exit::Failure
    }

    /// Records that a large part of a log was not understood. The message is printed elsewhere.
    pub fn poorly_understood(&self) {
        self.raise(Exit::Invalid);
    }

    /// Prints information that is not an error.
    pub fn notice(&self, text: &str) {
        if self.options.quiet {
            return;
        }
        self.print(format_args!("pgq: {}\n", escaped_line(text)));
    }

    /// Prints a message about a part of the input that is missing from the output. Sets the exit code.
    pub fn left_out(&self, text: &str) {
        self.raise(Exit::Invalid);
        self.notice(text);
    }

    /// Prints output that an option such as `--stats` requests, even with `--quiet`.
    pub fn requested(&self, text: &str) {
        self.print(format_args!("pgq: {}\n", escaped_line(text)));
    }

    /// Whether `quiet` is set. If it is, only errors that end the run and errors about files are printed.
    pub fn is_quiet(&self) -> bool {
        self.options.quiet
    }

    /// Prints that a condition for failure was met.
    pub fn condition_met(&self, text: &str) {
        self.raise(Exit::ConditionMet);
        self.print(format_args!("pgq: {RED}failed{RED:#}: {}\n", escaped_line(text)));
    }

    /// Prints that two results differ although they should be equal.
    pub fn mismatch(&self, text: &str) {
        self.raise(Exit::Invalid);
        self.print(format_args!("pgq: {RED}mismatch{RED:#}: {}\n", escaped_line(text)));
    }
}

/// The error of a run in which no input could be read. The reasons are already printed.
#[derive(Debug, thiserror::Error)]
#[error("no input could be read")]
pub struct NothingRead;

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
