//! Writes all options of all commands as a Markdown table. If the help of an option differs between
//! commands, the table has a row for each help text, so that the difference is easy to notice.

use std::collections::BTreeMap;
use std::io::Write;

use clap::{Arg, Command};

pub fn write(command: &Command, out: &mut Vec<u8>) {
    // Maps the spelling and the meaning of an option to the commands that have it.
    let mut rows: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for subcommand in super::visible(command) {
        for argument in subcommand.get_arguments().filter(|argument| is_listed(argument)) {
            let key = (spelling(argument), meaning(argument));
            rows.entry(key).or_default().push(subcommand.get_name().to_string());
        }
    }
    let all: Vec<&str> = super::visible(command).map(Command::get_name).collect();
    let _ = writeln!(out, "| option | meaning | commands |\n| --- | --- | --- |");
    for ((spelling, meaning), commands) in rows {
        let others: Vec<&str> = all.iter().copied().filter(|name| !commands.iter().any(|has| has == name)).collect();
        let commands = match others.len() {
            0 => "all".into(),
            few if few < commands.len() => format!("all but {}", others.join(", ")),
            _ => commands.join(", "),
        };
        let _ = writeln!(out, "| {spelling} | {meaning} | {commands} |");
    }
}

fn is_listed(argument: &Arg) -> bool {
    !argument.is_hide_set() && !argument.is_positional() && argument.get_id() != "help"
}

/// Returns the spellings of an option as Markdown, such as `` `--output FILE`, `-o` ``. Old names of the option follow:
/// `` (was `--partial`) ``.
fn spelling(argument: &Arg) -> String {
    let long = argument.get_long().unwrap_or_default();
    let value = argument.get_value_names().filter(|_| argument.get_action().takes_values());
    let value = value.map(|names| format!(" {}", names[0])).unwrap_or_default();
    let short = argument.get_short().map(|short| format!(", `-{short}`")).unwrap_or_default();
    let old = argument.get_all_aliases().unwrap_or_default();
    let old = if old.is_empty() { String::new() } else { format!(" (was `--{}`)", old.join("`, `--")) };
    match (long, argument.get_short()) {
        ("", Some(short)) => format!("`-{short}`"),
        _ => format!("`--{long}{value}`{short}{old}"),
    }
}

fn meaning(argument: &Arg) -> String {
    argument.get_help().map(ToString::to_string).unwrap_or_default().replace('|', "\\|").replace('\n', " ")
}
