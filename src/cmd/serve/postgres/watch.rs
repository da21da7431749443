//! Watches a client while a session executes for it, and cancels the execution when the client has gone.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pgq_postgres::Canceller;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use super::super::transport::Transport;

/// How long a server may take to take note of a cancel.
const CANCEL_TIME: Duration = Duration::from_secs(10);

/// A thread that waits until the client disconnects. Dropping this value ends it.
pub struct Watch {
    executing: Arc<AtomicBool>,
    /// A descriptor whose closing ends the thread, and the thread.
    thread: Option<(OwnedFd, JoinHandle<()>)>,
}

impl Watch {
    /// Watches the client of `transport`. Without resources for that, nothing is cancelled.
    pub fn start(transport: &Transport, canceller: Canceller) -> Self {
        let executing = Arc::new(AtomicBool::new(false));
        let Ok((ended, end)) = pipe_with(PipeFlags::CLOEXEC) else { return Self { executing, thread: None } };
        let (client, flag) = (transport.output(), Arc::clone(&executing));
        let wait = move || {
            let mut ends = [PollFd::new(&*client, PollFlags::empty()), PollFd::new(&ended, PollFlags::empty())];
            while let Err(Errno::INTR) = poll(&mut ends, None) {}
            if ends[1].revents().is_empty() && flag.load(Ordering::Acquire) {
                let _ = canceller.cancel(CANCEL_TIME);
            }
        };
        let spawned = thread::Builder::new().name("watch".into()).stack_size(128 << 10).spawn(wait);
        Self { executing, thread: spawned.ok().map(|thread| (end, thread)) }
    }

    /// Sets whether the session executes.
    pub fn set_executing(&self, executing: bool) {
        self.executing.store(executing, Ordering::Release);
    }
}

impl Drop for Watch {
    /// The thread is joined, and not detached: see `threads`.
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
