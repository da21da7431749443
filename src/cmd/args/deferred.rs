//! Defines the arguments of a subcommand only when they are needed. Defining the arguments of all
//! subcommands would take a third of the CPU instructions of a small run.

use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::short::hide_rare;

pub struct Deferred<A>(pub A);

/// Commands that print the arguments of all commands.
const DESCRIBE_ALL: [&str; 3] = ["completions", "help", "man"];

/// Whether the arguments of `command` are needed. This is the case if the command line contains the name of `command`,
/// or one of [`DESCRIBE_ALL`].
fn is_wanted(command: &Command) -> bool {
    let mut arguments = std::env::args_os().skip(1);
    arguments.any(|argument| argument == command.get_name() || DESCRIBE_ALL.iter().any(|name| argument == *name))
}

impl<A: Args> Args for Deferred<A> {
    fn augment_args(command: Command) -> Command {
        let augment = |command| hide_rare(A::augment_args(command));
        if is_wanted(&command) { augment(command) } else { command.defer(augment) }
    }

    fn augment_args_for_update(command: Command) -> Command {
        A::augment_args_for_update(command)
    }
}

impl<A: FromArgMatches> FromArgMatches for Deferred<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
