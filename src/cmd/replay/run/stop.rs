//! How a run ends early: by a signal, after which what ran is still reported, and for sessions whose server is silent.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use mio::Waker;
use pgq_postgres::Error;

use super::Runner;
use crate::run::report::handle_signals;

/// As long as the server has, behind --statement-timeout, to say that a statement was ended.
const GRACE: Duration = Duration::from_secs(10);
/// How often silent sessions are looked for.
const EVERY: Duration = Duration::from_secs(1);
/// As long as cancelling may take.
const CANCEL_TIME: Duration = Duration::from_secs(2);

/// The signal that asks a run to stop.
pub struct StopRequest {
    signal: Arc<AtomicI32>,
    last_look: Instant,
}

impl StopRequest {
    /// From now on, the first SIGINT, SIGTERM or SIGHUP wakes the loop up, and a second one ends the program.
    pub fn new(waker: Arc<Waker>) -> Self {
        let signal = Arc::new(AtomicI32::new(0));
        let shared = Arc::clone(&signal);
        handle_signals(move |number| shared.swap(number, Ordering::AcqRel) == 0 && waker.wake().is_ok());
        Self { signal, last_look: Instant::now() }
    }

    /// The signal that has come.
    pub fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::Acquire)).filter(|signal| *signal != 0)
    }
}

impl Runner {
    /// Counts what is not executed any more, and cancels what is under way: a server goes on with a statement whose
    /// client has left.
    pub(super) fn stop_now(&mut self, signal: i32) {
        self.results.stopped = Some(signal);
        let until = Instant::now() + CANCEL_TIME;
        for session in self.sessions.values_mut() {
            self.results.given_up += session.queue.len() as u64;
            let canceller = session.connection.as_ref().map(pgq_postgres::Connection::canceller);
            if session.disconnect().is_some() {
                self.results.lost += 1;
                let left = until.saturating_duration_since(Instant::now());
                if let Some(canceller) = canceller.filter(|_| !left.is_zero()) {
                    // One that comes too late does no harm.
                    let _ = canceller.cancel(left);
                }
            }
        }
        self.results.has_unread = self.next.is_some();
    }

    /// Gives up connections on which nothing comes although the server should have ended the statement.
    pub(super) fn end_silent_sessions(&mut self) -> Result<()> {
        let Some(timeout) = self.settings.statement_timeout else { return Ok(()) };
        if self.stop.last_look.elapsed() < EVERY {
            return Ok(());
        }
        self.stop.last_look = Instant::now();
        let silent = self.sessions.iter().filter(|(_, session)| {
            session.busy_since().is_some_and(|since| since.elapsed() > timeout.saturating_add(GRACE))
        });
        let silent: Vec<u32> = silent.map(|(number, _)| *number).collect();
        silent.into_iter().try_for_each(|number| self.lose(number, &Error::Timeout(timeout + GRACE)))
    }
}
