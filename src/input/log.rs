//! What is particular to logs among the inputs: options that need one, and what an input is.

use std::io;

use anyhow::{Result, bail};
use pgq_log::{LogKind, LogReaderConfig, RecordSelection, detect_format};

use super::{BeforeWait, Reader};
use crate::cli::{From, InputArgs, LogArgs};

/// Bytes that the format and the prefix are detected from, where there are so many.
const SAMPLE: usize = 32 * 1024;

/// Checks that the options of the command line go together.
///
/// # Errors
/// Options for logs with an input that is not a log, and `--follow` with what cannot grow.
pub fn check(args: &InputArgs) -> Result<()> {
    let log = &args.log;
    if !matches!(args.form(), From::Sql | From::Lines | From::Null) {
        if log.follow && (args.files.len() != 1 || args.files[0].as_os_str() == "-") {
            bail!("--follow needs exactly one FILE");
        }
        return Ok(());
    }
    match log.given() {
        Some(option) => bail!("{option} is for logs: add --from stderr, csvlog, jsonlog or auto"),
        None => Ok(()),
    }
}

/// Detects the format of an input (`--from auto`).
///
/// # Errors
/// A failed read, and SQL where options ask for a log.
pub fn detect(name: &str, reader: &mut Reader, args: &LogArgs, before_wait: BeforeWait<'_>) -> io::Result<From> {
    sample(reader, before_wait)?;
    match (detect_format(name, reader.bytes()), args.given()) {
        (None, Some(option)) => Err(io::Error::other(format!("looks like SQL, and {option} is for logs"))),
        (None, None) => Ok(From::Sql),
        (Some(LogKind::Stderr), _) => Ok(From::Stderr),
        (Some(LogKind::Csvlog), _) => Ok(From::Csvlog),
        (Some(LogKind::Jsonlog), _) => Ok(From::Jsonlog),
    }
}

/// How a log is read, and a notice of what was detected.
///
/// # Errors
/// A failed read.
pub fn configure(
    form: From,
    selection: RecordSelection,
    reader: &mut Reader,
    args: &LogArgs,
    before_wait: BeforeWait<'_>,
) -> io::Result<(LogReaderConfig, Option<String>)> {
    let kind = match form {
        From::Csvlog => LogKind::Csvlog,
        From::Jsonlog => LogKind::Jsonlog,
        _ => LogKind::Stderr,
    };
    if kind == LogKind::Stderr {
        sample(reader, before_wait)?;
    }
    Ok(LogReaderConfig::new(kind, selection, args.log_line_prefix.as_deref(), reader.bytes()))
}

/// Reads until there is a line to look at. A pipe that rests is not waited for.
fn sample(reader: &mut Reader, before_wait: BeforeWait<'_>) -> io::Result<()> {
    while !reader.is_complete() && memchr::memchr(b'\n', reader.bytes()).is_none() && reader.bytes().len() < SAMPLE {
        reader.fill(before_wait)?;
    }
    Ok(())
}
