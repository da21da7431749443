//! Threads for blocking work: opening connections, checking logins, and cancelling statements.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use mio::Waker;
use pgq_postgres::{Canceller, Client, Connection, Error, Settings};

use super::stop::CANCEL_TIME;
use crate::cmd::replay::target::{TargetCheck, identifier};

/// Number of threads. Each thread opens one connection at a time.
const THREADS: usize = 8;

/// Work for a thread.
enum Job {
    Open(Box<Settings>),
    Cancel(Canceller),
}

/// Result of a job.
#[expect(clippy::large_enum_variant, reason = "most are opened")]
pub enum Done {
    Opened(Result<Connection, Failure>),
    /// The cancel request was sent, or failed.
    Cancelled,
}

/// Why a connection could not be opened.
pub enum Failure {
    /// Not attempted.
    NotTried,
    Failed(Error),
    /// The check of the login found a reason not to send statements.
    Refused(String),
}

/// Cached refusals by server, user and database. The key includes the server, because one host name may reach several
/// servers.
type Checked = Mutex<HashMap<[String; 3], Option<String>>>;

/// Opens connections in other threads.
pub struct Opener {
    jobs: Sender<(u32, Job)>,
    done: Receiver<(u32, Done)>,
    given_up: Arc<AtomicBool>,
}

impl Opener {
    /// Starts the threads. They wake `waker` after each job.
    pub fn new(waker: &Arc<Waker>, check: TargetCheck) -> Self {
        let (jobs, todo) = channel::<(u32, Job)>();
        let (send, done) = channel();
        let given_up = Arc::new(AtomicBool::new(false));
        let shared = Arc::new((Mutex::new(todo), Checked::default(), check));
        for _ in 0..THREADS {
            let (shared, send, waker) = (Arc::clone(&shared), send.clone(), Arc::clone(waker));
            let given_up = Arc::clone(&given_up);
            std::thread::spawn(move || {
                let (todo, checked, check) = &*shared;
                loop {
                    let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((session, job)) = job else { return };
                    let done = match job {
                        Job::Open(_) if given_up.load(Ordering::Relaxed) => Done::Opened(Err(Failure::NotTried)),
                        Job::Open(settings) => Done::Opened(open(&settings, checked, check)),
                        Job::Cancel(canceller) => {
                            let _ = canceller.cancel(CANCEL_TIME);
                            Done::Cancelled
                        }
                    };
                    if send.send((session, done)).is_err() || waker.wake().is_err() {
                        return;
                    }
                }
            });
        }
        Self { jobs, done, given_up }
    }

    /// Requests a connection.
    pub fn open(&self, session: u32, settings: Settings) {
        self.ask(session, Job::Open(Box::new(settings)));
    }

    /// Requests the cancellation of a session's statement.
    pub fn cancel(&self, session: u32, canceller: Canceller) {
        self.ask(session, Job::Cancel(canceller));
    }

    fn ask(&self, session: u32, job: Job) {
        self.jobs.send((session, job)).expect("its threads live as long as it does");
    }

    /// Stops opening connections.
    pub fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    /// Returns a finished job and its session.
    pub fn take(&self) -> Option<(u32, Done)> {
        self.done.try_recv().ok()
    }
}

fn open(settings: &Settings, checked: &Checked, check: &TargetCheck) -> Result<Connection, Failure> {
    let mut client = Client::connect(settings).map_err(Failure::Failed)?;
    if !check.is_needed() {
        return Ok(client.into_connection());
    }
    let server = identifier(&mut client);
    let login = server.map(|server| [server, settings.user.clone(), settings.database.clone()]);
    let checked = || checked.lock().unwrap_or_else(PoisonError::into_inner);
    let refusal = match login.as_ref().and_then(|login| checked().get(login).cloned()) {
        Some(refusal) => refusal,
        None => {
            let refusal = check.refusal(&mut client).map_err(Failure::Failed)?;
            login.map(|login| checked().insert(login, refusal.clone()));
            refusal
        }
    };
    match refusal {
        None => Ok(client.into_connection()),
        Some(refusal) => Err(Failure::Refused(format!("{} as {}: {refusal}", settings.database, settings.user))),
    }
}
