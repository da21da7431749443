//! Threads for blocking work: opening connections, checking logins, and cancelling statements.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use mio::Waker;
use pgq_postgres::{Canceller, Client, Connection, Error, Settings};

use super::stop::CANCEL_TIME;
use crate::cmd::replay::target::TargetCheck;

/// Number of threads. Each thread opens one connection at a time.
const THREADS: usize = 8;

type Job = Box<dyn FnOnce() -> Done + Send>;

/// Result of a job.
#[expect(clippy::large_enum_variant, reason = "most are opened")]
pub enum Done {
    /// The connection and its checked identity.
    Opened(Connection, String),
    Failed(Error),
    /// The check of the login found a reason to send no statements.
    Refused(String),
    /// The cancel request was sent, or failed.
    Cancelled,
}

/// Opens connections in other threads.
pub struct Opener {
    jobs: Sender<(u32, Job)>,
    /// The finished jobs and their sessions.
    pub done: Receiver<(u32, Done)>,
    check: Arc<TargetCheck>,
}

impl Opener {
    /// Starts the threads. After each job, they use `waker` to wake the main loop.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn new(waker: &Arc<Waker>, check: TargetCheck) -> io::Result<Self> {
        let (jobs, todo) = channel::<(u32, Job)>();
        let (send, done) = channel();
        let todo = Arc::new(Mutex::new(todo));
        for number in 0..THREADS {
            let (todo, send, waker) = (Arc::clone(&todo), send.clone(), Arc::clone(waker));
            let spawned = std::thread::Builder::new().spawn(move || {
                loop {
                    let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((session, job)) = job else { return };
                    if send.send((session, job())).is_err() || waker.wake().is_err() {
                        return;
                    }
                }
            });
            match spawned {
                Err(error) if number == 0 => return Err(error),
                Err(_) => break, // fewer threads do the work
                Ok(_) => {}
            }
        }
        Ok(Self { jobs, done, check: Arc::new(check) })
    }

    /// Requests a connection.
    pub fn open(&self, session: u32, settings: Settings) {
        let check = Arc::clone(&self.check);
        self.ask(session, Box::new(move || open(&settings, &check).unwrap_or_else(Done::Failed)));
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
}

fn open(settings: &Settings, check: &TargetCheck) -> Result<Done, Error> {
    let mut client = Client::connect(settings)?;
    // Only --writes needs this check: without --writes, pgq's ROLLBACK undoes a change of the
    // client encoding.
    if check.writes {
        client.connection().session().require_utf8()?;
    }
    Ok(match check.check(&mut client)? {
        (identity, None) => Done::Opened(client.into_connection(), identity),
        (_, Some(why)) => Done::Refused(format!("{} as {}: {why}", settings.database, settings.user)),
    })
}
