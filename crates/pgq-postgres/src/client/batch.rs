//! Executes a prepared statement for a batch of parameter rows.

use std::ops::ControlFlow;

use super::batch_answer::{BatchAnswer, BatchSummary, SyncEvery};
use super::batch_state::BatchState;
use super::{Client, Silence, Statement};
use crate::error::Error;
use crate::protocol::{BindTemplate, Formats, Parameters, ServerEvent};

/// Number of unsent bytes at which the client stops requesting rows from the source. It requests the next row when
/// fewer bytes are unsent.
const OUTPUT: usize = 64 << 10;

/// Options of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BatchOptions {
    /// When to send a Sync.
    pub sync: SyncEvery,
    /// Formats of parameters.
    pub parameter_formats: Formats,
    /// Formats of result columns.
    pub result_formats: Formats,
}

/// An error that ended a batch before all rows were sent.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct BatchError {
    /// The cause.
    #[source]
    pub error: Error,
    /// The known outcome of the rows.
    pub summary: Box<BatchSummary>,
}

impl Client {
    /// Executes `statement` once for each row that `source` pushes, until `source` returns false. Passes each answer to
    /// `take` as it arrives. While `take` runs, the client reads nothing from the server, so that answers do not
    /// accumulate in memory. After `take` has returned [`ControlFlow::Break`], requests no more rows and drops the
    /// remaining answers.
    ///
    /// If a row fails, `take` receives the failure as an answer, and this is not an error of `execute`. If `source`
    /// fails, or a row has the wrong number of parameters, the rows before it are completed, and `execute` then returns
    /// the error. If the connection fails, `execute` returns the error at once. The client remains usable unless
    /// [`Error::ends_connection`] is true.
    pub fn execute(
        &mut self,
        statement: &Statement,
        options: &BatchOptions,
        mut source: impl FnMut(&mut Parameters<'_>) -> Result<bool, Error>,
        mut take: impl FnMut(BatchAnswer<'_>) -> ControlFlow<()>,
    ) -> Result<BatchSummary, BatchError> {
        let mut state = BatchState::new(options.sync, self.connection.session().status());
        match self.execute_rows(statement, options, &mut source, &mut take, &mut state) {
            Ok(()) => Ok(state.summary),
            Err(error) => {
                state.end_early(self.connection.session().bytes_sent());
                Err(BatchError { error, summary: Box::new(state.summary) })
            }
        }
    }

    fn execute_rows(
        &mut self,
        statement: &Statement,
        options: &BatchOptions,
        source: &mut dyn FnMut(&mut Parameters<'_>) -> Result<bool, Error>,
        take: &mut dyn FnMut(BatchAnswer<'_>) -> ControlFlow<()>,
        state: &mut BatchState,
    ) -> Result<(), Error> {
        self.check_usable()?;
        let parameters = statement.parameter_types.len();
        let (own, results) = (&options.parameter_formats, &options.result_formats);
        let template = BindTemplate::new("", &statement.name, parameters, own, results, 0)?;
        let mut silence = Silence::default();
        let mut source_error = None;
        let mut has_rows = true;
        loop {
            loop {
                let answer = self.connection.session().next_answer();
                let Some(answer) = answer.inspect_err(|_| self.broken = true)? else { break };
                match answer.event {
                    ServerEvent::Copy(direction) => {
                        source_error = Some(Error::Copy(direction));
                        has_rows = false;
                    }
                    ServerEvent::Notice(_) if !state.is_under_way() => {}
                    event => has_rows &= state.take(event, take).is_continue(),
                }
            }
            let session = self.connection.session();
            while has_rows && session.output().len() < OUTPUT {
                let before = session.bytes_written();
                match session.execute_if(&template, &mut *source) {
                    Ok(Some(sync)) if state.add_row(before, session.bytes_written(), sync) => {
                        session.sync();
                    }
                    Ok(Some(_)) => {}
                    Ok(None) => has_rows = false,
                    Err(error) => {
                        source_error = Some(error);
                        has_rows = false;
                    }
                }
            }
            if !has_rows && state.close_group() {
                session.sync();
            }
            if !has_rows && session.outstanding() == 0 {
                return source_error.map_or(Ok(()), Err);
            }
            self.move_bytes(&mut silence)?;
        }
    }
}
