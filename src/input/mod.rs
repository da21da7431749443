//! From files and standard input to statements: one stream for every command.
//!
//! A script is read piece by piece: whole statements, cut where PostgreSQL's grammar lets
//! them end, as many as fill a piece. Memory is bounded by the longest statement, not by
//! the file. Logs give a record for each statement that was executed.

mod compressed;
mod cursor;
mod documents;
mod follow;
pub mod log;
mod piece;
mod source;

use anyhow::Result;

use crate::cli::{From, InputArgs};
use crate::output::Messages;

pub use cursor::Cursor;
pub use documents::documents;
pub use piece::{Piece, Unit};
pub use source::{Reader, sources};

/// What a command does with what is read.
pub trait Sink {
    /// A file begins.
    ///
    /// # Errors
    /// A failed write, which ends the run.
    fn begin(&mut self, _file: &str) -> Result<()> {
        Ok(())
    }

    /// Some statements of the file: all there are in `piece`, none cut.
    ///
    /// # Errors
    /// A failed write, which ends the run.
    fn piece(&mut self, piece: &Piece<'_>) -> Result<Flow>;

    /// The file has ended. Not called for one of which nothing could be read.
    ///
    /// # Errors
    /// A failed write, which ends the run.
    fn end(&mut self, _file: &str) -> Result<()> {
        Ok(())
    }

    /// Everything that was read has been handled, and more may take a while to come.
    ///
    /// # Errors
    /// A failed write, which ends the run.
    fn idle(&mut self) -> Result<()>;
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Stop,
}

/// Reads every input and hands it to `sink`, piece by piece.
///
/// A file that cannot be read is reported and the others still are.
///
/// # Errors
/// What the sink returns.
pub fn for_each_piece(args: &InputArgs, messages: &Messages, sink: &mut dyn Sink) -> Result<()> {
    log::check(args)?;
    for source in source::sources(&args.files)? {
        let opened = if args.log.follow { source.follow() } else { source.open() };
        let mut reader = match opened {
            Ok(reader) => reader,
            Err(problem) => {
                messages.unreadable(source.name(), &problem);
                continue;
            }
        };
        sink.begin(source.name())?;
        let form = match args.form() {
            From::Auto => log::detect(source.name(), &mut reader, &args.log),
            form => Ok(form),
        };
        let flow = match form {
            Err(problem) => {
                messages.unreadable(source.name(), &problem);
                Flow::Continue
            }
            Ok(From::Sql) => piece::script(source.name(), &mut reader, messages, sink)?,
            Ok(From::Lines) => piece::records(source.name(), &mut reader, b'\n', messages, sink)?,
            Ok(From::Null) => piece::records(source.name(), &mut reader, 0, messages, sink)?,
            Ok(form) => log::records(source.name(), form, &mut reader, &args.log, messages, sink)?,
        };
        if reader.has_started() {
            sink.end(source.name())?;
        }
        if flow == Flow::Stop {
            break;
        }
    }
    Ok(())
}
