//! A client of PostgreSQL's protocol that is made for pipelines: a statement is parsed once, then bound and
//! executed many times, and answers are read while requests are written.
//!
//! Three layers, each usable without the one above:
//!
//! - [`ProtocolState`] is the protocol alone: bytes in, answers out. It does no I/O and needs no server in its tests.
//! - [`Connection`] is a session with a socket that does not block: TCP, Unix or (feature `tls`) TLS. One event loop
//!   can drive thousands of them.
//! - [`Client`] is a connection for one thread that waits: statements, batches, simple queries.
//!
//! [`Settings`] says how to reach a server, as libpq takes it. Errors are typed, and no password is in any of them.
//! This crate knows no command line and prints nothing.
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
