//! The protocol without I/O: bytes of the server in, answers out; requests in, bytes for the server out.
//!
//! Whoever drives a [`ProtocolState`] moves bytes: what is in `output` to the server, and what the server sends into
//! `space`. It must do both whenever either is possible, because a server that cannot write does not read.

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

/// Where the session stands, as the server says after each Sync and each simple query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionStatus {
    /// In no transaction.
    Idle,
    /// In a transaction.
    InTransaction,
    /// In a transaction that has failed: only ROLLBACK helps.
    Failed,
}

/// A request whose answers have not all come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pending {
    Startup,
    Parse,
    Describe,
    /// Bind and Execute.
    Execute,
    /// Execute alone, of a portal that exists.
    Fetch,
    Close,
    Sync,
    Query,
}

/// One session with a server.
pub struct ProtocolState {
    input: Input,
    output: BytesMut,
    /// Bytes that were taken from `output`, since the beginning.
    sent: u64,
    pending: VecDeque<Pending>,
    /// The number of the first of `pending`.
    first: u64,
    authenticator: Authenticator,
    status: TransactionStatus,
    /// An error has come, and the server passes over everything up to the next Sync.
    skipping: bool,
    /// Requests of the extended protocol were sent since the last Sync.
    unsynced: bool,
    /// COPY FROM STDIN takes no rows instead of failing.
    empty_copies: bool,
    parameters: BTreeMap<String, String>,
    key: Option<(i32, i32)>,
    ended: bool,
}

impl ProtocolState {
    /// A session that begins: its first message is in `output`. `parameters` are `user`, `database` and settings
    /// of the server, by name.
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
            parameters: BTreeMap::new(),
            key: None,
            ended: false,
        })
    }

    /// Bytes for the server.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// So many bytes of `output` are on their way.
    pub fn sent(&mut self, count: usize) {
        bytes::Buf::advance(&mut self.output, count);
        self.sent += count as u64;
    }

    /// How many bytes were taken from `output` since the session began.
    pub fn bytes_sent(&self) -> u64 {
        self.sent
    }

    /// How many bytes were put into `output` since the session began.
    pub fn bytes_written(&self) -> u64 {
        self.sent + self.output.len() as u64
    }

    /// Room for bytes of the server.
    pub fn space(&mut self) -> &mut [u8] {
        self.input.space()
    }

    /// So many bytes have come into `space`.
    pub fn received(&mut self, count: usize) {
        self.input.filled(count);
    }

    /// How many bytes of the server wait for [`ProtocolState::next_answer`].
    pub fn unread(&self) -> usize {
        self.input.len()
    }

    /// The number of requests whose answers have not all come.
    pub fn outstanding(&self) -> usize {
        self.pending.len()
    }

    /// Where the session stood when the server last said so.
    pub fn status(&self) -> TransactionStatus {
        self.status
    }

    /// A setting that the server reports: `server_version`, `TimeZone`, `in_hot_standby` and others.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).map(String::as_str)
    }

    /// The process of the server and its secret, for a cancel. Known once the session has begun.
    pub fn key(&self) -> Option<(i32, i32)> {
        self.key
    }

    /// From now on, `COPY FROM STDIN` takes no rows. By default it fails.
    pub fn send_empty_copies(&mut self) {
        self.empty_copies = true;
    }

    /// Whether an error has ended the session.
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
