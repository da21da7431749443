//! Exit codes, and functions that end the program early.

use std::io::Write;
use std::process::ExitCode;

use crate::run::input::is_panic_caught;

/// The outcome of a run. The worst outcome determines the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Exit {
    #[default]
    Success,
    /// Some statement was invalid.
    Invalid,
    /// A usage error, an input/output error or an internal error.
    Failure,
    /// A condition that the user has set is met (`replay --fail-if`).
    ConditionMet,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Makes a panic end the program with the exit code of an internal error. Exception: some readers of inputs catch a
/// panic and convert it to an error.
pub fn exit_on_panic() {
    let print_panic = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if is_panic_caught() {
            return;
        }
        print_panic(panic);
        super::unfinished::remove();
        std::process::exit(Exit::Failure as i32);
    }));
}

/// Ends the program with the exit code that a shell uses for a signal. The caller must have written all output.
pub fn exit_after_signal(signal: i32) -> ! {
    std::process::exit(128 + signal)
}

/// Ends the program. Called if PostgreSQL's parser has run out of memory, because the next statement would fail too.
/// This function must not allocate memory.
pub fn exit_out_of_memory() -> ! {
    let _ = std::io::stderr().write_all(b"pgq: error: out of memory\n");
    std::process::exit(Exit::Failure as i32)
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_worst_outcome_wins() {
        assert_eq!(Exit::Success.max(Exit::Invalid), Exit::Invalid);
        assert_eq!(Exit::Failure.max(Exit::Invalid), Exit::Failure);
        assert_eq!(
            [Exit::Success, Exit::Invalid, Exit::Failure, Exit::ConditionMet].map(|exit| exit as u8),
            [0, 1, 2, 3]
        );
    }
}
