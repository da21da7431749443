//! Prepares error messages about the command line. Suggests the equivalent of an option or command
//! of another tool.

use std::ffi::OsString;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::run::report::escaped;

/// Options of other tools, with suggestions.
const HINTS: [(&[&str], &str); 20] = [
    (&["--begin", "--from-time", "--start"], "--since sets the earliest time"),
    (&["--end", "--to"], "--until sets the latest time"),
    (&["--dbname", "--db"], "--database selects statements by their database"),
    (&["--dbuser", "--username"], "--user selects statements by their user"),
    (&["--appname", "--app"], "--application selects statements by their application_name"),
    (&["--exclude-db", "--exclude-dbname"], "--exclude-database leaves out a database"),
    (&["--exclude-appname", "--exclude-app"], "--exclude-application leaves out an application_name"),
    (&["--outfile", "--out"], "--output names the file to write"),
    (&["--prefix"], "--log-line-prefix is the server's setting; without it, it is inferred"),
    (&["--json", "--csv", "--html", "--markdown"], "--format chooses the format"),
    (&["--threads", "--workers", "--parallel"], "--jobs is the number of threads"),
    (&["--file", "--input", "--files"], "files are named without an option: pgq COMMAND FILE..."),
    (&["--query", "--sql", "--command"], "SQL comes from a file or a pipe: echo 'SELECT 1' | pgq COMMAND"),
    (
        &["--params", "--parameters", "--samples", "--examples", "--slowest"],
        "digest --format json and html have the slowest call of each query, with its parameters",
    ),
    (&["--text", "--normalized"], "digest --sort calls shows queries with their counts; --wide adds fingerprints"),
    (&["--beautify", "--reformat"], "pgq deparse --pretty --keep-comments lays SQL out"),
    (&["--verbose"], "--stats prints counts of what was read, processed and skipped"),
    (&["--tail"], "--follow goes on reading as a log grows"),
    (&["--watch", "--interval", "--live"], "digest --every 10s reports again and again"),
    (&["--order", "--order-by", "--sort-by"], "digest --sort chooses the order of the queries"),
];

/// Names of commands in other tools. Each list of names has a hint that suggests a command of pgq.
const COMMAND_HINTS: [(&[&str], &str); 8] = [
    (&["fmt", "pretty", "beautify"], "pgq format lays out SQL"),
    (&["lint", "validate", "verify"], "pgq check reports invalid statements"),
    (&["report", "analyze", "top", "slow", "logs", "stats"], "pgq digest reports on the queries of a log"),
    (&["tokenize", "lex", "tokens"], "pgq scan prints tokens"),
    (&["redact", "mask", "anonymize", "obfuscate"], "pgq normalize replaces constants by $1, $2, …"),
    (&["diff", "compare", "baseline"], "pgq digest --baseline compares two digests"),
    (&["ast", "tree", "json"], "pgq parse prints trees as JSON"),
    (&["references", "columns", "lineage", "summary"], "pgq tables lists tables, functions and filter columns"),
];

/// Adds a suggestion to an error about an unknown option or command, if a similar tool has an
/// option or command of this name.
pub fn with_hint(mut error: clap::Error) -> clap::Error {
    let (kind, hints) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, &HINTS[..]),
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, &COMMAND_HINTS[..]),
        _ => return error,
    };
    let Some(ContextValue::String(argument)) = error.get(kind) else { return error };
    let name = argument.split('=').next().unwrap_or(argument);
    let hint = hints.iter().find(|(names, _)| names.contains(&name)).map(|(_, hint)| *hint);
    if let Some(hint) = hint {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

/// Escapes control characters in the error. Such characters can come from file names, for example in `pgq check *`.
pub fn with_escapes(error: clap::Error) -> clap::Error {
    escaped_error(&arguments()).unwrap_or(error)
}

/// Escapes the control characters in the arguments, and returns clap's error for the escaped
/// arguments. Escaping the text of the original error would also escape clap's own control
/// sequences for colour.
fn escaped_error(arguments: &[OsString]) -> Option<clap::Error> {
    super::Cli::try_parse_from(arguments.iter().map(|argument| escaped(&argument.to_string_lossy()))).err()
}

/// Searches the arguments for `--color`, and sets the use of colour. This is necessary for errors in the arguments,
/// because clap reports them before it returns the value of `--color`.
pub fn set_color_of_errors() {
    let arguments = arguments();
    let has = |when: &str| {
        arguments.iter().any(|argument| *argument == *format!("--color={when}"))
            || arguments.windows(2).any(|pair| pair[0] == "--color" && pair[1] == when)
    };
    if has("never") {
        anstream::ColorChoice::Never.write_global();
    } else if has("always") {
        anstream::ColorChoice::Always.write_global();
    }
}

/// Returns the arguments of the program. Adjusts them if the command is `help`, because `help` does not accept `--help`
/// or `-h`.
pub fn arguments() -> Vec<OsString> {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.get(1).is_some_and(|command| command == "help") {
        if arguments.iter().any(|argument| argument == "-h") {
            arguments.remove(1); // `pgq help parse -h` is the same as `pgq parse -h`
        }
        arguments.retain(|argument| argument != "--help");
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::escaped_error;

    #[test]
    fn a_message_has_no_control_characters_of_arguments() {
        for arguments in [
            &["pgq", "check", "--\x1b]0;title\x07a.sql"][..],
            &["pgq", "\x1b[2J"],
            &["pgq", "check", "--encoding", "\u{202e}"],
            &["pgq", "export", "--columns", "\x1b[2J"],
        ] {
            let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
            let message = escaped_error(&arguments).unwrap().render().ansi().to_string();
            let plain = anstream::adapter::strip_str(&message).to_string();
            assert!(plain.contains("\\u001b") || plain.contains("\\u202e"), "{plain}");
            assert!(!message.contains(['\x07', '\u{202e}']) && !message.contains("\x1b[2J"), "{plain}");
        }
    }
}
