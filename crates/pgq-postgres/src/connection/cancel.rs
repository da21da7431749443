//! Cancels a session's request over a second connection.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use bytes::BytesMut;

use super::address::{Address, Until};
use super::socket::Socket;
use crate::error::Error;
use crate::settings::Keepalive;

/// Cancels the requests of one session. Opens its own connection, so any thread may use it.
#[derive(Clone)]
pub struct Canceller {
    pub(super) address: Address,
    pub(super) key: (i32, i32),
    #[cfg(feature = "tls")]
    pub(super) connector: Option<super::tls::Connector>,
}

impl Canceller {
    /// Sends a cancel request, with TLS if the session uses TLS. Returns when the server has accepted the request. The
    /// running statement fails with SQLSTATE 57014, unless it ends first. Without a running statement, the request has
    /// no effect.
    pub fn cancel(&self, timeout: Duration) -> Result<(), Error> {
        let until = Until::deadline(Instant::now() + timeout);
        let timed_out = || Error::Timeout(timeout);
        let mut socket = Socket::connect(&self.address, &Keepalive::default(), until)?;
        #[cfg(feature = "tls")]
        if let Some(connector) = &self.connector {
            socket = super::open::begin_tls(socket, connector, until)?
                .map_err(|_| Error::Tls("the server refuses TLS for the cancel".into()))?;
        }
        let mut request = BytesMut::new();
        postgres_protocol::message::frontend::cancel_request(self.key.0, self.key.1, &mut request);
        super::open::write_all(&mut socket, &request, until)?.then_some(()).ok_or_else(timed_out)?;
        // Waits until the server closes the connection, which it does after it has signaled the session.
        let mut byte = [0];
        loop {
            match socket.read(&mut byte) {
                Ok(0) => return Ok(()),
                Ok(_) => return Err(Error::Protocol("an answer to a cancel".into())),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    socket.wait(false, until)?.then_some(()).ok_or_else(timed_out)?;
                }
                // Some systems report a normal close as a reset. rustls reports a close without `close_notify` as an
                // unexpected EOF. Both errors mean that the server has closed the connection.
                Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof) => {
                    return Ok(());
                }
                Err(error) => return Err(Error::Io(error)),
            }
        }
    }
}

impl std::fmt::Debug for Canceller {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the secret key, because anyone with the key can cancel requests.
        write!(out, "Canceller({:?}, process {})", self.address, self.key.0)
    }
}
