//! The user of the process at the other end of a socket.

use std::os::fd::AsFd;

/// Whether the process at the other end of `socket` runs as the same user as this process.
pub fn is_allowed(socket: impl AsFd) -> bool {
    let own = rustix::process::geteuid().as_raw();
    // A process whose user is unknown is refused.
    user(socket) == Some(own)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn user(socket: impl AsFd) -> Option<u32> {
    rustix::net::sockopt::socket_peercred(socket).ok().map(|peer| peer.uid.as_raw())
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn user(socket: impl AsFd) -> Option<u32> {
    nix::unistd::getpeereid(socket).ok().map(|(user, _)| user.as_raw())
}
