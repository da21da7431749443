//! PostgreSQL's logs as input: each statement that a log says was executed becomes a record,
//! with what the log knows of it.
//!
//! A log is cut into chunks of whole messages (`chunks`), any thread takes one apart by its
//! format (`batch`, and `stderr`, `syslog`, `csvlog`, `jsonlog`), and in the log's order
//! `assemble` makes records of the messages.

mod assemble;
mod batch;
mod chunks;
mod csvlog;
mod entry;
mod filter;
mod guess;
mod jsonlog;
mod message;
mod prefix;
mod severity;
mod stats;
mod stderr;
mod syslog;
#[cfg(test)]
mod testing;
pub mod time;

use anyhow::{Result, bail};

pub use assemble::{Assembler, Records};
pub use batch::{Batch, Format, LogChunk, Wanted};
pub use chunks::{Chunks, Then};
pub use entry::{Entry, Part};
pub use filter::{Filter, Verdict, kind};
pub use message::values;
pub use stats::Stats;

use self::prefix::Prefix;
use super::{BeforeWait, Reader};
use crate::cli::{From, InputArgs, LogArgs};

/// Bytes that a guess is made from, where there are so many.
const SAMPLE: usize = 32 * 1024;

/// Says what of the command line does not go together.
///
/// # Errors
/// Options for logs with an input that is none, and `--follow` with what cannot grow.
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

/// What an input is, where `--from auto` leaves it open.
///
/// # Errors
/// A failed read, and SQL where options ask for a log.
pub fn detect(name: &str, reader: &mut Reader, args: &LogArgs, before_wait: BeforeWait<'_>) -> std::io::Result<From> {
    sample(reader, before_wait)?;
    match (guess::form(name, reader.bytes()), args.given()) {
        (From::Sql, Some(option)) => Err(std::io::Error::other(format!("looks like SQL, and {option} is for logs"))),
        (form, _) => Ok(form),
    }
}

/// Reads until there is something to look at. A pipe that rests is not waited for.
fn sample(reader: &mut Reader, before_wait: BeforeWait<'_>) -> std::io::Result<()> {
    while !reader.is_complete() && memchr::memchr(b'\n', reader.bytes()).is_none() && reader.bytes().len() < SAMPLE {
        reader.fill(before_wait)?;
    }
    Ok(())
}

/// How one log is read: enough for any thread to take a chunk of it apart.
#[derive(Debug, Clone)]
pub struct Setup {
    pub wanted: Wanted,
    written: Written,
}

/// How a log is written.
#[derive(Debug, Clone)]
enum Written {
    Stderr(Option<Prefix>),
    Syslog(Option<Prefix>),
    Csvlog,
    Jsonlog,
}

impl Setup {
    /// Looks at the start of a log. The text, if any, is worth telling: what was guessed.
    ///
    /// # Errors
    /// A failed read.
    pub fn new(
        form: From,
        wanted: Wanted,
        reader: &mut Reader,
        args: &LogArgs,
        before_wait: BeforeWait<'_>,
    ) -> std::io::Result<(Self, Option<String>)> {
        let (written, remark) = match form {
            From::Csvlog => (Written::Csvlog, None),
            From::Jsonlog => (Written::Jsonlog, None),
            _ => {
                sample(reader, before_wait)?;
                stderr_or_syslog(reader.bytes(), args)
            }
        };
        Ok((Self { wanted, written }, remark))
    }

    /// A reader of the log's lines, at its start.
    pub fn format(&self) -> Box<dyn Format> {
        match &self.written {
            Written::Stderr(prefix) => Box::new(stderr::Stderr::new(prefix.clone())),
            Written::Syslog(prefix) => Box::new(syslog::Syslog::new(prefix.clone())),
            Written::Csvlog => Box::<csvlog::CsvLog>::default(),
            Written::Jsonlog => Box::new(jsonlog::JsonLog),
        }
    }

    /// Whether chunks must be read in their order.
    pub fn is_serial(&self) -> bool {
        matches!(self.written, Written::Syslog(_))
    }
}

/// A log on stderr, with the prefix that was given or the one that it seems to have.
fn stderr_or_syslog(sample: &[u8], args: &LogArgs) -> (Written, Option<String>) {
    let guess = guess::guess(sample);
    let (prefix, remark) = match (&args.log_line_prefix, guess.prefix) {
        (Some(given), _) => (Some(given.as_str()), None),
        (None, Some(guessed)) => {
            let through = if guess.syslog { "a log through syslog, " } else { "" };
            (Some(guessed), Some(format!("{through}log_line_prefix taken to be '{guessed}'")))
        }
        (None, None) => (
            None,
            Some(
                "log_line_prefix not recognised, only time and process are looked for (name it with --log-line-prefix)"
                    .into(),
            ),
        ),
    };
    let prefix = prefix.map(Prefix::new);
    (if guess.syslog { Written::Syslog(prefix) } else { Written::Stderr(prefix) }, remark)
}
