//! A replayed session: its queued statements and the statement in progress.

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use pgq_postgres::{
    BindTemplate, Canceller, Connection, CopyDirection, Error, Formats, ServerEvent, TransactionStatus,
};
use xxhash_rust::xxh3::xxh3_64;

use super::results::{Execution, Results};
use super::transactions::{Action, Transactions};
use super::types::{GuessedTypes, WANTS_TYPES, guess_types, types_for};
use crate::cmd::replay::command::Command;
use crate::cmd::replay::step::{Skip, Step};

/// SQLSTATEs of the errors with which the server refuses a statement because of pgq's own transactions, or because the
/// role may only read.
const REFUSALS: [(&str, Skip); 3] = [("25006", Skip::Write), ("34000", Skip::NoCursor), ("42501", Skip::Denied)];

/// SQL that ends a transaction.
const ROLLBACK: &str = "ROLLBACK";

/// SQL that fails, and thereby aborts a transaction block.
const FAIL: &str = "ROLLBACK TO SAVEPOINT \"pgq: a statement of this block failed in the log\"";

/// Error that ends a session if a statement has left the read-only transaction. This should never happen.
const LEFT: &str = "a statement has left pgq's read-only transaction: its session was ended";

/// SQL that pgq sends in place of a DISCARD ALL of the log. ROLLBACK undoes changes of settings. The other two commands
/// remove the prepared statements and the advisory locks.
const DISCARD_ALL: &str = "ROLLBACK; DEALLOCATE ALL; SELECT pg_catalog.pg_advisory_unlock_all()";

/// Maximum number of reads before the event loop looks at the other sessions, the signals and the clock. Without this
/// limit, a server that sends bytes continuously would stop all other sessions.
const MAX_READS: usize = 64;

/// Maximum length of the name of a prepared statement, in bytes (NAMEDATALEN). The server ignores the rest.
const MAX_NAME: usize = 63;

/// State of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    /// The connection of the session is being opened.
    Opening,
    /// The session is ready for its next statement.
    Idle,
    /// The session has sent a command at this time: BEGIN and a statement, or a ROLLBACK.
    Busy(Instant),
    /// The session executes no more statements, because connecting failed or an error ended the session.
    GivenUp,
}

/// The command that the server is executing for a busy session: BEGIN, a statement of the log, or ROLLBACK.
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

/// The queued statements of a session.
#[derive(Default)]
pub struct Queue {
    pub steps: VecDeque<Step>,
    /// Whether the queue has received the session's last statement.
    pub has_all: bool,
}

/// A replayed session.
#[derive(Default)]
pub struct Session {
    pub state: State,
    pub queue: Queue,
    pub connection: Option<Connection>,
    /// Whether the connection has sent a statement.
    pub uses_connection: bool,
    /// Identity of the checked server, database and role.
    identity: String,
    /// The session's prepared statements by name. The value is a hash of the SQL and of the guessed parameter types. It
    /// is 0 for a statement that was prepared with PREPARE.
    prepared: HashMap<String, u64>,
    current: Option<Execution>,
    /// Present only without `--writes`.
    transactions: Option<Transactions>,
    phase: Phase,
    /// Whether a cancel request is in progress. Until the request is done, no answer is read and nothing is sent,
    /// because the request might cancel the next statement.
    pub is_cancelling: bool,
    /// Whether the event loop must handle the session even if no more bytes arrive: more bytes may be available after
    /// [`Session::receive`], or writing has failed.
    pub needs_event: bool,
}

impl Session {
    /// Creates a session. `reads` is true if `--writes` is not given.
    pub fn new(queue: Queue, reads: bool) -> Self {
        Self { queue, transactions: reads.then(Transactions::default), ..Self::default() }
    }

    /// Takes the connection.
    pub fn connect(&mut self, connection: Connection, identity: String) {
        (self.connection, self.identity, self.state) = (Some(connection), identity, State::Idle);
    }

    /// Drops the connection. Returns the statement in progress, and whether it was sent.
    pub fn disconnect(&mut self) -> Option<(Step, bool)> {
        self.connection = None;
        self.current.take().map(|current| (current.step, self.phase != Phase::Begin))
    }

    /// Returns a canceller for the statement in progress. Returns `None` if this statement's canceller was already
    /// returned.
    pub fn cancel(&mut self) -> Option<Canceller> {
        let current = self.current.as_mut().filter(|_| self.phase == Phase::Execute)?;
        if std::mem::replace(&mut current.cancelled, true) {
            return None;
        }
        self.is_cancelling = true;
        self.connection.as_ref().map(Connection::canceller)
    }

