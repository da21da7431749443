//! The address of a server, and a function that waits until a socket is ready. The wait ends early at a deadline. If
//! pgq waits on behalf of a client, the wait also ends early when this client disconnects.

use std::io;
use std::net::SocketAddr;
use std::os::fd::BorrowedFd;
use std::time::Instant;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// The address at which a server listens.
#[derive(Debug, Clone)]
pub enum Address {
    Tcp(SocketAddr),
    /// Path of a socket. A path that starts with `@` is an abstract socket.
    Unix(String),
}

/// The events that end a wait early: a deadline, or the end of a client's connection.
#[derive(Debug, Clone, Copy, Default)]
pub struct Until<'a> {
    pub deadline: Option<Instant>,
    /// Connection of the client on whose behalf pgq waits. If this client disconnects, the wait ends as if the deadline
    /// had passed.
    pub client: Option<BorrowedFd<'a>>,
}

impl Until<'_> {
    pub fn deadline(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), client: None }
    }
}

/// Returns whether the other end of a connection is closed.
pub fn is_closed(client: BorrowedFd<'_>) -> bool {
    let mut fds = [PollFd::new(client, PollFlags::empty())];
    matches!(poll(&mut fds, PollTimeout::ZERO), Ok(1..))
}

/// Waits until a socket is readable. With `write`, a writable socket also ends the wait. Returns false if `until` ended
/// the wait, at its deadline or because its client disconnected.
pub fn wait(socket: BorrowedFd<'_>, write: bool, until: Until<'_>) -> io::Result<bool> {
    let flags = if write { PollFlags::POLLIN | PollFlags::POLLOUT } else { PollFlags::POLLIN };
    let deadline = until.deadline;
    loop {
        // The first entry of `fds` detects that the client has disconnected. It requests no events, so it reports only
        // POLLHUP and POLLERR. Without a client, the entry contains the socket itself, and its result is ignored.
        let client = PollFd::new(until.client.unwrap_or(socket), PollFlags::empty());
        let mut fds = [client, PollFd::new(socket, flags)];
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        // Round up, because a timeout of 0 would cause a busy loop.
        let timeout = left.map_or(PollTimeout::NONE, |left| {
            let milliseconds = left.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32;
            PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX)
        });
        match poll(&mut fds, timeout) {
            Ok(0) if deadline.is_some_and(|deadline| Instant::now() >= deadline) => return Ok(false),
            Ok(0) | Err(nix::errno::Errno::EINTR) => {}
            Ok(_) => return Ok(until.client.is_none() || fds[0].any() != Some(true)),
            Err(error) => return Err(error.into()),
        }
    }
}
