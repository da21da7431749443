//! Output for the user: results on standard output, diagnostics on stderr, progress, and the exit code. This module
//! reads no input and runs no commands.

mod access;
mod annotation;
mod device;
mod diagnostic;
mod diagnostics;
mod escape;
mod exit;
mod highlight;
mod json;
mod location;
mod one_line;
mod output;
mod placeholder_hint;
pub mod progress;
mod record;
mod repeats;
mod rows;
mod snippet;
mod stdout;
mod unfinished;

pub use diagnostic::SourceText;
pub use diagnostics::{DiagnosticBuffer, DiagnosticOptions, DiagnosticStyle, Diagnostics, NothingRead};
pub use escape::escaped;
pub use exit::{exit_after_signal, exit_on_panic, exit_out_of_memory};
pub use highlight::{SqlPart, sql_parts};
pub use json::{indent, quote};
pub use location::Location;
pub use one_line::{one_line, trim_line_ends};
pub use output::{Output, print_to, replace_file, write_file};
pub use placeholder_hint::{may_have_placeholder, placeholder_in_operator};
pub use record::JsonRecord;
pub use repeats::Repeats;
pub use rows::{Compression, RowBuffer, RowFormat, RowLayout, RowWriter, Rows};
#[cfg(unix)]
pub use stdout::handle_signals;
pub use stdout::{print, print_styled, stop_cleanly_on_signals};