    /// Takes the next statement from the queue and handles it in one of three ways: sends it, sends other SQL instead
    /// (such as ROLLBACK), or only counts it.
    pub fn send_next(&mut self, types: &mut GuessedTypes, results: &mut Results) -> Result<(), Error> {
        let Some(step) = self.queue.steps.pop_front() else { return Ok(()) };
        let (command, has_failed) = (Command::of(&step.sql), step.error.is_some());
        let skip = step.skip.or(match (&command, &self.transactions) {
            (Command::Execute(name) | Command::Deallocate(Some(name)), _) if !self.prepared.contains_key(name) => {
                Some(Skip::NotPrepared)
            }
            (Command::Set(variable), Some(own)) if !has_failed && !own.can_repeat(variable, &step.sql) => {
                Some(Skip::Settings)
            }
            _ => None,
        });
        let command = if has_failed { command.failed() } else { command };
        let action = match &mut self.transactions {
            // Applies the settings in a text of several statements. Ignores a text with a backslash, because the end of
            // each statement in it depends on `standard_conforming_strings`.
            Some(transactions) if skip == Some(Skip::Several) && !has_failed && !step.sql.contains('\\') => {
                transactions.follow(&command)
            }
            _ if skip.is_some() => Action::Nothing,
            None if command == Command::Replaced && !has_failed => Action::Nothing,
            None => Action::Send,
            Some(transactions) => transactions.follow(&command),
        };
        self.transactions.iter_mut().filter(|_| has_failed).for_each(Transactions::fail);
        let open = self.connection.as_mut().is_some_and(|it| it.session().status() == TransactionStatus::InTransaction);
        let end = match &self.transactions {
            // With `--writes`, a statement that failed in the log and is not sent must have the same effect on the open
            // block as in the log. A COMMIT that failed has ended the block, so a ROLLBACK is sent. Any other statement
            // that failed has aborted the block, so SQL that fails is sent.
            None if has_failed && open => Some(if let Command::End { .. } = command { ROLLBACK } else { FAIL }),
            _ if command == Command::DiscardAll && skip.is_none() => Some(DISCARD_ALL),
            _ => (action == Action::End).then_some(ROLLBACK),
        };
        if let Some(skip) = skip {
            results.leave_out(&Step { skip: Some(skip), ..step });
            if !has_failed {
                command.update_prepared(&mut self.prepared, false);
            }
        } else if action == Action::Send {
            let (sent, failed, is_copy, again, cancelled) = (Instant::now(), None, false, false, false);
            return self.send(Execution { step, command, sent, failed, is_copy, again, cancelled }, types);
        } else {
            results.replaced += u64::from(!step.is_context);
            command.update_prepared(&mut self.prepared, true);
        }
        end.map_or(Ok(()), |sql| self.end_transaction(sql))
    }

    fn send(&mut self, mut current: Execution, types: &mut GuessedTypes) -> Result<(), Error> {
        self.state = State::Busy(Instant::now());
        self.phase = Phase::Execute;
        let connection = self.connection.as_mut().expect("a session that sends has a connection");
        let session = connection.session();
        let step = &current.step;
        // The log does not contain COPY data, so COPY receives no rows. A COPY that failed in the log must fail.
        session.send_empty_copies(step.error.is_none());
        match (&mut self.transactions, &step.statement) {
            (Some(transactions), _) if !transactions.is_open => {
                transactions.begin(&self.identity, session)?;
                self.phase = Phase::Begin;
            }
            (None, None) => _ = session.query(&step.sql)?,
            // Without `--writes`, always uses the extended protocol, because it accepts only one statement per message.
            // With `--writes`, uses the extended protocol only if the client used it.
            (_, name) => {
                let name = compared(name.as_deref().unwrap_or_default());
                let types = types_for(types, xxh3_64(step.sql.as_bytes()), &step.params);
                let oids: Vec<u8> = types.iter().flat_map(|oid| oid.to_le_bytes()).collect();
                let text = xxh3_64(&[&oids, step.sql.as_bytes()].concat());
                if name.is_empty() || self.prepared.get(name) != Some(&text) {
                    // Closes the earlier statement of this name, if any. PostgreSQL also accepts a Close message if no
                    // statement has the name.
                    if !name.is_empty() {
                        session.close_statement(name)?;
                    }
                    session.parse(name, &step.sql, &types)?;
                    // If preparing fails, `finish` removes this entry.
                    self.prepared.insert(name.to_string(), text);
                }
                let template = BindTemplate::new("", name, step.params.len(), &Formats::Text, &Formats::Text, 0)?;
                session.execute(&template, |row| {
                    step.params.iter().for_each(|param| row.push(param.as_deref().map(str::as_bytes)));
                    Ok(())
                })?;
                session.sync();
            }
        }
        current.sent = Instant::now();
        self.current = Some(current);
        self.needs_event = !connection.flush();
        Ok(())
    }

    /// Ends or aborts a transaction. `sql` is [`ROLLBACK`], [`DISCARD_ALL`] or [`FAIL`].
    fn end_transaction(&mut self, sql: &str) -> Result<(), Error> {
        self.state = State::Busy(Instant::now());
        self.phase = Phase::RollBack;
        let connection = self.connection.as_mut().expect("a session in a transaction has a connection");
        connection.session().query(sql)?;
        self.needs_event = !connection.flush();
        Ok(())
    }

