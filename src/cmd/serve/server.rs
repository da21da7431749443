//! The daemon. It accepts connections, serves each connection in a thread, and stops on a signal. A thread needs a
//! worker to process a request, so the number of workers limits the number of requests in progress.

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
use super::limits::{DRAIN_TIME, Limits, MAX_REFUSALS};
use super::listen::Listener;
use super::peer;
use super::places::Places;
use super::shared::Shared;
use super::threads::Threads;
use super::transport::Transport;
use super::workers::Workers;
use crate::run::input::StopSignal;

pub struct Server {
    shared: Arc<Shared>,
    /// Places for served connections.
    places: Arc<Places>,
    /// Limits the number of connections that are being refused. On each of them, the daemon waits for the client's
    /// first byte, and then sends an error. Above the limit, a connection is closed without an error.
    refusals: Arc<Places>,
}

/// Maximum time to wait for the first byte of a refused connection.
const REFUSAL_TIME: Duration = Duration::from_millis(500);

/// Pause if a connection cannot be accepted because file descriptors or memory are exhausted.
const PAUSE: Duration = Duration::from_millis(50);

impl Server {
    /// # Errors
    /// No pipe can be created.
    pub fn new(limits: Limits, jobs: usize) -> Result<Self> {
        let stop = Arc::new(StopSignal::new().context("cannot make a pipe")?);
        let (workers, sessions) = (Workers::new(jobs), Places::new(limits.max_sessions));
        let shared = Shared { limits, workers, sessions, cancel_keys: CancelKeys::default(), stop };
        Ok(Self {
            places: Places::new(limits.max_connections),
            refusals: Places::new(MAX_REFUSALS),
            shared: Arc::new(shared),
        })
    }

    pub fn stop_signal(&self) -> &Arc<StopSignal> {
        &self.shared.stop
    }

    /// Serves one client on standard input and output, until the client disconnects or a signal arrives.
    ///
    /// # Errors
    /// Standard input or output is missing, or cannot be read or written.
    pub fn serve_stdio(&self) -> Result<()> {
        let transport = Transport::stdio(Arc::clone(&self.shared.stop)).context("cannot use standard input")?;
        // Starts a thread that ends the program if the program still runs some time after a signal, for example because
        // of a long request, or because the client does not read its answers.
        let shared = Arc::clone(&self.shared);
        Threads::default().spawn(move || {
            while !shared.stop.is_set() {
                _ = poll(&mut [PollFd::new(shared.stop.as_ref(), PollFlags::IN)], None);
            }
            thread::sleep(DRAIN_TIME + PAUSE);
            std::process::exit(0);
        });
        match connection::serve(&transport, &self.shared) {
            Err(Errno::PIPE) | Ok(()) => Ok(()), // the client needs no more answers
            Err(error) => Err(std::io::Error::from(error).into()),
        }
    }

    /// Serves all clients until a signal arrives. Then removes the socket and waits for the requests in progress.
    ///
    /// # Errors
    /// Waiting for connections fails.
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
                Ok(_) => {} // closed without an answer
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => thread::sleep(PAUSE),
            }
        }
        listener.close();
        self.drain();
        Ok(())
    }

    /// Starts a thread for a connection. A refused connection also needs a thread, which waits for the client's first
    /// byte: only this byte shows whether to send the error as a binary frame or as a JSON line.
    fn accept(&self, socket: UnixStream, threads: &mut Threads) {
        let shared = Arc::clone(&self.shared);
        let Ok(transport) = Transport::socket(OwnedFd::from(socket), Arc::clone(&shared.stop)) else { return };
        if let Some(place) = self.places.take() {
            threads.spawn(move || {
                let _place = place;
                let _ = connection::serve(&transport, &shared);
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

    /// Waits until all connections have answered their requests and are closed. The time is limited, because a client
    /// might never read its answers.
    fn drain(&self) {
        self.places.wait_until_free(Instant::now() + DRAIN_TIME + PAUSE);
    }
}
