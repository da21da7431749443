//! The connections of a run. Each session has its own connection, which is opened before the first
//! statement of the session is due, and closed after the last statement. A lost connection ends its session.

use std::os::fd::{AsFd, AsRawFd};

use anyhow::{Result, bail};
use mio::unix::SourceFd;
use mio::{Interest, Token};
use pgq_postgres::Error;

use super::Runner;
use super::intake::WAITING;
use super::opener::Done;
use super::session::{Session, State};

/// Maximum number of unused connections, which are being opened or have not sent a statement yet. A connection is
/// opened up to five seconds ([`super::AHEAD`]) before its first statement is due. Thousands of short sessions of the
/// log may start within five seconds. Without this maximum, each of them would have a connection at the same time.
const MAX_UNUSED: usize = 32;

/// The events for which a connection is registered. [`Runner::request_event`] registers a connection again. This causes
/// an event at once, because the connection is writable, unless the server is slow to read.
const EVENTS: Interest = Interest::READABLE.add(Interest::WRITABLE);

impl Runner {
    /// Requests connections for waiting sessions, in the order of their first statements, until the maximum number of
    /// connections is reached.
    pub(super) fn open_waiting(&mut self) {
        while self.may_open() {
            let Some(number) = self.order.pop_front() else { return };
            let Some(queue) = self.waiting.remove(&number) else { continue };
            let Some(step) = queue.steps.front() else { continue };
            self.queued -= WAITING;
            let mut server = self.server.clone();
            server.user = mapped(&self.args.user_map, &step.user, server.user, server.names_user);
            server.database = mapped(&self.args.database_map, &step.database, server.database, server.names_database);
            if !step.application.is_empty() {
                server.parameters.retain(|(name, _)| name != "application_name");
                server.parameters.push(("application_name".into(), step.application.clone()));
            }
            self.sessions.insert(number, Session::new(queue, !self.args.writes));
            self.connections += 1;
            self.opener.open(number, server);
        }
    }

    fn may_open(&self) -> bool {
        match self.args.connections {
            Some(most) => self.connections < most as usize,
            None => self.connections - self.used < MAX_UNUSED,
        }
    }

    pub(super) fn take_opened(&mut self) -> Result<()> {
        while let Ok((number, done)) = self.opener.done.try_recv() {
            let error = match done {
                Done::Cancelled => {
                    self.sessions.get_mut(&number).into_iter().for_each(|session| session.is_cancelling = false);
                    self.receive(number);
                    continue;
                }
                Done::Opened(connection, identity) => {
                    self.open += 1;
                    self.results.most_connections = self.results.most_connections.max(self.open);
                    let fd = connection.as_fd().as_raw_fd();
                    self.poll.registry().register(&mut SourceFd(&fd), Token(number as usize), EVENTS)?;
                    let session = self.sessions.get_mut(&number).expect("a session that opens is there");
                    session.connect(connection, identity);
                    self.go_on(number);
                    continue;
                }
                Done::Refused(refusal) if !self.has_begun => bail!(refusal),
                Done::Refused(refusal) => refusal,
                Done::Failed(error) => {
                    // End the run at once if no server has answered yet. If the run continued, each session would
                    // wait for the connection timeout.
                    self.is_stuck |= self.results.most_connections == 0 && error.server_error().is_none();
                    error.to_string()
                }
            };
            *self.results.connection_errors.entry(error).or_default() += 1;
            self.connections -= 1;
            self.give_up(number);
        }
        Ok(())
    }

    /// Requests an event for a session, so that the event loop handles the session even if no more bytes arrive.
    pub(super) fn request_event(&self, number: u32) -> std::io::Result<()> {
        let Some(connection) = self.sessions.get(&number).and_then(|it| it.connection.as_ref()) else { return Ok(()) };
        let fd = connection.as_fd().as_raw_fd();
        self.poll.registry().reregister(&mut SourceFd(&fd), Token(number as usize), EVENTS)
    }

    /// Closes a session's connection, and opens one for a waiting session.
    pub(super) fn close(&mut self, number: u32) {
        if let Some(session) = self.sessions.get_mut(&number)
            && let Some(connection) = session.connection.take()
        {
            let fd = connection.as_fd().as_raw_fd();
            let _ = self.poll.registry().deregister(&mut SourceFd(&fd));
            connection.close();
            self.connections -= 1;
            self.open -= 1;
            self.used -= usize::from(std::mem::take(&mut session.uses_connection));
        }
        self.open_waiting();
    }

    /// Gives up a session that has lost its connection, because a new connection would lack the transaction and the
    /// state of the old one.
    pub(super) fn lose(&mut self, number: u32, error: &Error) {
        *self.results.connection_errors.entry(error.to_string()).or_default() += 1;
        self.close(number);
        self.give_up(number);
    }

    /// Gives up a session. Its queued statements are not executed.
    fn give_up(&mut self, number: u32) {
        if let Some(session) = self.sessions.get_mut(&number) {
            session.state = State::GivenUp;
            session.disconnect().iter().for_each(|(step, was_sent)| self.results.lose(step, *was_sent));
            for step in session.queue.steps.drain(..) {
                self.queued -= step.bytes();
                self.results.leave_out(&step);
            }
            if session.queue.has_all {
                self.sessions.remove(&number);
            }
        }
        self.open_waiting();
    }
}

/// Returns the user or database name to use on the server. `name` is the name in the log, or empty if the log has no
/// name. `server` is the name in `--to` if `is_given` is true, otherwise the default name.
///
/// If an entry of `map` matches `name`, the first such entry determines the result; `*` matches every name, even an
/// empty one. If no entry matches, the result is `server` if `is_given` is true or `name` is empty, and `name`
/// otherwise.
fn mapped(map: &[(String, String)], name: &str, server: String, is_given: bool) -> String {
    match map.iter().find(|(old, _)| old == name || old == "*") {
        Some((_, new)) => new.clone(),
        None if name.is_empty() || is_given => server,
        None => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::mapped;

    #[test]
    fn names_are_of_the_map_then_of_the_server_then_of_the_log() {
        let map = [("a".to_string(), "b".to_string())];
        for (name, is_given, expected) in
            [("a", true, "b"), ("a", false, "b"), ("c", true, "server"), ("c", false, "c"), ("", false, "server")]
        {
            assert_eq!(mapped(&map, name, "server".into(), is_given), expected, "{name} {is_given}");
        }
    }
}
