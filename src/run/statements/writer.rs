//! Writes results and errors of statements. The output is JSON records, or text that the command's handler returns.

use std::borrow::Cow;

use pgq::secrets::anonymize_message;
use pgq::{Error, Warning};
use pgq_log::{Entry, FilePosition};

use super::answers::Answers;
use super::errors::warning_offset;
use super::handler::Statement;
use super::options::OutputOptions;
use crate::run::input::{Data, StatementBatch};
use crate::run::report::{JsonRecord, Location, indent};

/// Maximum initial capacity of an output. Without a limit, a huge output would make the next output reserve as much
/// memory.
const MOST_ROOM: usize = 1 << 20;

/// Writes the output of a chunk.
pub struct ResultWriter {
    options: OutputOptions,
    key: &'static str,
    out: Vec<u8>,
    answers: Option<Answers>,
}

impl ResultWriter {
    /// Creates a writer. `key` is the key of results in JSON records, or the name of the result
    /// column in tables.
    pub fn new(options: OutputOptions, key: &'static str) -> Self {
        let answers = options.answers.map(|format| Answers::new(format, key, options.keep_columns));
        Self { options, key, out: Vec::new(), answers }
    }

    /// Begins the output of a chunk.
    pub fn begin(&mut self, data: &Data) {
        if let Some(answers) = &mut self.answers {
            answers.begin(data, &mut self.out);
        }
    }

    /// Returns the log record whose fields are added to the result, and whether to mask secrets in these fields. There
    /// is no record if results are anonymized, because the fields contain names.
    fn log_fields<'b>(&self, batch: &StatementBatch<'b>) -> (Option<Entry<'b>>, bool) {
        (batch.log.filter(|_| !self.options.anonymize), self.options.masks_secrets)
    }

    /// Returns the output buffer, for text that is neither a result nor an error.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// Takes the output and starts a new one. The capacity of the new output is 1.25 times the length of the old
    /// output, but at most [`MOST_ROOM`].
    pub fn take(&mut self, data: &Data) -> Vec<u8> {
        if let Some(answers) = &mut self.answers {
            answers.end(data, &mut self.out);
        }
        let room = (self.out.len() + self.out.len() / 4).min(MOST_ROOM);
        std::mem::replace(&mut self.out, Vec::with_capacity(room))
    }

    fn record(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.options.indented {
            let mut compact = Vec::new();
            write(&mut compact);
            indent(compact.trim_ascii_end(), &mut self.out);
            self.out.push(b'\n');
        } else {
            write(&mut self.out);
        }
    }

    /// Writes the result of a statement. The statement is at byte `offset` of the batch. `statement` is `None` if it
    /// was not parsed.
    pub fn result(
        &mut self,
        key: &str,
        result: &[u8],
        batch: &StatementBatch<'_>,
        offset: usize,
        statement: Option<&Statement<'_>>,
    ) {
        if let Some(answers) = &mut self.answers {
            return answers.add(batch, offset, Ok(result), &mut self.out);
        }
        if !self.options.json {
            return self.out.extend_from_slice(result);
        }
        let location = Location::new(batch.file, batch.position(offset));
        let warnings = statement.map_or(&[][..], Statement::warnings);
        let warning_location = |warning: &Warning| {
            let replaced = statement.and_then(|statement| statement.replaced);
            let at = warning_offset(warning, replaced);
            Location::new(batch.file, batch.position(at.unwrap_or(offset)))
        };
        let (log, masks) = self.log_fields(batch);
        self.record(|out| {
            JsonRecord::begin_in(out, &location, batch.table)
                .log(log, masks)
                .field(key, |out| out.extend_from_slice(result))
                .warnings(warnings, warning_location)
                .end();
        });
    }

    /// Writes an error instead of a statement's result. `start` is the position of the statement in the file.
    /// `comments` are the statement's comments, which are written with the error.
    pub fn error(
        &mut self,
        error: &Error,
        location: &Location<'_>,
        batch: &StatementBatch<'_>,
        start: FilePosition,
        comments: &[String],
    ) {
        let mut error = Cow::Borrowed(error);
        if self.options.anonymize {
            error.to_mut().message = anonymize_message(&error.message);
        }
        if let Some(answers) = &mut self.answers {
            return answers.add(batch, 0, Err(Some(&error.message)), &mut self.out);
        }
        if !self.options.json {
            return;
        }
        let statement = Location::new(batch.file, start);
        let (log, masks) = self.log_fields(batch);
        self.record(|out| {
            let record = JsonRecord::begin_in(out, &statement, batch.table).log(log, masks).error(&error, location);
            record.comments(comments).end();
        });
    }

    /// Writes a record without a result.
    pub fn no_result(&mut self, batch: &StatementBatch<'_>) {
        if let Some(answers) = &mut self.answers {
            return answers.add(batch, 0, Err(None), &mut self.out);
        }
        if self.options.json {
            let location = Location::new(batch.file, batch.start());
            let (keeps, key, (log, masks)) = (self.options.keep_columns, self.key, self.log_fields(batch));
            self.record(|out| {
                let record = JsonRecord::begin_in(out, &location, batch.table).log(log, masks);
                // All rows of a table must have the same columns, even if a row has no SQL.
                if keeps { record.field(key, |out| out.extend_from_slice(b"null")).end() } else { record.end() }
            });
        }
    }
}
