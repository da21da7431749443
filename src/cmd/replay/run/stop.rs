//! Ends a statement or the whole run early. The reason is `--statement-timeout`, a signal, or a server that does not
//! respond. After a signal, the executed statements are still reported.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use mio::Waker;
use pgq_postgres::Error;

use super::{Runner, State};
use crate::run::report::handle_signals;

/// Maximum time that the server may take to confirm a cancellation by `--statement-timeout`.
const GRACE: Duration = Duration::from_secs(10);
/// Interval at which the event loop checks how long statements take, if there is a `--statement-timeout`.
pub const LOOK: Duration = Duration::from_millis(10);
/// Timeout of a cancel request.
pub const CANCEL_TIME: Duration = Duration::from_secs(2);

/// Installs signal handlers. The first SIGINT, SIGTERM or SIGHUP wakes the event loop. The second one ends the program.
/// The returned value is 0 until a signal arrives, and then the number of the signal.
pub fn watch_signals(waker: Arc<Waker>) -> Arc<AtomicI32> {
    let signal = Arc::new(AtomicI32::new(0));
    let shared = Arc::clone(&signal);
    handle_signals(move |number| shared.swap(number, Ordering::AcqRel) == 0 && waker.wake().is_ok());
    signal
}

impl Runner {
    /// Returns the signal that arrived, if any.
    pub(super) fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::Acquire)).filter(|signal| *signal != 0)
    }

    /// True if a signal arrived, if no server can be reached, or if no session can continue.
    pub(super) fn ends_early(&self) -> bool {
        self.is_stuck || self.signal().is_some()
    }

    /// Counts statements that will not be executed. Cancels statements in progress, because a server would continue to
    /// execute them after the client has disconnected.
    pub(super) fn stop_now(&mut self) {
        self.results.stopped_by_signal = self.signal();
        self.results.ended_early = self.next.is_some();
        let until = Instant::now() + CANCEL_TIME;
        let waiting = std::mem::take(&mut self.waiting).into_values();
        waiting.flat_map(|queue| queue.steps).for_each(|step| self.results.leave_out(&step));
        for session in self.sessions.values_mut() {
            session.queue.steps.drain(..).for_each(|step| self.results.leave_out(&step));
            let canceller = session.connection.as_ref().map(pgq_postgres::Connection::canceller);
            if let Some((step, was_sent)) = session.disconnect() {
                self.results.lose(&step, was_sent);
                let left = until.saturating_duration_since(Instant::now());
                if let Some(canceller) = canceller.filter(|_| !left.is_zero()) {
                    // A cancel request that arrives late does no harm, because the session executes
                    // nothing else.
                    let _ = canceller.cancel(left);
                }
            }
        }
    }

    /// Cancels statements that exceed `--statement-timeout`. Gives up a connection that stays silent after the
    /// cancellation. The server's own timer is not used, because a `SET statement_timeout` in the log would change it.
    pub(super) fn end_slow_statements(&mut self) {
        let Some(timeout) = self.args.statement_timeout else { return };
        if self.last_look.elapsed() < LOOK {
            return;
        }
        self.last_look = Instant::now();
        let mut silent = Vec::new();
        for (number, session) in &mut self.sessions {
            let State::Busy(since) = session.state else { continue };
            let busy = since.elapsed();
            if busy > timeout.saturating_add(GRACE) {
                silent.push(*number);
            } else if busy > timeout
                && let Some(canceller) = session.cancel()
            {
                self.opener.cancel(*number, canceller);
            }
        }
        silent.into_iter().for_each(|number| self.lose(number, &Error::Timeout(timeout + GRACE)));
    }
}
