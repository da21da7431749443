//! What an option is called here that other tools call otherwise.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options of other tools, and what to use instead.
const HINTS: [(&[&str], &str); 17] = [
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
    (&["--verbose"], "--stats prints counts of what was read, processed and skipped"),
    (&["--tail"], "--follow goes on reading as a log grows"),
    (&["--watch", "--interval", "--live"], "digest --every 10s reports again and again"),
    (&["--order", "--order-by", "--sort-by"], "digest --sort chooses the order of the queries"),
];

/// Adds a tip to the error of an option that is not known here, but elsewhere.
pub fn with_hint(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    let name = argument.split('=').next().unwrap_or(argument);
    let hint = HINTS.iter().find(|(names, _)| names.contains(&name)).map(|(_, hint)| *hint);
    if let Some(hint) = hint {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}
