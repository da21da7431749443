//! A session with its socket. Blocks only in explicit waits, so one thread can drive thousands of connections.

mod address;
mod cancel;
#[cfg(feature = "tls")]
mod certificate;
mod open;
mod socket;
mod target;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "tls")]
mod verify;

use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Instant;

use address::{Address, Until};
pub use cancel::Canceller;
use socket::Socket;

use crate::error::Error;
use crate::protocol::{ProtocolState, ServerEvent};

/// Number of bytes transferred in each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moved {
    /// Bytes from the server.
    pub read: usize,
    /// Bytes to the server.
    pub written: usize,
}

/// A session with a non-blocking socket.
///
/// An event loop waits until the file descriptor is readable. While [`Connection::wants_write`] returns true, a
/// writable file descriptor also ends the wait. The event loop then calls [`Connection::transfer`] and takes the
/// session's answers. A program with one connection uses [`Client`](crate::Client).
pub struct Connection {
    socket: Socket,
    session: ProtocolState,
    address: Address,
    #[cfg(feature = "tls")]
    connector: Option<tls::Connector>,
    target: String,
    /// Error of a failed write. Earlier messages of the server can still be read.
    write_failed: Option<std::io::Error>,
}

impl Connection {
    /// Returns the session, which accepts requests and returns answers.
    pub fn session(&mut self) -> &mut ProtocolState {
        &mut self.session
    }

    /// Returns the server's host and port, or the path of its socket.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Returns whether TLS is used.
    pub fn is_encrypted(&self) -> bool {
        #[cfg(feature = "tls")]
        return matches!(self.socket, Socket::Tls(_));
        #[cfg(not(feature = "tls"))]
        false
    }

    /// Returns a handle for cancelling the session's requests from any thread.
    pub fn canceller(&self) -> Canceller {
        Canceller {
            address: self.address.clone(),
            key: self.session.key().unwrap_or_default(),
            #[cfg(feature = "tls")]
            connector: self.connector.clone().filter(|_| self.is_encrypted()),
        }
    }

    /// Returns whether unsent bytes remain.
    pub fn wants_write(&self) -> bool {
        self.write_failed.is_none() && (!self.session.output().is_empty() || self.socket.wants_write())
    }

    /// Writes and reads without blocking. Reads at most as many bytes as the session has space for.
    ///
    /// Returns an error if the connection has ended. Take all answers before you handle this error, because the last
    /// answers explain the end.
    pub fn transfer(&mut self) -> Result<Moved, Error> {
        let written = self.write().unwrap_or_else(|error| {
            self.write_failed = Some(error);
            0
        });
        let read = match self.socket.read(self.session.space()) {
            Ok(0) => return Err(self.write_failed.take().map_or(Error::Closed, Error::Io)),
            Ok(read) => read,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => 0,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return Err(Error::Closed),
            Err(error) => return Err(Error::Io(error)),
        };
        self.session.received(read);
        Ok(Moved { read, written })
    }

    /// Writes without blocking and reads nothing, for an event loop that calls `transfer` only when answers arrive. If
    /// writing fails, returns false, and the next `transfer` reports the error, after the server's last messages. Call
    /// `transfer` in this case, because no answer may arrive any more.
    #[must_use]
    pub fn flush(&mut self) -> bool {
        if let Err(error) = self.write() {
            self.write_failed = Some(error);
        }
        self.write_failed.is_none()
    }

    fn write(&mut self) -> std::io::Result<usize> {
        let mut written = 0;
        while self.write_failed.is_none() && !self.session.output().is_empty() {
            match self.socket.write(self.session.output()) {
                Ok(count) => {
                    self.session.sent(count);
                    written += count;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(written),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if self.write_failed.is_none() {
            self.socket.flush()?;
        }
        Ok(written)
    }

    /// Waits until `transfer` can make progress. Returns false after the deadline.
    pub fn wait(&self, deadline: Option<Instant>) -> Result<bool, Error> {
        self.wait_until(Until { deadline, client: None })
    }

    fn wait_until(&self, until: Until<'_>) -> Result<bool, Error> {
        Ok(self.socket.wait(self.wants_write(), until)?)
    }

    /// Waits for answers and passes them to `done`, until `done` returns a value. Returns `None` if `until` ends the
    /// wait first.
    fn run<T>(
        &mut self,
        until: Until<'_>,
        mut done: impl FnMut(ServerEvent<'_>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        /// Maximum bytes of the answers. Servers usually send a few kilobytes.
        const LIMIT: usize = 16 << 20;
        let mut received = 0;
        loop {
            while let Some(answer) = self.session.next_answer()? {
                if let Some(result) = done(answer.event) {
                    return Ok(Some(result));
                }
            }
            let moved = self.transfer()?;
            received += moved.read;
            if received > LIMIT {
                return Err(Error::Protocol(format!("more than {LIMIT} bytes before the session was ready")));
            }
            if moved == Moved::default() && !self.wait_until(until)? {
                return Ok(None);
            }
        }
    }

    /// Sends Terminate and closes the connection. The server process may exit a little later.
    pub fn close(mut self) {
        self.session.terminate();
        // Do not wait for a server that does not read. The server will notice the closed connection.
        let _ = self.write();
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Connection").field("target", &self.target).field("session", &self.session).finish()
    }
}
