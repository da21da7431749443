//! The protocol without I/O. A [`ProtocolState`] converts the server's bytes to answers, and requests to bytes for the
//! server.
//!
//! The caller owns the socket: it sends the bytes in `output`, and reads the server's bytes into `space`. The caller
//! must read even while it has bytes to send. If nobody reads the server's answers, the server stops reading requests,
//! and both sides wait forever.

mod answers;
mod authentication;
mod bind;
mod input;
mod requests;
mod row;

use std::collections::{BTreeMap, VecDeque};

use bytes::BytesMut;

pub use answers::{Answer, ServerEvent};
pub use authentication::Credentials;
pub use bind::{BindTemplate, Formats, Parameters};
pub use row::{Column, DataRow};

use crate::error::Error;
use crate::protocol::authentication::Authenticator;
use crate::protocol::input::Input;

/// The transaction status, which the server reports after each Sync and each simple query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionStatus {
    /// Outside a transaction.
    Idle,
    /// In a transaction.
    InTransaction,
    /// In a failed transaction, which can only be rolled back.
    Failed,
}

/// A request with outstanding answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pending {
    Startup,
    Parse,
    Describe,
    /// Bind and Execute.
    Execute,
    /// Execute alone, for an existing portal.
    Fetch,
    Close,
    Sync,
    Query,
}

/// A session with a server.
pub struct ProtocolState {
    input: Input,
    output: BytesMut,
    /// Number of bytes that were taken from `output`.
    sent: u64,
    pending: VecDeque<Pending>,
    /// Number of the first request in `pending`.
    first: u64,
    authenticator: Authenticator,
    status: TransactionStatus,
    /// Whether a request has failed, so that the server skips all requests up to the next Sync.
    skipping: bool,
    /// Whether requests of the extended protocol were sent since the last Sync.
    unsynced: bool,
    /// Whether COPY FROM STDIN succeeds without rows instead of failing.
    empty_copies: bool,
    /// Whether a `client_encoding` other than UTF8 ends the session.
    requires_utf8: bool,
    parameters: BTreeMap<String, String>,
    key: Option<(i32, i32)>,
    ended: bool,
}

impl ProtocolState {
    /// Starts a session, and writes the client's first message to `output`. `parameters` are names and values: `user`,
    /// `database` and server settings.
    pub fn new<'a>(
        parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
        credentials: Credentials,
    ) -> Result<Self, Error> {
        let mut output = BytesMut::new();
        postgres_protocol::message::frontend::startup_message(parameters, &mut output).map_err(|_| Error::Nul)?;
        Ok(Self {
            input: Input::new(),
            output,
            sent: 0,
            pending: VecDeque::from([Pending::Startup]),
            first: 0,
            authenticator: Authenticator::new(credentials),
            status: TransactionStatus::Idle,
            skipping: false,
            unsynced: false,
            empty_copies: false,
            requires_utf8: false,
            parameters: BTreeMap::new(),
            key: None,
            ended: false,
        })
    }

    /// Returns the bytes to send.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Records that `count` bytes of `output` were sent.
    pub fn sent(&mut self, count: usize) {
        bytes::Buf::advance(&mut self.output, count);
        self.sent += count as u64;
    }

    /// Returns the number of bytes taken from `output` since the session began.
    pub fn bytes_sent(&self) -> u64 {
        self.sent
    }

    /// Returns the number of bytes written to `output` since the session began.
    pub fn bytes_written(&self) -> u64 {
        self.sent + self.output.len() as u64
    }

    /// Returns free space for the server's bytes.
    pub fn space(&mut self) -> &mut [u8] {
        self.input.space()
    }

    /// Records that `count` bytes were received into `space`.
    pub fn received(&mut self, count: usize) {
        self.input.filled(count);
    }

    /// Returns the number of received bytes that [`ProtocolState::next_answer`] has not consumed.
    pub fn unread(&self) -> usize {
        self.input.len()
    }

    /// Returns the number of requests with outstanding answers.
    pub fn outstanding(&self) -> usize {
        self.pending.len()
    }

    /// Returns the transaction status that the server reported last.
    pub fn status(&self) -> TransactionStatus {
        self.status
    }

    /// Returns a setting that the server reports, such as `server_version`, `TimeZone` or `in_hot_standby`.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    /// Returns the server's process ID and the secret key for a cancel request, or `None` before the session is ready.
    pub fn key(&self) -> Option<(i32, i32)> {
        self.key
    }

    /// Sets whether a `COPY FROM STDIN` succeeds without rows. By default it fails.
    pub fn send_empty_copies(&mut self, are_sent: bool) {
        self.empty_copies = are_sent;
    }

    /// From this call on, the session ends with an error if the server reports a `client_encoding` other than UTF8. A
    /// server with another `client_encoding` would misread the client's strings, which are UTF-8.
    ///
    /// # Errors
    /// Returns an error if the session already has another encoding.
    pub fn require_utf8(&mut self) -> Result<(), Error> {
        self.requires_utf8 = true;
        self.parameter("client_encoding").map_or(Ok(()), |encoding| self.check_encoding("client_encoding", encoding))
    }

    /// Returns an error if the setting `name` is `client_encoding`, the session requires UTF8, and
    /// `value` is a different encoding.
    fn check_encoding(&self, name: &str, value: &str) -> Result<(), Error> {
        let is_bad = self.requires_utf8 && name == "client_encoding" && !value.eq_ignore_ascii_case("UTF8");
        if is_bad { Err(Error::ClientEncoding(value.into())) } else { Ok(()) }
    }

    /// Returns whether an error has ended the session.
    pub fn has_ended(&self) -> bool {
        self.ended
    }
}

impl std::fmt::Debug for ProtocolState {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = out.debug_struct("ProtocolState");
        out.field("status", &self.status).field("outstanding", &self.pending.len());
        out.field("ended", &self.ended).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
