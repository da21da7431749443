//! The listening socket, which is created here or passed by systemd. A created socket is accessible only to its user.
//! A running daemon holds a lock on a file next to the socket. If this file is not locked, the daemon that
//! created the socket has ended. Such a socket is stale.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use listenfd::ListenFd;
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::net::sockopt::socket_acceptconn;
use rustix::net::{self, AddressFamily, SocketAddrUnix, SocketType};
use rustix::process::umask;

/// A listening socket. Dropping this value removes the socket if this process has created it.
pub struct Listener {
    pub socket: UnixListener,
    own: Option<OwnSocket>,
}

/// A socket created by this process.
struct OwnSocket {
    path: PathBuf,
    /// Device and inode numbers of the path when the socket was bound. `None` before that.
    identity: Option<Identity>,
    lock_path: PathBuf,
    /// The lock file. Closing the file releases the lock.
    lock: File,
}

/// Listens on systemd's socket, on `path`, or on the default path.
///
/// # Errors
/// Another daemon uses the path, the path is not a socket, there is no default path, or systemd did not pass exactly
/// one listening socket.
pub fn listener(path: Option<&Path>) -> Result<Listener> {
    let mut passed = ListenFd::from_env();
    if passed.len() > 0 {
        if passed.len() > 1 || path.is_some() {
            bail!("LISTEN_FDS must pass exactly one socket, without --socket");
        }
        let socket = passed.take_unix_listener(0).context("LISTEN_FDS does not pass a Unix stream socket")?;
        let socket = socket.context("LISTEN_FDS passes no socket")?;
        // If the socket does not listen, LISTEN_FDS is wrong, and the descriptor may be a file or socket that another
        // thread of this program has opened. Therefore the descriptor is not closed here.
        if !socket_acceptconn(&socket).unwrap_or(false) {
            std::mem::forget(socket);
            bail!("LISTEN_FDS passes a socket that does not listen");
        }
        return Ok(Listener { socket, own: None });
    }
    let path = match path {
        Some(path) => path.to_path_buf(),
        None => match std::env::var_os("XDG_RUNTIME_DIR").filter(|dir| !dir.is_empty()) {
            Some(dir) => Path::new(&dir).join("pgq.sock"),
            None => bail!("XDG_RUNTIME_DIR is not set: name a socket with --socket PATH"),
        },
    };
    listen_on(path)
}

fn listen_on(path: PathBuf) -> Result<Listener> {
    let mut lock_path = path.clone().into_os_string();
    lock_path.push(".lock");
    let lock_path = PathBuf::from(lock_path);
    // This mask makes the created files accessible only to the user.
    let before = umask(Mode::from_raw_mode(0o177));
    let listener = lock(&lock_path, &path).and_then(|lock| {
        let mut own = OwnSocket { path, identity: None, lock_path, lock };
        let path = &own.path;
        remove_stale(path)?;
        let socket = UnixListener::bind(path).with_context(|| format!("cannot listen on {}", path.display()))?;
        own.identity = identity(path);
        Ok(Listener { socket, own: Some(own) })
    });
    umask(before);
    listener
}

/// Locks the lock file. Tries again if another process has removed the file in the meantime.
fn lock(lock_path: &Path, path: &Path) -> Result<File> {
    loop {
        // With these flags, opening a symbolic link fails, and opening a pipe does not block.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let mut options = File::options();
        options.create(true).truncate(false).write(true).custom_flags(flags.bits() as i32);
        let file = options.open(lock_path).with_context(|| format!("cannot open {}", lock_path.display()))?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            bail!("{} exists and is not a file", lock_path.display());
        }
        if metadata.len() > 0 {
            bail!("{} is not a lock file: it has contents", lock_path.display());
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => bail!("another pgq serve listens on {}", path.display()),
            Err(fs::TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", lock_path.display()));
            }
        }
        if identity(lock_path) == Some(identity_of(&metadata)) {
            return Ok(file);
        }
    }
}

/// Removes the socket of a dead daemon.
fn remove_stale(path: &Path) -> Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("cannot look at {}", path.display())),
        Ok(there) if !there.file_type().is_socket() => bail!("{} exists and is not a socket", path.display()),
        Ok(_) => {}
    }
    // If the connection is refused, no process listens, so the socket is stale. Every other result means that the
    // socket is in use. For example, it is a datagram socket, or its queue of connections is full. The connection
    // attempt is non-blocking, because it would otherwise wait for space in a full queue.
    let client = net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    ioctl_fionbio(&client, true)?;
    if net::connect(&client, &SocketAddrUnix::new(path)?) != Err(Errno::CONNREFUSED) {
        bail!("another program listens on {}", path.display());
    }
    fs::remove_file(path).with_context(|| format!("cannot remove the stale socket {}", path.display()))
}

/// Identity of a file: its device and inode numbers.
type Identity = (u64, u64);

/// Returns the identity of a path. Does not follow links.
fn identity(path: &Path) -> Option<Identity> {
    fs::symlink_metadata(path).ok().map(|there| identity_of(&there))
}

fn identity_of(metadata: &fs::Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

impl Drop for OwnSocket {
    /// Removes the socket and the lock file, unless another file has replaced them.
    fn drop(&mut self) {
        if self.identity.is_some() && identity(&self.path) == self.identity {
            let _ = fs::remove_file(&self.path);
        }
        if self.lock.metadata().is_ok_and(|held| identity(&self.lock_path) == Some(identity_of(&held))) {
            let _ = fs::remove_file(&self.lock_path);
        }
    }
}

impl Listener {
    /// Removes the socket, so no more clients can connect.
    pub fn close(mut self) {
        drop(self.own.take());
    }
}
