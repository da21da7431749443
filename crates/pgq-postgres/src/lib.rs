//! A client of PostgreSQL's protocol, made for pipelining: it parses a statement once, binds and executes it many
//! times, and reads answers while it writes requests.
//!
//! Three layers, each usable without the one above:
//!
//! - [`ProtocolState`] is the protocol without I/O: bytes in, answers out. Its tests need no server.
//! - [`Connection`] is a session with a non-blocking socket: TCP, Unix or (feature `tls`) TLS. One event loop
//!   can drive thousands of them.
//! - [`Client`] is a blocking connection for one thread: statements, batches, simple queries.
//!
//! [`Settings`] tells how to reach a server, as in libpq. Errors are typed and contain no passwords.
//! This crate has no command line and prints nothing.
#![forbid(unsafe_code)]

mod client;
mod connection;
mod copy;
mod error;
mod protocol;
mod server_error;
mod settings;

pub use client::{BatchAnswer, BatchError, BatchOptions, BatchSummary, Client, QueryAnswer, Statement, SyncEvery};
pub use connection::{Canceller, Connection, Moved};
pub use error::{Attempt, CopyDirection, Error};
pub use protocol::{
    Answer, BindTemplate, Column, Credentials, DataRow, Formats, Parameters, ProtocolState, ServerEvent,
    TransactionStatus,
};
pub use server_error::{ServerError, Severity};
pub use settings::{
    AuthenticationMethod, ChannelBindingMode, Environment, Host, Keepalive, Password, Settings, SettingsError, SslMode,
    SslNegotiation, TargetSessionAttrs, TlsSettings, TlsVersion,
};
