//! TLS with rustls over a non-blocking socket.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, SupportedProtocolVersion};

use super::address::{Address, Until, wait};
use super::certificate::{end_point_hash, read_certificates};
use super::verify::verifier;
use crate::error::Error;
use crate::settings::{Host, Settings, SslNegotiation, TlsSettings, TlsVersion, read_file};

/// The TLS configuration for one host.
#[derive(Clone)]
pub struct Connector {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    direct: bool,
}

impl Connector {
    pub fn new(settings: &Settings, host: &Host, address: &Address) -> Result<Self, Error> {
        let failed = |error: rustls::Error| Error::Tls(error.to_string());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = verifier(settings, &provider)?;
        let settings = &settings.tls;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&versions(settings)?)
            .map_err(failed)?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let mut config = match (&settings.certificate, &settings.key) {
            (Some(certificate), Some(key)) => {
                let (chain, key) = (read_certificates(certificate)?, read_key(key)?);
                builder.with_client_auth_cert(chain, key).map_err(failed)?
            }
            (Some(_), None) => return Err(Error::Tls("sslcert has no sslkey".into())),
            (None, _) => builder.with_no_client_auth(),
        };
        let direct = settings.negotiation == SslNegotiation::Direct;
        if direct {
            config.alpn_protocols = vec![b"postgresql".to_vec()];
        }
        let name = match (ServerName::try_from(host.name.clone()), host.address, address) {
            (Ok(name), _, _) => name,
            (Err(_), Some(address), _) => ServerName::IpAddress(address.into()),
            (Err(_), None, Address::Tcp(address)) => ServerName::IpAddress(address.ip().into()),
            _ => return Err(Error::Tls("it is for TCP only".into())),
        };
        config.enable_sni = settings.sni;
        Ok(Self { config: Arc::new(config), name, direct })
    }

    /// Returns whether TLS starts without a request to the server (`sslnegotiation=direct`).
    pub fn is_direct(&self) -> bool {
        self.direct
    }

    /// Performs the handshake.
    pub fn begin(&self, socket: TcpStream, until: Until<'_>) -> Result<TlsStream, Error> {
        let failed = |error: rustls::Error| Error::Tls(error.to_string());
        let tls = ClientConnection::new(Arc::clone(&self.config), self.name.clone()).map_err(failed)?;
        let mut stream = TlsStream { socket, tls };
        while stream.tls.is_handshaking() {
            let flushed = stream.flush()?;
            match stream.tls.read_tls(&mut stream.socket) {
                Ok(0) => return Err(Error::Tls("the server closed the connection in the handshake".into())),
                Ok(_) => {
                    let processed = stream.tls.process_new_packets().map_err(failed);
                    // Send the TLS alert, which contains the reason for the failure.
                    let _ = stream.flush();
                    processed?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !wait(stream.socket.as_fd(), !flushed, until)? {
                        return Err(Error::Io(ErrorKind::TimedOut.into()));
                    }
                }
                Err(error) => return Err(Error::Tls(error.to_string())),
            }
        }
        stream.flush()?;
        if self.direct && stream.tls.alpn_protocol() != Some(b"postgresql") {
            return Err(Error::Tls("the server did not agree to PostgreSQL's protocol".into()));
        }
        Ok(stream)
    }
}

fn versions(settings: &TlsSettings) -> Result<Vec<&'static SupportedProtocolVersion>, Error> {
    use rustls::version::{TLS12, TLS13};
    match (settings.min_version, settings.max_is_tls12) {
        (TlsVersion::Tls13, true) => Err(Error::Tls("the oldest version allowed is newer than the newest".into())),
        (TlsVersion::Tls13, false) => Ok(vec![&TLS13]),
        (_, true) => Ok(vec![&TLS12]),
        (_, false) => Ok(vec![&TLS13, &TLS12]),
    }
}

/// Reads a private key. As in libpq, refuses a file that other users can read. Exception: a file that belongs to root
/// may be readable by its group.
fn read_key(path: &Path) -> Result<PrivateKeyDer<'static>, Error> {
    use std::os::unix::fs::MetadataExt;
    let failed = |error: &dyn std::fmt::Display| Error::Tls(format!("{}: {error}", path.display()));
    let metadata = std::fs::metadata(path).map_err(|error| failed(&error))?;
    let forbidden = if metadata.uid() == 0 { 0o037 } else { 0o077 };
    if metadata.mode() & forbidden != 0 {
        return Err(failed(&"others can read this key (chmod 0600)"));
    }
    let bytes = read_file(path).map_err(|error| failed(&error))?;
    PrivateKeyDer::from_pem_slice(&bytes).map_err(|error| failed(&error))
}

/// A TLS connection over a TCP socket.
pub struct TlsStream {
    socket: TcpStream,
    tls: ClientConnection,
}

impl TlsStream {
    /// Returns the certificate's hash for SCRAM channel binding.
    pub fn certificate_hash(&self) -> Result<Option<Vec<u8>>, Error> {
        let certificate = self.tls.peer_certificates().and_then(|chain| chain.first());
        let certificate = certificate.ok_or_else(|| Error::Tls("the server has no certificate".into()))?;
        Ok(end_point_hash(certificate))
    }

    /// Reads decrypted bytes. First returns the bytes that TLS has buffered, then reads from the socket.
    pub fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.tls.reader().read(space) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // Some servers close the connection without `close_notify`. This is the end of the stream, and not an
                // error.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                read => return read,
            }
            self.tls.read_tls(&mut self.socket)?;
            if let Err(error) = self.tls.process_new_packets() {
                let _ = self.flush();
                return Err(io::Error::new(ErrorKind::InvalidData, error));
            }
        }
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Do not buffer more than one block of ciphertext.
        if !self.flush()? {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = self.tls.writer().write(bytes)?;
        self.flush()?;
        Ok(count)
    }

    /// Writes buffered ciphertext. Returns whether all bytes were written.
    pub fn flush(&mut self) -> io::Result<bool> {
        while self.tls.wants_write() {
            match self.tls.write_tls(&mut self.socket) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    pub fn wants_write(&self) -> bool {
        self.tls.wants_write()
    }
}

impl AsFd for TlsStream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
