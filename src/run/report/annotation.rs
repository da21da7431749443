//! Renders a diagnostic as a GitHub workflow command
//! (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).

use std::fmt::Write;

use super::diagnostic::{Diagnostic, Level};
use super::escape::escaped;
use super::location::Location;

/// Renders the diagnostic as one line, with its line break.
pub fn render(diagnostic: &Diagnostic<'_>, location: &Location<'_>) -> String {
    let command = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let Location { file, line, column, .. } = location;
    let mut message = diagnostic.message.to_string();
    for (label, text) in &diagnostic.notes {
        let _ = write!(message, "\n{label}: {text}"); // writing to memory cannot fail
    }
    format!("::{command} file={},line={line},col={column}::{}\n", property(file), data(&message))
}

/// Escapes line breaks, which would end the workflow command, and `%`, with which escapes begin.
fn data(text: &str) -> String {
    escaped(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
