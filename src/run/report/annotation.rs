//! A diagnostic as a command of GitHub's workflows
//! (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).

use std::fmt::Write;

use super::diagnostic::{Diagnostic, Level};
use super::location::Location;

/// A line, with its end.
pub fn render(diagnostic: &Diagnostic<'_>, location: &Location<'_>) -> String {
    let command = match diagnostic.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let Location { file, line, column, .. } = location;
    let mut message = diagnostic.message.to_string();
    for (label, text) in &diagnostic.notes {
        let _ = write!(message, "\n{label}: {text}"); // to memory
    }
    format!("::{command} file={},line={line},col={column}::{}\n", property(file), data(&message))
}

/// A text without the characters that would end the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same for the value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
