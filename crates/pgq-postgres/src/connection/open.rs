//! Opens a connection. Tries hosts, their addresses, and sessions with and without TLS, until a server accepts a
//! session.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::ErrorKind;
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::BorrowedFd;
use std::time::Instant;

use super::address::{Address, Until, is_closed};
use super::socket::{Socket, check_peer};
use super::{Connection, target};
use crate::error::{Attempt, Error};
use crate::protocol::{Credentials, ProtocolState, ServerEvent};
use crate::settings::{Host, Settings, SslMode, TargetSessionAttrs};

impl Connection {
    /// Opens a connection and waits until its session is ready. Tries the hosts in order, and all addresses of each
    /// host. As in libpq, the search ends if a server refuses the user. `client` is the connection of a client for
    /// which this connection is opened. If that client disconnects, all attempts fail at once. Exception: the
    /// resolution of a host's name is not interrupted.
    pub fn open(settings: &Settings, client: Option<BorrowedFd<'_>>) -> Result<Self, Error> {
        let mut attempts = Vec::new();
        let mut hosts: Vec<_> = settings.hosts.iter().collect();
        if settings.shuffle_hosts {
            let order = RandomState::new();
            hosts.sort_by_cached_key(|host| order.hash_one((&host.name, host.address, host.port)));
        }
        let targets = match settings.target {
            TargetSessionAttrs::PreferStandby => &[TargetSessionAttrs::PreferStandby, TargetSessionAttrs::Any][..],
            ref target => std::slice::from_ref(target),
        };
        for target in targets {
            for host in &hosts {
                if client.is_some_and(is_closed) {
                    return Err(Error::NoServer(attempts));
                }
                let addresses = match addresses(host) {
                    Ok(addresses) => addresses,
                    Err(error) => {
                        attempts.push(Attempt { target: host.to_string(), error });
                        continue;
                    }
                };
                for address in addresses {
                    match open_at(settings, host, &address, *target, client) {
                        Ok(connection) => return Ok(connection),
                        Err(error) => {
                            let ends = ends_search(&error);
                            attempts.push(Attempt { target: host.to_string(), error });
                            if ends {
                                return Err(Error::NoServer(attempts));
                            }
                        }
                    }
                }
            }
        }
        Err(Error::NoServer(attempts))
    }
}

/// Returns whether the search for a server ends with this error. It ends if the server refuses the session, for example
/// if the password is wrong, because the other hosts would probably refuse it too. The search continues if the server
/// is unreachable, or is still starting (57P03).
fn ends_search(error: &Error) -> bool {
    match error {
        Error::Refused(error) => error.code != "57P03",
        Error::Authentication(_) => true,
        _ => false,
    }
}

fn addresses(host: &Host) -> Result<Vec<Address>, Error> {
    if let Some(socket) = host.socket() {
        return Ok(vec![Address::Unix(socket)]);
    }
    if let Some(address) = host.address {
        return Ok(vec![Address::Tcp(SocketAddr::new(address, host.port))]);
    }
    Ok((host.name.as_str(), host.port).to_socket_addrs()?.map(Address::Tcp).collect())
}

fn open_at(
    settings: &Settings,
    host: &Host,
    address: &Address,
    target: TargetSessionAttrs,
    client: Option<BorrowedFd<'_>>,
) -> Result<Connection, Error> {
    let begin = |tls: bool| {
        let until = Until { deadline: settings.connect_timeout.map(|timeout| Instant::now() + timeout), client };
        let opened = begin_session(settings, host, address, tls, until).and_then(|mut connection| {
            match target::mismatch(&mut connection, target, until)? {
                None => Ok(connection),
                Some(why) => Err(Error::Io(std::io::Error::other(format!("target_session_attrs: {why}")))),
            }
        });
        match opened {
            Err(Error::Io(error)) if error.kind() == ErrorKind::TimedOut => {
                Err(settings.connect_timeout.map_or(Error::Io(error), Error::Timeout))
            }
            opened => opened,
        }
    };
    if matches!(address, Address::Unix(_)) {
        return begin(false);
    }
    match settings.tls.mode {
        SslMode::Disable => begin(false),
        SslMode::Allow => match begin(false) {
            Err(Error::Refused(refused)) if refused.code == "28000" && cfg!(feature = "tls") => begin(true),
            opened => opened,
        },
        SslMode::Prefer if cfg!(feature = "tls") => match begin(true) {
            Err(Error::Refused(refused)) if refused.code == "28000" => begin(false),
            // After a failed TLS handshake, libpq connects without TLS. This crate returns the error instead. The
            // server has TLS, so a user who sees no error would assume that the connection uses TLS.
            Err(Error::Tls(why)) => Err(Error::Tls(format!("{why} (sslmode=disable connects without TLS)"))),
            opened => opened,
        },
        SslMode::Prefer => begin(false),
        SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => begin(true),
    }
}

