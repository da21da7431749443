//! Authentication: trust, clear-text password, MD5, and SCRAM-SHA-256 with or without channel binding.
//!
//! Answers the server's requests if the settings allow the requested method. Otherwise refuses the session.

use bytes::BytesMut;
use fallible_iterator::FallibleIterator;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{ChannelBinding, SCRAM_SHA_256, SCRAM_SHA_256_PLUS, ScramSha256};
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;

use crate::error::Error;
use crate::settings::{AuthenticationMethod, ChannelBindingMode, Password};

/// Credentials for a session.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    /// Name of the user.
    pub user: String,
    /// The password, if any.
    pub password: Option<Password>,
    /// Reason for a missing password, such as an ignored password file.
    pub no_password: Option<String>,
    /// Whether channel binding is disabled, preferred or required.
    pub channel_binding: ChannelBindingMode,
    /// Hash of the server's certificate (RFC 5929, `tls-server-end-point`). `None` without TLS.
    pub certificate_hash: Option<Vec<u8>>,
    /// The allowed methods. An empty list allows all methods.
    pub allowed: Vec<AuthenticationMethod>,
}

/// The state of the authentication exchange.
pub struct Authenticator {
    credentials: Credentials,
    scram: Option<ScramSha256>,
    /// The method that the server has requested.
    method: AuthenticationMethod,
    bound: bool,
    /// Whether the server has proved in SCRAM that it knows the password.
    proved: bool,
    done: bool,
}

impl Authenticator {
    pub fn new(credentials: Credentials) -> Self {
        Self { credentials, scram: None, method: AuthenticationMethod::None, bound: false, proved: false, done: false }
    }

    /// Returns whether authentication has succeeded by an allowed method.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Answers an authentication request of the server.
    pub fn answer(&mut self, message: Message, out: &mut BytesMut) -> Result<(), Error> {
        match message {
            Message::AuthenticationOk => self.check_result(),
            Message::AuthenticationCleartextPassword => {
                self.begin(AuthenticationMethod::Password)?;
                write(frontend::password_message(self.password()?.reveal().as_bytes(), out))
            }
            Message::AuthenticationMd5Password(body) => {
                self.begin(AuthenticationMethod::Md5)?;
                let user = self.credentials.user.as_bytes();
                let hash = md5_hash(user, self.password()?.reveal().as_bytes(), body.salt());
                write(frontend::password_message(hash.as_bytes(), out))
            }
            Message::AuthenticationSasl(body) => {
                self.begin(AuthenticationMethod::ScramSha256)?;
                let offered: Vec<_> = body.mechanisms().collect().map_err(protocol)?;
                self.begin_scram(&offered, out)
            }
            Message::AuthenticationSaslContinue(body) => {
                let scram = self.scram.as_mut().ok_or_else(out_of_turn)?;
                scram.update(body.data()).map_err(|error| scram_failed(&error))?;
                write(frontend::sasl_response(scram.message(), out))
            }
            Message::AuthenticationSaslFinal(body) => {
                let mut scram = self.scram.take().ok_or_else(out_of_turn)?;
                scram.finish(body.data()).map_err(|error| scram_failed(&error))?;
                self.proved = true;
                Ok(())
            }
            Message::AuthenticationGss | Message::AuthenticationSspi | Message::AuthenticationKerberosV5 => {
                Err(Error::Authentication("the server asks for GSSAPI or SSPI, which is not supported".into()))
            }
            _ => Err(Error::Authentication("the server asks for a method that is not supported".into())),
        }
    }

    fn begin(&mut self, method: AuthenticationMethod) -> Result<(), Error> {
        if self.method != AuthenticationMethod::None {
            return Err(out_of_turn());
        }
        self.method = method;
        self.check_allowed()?;
        if self.credentials.channel_binding == ChannelBindingMode::Require
            && method != AuthenticationMethod::ScramSha256
        {
            return Err(Error::Authentication(
                "channel binding is required, and the server asks for a password without it".into(),
            ));
        }
        Ok(())
    }

    fn begin_scram(&mut self, offered: &[&str], out: &mut BytesMut) -> Result<(), Error> {
        let credentials = &self.credentials;
        let required = credentials.channel_binding == ChannelBindingMode::Require;
        let wanted = credentials.channel_binding != ChannelBindingMode::Disable;
        let plus = offered.contains(&SCRAM_SHA_256_PLUS);
        let (mechanism, binding) = match &credentials.certificate_hash {
            Some(hash) if plus && wanted => (SCRAM_SHA_256_PLUS, ChannelBinding::tls_server_end_point(hash.clone())),
            _ if required => {
                return Err(Error::Authentication(
                    "channel binding is required, and this connection has none to offer".into(),
                ));
            }
            // The client supports channel binding, but the server seems not to offer it. An attacker may have removed
            // the offer. Therefore report to the server that no offer was received, so that a server that made an offer
            // detects the attacker.
            Some(_) if wanted => (SCRAM_SHA_256, ChannelBinding::unrequested()),
            _ => (SCRAM_SHA_256, ChannelBinding::unsupported()),
        };
        if !offered.contains(&mechanism) {
            let offered = offered.join(", ");
            return Err(Error::Authentication(format!(
                "the server offers none of the mechanisms known here: {offered}"
            )));
        }
        self.bound = mechanism == SCRAM_SHA_256_PLUS;
        let scram = ScramSha256::new(self.password()?.reveal().as_bytes(), binding);
        let written = frontend::sasl_initial_response(mechanism, scram.message(), out);
        self.scram = Some(scram);
        write(written)
    }

    /// Checks the method and channel binding after the server has accepted the client.
    fn check_result(&mut self) -> Result<(), Error> {
        if self.method == AuthenticationMethod::ScramSha256 && !self.proved {
            return Err(Error::Authentication(
                "the server ended SCRAM without proving that it knows the password".into(),
            ));
        }
        self.check_allowed()?;
        if self.credentials.channel_binding == ChannelBindingMode::Require && !self.bound {
            return Err(Error::Authentication("channel binding is required, and the server did not ask for it".into()));
        }
        self.done = true;
        Ok(())
    }

    fn check_allowed(&self) -> Result<(), Error> {
        let allowed = &self.credentials.allowed;
        if allowed.is_empty() || allowed.contains(&self.method) {
            return Ok(());
        }
        // `None` means that the server has not requested a method.
        let name = match self.method {
            AuthenticationMethod::None => "no authentication at all",
            AuthenticationMethod::Password => "a clear-text password",
            AuthenticationMethod::Md5 => "MD5",
            AuthenticationMethod::ScramSha256 => "SCRAM-SHA-256",
        };
        Err(Error::Authentication(format!("require_auth does not allow what the server asks for: {name}")))
    }

    fn password(&self) -> Result<&Password, Error> {
        self.credentials.password.as_ref().ok_or_else(|| {
            let why = self.credentials.no_password.as_ref().map(|why| format!(" ({why})"));
            Error::Authentication(format!(
                "the server asks for a password, and none was given{}",
                why.unwrap_or_default()
            ))
        })
    }
}

fn write(written: std::io::Result<()>) -> Result<(), Error> {
    written.map_err(|_| Error::Authentication("the password contains a NUL byte".into()))
}

fn protocol(error: std::io::Error) -> Error {
    Error::Protocol(error.to_string())
}

fn out_of_turn() -> Error {
    Error::Protocol("authentication messages out of turn".into())
}

fn scram_failed(error: &std::io::Error) -> Error {
    Error::Authentication(format!("SCRAM: {error}"))
}
