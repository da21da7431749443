//! Executes a prepared statement once for each row of parameters. Passes the answers to a receiver.

use std::ops::ControlFlow;
use std::time::Duration;

use pgq_frames::postgres::{Execute, parameters};
use pgq_frames::{ErrorCode, Fault};
use pgq_postgres::{BatchAnswer, BatchError, BatchOptions, Error, Formats, SyncEvery};

use super::fault::server_fault;
use super::items::{ItemWriter, Sink};
use super::sessions::PreparedStatement;
use super::{JsonRows, fault};

/// Receives one answer for each row of parameters, in order.
pub trait Execution {
    fn answer(&mut self, answer: &BatchAnswer<'_>);
    fn failed(&mut self, fault: &Fault);
    fn not_run(&mut self, count: u64);
    /// Replaces the answer to the last row by an error.
    fn commit_failed(&mut self, fault: &Fault);
    /// Number of rows that have been answered.
    fn rows(&self) -> u64;
    /// Whether the receiver has stopped accepting answers.
    fn is_gone(&self) -> bool;
}

impl<S: Sink> Execution for ItemWriter<S> {
    fn answer(&mut self, answer: &BatchAnswer<'_>) {
        match answer {
            BatchAnswer::Row { data, .. } => self.row(data.as_bytes()),
            BatchAnswer::Ran { tag, .. } => self.ran(tag),
            BatchAnswer::Failed { error, .. } => ItemWriter::failed(self, &server_fault(error, None)),
            BatchAnswer::Skipped { rows } => ItemWriter::not_run(self, rows.end - rows.start),
            BatchAnswer::RolledBack { error: Some(error), .. } => self.commit_failed(&server_fault(error, None)),
            BatchAnswer::Synced { .. } => self.synced(),
            BatchAnswer::Notice { row, notice } => self.notice(*row, notice),
            _ => {}
        }
    }

    fn failed(&mut self, fault: &Fault) {
        ItemWriter::failed(self, fault);
    }

    fn not_run(&mut self, count: u64) {
        ItemWriter::not_run(self, count);
    }

    fn commit_failed(&mut self, fault: &Fault) {
        ItemWriter::commit_failed(self, fault);
    }

    fn rows(&self) -> u64 {
        ItemWriter::rows(self)
    }

    fn is_gone(&self) -> bool {
        ItemWriter::is_gone(self)
    }
}

impl Execution for JsonRows {
    fn answer(&mut self, answer: &BatchAnswer<'_>) {
        JsonRows::answer(self, answer);
    }

    fn failed(&mut self, fault: &Fault) {
        JsonRows::failed(self, fault);
    }

    fn not_run(&mut self, count: u64) {
        JsonRows::not_run(self, count);
    }

    fn commit_failed(&mut self, fault: &Fault) {
        JsonRows::commit_failed(self, fault);
    }

    fn rows(&self) -> u64 {
        JsonRows::rows(self)
    }

    fn is_gone(&self) -> bool {
        false
    }
}

/// Checks all rows before the first row is sent. If one row is wrong, the whole batch is refused.
///
/// # Errors
/// A row has the wrong number of parameters, or its lengths are inconsistent.
pub fn check_rows(execute: &Execute<'_>, statement: &PreparedStatement) -> Result<(), Fault> {
    let expected = statement.statement.parameter_types().len();
    for (index, row) in execute.rows.clone().enumerate() {
        let mut found = 0;
        for value in parameters(row) {
            value.map_err(|error| bad_parameters(format!("row {index}: {error}")))?;
            found += 1;
        }
        if found != expected {
            let message = format!("row {index} has {found} parameters, and the statement {expected}");
            return Err(bad_parameters(message));
        }
    }
    Ok(())
}

fn bad_parameters(message: String) -> Fault {
    Fault::new(ErrorCode::BadParameters, message)
}

/// Executes the rows. Every row gets an answer, even if the session ends.
///
/// # Errors
/// Returns an error only if no row was executed. For example, the session had already ended, or the format codes are
/// invalid.
pub fn execute(
    execute: &Execute<'_>,
    prepared: &PreparedStatement,
    receiver: &mut impl Execution,
) -> Result<(), Fault> {
    let mut session = prepared.session.borrow_mut();
    let timeout = u64::from(execute.timeout);
    let timeout = (timeout > 0).then(|| Duration::from_millis(timeout));
    let options = BatchOptions {
        sync: match (execute.sync_bytes, execute.sync_rows) {
            (0, 0) => SyncEvery::default(),
            (0, _) => SyncEvery::End, // `sync_after` requests each Sync
            (bytes, _) => SyncEvery::Bytes(bytes as usize),
        },
        parameter_formats: formats(&execute.parameter_formats),
        result_formats: formats(&execute.column_formats),
    };
    let total = execute.rows.len() as u64;
    let (mut rows, mut since_sync) = (execute.rows.clone(), 0);
    let source = |out: &mut pgq_postgres::Parameters<'_>| {
        let Some(row) = rows.next() else { return Ok(false) };
        for value in parameters(row) {
            // `check_rows` has already checked all rows.
            out.push(value.map_err(|error| Error::Source(Box::new(error)))?);
        }
        since_sync += 1;
        if execute.sync_rows > 0 && since_sync >= execute.sync_rows {
            out.sync_after();
            since_sync = 0;
        }
        Ok(true)
    };
    // Whether the most recently answered row was executed without an error.
    let mut has_succeeded = false;
    let take = |answer: BatchAnswer<'_>| {
        match answer {
            BatchAnswer::Ran { .. } => has_succeeded = true,
            BatchAnswer::Failed { .. } => has_succeeded = false,
            _ => {}
        }
        receiver.answer(&answer);
        if receiver.is_gone() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let ended = session.watched(|client| {
        client.set_answer_timeout(timeout);
        let ended = client.execute(&prepared.statement, &options, source, take);
        client.set_answer_timeout(None);
        ended
    })?;
    if let Err(BatchError { error, summary }) = ended {
        let why = fault(&error, None);
        let nothing_sent = error.ends_connection() && summary.unknown.is_empty();
        if receiver.rows() == 0 && (nothing_sent || !error.ends_connection()) {
            return Err(why);
        }
        // In two cases, the error replaces the answer to the last row of parameters, although the server has already
        // answered this row:
        // - The session ended before the server answered the Sync message of the transaction. It is unknown whether the
        //   transaction was committed.
        // - The client encoding changed. The server reports this change only after the rows of the result, so the last
        //   of them may be in the new encoding, which is not UTF-8.
        let replaces = has_succeeded || matches!(error, Error::ClientEncoding(_));
        if replaces && !summary.unknown.is_empty() && receiver.rows() == summary.unknown.end {
            receiver.commit_failed(&why);
        }
        // Rows that were sent but not answered have an unknown result. Each of them gets the error that ended the
        // execution. Later rows were not run.
        while receiver.rows() < summary.unknown.end {
            receiver.failed(&why);
        }
        if receiver.rows() < total && !error.ends_connection() {
            receiver.failed(&why);
        }
    }
    if !receiver.is_gone() {
        receiver.not_run(total - receiver.rows());
    }
    Ok(())
}

/// Converts format codes: no code, one code for all values, or one code per value.
fn formats(codes: &[u16]) -> Formats {
    match codes {
        [] | [0] => Formats::Text,
        [1] => Formats::Binary,
        each => Formats::Each(each.iter().map(|code| *code == 1).collect()),
    }
}
