//! PostgreSQL's logs as input: each statement that a log says was executed becomes a record,
//! with what the log knows of it.
//!
//! Lines come out of the reader's buffer (`lines`), a format puts messages together
//! (`stderr`, `syslog`, `csvlog`, `jsonlog`), and `assemble` makes records of them.

mod assemble;
mod csvlog;
mod entry;
mod filter;
mod guess;
mod jsonlog;
mod lines;
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

pub use entry::{Entry, Part};
pub use filter::kind;
pub use message::values;

use self::assemble::Assembler;
use self::filter::Filter;
use self::lines::Format;
use self::prefix::Prefix;
use super::{Flow, Reader, Sink};
use crate::cli::{From, InputArgs, LogArgs};
use crate::output::Messages;

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
pub fn detect(name: &str, reader: &mut Reader, args: &LogArgs) -> std::io::Result<From> {
    sample(reader)?;
    match (guess::form(name, reader.bytes()), args.given()) {
        (From::Sql, Some(option)) => Err(std::io::Error::other(format!("looks like SQL, and {option} is for logs"))),
        (form, _) => Ok(form),
    }
}

/// Reads until there is something to look at. A pipe that rests is not waited for.
fn sample(reader: &mut Reader) -> std::io::Result<()> {
    while !reader.is_complete() && memchr::memchr(b'\n', reader.bytes()).is_none() && reader.bytes().len() < SAMPLE {
        reader.fill()?;
    }
    Ok(())
}

/// Hands on the records of a log.
///
/// # Errors
/// What the sink returns. A read that fails is reported and ends the file.
pub fn records(
    file: &str,
    form: From,
    reader: &mut Reader,
    args: &LogArgs,
    messages: &Messages,
    sink: &mut dyn Sink,
) -> Result<Flow> {
    let mut format: Box<dyn Format> = match form {
        From::Csvlog => Box::<csvlog::CsvLog>::default(),
        From::Jsonlog => Box::<jsonlog::JsonLog>::default(),
        _ => {
            if let Err(problem) = sample(reader) {
                messages.unreadable(file, &problem);
                return Ok(Flow::Continue);
            }
            stderr_format(file, reader.bytes(), args, messages)
        }
    };
    let filter = Filter::new(args);
    let mut assembler = Assembler::new(file, sink, &filter, args.errors, args.parse_bind);
    let flow = lines::read(file, reader, messages, format.as_mut(), &mut assembler)?;
    let stats = &assembler.stats;
    if args.stats {
        messages.remark(&format!("{file}: {}", stats.summary()));
    } else if stats.unreadable + stats.cut + stats.truncated > 0 {
        messages.remark(&format!(
            "{file}: {} lines not understood, {} messages cut by another, {} truncated statements (see --stats)",
            stats.unreadable, stats.cut, stats.truncated
        ));
    }
    Ok(flow)
}

/// A log on stderr, with the prefix that was given or the one that it seems to have.
fn stderr_format(file: &str, sample: &[u8], args: &LogArgs, messages: &Messages) -> Box<dyn Format> {
    let guess = guess::guess(sample);
    let prefix = match (&args.log_line_prefix, guess.prefix) {
        (Some(given), _) => Some(given.as_str()),
        (None, Some(guessed)) => {
            let through = if guess.syslog { "a log through syslog, " } else { "" };
            messages.remark(&format!("{file}: {through}log_line_prefix taken to be '{guessed}'"));
            Some(guessed)
        }
        (None, None) => {
            messages.remark(&format!(
                "{file}: log_line_prefix not recognised, only time and process are looked for (name it with --log-line-prefix)"
            ));
            None
        }
    };
    let prefix = prefix.map(Prefix::new);
    if guess.syslog { Box::new(syslog::Syslog::new(prefix)) } else { Box::new(stderr::Stderr::new(prefix)) }
}
