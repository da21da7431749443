//! A replayed session: its queued statements and the statement in progress.

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use pgq_postgres::{
    BindTemplate, Canceller, Connection, CopyDirection, Error, Formats, ServerError, ServerEvent, TransactionStatus,
};
use xxhash_rust::xxh3::xxh3_64;

use super::transactions::{Action, Transactions};
use super::types::{GuessedTypes, wants_types};
use crate::cmd::replay::command::Command;
use crate::cmd::replay::step::{Protocol, Skip, Step};

/// SQLSTATE of a write in a read-only transaction.
const READ_ONLY: &str = "25006";

/// State of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    /// Has no connection, because the limit is reached.
    Waiting,
    /// Its connection is being opened.
    Opening,
    /// Ready for its next statement.
    Idle,
    /// Executing a statement.
    Busy,
    /// Executes no more statements: connecting failed, or an error ended the session.
    GivenUp,
}

/// What the server executes for a busy session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    /// The start of pgq's transaction.
    Begin,
    /// The statement.
    #[default]
    Execute,
    /// pgq's ROLLBACK.
    RollBack,
}

/// Result of sending the next statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    Statement,
    /// pgq does the statement's work itself.
    Replaced,
}

/// A statement in progress.
struct Current {
    step: Step,
    sent: Instant,
    failed: Option<Box<ServerError>>,
    /// Whether it was sent again with parameter types.
    again: bool,
    /// Whether it requested COPY data.
    wants_data: bool,
    /// Whether its cancellation was requested.
    cancelled: bool,
}

/// A statement that was executed.
pub struct Executed {
    pub step: Step,
    pub sent: Instant,
    pub failed: Option<Box<ServerError>>,
    /// Whether the session is in a failed transaction of the log.
    pub transaction_failed: bool,
    /// Why it is not counted as executed.
    pub skip: Option<Skip>,
    /// Whether the server refused it because it writes.
    pub is_write: bool,
}

/// A replayed session.
#[derive(Default)]
pub struct Session {
    pub state: State,
    pub queue: VecDeque<Step>,
    /// Whether the queue has received the session's last statement.
    pub has_all: bool,
    pub connection: Option<Connection>,
    /// Whether the loop watches the connection for writability.
    pub watches_writing: bool,
    /// Whether a connection was lost before.
    pub was_reopened: bool,
    /// Whether a failed statement ended the session, because of `--on-error`.
    pub ended_by_error: bool,
    /// Keyed by name: the hash of the prepared statement's SQL.
    prepared: HashMap<String, u64>,
    current: Option<Current>,
    /// Present only without `--writes`.
    transactions: Option<Transactions>,
    phase: Phase,
    /// A cancel request is in progress. Nothing is sent until it is done, because it might cancel the next statement.
    cancelling: bool,
    /// A ROLLBACK waits for the cancel request.
    ends_later: bool,
}

impl Session {
    /// Creates a session. `reads` is true without `--writes`.
    pub fn new(reads: bool) -> Self {
        Self { transactions: reads.then(Transactions::default), ..Self::default() }
    }

    /// Takes a new connection, which has no prepared statements.
    pub fn connect(&mut self, connection: Connection) {
        self.connection = Some(connection);
        self.watches_writing = false;
        self.prepared.clear();
        self.state = State::Idle;
        if let Some(connection) = &mut self.connection {
            // An empty COPY does not abort the transaction, which succeeded in the log.
            connection.session().send_empty_copies();
        }
    }

    /// Drops the connection. Returns the statement in progress.
    pub fn disconnect(&mut self) -> Option<Step> {
        self.connection = None;
        (self.cancelling, self.ends_later) = (false, false);
        self.transactions.iter_mut().for_each(Transactions::ended);
        self.current.take().map(|current| current.step)
    }

    /// Whether the session may hold locks until it gets its next statement.
    pub fn holds_up_others(&mut self) -> bool {
        let is_idle = self.state == State::Idle && self.queue.is_empty() && !self.has_all;
        is_idle && self.connection.as_mut().is_some_and(|open| open.session().status() != TransactionStatus::Idle)
    }

    /// Returns when the statement in progress was sent.
    pub fn busy_since(&self) -> Option<Instant> {
        self.current.as_ref().map(|current| current.sent)
    }

