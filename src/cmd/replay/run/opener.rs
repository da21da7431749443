//! Threads that open connections, so that a server that takes its time holds up nobody.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use mio::Waker;
use pgq_postgres::{Connection, Error, Settings};

/// Connections that are opened at the same time.
const THREADS: usize = 8;

/// A connection that was asked for, by the number of its session. Without an error, it was not even tried.
pub type Opened = (u32, Result<Connection, Option<Error>>);

/// Opens connections on other threads.
pub struct Opener {
    /// `None` once no more are asked for.
    jobs: Option<Sender<(u32, Settings)>>,
    opened: Receiver<Opened>,
    given_up: Arc<AtomicBool>,
}

impl Opener {
    /// `waker` is woken whenever one is open, or has failed.
    pub fn new(waker: &Arc<Waker>) -> Self {
        let (jobs, todo) = channel::<(u32, Settings)>();
        let (done, opened) = channel();
        let todo = Arc::new(Mutex::new(todo));
        let given_up = Arc::new(AtomicBool::new(false));
        for _ in 0..THREADS {
            let (todo, done, waker) = (Arc::clone(&todo), done.clone(), Arc::clone(waker));
            let given_up = Arc::clone(&given_up);
            std::thread::spawn(move || {
                loop {
                    let job = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((session, settings)) = job else { return };
                    let is_tried = !given_up.load(Ordering::Relaxed);
                    let opened = if is_tried { Connection::open(&settings).map_err(Some) } else { Err(None) };
                    if done.send((session, opened)).is_err() || waker.wake().is_err() {
                        return;
                    }
                }
            });
        }
        Self { jobs: Some(jobs), opened, given_up }
    }

    /// Asks for a connection.
    pub fn open(&self, session: u32, settings: Settings) {
        let jobs = self.jobs.as_ref().expect("it has not ended");
        jobs.send((session, settings)).expect("its threads live as long as it does");
    }

    /// Tries no more.
    pub fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
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
