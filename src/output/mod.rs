//! What people and programs see: results on stdout, messages on stderr, the exit code.

mod json;
mod layout;
mod messages;
pub mod progress;
mod snippet;
mod writer;

use std::process::ExitCode;

pub use json::{Record, indent, quote};
pub use layout::one_line;
pub use messages::{Messages, Place, Report, escaped, show_snippets};
pub use snippet::Source;
pub use writer::{Output, stop_cleanly_on_signals};

/// How the run ended; the worst of all that happened wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Exit {
    #[default]
    Success,
    /// Some statement was invalid.
    Invalid,
    /// Usage, input/output or internal error.
    Failure,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Whether the reader of our output went away: no error of ours.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_worst_exit_wins() {
        assert_eq!(Exit::Success.max(Exit::Invalid), Exit::Invalid);
        assert_eq!(Exit::Failure.max(Exit::Invalid), Exit::Failure);
        assert_eq!([Exit::Success as u8, Exit::Invalid as u8, Exit::Failure as u8], [0, 1, 2]);
    }
}
