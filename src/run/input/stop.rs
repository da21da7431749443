//! Stops a command. A flag stops the threads that are working, and a pipe wakes the threads that are waiting. Input
//! that was already read is still processed.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::{PipeFlags, pipe_with};

/// A pipe that becomes readable when the command must stop. All threads that wait for the pipe wake up.
#[derive(Debug)]
pub struct StopSignal {
    reader: OwnedFd,
    writer: OwnedFd,
    /// Number of the received signal, or 0.
    signal: AtomicI32,
}

impl StopSignal {
    /// # Errors
    /// No pipe can be created.
    pub fn new() -> rustix::io::Result<Self> {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        Ok(Self { reader, writer, signal: AtomicI32::new(0) })
    }

    /// Whether the command must stop.
    pub fn is_set(&self) -> bool {
        self.signal().is_some()
    }

    /// Returns the signal that stops the command.
    pub fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::Acquire)).filter(|signal| *signal != 0)
    }

    /// Stops the command because of `signal`, which is not 0. Returns false if the command was already stopped.
    pub fn set(&self, signal: i32) -> bool {
        let first = self.signal.compare_exchange(0, signal, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if first {
            // Writing one byte to an empty pipe cannot fail.
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

/// An input that ends when the command must stop.
pub struct StoppableInput<R> {
    pub inner: R,
    pub stop: Arc<StopSignal>,
    /// Whether `inner` ends by itself after the signal.
    pub ends_itself: bool,
}

impl<R: Read> Read for StoppableInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_set() && !self.ends_itself {
            return Ok(0);
        }
        let read = self.inner.read(buffer);
        // If the command stops, the input may end in the middle of a compressed stream or of a character. Therefore a
        // decoding error after the stop signal is treated as the end of the input. A pause (`WouldBlock`) is no such
        // error.
        match &read {
            Err(error) if self.stop.is_set() && error.kind() != io::ErrorKind::WouldBlock => Ok(0),
            _ => read,
        }
    }
}

/// Standard input, or a named pipe. A read waits for bytes, even in non-blocking mode, and ends when the command must
/// stop.
pub struct Pipe<P> {
    pub pipe: P,
    /// `None` if the command cannot be stopped.
    pub stop: Option<Arc<StopSignal>>,
}

impl<P: AsFd> Read for Pipe<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let pipe = PollFd::new(&self.pipe, PollFlags::IN);
            match &self.stop {
                Some(stop) => poll(&mut [pipe, PollFd::from_borrowed_fd(stop.as_fd(), PollFlags::IN)], None)?,
                None => poll(&mut [pipe], None)?,
            };
            if self.stop.as_ref().is_some_and(|stop| stop.is_set()) {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            // Reads from the descriptor and not through `Stdin`, because `poll` does not see bytes that `Stdin` has
            // buffered.
            match rustix::io::read(&self.pipe, &mut *buffer) {
                Err(rustix::io::Errno::AGAIN) => {}           // another process has read the bytes
                Err(rustix::io::Errno::BADF) => return Ok(0), // standard input is open only for writing
                read => return Ok(read?),
            }
        }
    }
}
