//! How a signal reaches every thread that waits.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::pipe::{PipeFlags, pipe_with};

use super::server::Server;
use crate::report;

/// A pipe that has a byte in it once the daemon is to stop, so that all who wait for it wake up.
pub struct StopSignal {
    reader: OwnedFd,
    writer: OwnedFd,
    set: AtomicBool,
}

impl StopSignal {
    /// # Errors
    /// The system gives no pipe.
    pub fn new() -> rustix::io::Result<Self> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Self { reader, writer, set: AtomicBool::new(false) })
    }

    /// Whether the daemon is to stop.
    pub fn is_set(&self) -> bool {
        self.set.load(Ordering::Acquire)
    }

    /// Sets it; false if it was set before.
    pub fn set(&self) -> bool {
        let first = !self.set.swap(true, Ordering::AcqRel);
        if first {
            // An empty pipe takes a byte.
            let _ = rustix::io::write(&self.writer, &[0]);
        }
        first
    }
}

impl AsFd for StopSignal {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}

/// Makes the first SIGINT, SIGTERM or SIGHUP stop the daemon when it has answered what is under way, and
/// a second one end the program at once.
pub fn stop_on_signals(server: &Server) {
    let stop = Arc::clone(server.stop_signal());
    report::handle_signals(move |_| stop.set());
}
