//! Watches a client while its session waits for the server. If the client disconnects, cancels the statement and ends
//! the session.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pgq_postgres::Canceller;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};
use rustix::pipe::{PipeFlags, pipe_with};

use super::super::transport::Transport;

/// Timeout of a cancel request. If the server does not react, the thread of the client connection
/// is occupied until the timeout.
const CANCEL_TIME: Duration = Duration::from_secs(5);

/// States of a session.
const IDLE: u8 = 0;
const WAITING: u8 = 1;
/// The client has disconnected.
const GONE: u8 = 2;

/// A thread that waits until the client disconnects. Dropping this value stops the thread.
pub struct Watch {
    state: Arc<AtomicU8>,
    /// The thread, and a descriptor that stops the thread when closed.
    thread: Option<(OwnedFd, JoinHandle<()>)>,
}

impl Watch {
    /// Watches the client of `transport`. `server` is the session's socket. If system resources are exhausted, does
    /// nothing.
    pub fn start(transport: &Transport, canceller: Canceller, server: std::io::Result<OwnedFd>) -> Self {
        let state = Arc::new(AtomicU8::new(IDLE));
        let (Ok((ended, end)), Ok(server)) = (pipe_with(PipeFlags::CLOEXEC), server) else {
            return Self { state, thread: None };
        };
        let (client, shared) = (transport.output(), Arc::clone(&state));
        let wait = move || {
            let mut ends = [PollFd::new(&*client, PollFlags::empty()), PollFd::new(&ended, PollFlags::empty())];
            while let Err(Errno::INTR) = poll(&mut ends, None) {}
            if ends[1].revents().is_empty() && shared.swap(GONE, Ordering::AcqRel) == WAITING {
                let _ = canceller.cancel(CANCEL_TIME);
                // Closes the session without waiting for its end, because the server may not react
                // to the cancel request.
                let _ = shutdown(&server, Shutdown::Both);
            }
        };
        let spawned = thread::Builder::new().name("watch".into()).stack_size(128 << 10).spawn(wait);
        Self { state, thread: spawned.ok().map(|thread| (end, thread)) }
    }

    /// Marks the start of a wait for the server. Returns whether the client is still connected.
    pub fn begin(&self) -> bool {
        self.state.compare_exchange(IDLE, WAITING, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Marks the end of a wait for the server.
    pub fn end(&self) {
        let _ = self.state.compare_exchange(WAITING, IDLE, Ordering::AcqRel, Ordering::Acquire);
    }
}

impl Drop for Watch {
    /// Joins the thread instead of detaching it. The module `threads` explains the reason.
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
