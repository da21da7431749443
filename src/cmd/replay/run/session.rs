//! A session that is run again: the statements that wait in it, and the one that is executed. Knows no time but
//! that of its statement, and no other session.

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use pgq_postgres::{BindTemplate, Connection, Error, Event, Formats, ServerError, TransactionStatus};
use xxhash_rust::xxh3::xxh3_64;

use super::types::{GuessedTypes, wants_types};
use crate::cmd::replay::class::Class;
use crate::cmd::replay::step::{Protocol, Step};

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
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

/// A statement that is executed.
struct Current {
    step: Step,
    sent: Instant,
    failed: Option<Box<ServerError>>,
    /// It is sent again, with types for its parameters.
    again: bool,
}

/// A statement that was executed.
pub struct Executed {
    pub step: Step,
    pub sent: Instant,
    pub failed: Option<Box<ServerError>>,
    /// The session is in a transaction that has failed.
    pub transaction_failed: bool,
}

/// A session.
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
    /// A ROLLBACK of ours is executed.
    rolling_back: bool,
}

impl Session {
    pub fn new() -> Self {
        Self {
            state: State::Waiting,
            queue: VecDeque::new(),
            has_all: false,
            connection: None,
            watches_writing: false,
            was_reopened: false,
            ended_by_error: false,
            prepared: HashMap::new(),
            current: None,
            rolling_back: false,
        }
    }

    /// Takes a new connection, on which nothing is prepared.
    pub fn connect(&mut self, connection: Connection) {
        self.connection = Some(connection);
        self.watches_writing = false;
        self.prepared.clear();
        self.rolling_back = false;
        self.state = State::Idle;
    }

    /// Loses the connection; the statement that was executed, if there was one.
    pub fn disconnect(&mut self) -> Option<Step> {
        self.connection = None;
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

    /// Sends the next statement.
    pub fn send_next(&mut self, types: &GuessedTypes) -> Result<(), Error> {
        let Some(step) = self.queue.pop_front() else { return Ok(()) };
        self.state = State::Busy;
        let current = Current { step, sent: Instant::now(), failed: None, again: false };
        self.send(current, types)
    }

    fn send(&mut self, mut current: Current, types: &GuessedTypes) -> Result<(), Error> {
        let connection = self.connection.as_mut().expect("a session that sends has a connection");
        let session = connection.session();
        let step = &current.step;
        match step.protocol {
            Protocol::Simple => _ = session.query(&step.sql)?,
            Protocol::Extended => {
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

    /// Ends a transaction that has failed.
    pub fn roll_back(&mut self) -> Result<(), Error> {
        self.rolling_back = true;
        self.state = State::Busy;
        let connection = self.connection.as_mut().expect("a session in a transaction has a connection");
        connection.session().query("ROLLBACK")?;
        connection.flush();
        Ok(())
    }

    /// Takes what has come, and returns the statement that has ended. The session is idle then.
    pub fn receive(&mut self, types: &mut GuessedTypes) -> Result<Option<Executed>, Error> {
        loop {
            let Some(connection) = &mut self.connection else { return Ok(None) };
            let mut ready = None;
            while let Some(answer) = connection.session().next_answer()? {
                match (answer.event, &mut self.current) {
                    (Event::Failed(error), Some(current)) => _ = current.failed.get_or_insert(error),
                    (Event::Ready(status), _) => ready = Some(status),
                    _ => {}
                }
            }
            if let Some(status) = ready.filter(|_| connection.session().outstanding() == 0) {
                if std::mem::take(&mut self.rolling_back) {
                    self.state = State::Idle;
                } else if let Some(executed) = self.finish(status, types)? {
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

    /// The statement has ended; `None` if it is sent again.
    fn finish(&mut self, status: TransactionStatus, types: &mut GuessedTypes) -> Result<Option<Executed>, Error> {
        let Some(mut current) = self.current.take() else { return Ok(None) };
        self.state = State::Idle;
        if let Some(error) = &current.failed {
            self.prepared.remove(&current.step.statement);
            let again = current.step.protocol == Protocol::Extended && wants_types(&error.code) && !current.again;
            if again {
                types.guess(xxh3_64(current.step.sql.as_bytes()), &current.step.params);
            }
            // In a transaction, the error has ended it: the next time is better.
            if again && status != TransactionStatus::Failed {
                (current.failed, current.again, self.state) = (None, true, State::Busy);
                self.send(current, types)?;
                return Ok(None);
            }
        }
        let Current { step, sent, failed, .. } = current;
        if step.class >= Class::Session && forgets_prepared(&step.sql) {
            self.prepared.clear();
        }
        Ok(Some(Executed { step, sent, failed, transaction_failed: status == TransactionStatus::Failed }))
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
