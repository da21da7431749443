//! Threads that open connections, so that a server that takes its time holds up nobody.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use mio::Waker;
use pgq_postgres::{Connection, Error, Settings};

/// Connections that are opened at the same time.
const THREADS: usize = 8;

/// A connection that was asked for, by the number of its session.
pub type Opened = (u32, Result<Connection, Error>);

/// Opens connections on other threads.
pub struct Opener {
    /// `None` once no more are asked for.
    jobs: Option<Sender<(u32, Settings)>>,
    opened: Receiver<Opened>,
}

impl Opener {
    /// `waker` is woken whenever one is open, or has failed.
    pub fn new(waker: &Arc<Waker>) -> Self {
        let (jobs, todo) = channel::<(u32, Settings)>();
        let (done, opened) = channel();
        let todo = Arc::new(Mutex::new(todo));
        for _ in 0..THREADS {
            let (todo, done, waker) = (Arc::clone(&todo), done.clone(), Arc::clone(waker));
            std::thread::spawn(move || {
                loop {
                    let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((session, settings)) = job else { return };
                    if done.send((session, Connection::open(&settings))).is_err() || waker.wake().is_err() {
                        return;
                    }
                }
            });
        }
        Self { jobs: Some(jobs), opened }
    }

    /// Asks for a connection.
    pub fn open(&self, session: u32, settings: Settings) {
        let jobs = self.jobs.as_ref().expect("it has not ended");
        jobs.send((session, settings)).expect("its threads live as long as it does");
    }

    /// One that is open or has failed.
    pub fn take(&self) -> Option<Opened> {
        self.opened.try_recv().ok()
    }
}

impl Drop for Opener {
    fn drop(&mut self) {
        self.jobs = None;
    }
}
