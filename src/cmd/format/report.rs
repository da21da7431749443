//! Outcomes of formatting, and messages about them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use pgq::{FormatOptions, Formatted, KeptReason, Position, format_script};
use pgq_log::FilePosition;
use similar::{ChangeTag, TextDiff};

use super::Action;
use crate::run::input::{is_plain, path_name};
use crate::run::report::{DiagnosticBuffer, Diagnostics, Location, Output, Repeats, SourceText, escaped};

/// A formatted file.
pub struct Outcome {
    text: String,
    formatted: Formatted,
}

impl Outcome {
    /// Formats the bytes of a file.
    ///
    /// # Errors
    /// The file contains NUL bytes or is not UTF-8. Other encodings are refused: in some of them, a byte of a
    /// multi-byte character equals an ASCII character such as a backslash, so the SQL would be misunderstood.
    pub fn of(bytes: &[u8], options: &FormatOptions) -> Result<Self> {
        if bytes.contains(&0) {
            bail!("contains NUL bytes: the file is UTF-16, or not a script");
        }
        if !is_plain(bytes) {
            bail!("is an archive or a compressed file, and no script: unpack it");
        }
        let text = std::str::from_utf8(bytes).map_err(|problem| {
            let line = memchr::memchr_iter(b'\n', &bytes[..problem.valid_up_to()]).count() + 1;
            anyhow!("line {line} is not UTF-8: convert the file (iconv -f ENCODING -t UTF-8)")
        })?;
        let formatted = format_script(text, options);
        Ok(Self { text: text.to_string(), formatted })
    }

    pub fn has_changed(&self) -> bool {
        self.text != self.formatted.text
    }

    /// Returns the formatted file.
    pub fn bytes(&self) -> &[u8] {
        self.formatted.text.as_bytes()
    }
}

/// Prints and counts outcomes.
pub struct Report<'a> {
    action: Action,
    output: Output,
    diagnostics: &'a Diagnostics,
    repeats: Repeats,
    changed: usize,
    unchanged: usize,
    kept: usize,
}

impl<'a> Report<'a> {
    pub fn new(action: Action, output: Output, diagnostics: &'a Diagnostics) -> Self {
        Self { action, output, diagnostics, repeats: diagnostics.repeats(), changed: 0, unchanged: 0, kept: 0 }
    }

    /// Reports a file.
    ///
    /// # Errors
    /// Writing to standard output fails.
    pub fn file(&mut self, file: &Path, outcome: Result<Outcome>) -> Result<()> {
        let name = path_name(file);
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(problem) => {
                self.diagnostics.failed(&format!("{problem:#}"));
                return Ok(());
            }
        };
        self.kept(&name, &outcome);
        if !outcome.has_changed() {
            self.unchanged += 1;
            return Ok(());
        }
        self.changed += 1;
        match self.action {
            Action::Write => return Ok(()),
            Action::Check => self.output.write_records(format!("would reformat {name}\n").as_bytes())?,
            Action::Diff => self.output.write_styled(diff(file, &outcome).as_bytes())?,
        }
        let mut failed = DiagnosticBuffer::new(self.diagnostics.style());
        failed.invalid();
        self.diagnostics.print_buffer(&failed, &mut self.repeats);
        Ok(())
    }

    /// Reports statements that were left unformatted, with reasons.
    fn kept(&mut self, name: &str, outcome: &Outcome) {
        let mut buffer = DiagnosticBuffer::new(self.diagnostics.style());
        for kept in &outcome.formatted.kept {
            self.kept += 1;
            match &kept.reason {
                KeptReason::Invalid(error) => {
                    let position = error.position.unwrap_or(kept.position);
                    let source = SourceText { text: outcome.text.as_bytes(), offset: position.offset };
                    buffer.error(&location(name, position), error, &[], source);
                    continue;
                }
                KeptReason::Unsafe(_) => buffer.invalid(),
                _ => {}
            }
            let Position { line, column, .. } = kept.position;
            self.diagnostics.notice(&format!("{name}:{line}:{column}: stays as written: {}", kept.reason));
        }
        self.diagnostics.print_buffer(&buffer, &mut self.repeats);
    }

    /// Prints the summary.
    ///
    /// # Errors
    /// Writing to standard output fails.
    pub fn finish(self) -> Result<()> {
        let verb = if self.action == Action::Write { "reformatted" } else { "would be reformatted" };
        let count = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let mut summary = format!("{} {verb}, {} unchanged", count(self.changed, "file"), self.unchanged);
        if self.kept > 0 {
            let _ = write!(summary, "; {} as written", count(self.kept, "statement"));
        }
        if self.changed + self.unchanged > 0 {
            self.diagnostics.notice(&summary);
        } else if !self.diagnostics.has_unreadable() {
            self.diagnostics.notice("there was no script to format");
        }
        self.finish_quietly()
    }

    /// Completes the output without a summary.
    ///
    /// # Errors
    /// Writing to standard output fails.
    pub fn finish_quietly(self) -> Result<()> {
        self.output.complete()
    }
}

