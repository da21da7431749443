//! The frequently used options that `-h` shows. `--help` shows all options.

use clap::{Arg, Command};

/// The options that `-h` shows, by command. For other commands, `-h` shows all options.
const SHOWN: [(&str, &[&str]); 13] = [
    ("parse", &["format", "output", "indented", "lossless", "plpgsql", "from", "column", "placeholders", "fail_fast"]),
    (
        "deparse",
        &["pretty", "keep_comments", "indent", "max_line_length", "format", "output", "from", "column", "fail_fast"],
    ),
    (
        "fingerprint",
        &["count", "function_bodies", "format", "output", "from", "column", "keep_columns", "placeholders", "user"],
    ),
    (
        "normalize",
        &["count", "verbatim", "utility", "format", "output", "from", "column", "keep_columns", "placeholders"],
    ),
    ("check", &["format", "output", "from", "column", "placeholders", "fail_fast"]),
    (
        "format",
        &["check", "diff", "range", "stdin_filename", "width", "indent", "keyword_case", "comma", "bodies", "config"],
    ),
    ("scan", &["format", "output", "from", "column", "placeholders"]),
    ("tables", &["count", "function_bodies", "format", "output", "from", "column", "keep_columns", "placeholders"]),
    ("split", &["format", "output", "from", "column", "keep_columns"]),
    (
        "digest",
        &[
            "format", "output", "sort", "top", "baseline", "partial", "merge", "every", "from", "user", "since",
            "follow",
        ],
    ),
    (
        "export",
        &["columns", "format", "output", "from", "column", "keep_columns", "user", "database", "since", "until"],
    ),
    ("replay", &["to", "plan", "dry_run", "writes", "speed", "connections", "format", "state", "fail_if"]),
    ("bench", &["time", "repeat", "functions", "paths", "format", "output"]),
];

/// Hides rarely used options of a command in `-h`.
pub fn hide_rare(command: Command) -> Command {
    let Some((_, shown)) = SHOWN.iter().find(|(name, _)| *name == command.get_name()) else { return command };
    command.mut_args(|argument| {
        let is_shown = argument.is_positional() || shown.contains(&argument.get_id().as_str());
        if is_shown { without_values(argument) } else { argument.hide_short_help(true) }
    })
}

/// Hides long lists of values in `-h`.
fn without_values(argument: Arg) -> Arg {
    let is_asked = std::env::args_os().any(|argument| argument == "-h");
    let values = argument.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).count();
    if is_asked && values > 7 { argument.hide_possible_values(true) } else { argument }
}
