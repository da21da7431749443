//! Threads for blocking work: opening connections, checking logins, and cancelling statements.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use mio::Waker;
use pgq_postgres::{Canceller, Client, Connection, Error, Settings};
use rayon_core::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::stop::CANCEL_TIME;
use crate::cmd::replay::target::TargetCheck;

/// Number of threads. Each thread opens one connection at a time.
const THREADS: usize = 8;

/// Result of a job.
#[expect(clippy::large_enum_variant, reason = "most are opened")]
pub enum Done {
    /// The connection and its checked identity.
    Opened(Connection, String),
    Failed(Error),
    /// The check of the login found a reason to send no statements.
    Refused(String),
    /// The cancel request was sent, or sending it failed.
    Cancelled,
}

/// Opens connections in other threads.
pub struct Opener {
    threads: ThreadPool,
    /// Threads for cancel requests. A pooler may let connections wait until the statements to cancel have ended.
    cancels: ThreadPool,
    pub check: Arc<TargetCheck>,
    waker: Arc<Waker>,
    send: Sender<(u32, Done)>,
    /// The finished jobs and their sessions.
    pub done: Receiver<(u32, Done)>,
}

impl Opener {
    /// Starts the threads. After each job, they use `waker` to wake the main loop.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn new(waker: Arc<Waker>, check: TargetCheck) -> Result<Self, ThreadPoolBuildError> {
        let pool = || ThreadPoolBuilder::new().num_threads(THREADS).build();
        let (send, done) = channel();
        Ok(Self { threads: pool()?, cancels: pool()?, check: Arc::new(check), waker, send, done })
    }

    /// Requests a connection.
    pub fn open(&self, session: u32, settings: Settings) {
        let check = Arc::clone(&self.check);
        self.start(&self.threads, session, move || open(&settings, &check).unwrap_or_else(Done::Failed));
    }

    /// Requests the cancellation of a session's statement.
    pub fn cancel(&self, session: u32, canceller: Canceller) {
        self.start(&self.cancels, session, move || {
            let _ = canceller.cancel(CANCEL_TIME);
            Done::Cancelled
        });
    }

    fn start(&self, threads: &ThreadPool, session: u32, job: impl FnOnce() -> Done + Send + 'static) {
        let (send, waker) = (self.send.clone(), Arc::clone(&self.waker));
        threads.spawn(move || {
            // Sending fails if the run has ended.
            let _ = send.send((session, job()));
            let _ = waker.wake();
        });
    }
}

fn open(settings: &Settings, check: &TargetCheck) -> Result<Done, Error> {
    let mut client = Client::connect(settings)?;
    // Ends the session if the client encoding becomes an encoding other than UTF-8. Only `--writes` needs this: without
    // `--writes`, pgq's ROLLBACK undoes such a change.
    if check.writes {
        client.connection().session().require_utf8()?;
    }
    Ok(match check.check(&mut client)? {
        (identity, None) => Done::Opened(client.into_connection(), identity),
        (_, Some(why)) => Done::Refused(format!("{} as {}: {why}", settings.database, settings.user)),
    })
}
