//! The daemon: takes connections, a thread for each, and ends when a signal comes. Threads spend
//! their time waiting; how many requests are worked on at a time is the number of workers.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use pgq_frames::{ErrorCode, Fault};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::connection;
use super::limits::{DRAIN_TIME, Limits};
use super::listen::Listener;
use super::peer;
use super::postgres::CancelKeys;
use super::threads::Threads;
use super::transport::Transport;
use super::workers::Workers;
use crate::run::input::StopSignal;

/// What all connections share.
pub struct Server {
    shared: Arc<Shared>,
}

pub struct Shared {
    pub limits: Limits,
    pub workers: Workers,
    pub cancel_keys: CancelKeys,
    stop: Arc<StopSignal>,
    /// The number of open connections.
    open: Mutex<usize>,
    one_closed: Condvar,
}

/// How long a connection that is refused has to say which form of answer it reads.
const REFUSAL_TIME: Duration = Duration::from_millis(500);

/// How long to wait after the system gave no connection, for want of file descriptors or memory.
const PAUSE: Duration = Duration::from_millis(50);

impl Server {
    /// # Errors
    /// The system gives no pipe.
    pub fn new(limits: Limits, jobs: usize) -> Result<Self> {
        let stop = Arc::new(StopSignal::new().context("cannot make a pipe")?);
        let workers = Workers::new(jobs);
        Ok(Self {
            shared: Arc::new(Shared {
                limits,
                workers,
                cancel_keys: CancelKeys::default(),
                stop,
                open: Mutex::new(0),
                one_closed: Condvar::new(),
            }),
        })
    }

    pub fn stop_signal(&self) -> &Arc<StopSignal> {
        &self.shared.stop
    }

    /// Serves one client on standard input and output, until it ends or a signal comes.
    ///
    /// # Errors
    /// There is no standard input or output.
    pub fn serve_stdio(&self) -> Result<()> {
        let transport = Transport::stdio(Arc::clone(&self.shared.stop)).context("cannot use standard input")?;
        connection::serve(&transport, &self.shared);
        Ok(())
    }

    /// Serves all that connect, until a signal comes; then waits for the requests that are under way, and
    /// removes the socket.
    ///
    /// # Errors
    /// The system cannot wait for connections.
    pub fn serve_socket(&self, listener: Listener) -> Result<()> {
        listener.socket.set_nonblocking(true)?;
        let mut threads = Threads::default();
        while !self.shared.stop.is_set() {
            let mut ends =
                [PollFd::new(&listener.socket, PollFlags::IN), PollFd::new(self.shared.stop.as_ref(), PollFlags::IN)];
            match poll(&mut ends, None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error).context("cannot wait for connections"),
            }
            match listener.socket.accept() {
                Ok((socket, _)) if peer::is_allowed(&socket) => self.accept(socket, &mut threads),
                Ok(_) => {} // closed without a word
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => thread::sleep(PAUSE),
            }
        }
        listener.close();
        self.drain();
        Ok(())
    }

    /// Gives a connection its thread.
    fn accept(&self, socket: UnixStream, threads: &mut Threads) {
        let shared = Arc::clone(&self.shared);
        let Ok(transport) = Transport::socket(OwnedFd::from(socket), Arc::clone(&shared.stop)) else { return };
        let Some(place) = shared.take_place() else {
            let limit = shared.limits.max_connections;
            let message = format!("there are {limit} connections, and --max-connections allows no more");
            return connection::refuse(&transport, &Fault::new(ErrorCode::TooManyConnections, message), REFUSAL_TIME);
        };
        threads.spawn(move || {
            let place = place;
            connection::serve(&transport, &place.0);
        });
    }

    /// Waits for the connections to end, which they do when they have answered; not for those whose
    /// clients do not read.
    fn drain(&self) {
        let until = Instant::now() + DRAIN_TIME + PAUSE;
        let mut open = self.shared.open.lock().unwrap_or_else(PoisonError::into_inner);
        while *open > 0 {
            let Some(left) = until.checked_duration_since(Instant::now()) else { return };
            open = self.shared.one_closed.wait_timeout(open, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A place among the open connections, which is given back when it is dropped.
struct Place(Arc<Shared>);

impl Shared {
    fn take_place(self: &Arc<Self>) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if *open >= self.limits.max_connections {
            return None;
        }
        *open += 1;
        Some(Place(Arc::clone(self)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *self.0.open.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.one_closed.notify_all();
    }
}
