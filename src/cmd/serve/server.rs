//! The daemon: accepts connections, a thread for each, and ends at a signal. Threads mostly wait; the number of workers
//! limits the requests in progress.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use pgq_frames::{ErrorCode, Fault};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::cancel::CancelKeys;
use super::connection;
use super::limits::{DRAIN_TIME, Limits};
use super::listen::Listener;
use super::peer;
use super::places::Places;
use super::shared::Shared;
use super::threads::Threads;
use super::transport::Transport;
use super::workers::Workers;
use crate::run::input::StopSignal;

/// The daemon.
pub struct Server {
    shared: Arc<Shared>,
    /// Those of connections that are served.
    places: Arc<Places>,
    /// Those of connections that are refused. Further ones are closed without an answer.
    refusals: Arc<Places>,
}

/// Connections that are refused at the same time.
const MAX_REFUSALS: usize = 16;

/// How long a refused connection has to choose the form of the answer.
const REFUSAL_TIME: Duration = Duration::from_millis(500);

/// Pause after accepting failed for want of file descriptors or memory.
const PAUSE: Duration = Duration::from_millis(50);

impl Server {
    /// # Errors
    /// The system has no pipe left.
    pub fn new(limits: Limits, jobs: usize) -> Result<Self> {
        let stop = Arc::new(StopSignal::new().context("cannot make a pipe")?);
        let shared = Shared { limits, workers: Workers::new(jobs), cancel_keys: CancelKeys::default(), stop };
        Ok(Self {
            places: Places::new(limits.max_connections),
            refusals: Places::new(MAX_REFUSALS),
            shared: Arc::new(shared),
        })
    }

    pub fn stop_signal(&self) -> &Arc<StopSignal> {
        &self.shared.stop
    }

    /// Serves one client on standard input and output, until it ends or a signal arrives.
    ///
    /// # Errors
    /// There is no standard input or output.
    pub fn serve_stdio(&self) -> Result<()> {
        let transport = Transport::stdio(Arc::clone(&self.shared.stop)).context("cannot use standard input")?;
        connection::serve(&transport, &self.shared);
        Ok(())
    }

    /// Serves all clients until a signal arrives; then waits for the requests in progress, and removes the socket.
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

    /// Starts the thread of a connection, also of a refused one: its client may be slow to choose the form of the
    /// answer.
    fn accept(&self, socket: UnixStream, threads: &mut Threads) {
        let shared = Arc::clone(&self.shared);
        let Ok(transport) = Transport::socket(OwnedFd::from(socket), Arc::clone(&shared.stop)) else { return };
        if let Some(place) = self.places.take() {
            threads.spawn(move || {
                let _place = place;
                connection::serve(&transport, &shared);
            });
        } else if let Some(place) = self.refusals.take() {
            let limit = shared.limits.max_connections;
            threads.spawn(move || {
                let _place = place;
                let message = format!("there are {limit} connections, and --max-connections allows no more");
                connection::refuse(&transport, &Fault::new(ErrorCode::TooManyConnections, message), REFUSAL_TIME);
            });
        }
    }

    /// Waits for the connections to end, which they do when they have answered; not for those whose
    /// clients do not read.
    fn drain(&self) {
        self.places.wait_until_free(Instant::now() + DRAIN_TIME + PAUSE);
    }
}
