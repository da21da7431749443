//! Stops a command: a flag for threads that work, and a pipe that wakes threads that wait. What has been read is still
//! processed.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::{PipeFlags, pipe_with};

/// A pipe that becomes readable when the command must stop, which wakes all waiting threads.
#[derive(Debug)]
pub struct StopSignal {
    reader: OwnedFd,
    writer: OwnedFd,
    /// Number of the signal received; 0 before.
    signal: AtomicI32,
}

impl StopSignal {
    /// # Errors
    /// The system has no pipe left.
    pub fn new() -> rustix::io::Result<Self> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Self { reader, writer, signal: AtomicI32::new(0) })
    }

    /// Whether the command is to stop.
    pub fn is_set(&self) -> bool {
        self.signal().is_some()
    }

    /// The number of the signal that stops the command.
    pub fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::Acquire)).filter(|signal| *signal != 0)
    }

    /// Sets it; false if it was set before. `signal` is the number of a signal, and not 0.
    pub fn set(&self, signal: i32) -> bool {
        let first = self.signal.compare_exchange(0, signal, Ordering::AcqRel, Ordering::Acquire).is_ok();
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

/// An input that ends when the command is to stop.
pub struct StoppableInput<R> {
    pub inner: R,
    pub stop: Arc<StopSignal>,
}

impl<R: Read> Read for StoppableInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_set() {
            return Ok(0);
        }
        let read = self.inner.read(buffer);
        // Truncated input may be unreadable: a compressed stream, or half a character.
        if self.stop.is_set() && read.is_err() { Ok(0) } else { read }
    }
}

/// Standard input, whose reads are interrupted when the command is to stop.
pub struct StoppableStdin {
    pub stop: Arc<StopSignal>,
}

impl Read for StoppableStdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let stdin = io::stdin();
        let mut descriptors =
            [PollFd::new(&stdin, PollFlags::IN), PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
        poll(&mut descriptors, None)?;
        if self.stop.is_set() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        // Not from the buffer of `Stdin`, which `poll` does not know.
        Ok(rustix::io::read(&stdin, buffer)?)
    }
}
