//! The byte streams of one client: a socket, or standard input and output. Only [`Transport::wait`] and
//! [`Transport::make_room`] block.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::net::{Shutdown, shutdown};

use super::buffers::{Input, Output};
use super::limits::WAITING_BYTES;
use crate::run::input::StopSignal;

/// The source of requests and the destination of answers.
pub struct Transport {
    input: Arc<OwnedFd>,
    output: Arc<OwnedFd>,
    stop: Arc<StopSignal>,
}

/// Result of a read.
#[derive(Debug, PartialEq, Eq)]
pub enum Reading {
    Some,
    /// No bytes are available now.
    None,
    /// The client has closed its end of the connection.
    End,
}

/// Why a wait ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Wakeup {
    /// Bytes can be read or written, or the other end is closed.
    Ready,
    Timeout,
    /// The daemon must stop.
    Stop,
}

/// Events to wait for.
#[derive(Debug, Clone, Copy)]
pub struct Interest {
    pub read: bool,
    pub write: bool,
    /// Whether a signal ends the wait.
    pub stop: bool,
}

impl Transport {
    pub fn socket(socket: OwnedFd, stop: Arc<StopSignal>) -> rustix::io::Result<Self> {
        ioctl_fionbio(&socket, true)?;
        let socket = Arc::new(socket);
        Ok(Self { input: Arc::clone(&socket), output: socket, stop })
    }

    /// Uses standard input and output. Makes only pipes and sockets non-blocking, because other programs share the
    /// flags of files and terminals.
    pub fn stdio(stop: Arc<StopSignal>) -> std::io::Result<Self> {
        let (input, output) = (std::io::stdin(), std::io::stdout());
        let (input, output) = (input.as_fd().try_clone_to_owned()?, output.as_fd().try_clone_to_owned()?);
        for end in [&input, &output] {
            if matches!(FileType::from_raw_mode(fstat(end)?.st_mode), FileType::Fifo | FileType::Socket) {
                ioctl_fionbio(end, true)?;
            }
        }
        Ok(Self { input: Arc::new(input), output: Arc::new(output), stop })
    }

    /// Returns the descriptor for answers.
    pub fn output(&self) -> Arc<OwnedFd> {
        Arc::clone(&self.output)
    }

    /// Reads the available bytes.
    ///
    /// # Errors
    /// The connection is broken.
    pub fn read(&self, input: &mut Input) -> rustix::io::Result<Reading> {
        loop {
            match rustix::io::read(&self.input, input.room()) {
                Ok(0) => return Ok(Reading::End),
                Ok(bytes) => {
                    input.filled(bytes);
                    return Ok(Reading::Some);
                }
                Err(Errno::AGAIN) => return Ok(Reading::None),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes as many bytes as the client accepts now.
    ///
    /// # Errors
    /// The connection is broken.
    pub fn write(&self, output: &mut Output) -> rustix::io::Result<()> {
        while !output.waiting().is_empty() {
            match rustix::io::write(&self.output, output.waiting()) {
                Ok(bytes) => output.written(bytes),
                Err(Errno::AGAIN) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits at most `timeout` for an event of `interest`.
    ///
    /// # Errors
    /// Waiting for the descriptors (`poll`) fails.
    pub fn wait(&self, interest: Interest, timeout: Option<Duration>) -> rustix::io::Result<Wakeup> {
        let since = Instant::now();
        let events = |on, flag| if on { flag } else { PollFlags::empty() };
        let mut ends = [
            PollFd::new(&*self.input, events(interest.read, PollFlags::IN)),
            PollFd::new(&*self.output, events(interest.write, PollFlags::OUT)),
            PollFd::new(self.stop.as_ref(), PollFlags::IN),
        ];
        let ends = if interest.stop { &mut ends[..] } else { &mut ends[..2] };
        loop {
            let left = timeout.map(|timeout| timeout.saturating_sub(since.elapsed()));
            let left = left.and_then(|left| Timespec::try_from(left).ok());
            match poll(ends, left.as_ref()) {
                Ok(0) => return Ok(Wakeup::Timeout),
                Ok(_) if ends.get(2).is_some_and(|stop| !stop.revents().is_empty()) => return Ok(Wakeup::Stop),
                // An error event of the output means that the client has closed its end. poll reports error events even
                // if no events are requested.
                Ok(_) if ends[1].revents().intersects(PollFlags::ERR | PollFlags::NVAL) => return Err(Errno::PIPE),
                Ok(_) => return Ok(Wakeup::Ready),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes until at most [`WAITING_BYTES`] are unsent. If the client reads nothing for the time `idle`, closes the
    /// connection.
    ///
    /// # Errors
    /// The connection is broken or was closed.
    pub fn make_room(&self, output: &mut Output, idle: Option<Duration>) -> rustix::io::Result<()> {
        self.write(output)?;
        while output.waiting().len() > WAITING_BYTES {
            let writing = Interest { read: false, write: true, stop: false };
            if self.wait(writing, idle)? == Wakeup::Timeout {
                let _ = shutdown(&self.output, Shutdown::Both);
                return Err(Errno::TIMEDOUT);
            }
            self.write(output)?;
        }
        Ok(())
    }
}