    /// Returns a canceller for the statement in progress, but only once.
    pub fn cancel(&mut self) -> Option<Canceller> {
        let current = self.current.as_mut().filter(|_| self.phase == Phase::Execute)?;
        if std::mem::replace(&mut current.cancelled, true) {
            return None;
        }
        self.cancelling = true;
        self.connection.as_ref().map(Connection::canceller)
    }

    /// Continues after the cancel request is done.
    pub fn is_cancelled(&mut self) -> Result<(), Error> {
        if !std::mem::take(&mut self.cancelling) || self.current.is_some() {
            return Ok(());
        }
        if std::mem::take(&mut self.ends_later) {
            return self.end_transaction();
        }
        self.state = State::Idle;
        Ok(())
    }

    /// Sends the next statement, or the command that replaces it.
    pub fn send_next(&mut self, types: &GuessedTypes) -> Result<Sent, Error> {
        let Some(step) = self.queue.pop_front() else { return Ok(Sent::Replaced) };
        if let Some(transactions) = &mut self.transactions {
            let command = Command::of(&step.sql);
            if command == Command::Discard {
                self.prepared.clear();
            }
            match transactions.follow(&command) {
                Action::Send => {}
                Action::End => return self.end_transaction().map(|()| Sent::Replaced),
                Action::Nothing => return Ok(Sent::Replaced),
            }
        }
        let sent = Instant::now();
        let current = Current { step, sent, failed: None, again: false, wants_data: false, cancelled: false };
        self.send(current, types)?;
        Ok(Sent::Statement)
    }

    fn send(&mut self, mut current: Current, types: &GuessedTypes) -> Result<(), Error> {
        self.state = State::Busy;
        self.phase = Phase::Execute;
        let connection = self.connection.as_mut().expect("a session that sends has a connection");
        let session = connection.session();
        let step = &current.step;
        match (&mut self.transactions, step.protocol) {
            (Some(transactions), _) if !transactions.is_open() => {
                transactions.begin(session)?;
                self.phase = Phase::Begin;
            }
            (None, Protocol::Simple) => _ = session.query(&step.sql)?,
            // The extended protocol accepts only one statement.
            _ => {
                let text = xxh3_64(step.sql.as_bytes());
                let known = self.prepared.get(&step.statement) == Some(&text) && !current.again;
                if step.statement.is_empty() || !known {
                    // Closing a missing statement is no error.
                    if !step.statement.is_empty() {
                        session.close_statement(&step.statement)?;
                    }
                    session.parse(&step.statement, &step.sql, types.of(text))?;
                    // If preparing fails, `finish` removes the entry.
                    self.prepared.insert(step.statement.clone(), text);
                }
                let template =
                    BindTemplate::new("", &step.statement, step.params.len(), &Formats::Text, &Formats::Text, 0)?;
                session.execute(&template, |row| {
                    step.params.iter().for_each(|param| row.push(param.as_deref().map(str::as_bytes)));
                    Ok(())
                })?;
                session.sync();
            }
        }
        current.sent = Instant::now();
        self.current = Some(current);
        connection.flush();
        Ok(())
    }

    /// Ends a transaction with ROLLBACK.
    pub fn end_transaction(&mut self) -> Result<(), Error> {
        self.state = State::Busy;
        self.ends_later = self.cancelling;
        if !self.cancelling {
            self.phase = Phase::RollBack;
            let connection = self.connection.as_mut().expect("a session in a transaction has a connection");
            connection.session().query("ROLLBACK")?;
            connection.flush();
        }
        Ok(())
    }

    /// Processes answers. Returns the statement that ended. After that the session is idle or ends its transaction.
    pub fn receive(&mut self, types: &mut GuessedTypes) -> Result<Option<Executed>, Error> {
        loop {
            let Some(connection) = &mut self.connection else { return Ok(None) };
            let mut ready = None;
            while let Some(answer) = connection.session().next_answer()? {
                match (answer.event, &mut self.current) {
                    (ServerEvent::Failed(error), Some(current)) => _ = current.failed.get_or_insert(error),
                    (ServerEvent::Copy(CopyDirection::FromStdin), Some(current)) => current.wants_data = true,
                    (ServerEvent::Ready(status), _) => ready = Some(status),
                    _ => {}
                }
            }
            if let Some(status) = ready.filter(|_| connection.session().outstanding() == 0) {
                if let Some(executed) = self.ready(status, types)? {
                    return Ok(Some(executed));
                }
                continue;
            }
            let Some(connection) = &mut self.connection else { return Ok(None) };
            if connection.transfer()?.read == 0 {
                return Ok(None);
            }
        }
    }

