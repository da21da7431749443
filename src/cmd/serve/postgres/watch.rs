//! Watches a client while its session executes a statement. Cancels the execution if the client disconnects.

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

/// Timeout of a cancel request.
const CANCEL_TIME: Duration = Duration::from_secs(10);

/// A thread that waits until the client disconnects. Dropping this value stops the thread.
pub struct Watch {
    executing: Arc<AtomicBool>,
    /// The thread, and a descriptor that stops the thread when closed.
    thread: Option<(OwnedFd, JoinHandle<()>)>,
}

impl Watch {
    /// Watches the client of `transport`. If system resources are exhausted, does nothing.
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

    /// Sets whether the session is executing.
    pub fn set_executing(&self, executing: bool) {
        self.executing.store(executing, Ordering::Release);
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
