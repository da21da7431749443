//! A session that is run again: the statements that wait in it, and the one that is executed. Knows no time but
//! that of its statement, and no other session.

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

/// The SQLSTATE of a statement that writes in a read-only transaction.
const READ_ONLY: &str = "25006";

/// Where a session stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    /// Without a connection, because there are as many as there may be.
    Waiting,
    /// Its connection is being opened.
    Opening,
    /// Ready for its next statement.
    Idle,
    /// It executes one.
    Busy,
    /// It executes no more: its connection could not be had, or an error has ended it.
    GivenUp,
}

/// What the server does for a session that is busy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    /// It begins a transaction of pgq's.
    Begin,
    /// It executes the statement.
    #[default]
    Execute,
    /// It executes a ROLLBACK of pgq's.
    RollBack,
}

/// What came of the next statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// It was sent.
    Statement,
    /// pgq does what it is for.
    Replaced,
}

/// A statement that is executed.
struct Current {
    step: Step,
    sent: Instant,
    failed: Option<Box<ServerError>>,
    /// It is sent again, with types for its parameters.
    again: bool,
    /// It asked for data.
    wants_data: bool,
    /// Its time was over.
    cancelled: bool,
}

/// A statement that was executed.
pub struct Executed {
    pub step: Step,
    pub sent: Instant,
    pub failed: Option<Box<ServerError>>,
    /// The session is in a transaction of the log that has failed.
    pub transaction_failed: bool,
    /// Why it does not count as executed.
    pub skip: Option<Skip>,
    /// The server refused it because it writes.
    pub is_write: bool,
}

/// A session.
#[derive(Default)]
pub struct Session {
    pub state: State,
    pub queue: VecDeque<Step>,
    /// Its last statement is in the queue, or was.
    pub has_all: bool,
    pub connection: Option<Connection>,
    /// The loop is told when its connection can be written to.
    pub watches_writing: bool,
    /// It has lost a connection before.
    pub was_reopened: bool,
    /// A statement failed, and --on-error says that this is the end.
    pub ended_by_error: bool,
    /// By name, the text that is prepared.
    prepared: HashMap<String, u64>,
    current: Option<Current>,
    /// Those of a session without --writes.
    transactions: Option<Transactions>,
    phase: Phase,
    /// A cancel request is under way. Nothing more is sent until it is done, because it might hit that.
    cancelling: bool,
    /// A ROLLBACK waits for that.
    ends_later: bool,
}

impl Session {
    /// A session; `reads` without --writes.
    pub fn new(reads: bool) -> Self {
        Self { transactions: reads.then(Transactions::default), ..Self::default() }
    }

    /// Takes a new connection, on which nothing is prepared.
    pub fn connect(&mut self, connection: Connection) {
        self.connection = Some(connection);
        self.watches_writing = false;
        self.prepared.clear();
        self.state = State::Idle;
        if let Some(connection) = &mut self.connection {
            // Its transaction goes on, as it did with the data.
            connection.session().send_empty_copies();
        }
    }

    /// Loses the connection; the statement that was executed, if there was one.
    pub fn disconnect(&mut self) -> Option<Step> {
        self.connection = None;
        (self.cancelling, self.ends_later) = (false, false);
        self.transactions.iter_mut().for_each(Transactions::ended);
        self.current.take().map(|current| current.step)
    }

    /// Whether it may hold locks that others wait for, until it gets a statement.
    pub fn holds_up_others(&mut self) -> bool {
        let is_idle = self.state == State::Idle && self.queue.is_empty() && !self.has_all;
        is_idle && self.connection.as_mut().is_some_and(|open| open.session().status() != TransactionStatus::Idle)
    }

    /// Since when its statement is under way.
    pub fn busy_since(&self) -> Option<Instant> {
        self.current.as_ref().map(|current| current.sent)
    }

    /// Returns what cancels its statement, the first time.
    pub fn cancel(&mut self) -> Option<Canceller> {
        let current = self.current.as_mut().filter(|_| self.phase == Phase::Execute)?;
        if std::mem::replace(&mut current.cancelled, true) {
            return None;
        }
        self.cancelling = true;
        self.connection.as_ref().map(Connection::canceller)
    }

    /// The cancel request is done.
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

    /// Sends the next statement, or what pgq does in its place.
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
            // It takes one statement, and none after it.
            _ => {
                let text = xxh3_64(step.sql.as_bytes());
                let known = self.prepared.get(&step.statement) == Some(&text) && !current.again;
                if step.statement.is_empty() || !known {
                    // No error if there is none of this name.
                    if !step.statement.is_empty() {
                        session.close_statement(&step.statement)?;
                    }
                    session.parse(&step.statement, &step.sql, types.of(text))?;
                    // What fails to be prepared is not; the server's answer says so.
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

    /// Ends a transaction, by a ROLLBACK.
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

    /// Takes what has come, and returns the statement that has ended. The session is idle then, or ends its
    /// transaction.
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

    /// The server is ready: the session goes on with what is next.
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
                // It needed types, and has them now.
                if let Some(current) = self.current.take() {
                    self.send(current, types)?;
                }
            }
        }
        Ok(None)
    }

    /// The statement has ended; `None` if it is sent again.
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
            // In a transaction of the log, the error has ended it: the next time is better.
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
            // pgq sends UTF-8, whatever a statement has made the server expect.
            let connection = self.connection.as_mut().expect("it has just answered");
            let is_utf8 = connection.session().parameter("client_encoding") == Some("UTF8");
            if let (Command::Set(variable), true) = (Command::of(&step.sql), failed.is_none() && is_utf8) {
                transactions.remember(variable, &step.sql);
            }
            // An error that the log does not have must not make the rest of its block fail.
            if !transactions.in_block() || !is_utf8 || (failed.is_some() && step.error.is_none()) {
                transaction_failed = false;
                self.end_transaction()?;
            }
        }
        let skip = wants_data.then_some(Skip::CopyData);
        Ok(Some(Executed { step, sent, failed, transaction_failed, skip, is_write }))
    }

    /// A statement did what none must be able to: nothing more of the session is sent.
    fn left(&mut self) -> Error {
        self.fail("a statement has left pgq's read-only transaction: its session was ended".into())
    }

    fn fail(&mut self, why: String) -> Error {
        // A connection is opened again once; not this one.
        self.was_reopened = true;
        Error::Source(why.into())
    }
}

/// Whether a text may take prepared statements away: they are prepared again then, which does no harm.
fn forgets_prepared(sql: &str) -> bool {
    let mut parts = sql.split(';').map(|part| part.trim_start().as_bytes());
    parts.any(|part| {
        ["deallocate", "discard"]
            .iter()
            .any(|verb| part.get(..verb.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(verb.as_bytes())))
    })
}