fn begin_session(
    settings: &Settings,
    host: &Host,
    address: &Address,
    tls: bool,
    until: Until<'_>,
) -> Result<Connection, Error> {
    #[cfg(not(feature = "tls"))]
    if tls {
        return Err(Error::Tls("sslmode asks for it, and this program was built without it".into()));
    }
    // Report missing certificate files before anything is sent.
    #[cfg(feature = "tls")]
    let connector = if tls { Some(super::tls::Connector::new(settings, host, address)?) } else { None };
    #[cfg_attr(not(feature = "tls"), expect(unused_mut))]
    let mut socket = Socket::connect(address, &settings.keepalive, until)?;
    if let Some(user) = &settings.required_peer {
        check_peer(&socket, user)?;
    }
    #[cfg(feature = "tls")]
    if let Some(connector) = &connector {
        socket = match begin_tls(socket, connector, until)? {
            Ok(encrypted) => encrypted,
            Err(plain) if settings.tls.mode == SslMode::Prefer => plain,
            Err(_) => return Err(Error::Tls("the server does not support it".into())),
        };
    }
    let (password, no_password) = match settings.password_for(host) {
        Ok(password) => (Some(password), None),
        Err(why) => (None, why),
    };
    let credentials = Credentials {
        user: settings.user.clone(),
        password,
        no_password,
        channel_binding: settings.channel_binding,
        certificate_hash: certificate_hash(&socket)?,
        allowed: settings.allowed_methods.clone(),
    };
    let parameters = settings.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let names = [("user", settings.user.as_str()), ("database", settings.database.as_str())];
    let mut connection = Connection {
        session: ProtocolState::new(names.into_iter().chain(parameters), credentials)?,
        socket,
        address: address.clone(),
        #[cfg(feature = "tls")]
        connector,
        target: host.to_string(),
        write_failed: None,
    };
    let ready = connection.run(until, |event| matches!(event, ServerEvent::Ready(_)).then_some(()))?;
    ready.map(|()| connection).ok_or_else(|| Error::Io(ErrorKind::TimedOut.into()))
}

#[cfg_attr(not(feature = "tls"), expect(clippy::unnecessary_wraps))]
fn certificate_hash(socket: &Socket) -> Result<Option<Vec<u8>>, Error> {
    match socket {
        #[cfg(feature = "tls")]
        Socket::Tls(stream) => stream.certificate_hash(),
        _ => Ok(None),
    }
}

/// Writes all bytes. Returns false if `until` ends a wait first.
pub fn write_all(socket: &mut Socket, mut bytes: &[u8], until: Until<'_>) -> Result<bool, Error> {
    while !bytes.is_empty() {
        match socket.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                if !socket.wait(true, until)? {
                    return Ok(false);
                }
            }
            Err(error) => return Err(Error::Io(error)),
        }
    }
    while !socket.flush()? {
        if !socket.wait(true, until)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Requests TLS from the server and performs the handshake. If the server has no TLS, returns the plain socket as
/// `Ok(Err(socket))`. On this socket, the server now expects the start of a session without TLS.
#[cfg(feature = "tls")]
pub fn begin_tls(
    mut socket: Socket,
    connector: &super::tls::Connector,
    until: Until<'_>,
) -> Result<Result<Socket, Socket>, Error> {
    let timed_out = || Error::Io(ErrorKind::TimedOut.into());
    if !connector.is_direct() {
        let mut request = bytes::BytesMut::new();
        postgres_protocol::message::frontend::ssl_request(&mut request);
        write_all(&mut socket, &request, until)?.then_some(()).ok_or_else(timed_out)?;
        // Read exactly one byte, because TLS must read the next bytes.
        let mut byte = [0];
        loop {
            match socket.read(&mut byte) {
                Ok(0) => return Err(Error::Closed),
                Ok(_) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    socket.wait(false, until)?.then_some(()).ok_or_else(timed_out)?;
                }
                Err(error) => return Err(Error::Io(error)),
            }
        }
        match &byte {
            b"S" => {}
            b"N" => return Ok(Err(socket)),
            // Omit the text of the server's error, because the server is not authenticated yet.
            b"E" => return Err(Error::Protocol("an error instead of an answer about TLS".into())),
            _ => return Err(Error::Protocol("an invalid answer to the TLS request".into())),
        }
    }
    match socket {
        Socket::Tcp(stream) => Ok(Ok(Socket::Tls(Box::new(connector.begin(stream, until)?)))),
        _ => Err(Error::Tls("it is for TCP only".into())),
    }
}