    /// Processes answers until a statement ends, no more bytes are available, or [`MAX_READS`] reads are done. If a
    /// statement has ended, returns it. In this case, the session is idle or waits for the end of its transaction.
    pub fn receive(&mut self, types: &mut GuessedTypes) -> Result<Option<Execution>, Error> {
        self.needs_event = false;
        for _ in 0..MAX_READS {
            let Some(connection) = self.connection.as_mut().filter(|_| !self.is_cancelling) else { return Ok(None) };
            let mut ready = None;
            while let Some(answer) = connection.session().next_answer()? {
                match (answer.event, &mut self.current) {
                    (ServerEvent::Failed(error), Some(current)) => _ = current.failed.get_or_insert(error),
                    (ServerEvent::Copy(CopyDirection::FromStdin), Some(current)) => current.is_copy = true,
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
            if connection.transfer()?.read == 0 {
                return Ok(None);
            }
        }
        self.needs_event = true;
        Ok(None)
    }

    /// Handles the server's ReadyForQuery message, which ends the current phase: BEGIN, the statement or ROLLBACK.
    /// Starts the next phase. If a statement has ended, returns it.
    fn ready(&mut self, status: TransactionStatus, types: &mut GuessedTypes) -> Result<Option<Execution>, Error> {
        match self.phase {
            Phase::Execute => return self.finish(status, types),
            Phase::Begin => {
                if let Some(error) = self.current.as_ref().and_then(|current| current.failed.as_ref()) {
                    return Err(Error::Source(Transactions::failure(error).into()));
                }
                if status != TransactionStatus::InTransaction {
                    return Err(Error::Source(LEFT.into()));
                }
            }
            Phase::RollBack => {
                if self.transactions.is_some() && status != TransactionStatus::Idle {
                    return Err(Error::Source(LEFT.into()));
                }
                self.state = State::Idle;
                self.transactions.iter_mut().for_each(|transactions| transactions.is_open = false);
            }
        }
        // After BEGIN, sends the statement. After a ROLLBACK, sends a statement only if it failed and must be sent
        // again with guessed parameter types.
        self.current.take().map_or(Ok(()), |current| self.send(current, types))?;
        Ok(None)
    }

    /// Finishes a statement. Returns `None` if it is sent again.
    fn finish(&mut self, status: TransactionStatus, types: &mut GuessedTypes) -> Result<Option<Execution>, Error> {
        let has_failed = self.current.as_ref().is_some_and(|current| current.failed.is_some());
        let expected = if has_failed { TransactionStatus::Failed } else { TransactionStatus::InTransaction };
        if self.transactions.is_some() && status != expected {
            return Err(Error::Source(LEFT.into()));
        }
        let Some(mut current) = self.current.take() else { return Ok(None) };
        self.state = State::Idle;
        let (step, in_log) = (&current.step, current.step.error.as_deref());
        let code = current.failed.as_ref().map(|error| error.code.as_str());
        if code.is_none() || in_log.is_none() {
            // If a PREPARE succeeds in the replay but failed in the log, removes its name. In the log, this name may
            // belong to another prepared statement, which pgq does not know.
            current.command.update_prepared(&mut self.prepared, code.is_none() && in_log.is_none());
        }
        if let (Some(_), Some(name)) = (code, &step.statement) {
            self.prepared.remove(compared(name));
        }
        let own = self.transactions.as_ref().is_some_and(|own| !own.in_block() || in_log.is_none());
        // If the server could not infer the parameter types, guesses them from the values. Normally, the statement is
        // then sent again with the guessed types. However, if the error has aborted a transaction block, the guessed
        // types are used only for later executions of the statement.
        if code.is_some_and(|code| WANTS_TYPES.contains(&code)) && step.statement.is_some() && !current.again {
            guess_types(types, xxh3_64(step.sql.as_bytes()), &step.params);
            if own || status != TransactionStatus::Failed {
                (current.failed, current.again) = (None, true);
                if !own {
                    return self.send(current, types).map(|()| None);
                }
                self.current = Some(current);
                return self.end_transaction(ROLLBACK).map(|()| None);
            }
        }
        let refusal = REFUSALS.into_iter().find(|(refusal, _)| code == Some(refusal) && in_log != code);
        let skip = refusal.filter(|_| self.transactions.is_some()).map(|(_, skip)| skip);
        if let Some(transactions) = &mut self.transactions {
            // If the statement has changed the client encoding, the transaction is rolled back, because pgq sends
            // UTF-8.
            let connection = self.connection.as_mut().expect("it has just answered");
            let is_utf8 = connection.session().parameter("client_encoding") == Some("UTF8");
            let has_succeeded = code.is_none() && in_log.is_none();
            if let (Command::Set(variable), true) = (&current.command, has_succeeded && is_utf8) {
                transactions.remember(variable, &step.sql);
            }
            // Also roll back pgq's transaction if the statement failed in the replay but not in the log. Otherwise the
            // transaction would stay aborted, and all later statements of the log's transaction block would fail.
            if !transactions.in_block() || !is_utf8 || (code.is_some() && in_log.is_none()) {
                self.end_transaction(ROLLBACK)?;
            }
        }
        // A statement that the server refused with one of the `REFUSALS` counts as not sent.
        current.step.skip = skip;
        Ok(Some(current))
    }
}

/// Returns the part of a prepared statement's name that the server compares.
fn compared(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME)]
}
