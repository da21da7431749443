//! `pgq man`: generates manual pages from the same clap definitions as `--help`. A page has a
//! description, the command's own options, shared options, exit statuses, examples and related
//! pages.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, Command};
use roff::{Inline, Roff, bold, italic, roman};

use crate::run::report;

mod options_table;

pub const EXAMPLES: &str = "\
Examples:
  pgq man > /tmp/pgq.1 && man -l /tmp/pgq.1
  mkdir -p /tmp/man1 && pgq man /tmp/man1";

/// Headings of the options that several commands share, in the order of their sections in a manual page.
const SHARED: [&str; 4] = ["Input", "Logs", "Caches", "Display"];

const EXIT_STATUSES: [(&str, &str); 4] = [
    ("0", "All is well."),
    ("1", "A statement was not valid, or more than 1 % of a log was not understood."),
    ("2", "Wrong usage, input or output that failed, memory that ran out, or an internal error."),
    ("3", "A condition of pgq replay --fail-if was met."),
];

#[derive(clap::Args)]
pub struct Args {
    /// Write the page of every command into this folder, instead of pgq(1) to standard output
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Print a table of all options, for CONTRIBUTING.md
    #[arg(long, hide = true)]
    options: bool,
}

pub fn run(args: &Args, mut command: Command) -> Result<()> {
    command.build();
    if args.options {
        return report::print(|out| options_table::write(&command, out));
    }
    let Some(folder) = &args.folder else {
        let page = page(&command, None);
        return report::print(|out| out.extend_from_slice(page.as_bytes()));
    };
    let commands = visible(&command).map(|subcommand| (subcommand, Some(&command)));
    for (command, parent) in std::iter::once((&command, None)).chain(commands) {
        let path = folder.join(format!("{}.1", name(command, parent)));
        report::write_file(&path, page(command, parent).as_bytes())?;
    }
    Ok(())
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set() && subcommand.get_name() != "help")
}

/// Returns the name of a command's page, such as `pgq-digest`.
fn name(command: &Command, parent: Option<&Command>) -> String {
    parent.map_or_else(|| command.get_name().into(), |parent| format!("{}-{}", parent.get_name(), command.get_name()))
}

fn page(command: &Command, parent: Option<&Command>) -> String {
    let (name, invoked) = (name(command, parent), command.get_bin_name().unwrap_or(command.get_name()));
    let version = format!("pgq {}", env!("CARGO_PKG_VERSION"));
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut roff = Roff::new();
    roff.control("TH", [name.as_str(), "1", "", version.as_str(), "pgq"]);
    roff.control("SH", ["NAME"]).text([roman(format!("{name} - {}", about.trim_end_matches('.')))]);
    roff.control("SH", ["SYNOPSIS"]).text(synopsis(command, invoked));
    roff.control("SH", ["DESCRIPTION"]);
    paragraphs(&command.get_long_about().map_or(about, ToString::to_string), &mut roff);
    if visible(command).next().is_some() {
        roff.control("SH", ["COMMANDS"]);
        for subcommand in visible(command) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            roff.control("TP", []);
            roff.text([bold(format!("{invoked}-{}", subcommand.get_name())), roman("(1)")]).text([roman(about)]);
        }
    }
    options(command, &mut roff);
    roff.control("SH", ["EXIT STATUS"]);
    let replays = ["pgq", "replay"].contains(&command.get_name());
    for (status, meaning) in EXIT_STATUSES.iter().filter(|(status, _)| *status != "3" || replays) {
        roff.control("TP", []).text([bold(*status)]).text([roman(*meaning)]);
    }
    examples(command, &mut roff);
    roff.control("SH", ["SEE ALSO"]).text(see_also(command, parent));
    roff.render()
}

fn synopsis(command: &Command, invoked: &str) -> Vec<Inline> {
    let mut line = vec![bold(invoked)];
    if visible(command).next().is_some() {
        line.extend([roman(" "), italic("COMMAND")]);
    }
    line.extend([roman(" ["), italic("OPTION"), roman("]...")]);
    for argument in command.get_positionals() {
        let more =
            if argument.get_action().takes_values() && argument.get_num_args().is_some_and(|n| n.max_values() > 1) {
                "]..."
            } else {
                "]"
            };
        line.extend([roman(" ["), italic(value_name(argument)), roman(more)]);
    }
    line
}