    /// Continues with the next phase when the server is ready.
    fn ready(&mut self, status: TransactionStatus, types: &mut GuessedTypes) -> Result<Option<Executed>, Error> {
        match self.phase {
            Phase::Execute => return self.finish(status, types),
            Phase::Begin => {
                let Some(current) = self.current.take() else { return Ok(None) };
                match current.failed {
                    Some(error) => return Err(self.fail(format!("a read-only transaction cannot begin: {error}"))),
                    None if status != TransactionStatus::InTransaction => return Err(self.left()),
                    None => self.send(current, types)?,
                }
            }
            Phase::RollBack => {
                if status != TransactionStatus::Idle {
                    return Err(self.left());
                }
                self.state = State::Idle;
                self.transactions.iter_mut().for_each(Transactions::ended);
                // Sends the statement again with guessed types.
                if let Some(current) = self.current.take() {
                    self.send(current, types)?;
                }
            }
        }
        Ok(None)
    }

    /// Finishes a statement. Returns `None` if it is sent again.
    fn finish(&mut self, status: TransactionStatus, types: &mut GuessedTypes) -> Result<Option<Executed>, Error> {
        let Some(mut current) = self.current.take() else { return Ok(None) };
        let expected =
            if current.failed.is_some() { TransactionStatus::Failed } else { TransactionStatus::InTransaction };
        if self.transactions.is_some() && status != expected {
            return Err(self.left());
        }
        self.state = if self.cancelling { State::Busy } else { State::Idle };
        if let Some(error) = &current.failed {
            self.prepared.remove(&current.step.statement);
            let again = current.step.protocol == Protocol::Extended && wants_types(&error.code) && !current.again;
            if again {
                types.guess(xxh3_64(current.step.sql.as_bytes()), &current.step.params);
            }
            let own = self.transactions.as_ref().is_some_and(|own| !own.in_block() || current.step.error.is_none());
            // Inside a transaction of the log, the error has aborted the transaction. The guessed types help only the
            // next time.
            if again && !self.cancelling && (own || status != TransactionStatus::Failed) {
                (current.failed, current.again) = (None, true);
                if own {
                    self.current = Some(current);
                    self.end_transaction()?;
                } else {
                    self.send(current, types)?;
                }
                return Ok(None);
            }
        }
        let Current { step, sent, failed, wants_data, .. } = current;
        if forgets_prepared(&step.sql) {
            self.prepared.clear();
        }
        let code = failed.as_ref().map(|error| error.code.as_str());
        let is_write =
            self.transactions.is_some() && code == Some(READ_ONLY) && step.error.as_deref() != Some(READ_ONLY);
        let mut transaction_failed = status == TransactionStatus::Failed;
        if let Some(transactions) = &mut self.transactions {
            // pgq sends UTF-8, but the statement may have changed the client encoding.
            let connection = self.connection.as_mut().expect("it has just answered");
            let is_utf8 = connection.session().parameter("client_encoding") == Some("UTF8");
            if let (Command::Set(variable), true) = (Command::of(&step.sql), failed.is_none() && is_utf8) {
                transactions.remember(variable, &step.sql);
            }
            // An error that the log does not have must not abort the rest of its block.
            if !transactions.in_block() || !is_utf8 || (failed.is_some() && step.error.is_none()) {
                transaction_failed = false;
                self.end_transaction()?;
            }
        }
        let skip = wants_data.then_some(Skip::CopyData);
        Ok(Some(Executed { step, sent, failed, transaction_failed, skip, is_write }))
    }

    /// Ends a session whose statement left the read-only transaction. This must be impossible.
    fn left(&mut self) -> Error {
        self.fail("a statement has left pgq's read-only transaction: its session was ended".into())
    }

    fn fail(&mut self, why: String) -> Error {
        // Prevents reopening the connection.
        self.was_reopened = true;
        Error::Source(why.into())
    }
}

/// Whether SQL may deallocate prepared statements. A false positive only prepares them again.
fn forgets_prepared(sql: &str) -> bool {
    let mut parts = sql.split(';').map(|part| part.trim_start().as_bytes());
    parts.any(|part| {
        ["deallocate", "discard"]
            .iter()
            .any(|verb| part.get(..verb.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(verb.as_bytes())))
    })
}
