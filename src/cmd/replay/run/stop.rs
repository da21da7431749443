//! How statements and the run end early: by --statement-timeout, by a signal, after which what ran is still reported,
//! and for sessions whose server is silent.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use mio::Waker;
use pgq_postgres::Error;

use super::Runner;
use crate::run::report::handle_signals;

/// The time that the server has, after --statement-timeout, to say that a statement was cancelled.
const GRACE: Duration = Duration::from_secs(10);
/// How often the loop looks at the time that statements take.
const LOOK: std::ops::RangeInclusive<Duration> = Duration::from_millis(10)..=Duration::from_millis(500);
/// Timeout of a cancel request.
pub const CANCEL_TIME: Duration = Duration::from_secs(2);

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

    /// Returns how often the loop must look for statements that take too long.
    pub(super) fn look_interval(&self) -> Duration {
        let timeout = self.settings.args.statement_timeout.unwrap_or(Duration::MAX);
        (timeout / 10).clamp(*LOOK.start(), *LOOK.end())
    }

    /// Cancels statements that take longer than --statement-timeout, and gives up connections on which nothing comes
    /// after that. The server's own timer would obey the log's `SET statement_timeout`.
    pub(super) fn end_slow_statements(&mut self) -> Result<()> {
        let Some(timeout) = self.settings.args.statement_timeout else { return Ok(()) };
        if self.stop.last_look.elapsed() < self.look_interval() {
            return Ok(());
        }
        self.stop.last_look = Instant::now();
        let mut silent = Vec::new();
        for (number, session) in &mut self.sessions {
            let busy = session.busy_since().map_or(Duration::ZERO, |since| since.elapsed());
            if busy > timeout.saturating_add(GRACE) {
                silent.push(*number);
            } else if busy > timeout
                && let Some(canceller) = session.cancel()
            {
                self.opener.cancel(*number, canceller);
            }
        }
        silent.into_iter().try_for_each(|number| self.lose(number, &Error::Timeout(timeout + GRACE)))
    }
}
