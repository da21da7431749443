//! Threads for blocking work: opening connections, checking logins, and cancelling statements.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use mio::Waker;
use pgq_postgres::{Canceller, Client, Connection, Error, Settings};

use super::stop::CANCEL_TIME;
use crate::cmd::replay::target::{Checked, TargetCheck};

/// Number of threads. Each thread opens one connection at a time.
const THREADS: usize = 8;

/// Work for a thread.
type Job = Box<dyn FnOnce() -> Done + Send>;

/// Result of a job.
#[expect(clippy::large_enum_variant, reason = "most are opened")]
pub enum Done {
    /// The connection and its checked identity.
    Opened(Result<(Connection, String), Failure>),
    /// The cancel request was sent, or failed.
    Cancelled,
}

/// Why a connection could not be opened.
pub enum Failure {
    Failed(Error),
    /// The check of the login found a reason to send no statements.
    Refused(String),
}

/// Opens connections in other threads.
pub struct Opener {
    jobs: Sender<(u32, Job)>,
    done: Receiver<(u32, Done)>,
    check: Arc<(TargetCheck, Checked)>,
}

impl Opener {
    /// Starts the threads. They wake `waker` after each job.
    pub fn new(waker: &Arc<Waker>, check: TargetCheck) -> Self {
        let (jobs, todo) = channel::<(u32, Job)>();
        let (send, done) = channel();
        let todo = Arc::new(Mutex::new(todo));
        for _ in 0..THREADS {
            let (todo, send, waker) = (Arc::clone(&todo), send.clone(), Arc::clone(waker));
            std::thread::spawn(move || {
                loop {
                    let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((session, job)) = job else { return };
                    if send.send((session, job())).is_err() || waker.wake().is_err() {
                        return;
                    }
                }
            });
        }
        Self { jobs, done, check: Arc::new((check, Checked::default())) }
    }

    /// Requests a connection.
    pub fn open(&self, session: u32, settings: Settings) {
        let check = Arc::clone(&self.check);
        self.ask(session, Box::new(move || Done::Opened(open(&settings, &check))));
    }

    /// Requests the cancellation of a session's statement.
    pub fn cancel(&self, session: u32, canceller: Canceller) {
        let cancel = move || {
            let _ = canceller.cancel(CANCEL_TIME);
            Done::Cancelled
        };
        self.ask(session, Box::new(cancel));
    }

    fn ask(&self, session: u32, job: Job) {
        self.jobs.send((session, job)).expect("its threads live as long as it does");
    }

    /// Returns a finished job and its session.
    pub fn take(&self) -> Option<(u32, Done)> {
        self.done.try_recv().ok()
    }
}

fn open(settings: &Settings, (check, checked): &(TargetCheck, Checked)) -> Result<(Connection, String), Failure> {
    let mut client = Client::connect(settings).map_err(Failure::Failed)?;
    match check.check(&mut client, checked).map_err(Failure::Failed)? {
        (identity, None) => Ok((client.into_connection(), identity)),
        (_, Some(why)) => Err(Failure::Refused(format!("{} as {}: {why}", settings.database, settings.user))),
    }
}
