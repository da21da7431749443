//! Non-blocking sockets: TCP, Unix, and TLS over TCP.
//!
//! `read` and `write` transfer bytes without waiting. If no byte can be transferred, they fail with `WouldBlock`.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, SockFlag, SockType, SockaddrStorage, UnixAddr, connect, setsockopt, socket, sockopt,
};

use super::address::{Address, Until, wait};
use crate::error::Error;
use crate::settings::Keepalive;

/// A connected, non-blocking socket.
pub enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
    #[cfg(feature = "tls")]
    Tls(Box<super::tls::TlsStream>),
}

impl Socket {
    pub fn connect(address: &Address, keepalive: &Keepalive, until: Until<'_>) -> Result<Self, Error> {
        match address {
            Address::Tcp(address) => {
                let stream = connect_tcp(*address, until)?;
                stream.set_nodelay(true)?;
                set_keepalive(&stream, keepalive)?;
                Ok(Self::Tcp(stream))
            }
            Address::Unix(path) => Ok(Self::Unix(connect_unix(path)?)),
        }
    }

    pub fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(space),
            Self::Unix(stream) => stream.read(space),
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.read(space),
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    /// Writes the ciphertext that TLS buffers. Returns whether all bytes were written.
    pub fn flush(&mut self) -> io::Result<bool> {
        match self {
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.flush(),
            _ => Ok(true),
        }
    }

    /// Returns whether TLS buffers unsent bytes.
    pub fn wants_write(&self) -> bool {
        match self {
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.wants_write(),
            _ => false,
        }
    }

    /// Waits until the socket is readable. With `write`, a writable socket also ends the wait. Returns false if `until`
    /// ended the wait, at its deadline or because its client disconnected.
    pub fn wait(&self, write: bool, until: Until<'_>) -> io::Result<bool> {
        wait(self.as_fd(), write, until)
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
            #[cfg(feature = "tls")]
            Self::Tls(stream) => stream.as_fd(),
        }
    }
}

/// Connects a non-blocking socket.
fn connect_tcp(address: SocketAddr, until: Until<'_>) -> io::Result<TcpStream> {
    let family = if address.is_ipv4() { AddressFamily::Inet } else { AddressFamily::Inet6 };
    let stream = TcpStream::from(socket(family, SockType::Stream, SockFlag::SOCK_CLOEXEC, None)?);
    stream.set_nonblocking(true)?;
    match connect(stream.as_raw_fd(), &SockaddrStorage::from(address)) {
        Ok(()) => return Ok(stream),
        Err(Errno::EINPROGRESS | Errno::EINTR) => {}
        Err(error) => return Err(error.into()),
    }
    if !wait(stream.as_fd(), true, until)? {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.take_error()?.map_or(Ok(stream), Err)
}

/// Connects a non-blocking socket. Like libpq, fails at once if the server's queue of connections is full, for example
/// because the server hangs.
fn connect_unix(path: &str) -> io::Result<UnixStream> {
    let stream = UnixStream::from(socket(AddressFamily::Unix, SockType::Stream, SockFlag::SOCK_CLOEXEC, None)?);
    stream.set_nonblocking(true)?;
    #[cfg(target_os = "linux")]
    if let Some(name) = path.strip_prefix('@') {
        connect(stream.as_raw_fd(), &UnixAddr::new_abstract(name.as_bytes())?)?;
        return Ok(stream);
    }
    connect(stream.as_raw_fd(), &UnixAddr::new(path)?)?;
    Ok(stream)
}

fn set_keepalive(stream: &TcpStream, keepalive: &Keepalive) -> Result<(), Error> {
    let io = |error: nix::errno::Errno| Error::Io(error.into());
    setsockopt(stream, sockopt::KeepAlive, &keepalive.enabled).map_err(io)?;
    #[cfg(target_os = "linux")]
    {
        if let Some(milliseconds) = keepalive.user_timeout {
            setsockopt(stream, sockopt::TcpUserTimeout, &milliseconds).map_err(io)?;
        }
        if let Some(seconds) = keepalive.idle.filter(|_| keepalive.enabled) {
            setsockopt(stream, sockopt::TcpKeepIdle, &seconds).map_err(io)?;
        }
        if let Some(seconds) = keepalive.interval.filter(|_| keepalive.enabled) {
            setsockopt(stream, sockopt::TcpKeepInterval, &seconds).map_err(io)?;
        }
        if let Some(count) = keepalive.count.filter(|_| keepalive.enabled) {
            setsockopt(stream, sockopt::TcpKeepCount, &count).map_err(io)?;
        }
    }
    Ok(())
}

/// Fails unless the peer process of a Unix socket belongs to `user`.
pub fn check_peer(socket: &Socket, user: &str) -> Result<(), Error> {
    let Socket::Unix(stream) = socket else { return Ok(()) };
    #[cfg(target_os = "linux")]
    {
        let peer = nix::sys::socket::getsockopt(stream, sockopt::PeerCredentials).map_err(io::Error::from)?;
        let name = nix::unistd::User::from_uid(nix::unistd::Uid::from_raw(peer.uid())).map_err(io::Error::from)?;
        if name.is_some_and(|peer| peer.name == user) {
            return Ok(());
        }
        Err(Error::Authentication(format!("requirepeer: the server's process is not that of the user {user}")))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (stream, user);
        Err(Error::Authentication("requirepeer is not supported on this system".into()))
    }
}