/// Writes the options of a manual page. First writes the options without a help heading. Then writes a section for each
/// heading, with the options under this heading.
fn options(command: &Command, roff: &mut Roff) {
    let arguments = || command.get_arguments().filter(|argument| !argument.is_hide_set());
    roff.control("SH", ["OPTIONS"]);
    arguments().filter(|argument| argument.get_help_heading().is_none()).for_each(|argument| option(argument, roff));
    let mut headings: Vec<&str> = arguments().filter_map(Arg::get_help_heading).collect();
    headings.sort_by_key(|heading| (SHARED.iter().position(|shared| shared == heading), *heading));
    headings.dedup();
    for heading in headings {
        roff.control("SS", [heading]);
        let is_under = |argument: &&Arg| argument.get_help_heading() == Some(heading);
        arguments().filter(is_under).for_each(|argument| option(argument, roff));
    }
}

fn option(argument: &Arg, roff: &mut Roff) {
    let mut line = Vec::new();
    if let Some(short) = argument.get_short() {
        line.push(bold(format!("-{short}")));
    }
    if let Some(long) = argument.get_long() {
        if !line.is_empty() {
            line.push(roman(", "));
        }
        line.push(bold(format!("--{long}")));
    }
    if argument.is_positional() {
        line.push(italic(value_name(argument)));
    } else if argument.get_action().takes_values() {
        line.extend([roman(" "), italic(value_name(argument))]);
    }
    roff.control("TP", []).text(line);
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    paragraphs(&help, roff);
    let values: Vec<_> = match argument.get_action().takes_values() {
        true => argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect(),
        false => Vec::new(),
    };
    if values.iter().any(|value| value.get_help().is_some()) {
        roff.control("RS", []);
        for value in &values {
            let help = value.get_help().map(ToString::to_string).unwrap_or_default();
            roff.control("TP", ["12"]).text([bold(value.get_name())]).text([roman(help)]);
        }
        roff.control("RE", []);
    } else if !values.is_empty() {
        let mut line = vec![roman("One of ")];
        for (index, value) in values.iter().enumerate() {
            line.extend([roman(if index > 0 { ", " } else { "" }), bold(value.get_name())]);
        }
        roff.control("IP", []).text(line);
    }
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        roff.control("IP", []).text([roman("Default: "), bold(defaults.join(", "))]);
    }
}

fn value_name(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    names.first().map_or_else(|| argument.get_id().as_str().to_uppercase(), ToString::to_string)
}

/// Splits `text` at empty lines, and writes the paragraphs.
fn paragraphs(text: &str, roff: &mut Roff) {
    for (index, paragraph) in text.split("\n\n").enumerate() {
        if index > 0 {
            roff.control("IP", []);
        }
        roff.text([roman(paragraph.trim())]);
    }
}

/// Writes the example commands at the end of the help.
fn examples(command: &Command, roff: &mut Roff) {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let Some((_, examples)) = text.split_once("Examples:\n") else { return };
    let lines = examples.lines().take_while(|line| line.starts_with("  "));
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in lines {
        roff.text([roman(line.trim_start())]);
    }
    roff.control("fi", []);
}

fn see_also(command: &Command, parent: Option<&Command>) -> Vec<Inline> {
    let pages: Vec<String> = match parent {
        None => visible(command).map(|subcommand| name(subcommand, Some(command))).collect(),
        Some(parent) => std::iter::once(parent.get_name().to_string())
            .chain(
                visible(parent)
                    .filter(|other| other.get_name() != command.get_name())
                    .map(|other| name(other, Some(parent))),
            )
            .collect(),
    };
    let mut line = Vec::new();
    for (index, page) in pages.into_iter().enumerate() {
        line.extend([roman(if index > 0 { ", " } else { "" }), bold(page), roman("(1)")]);
    }
    line
}