fn location(file: &str, position: Position) -> Location<'_> {
    let Position { offset, line, column, .. } = position;
    Location::new(file, FilePosition { line: line as u64, column: column as u64, offset: offset as u64 })
}

/// Returns a unified diff. Uses colour if colour is on for standard output. If standard output is a terminal, escapes
/// control characters.
fn diff(file: &Path, outcome: &Outcome) -> String {
    let stdout = std::io::stdout();
    let is_coloured = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
    let is_terminal = stdout.is_terminal();
    let shown = |text: &str| if is_terminal { escaped(text) } else { text.to_string() };
    // Like git, writes a tab after a name that contains a space. Without the tab, GNU patch would read the name only up
    // to the first white space.
    let name = shown(&name_in_patch(file));
    let tab = if name.contains(' ') { "\t" } else { "" };
    let mut out = format!("--- {name}{tab}\n+++ {name}{tab}\n");
    // Only LF ends a line of a patch, not a lone CR.
    let [old, new] =
        [&outcome.text, &outcome.formatted.text].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let diff = TextDiff::from_slices(&old, &new);
    for hunk in diff.unified_diff().iter_hunks() {
        let _ = writeln!(out, "{}", hunk.header());
        for change in hunk.iter_changes() {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', anstyle::AnsiColor::Red.on_default()),
                ChangeTag::Insert => ('+', anstyle::AnsiColor::Green.on_default()),
                ChangeTag::Equal => (' ', anstyle::Style::new()),
            };
            let line = shown(change.value().trim_end_matches('\n'));
            match is_coloured {
                true => _ = writeln!(out, "{style}{sign}{line}{style:#}"),
                false => _ = writeln!(out, "{sign}{line}"),
            }
            if !change.value().ends_with('\n') {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
    out
}

/// Returns a file name for the head of a patch. As in patches by git and GNU diff, a name with control characters,
/// quotes, backslashes or bytes that are not UTF-8 is quoted. If a line break were not escaped, the rest of the name
/// would be read as a line of the patch.
fn name_in_patch(file: &Path) -> Cow<'_, str> {
    let is_special = |c: char| c.is_ascii_control() || c == '"' || c == '\\';
    if let Some(name) = file.to_str().filter(|name| !name.contains(is_special)) {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::new();
    for chunk in file.as_os_str().as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            let _ = match c {
                '"' | '\\' => write!(quoted, "\\{c}"),
                _ if is_special(c) => write!(quoted, "\\{:03o}", u32::from(c)),
                _ => write!(quoted, "{c}"),
            };
        }
        chunk.invalid().iter().for_each(|byte| _ = write!(quoted, "\\{byte:03o}"));
    }
    Cow::Owned(format!("\"{quoted}\""))
}
