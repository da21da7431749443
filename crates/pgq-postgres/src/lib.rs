//! A client of PostgreSQL's protocol, optimized for pipelining. It parses a statement once and executes it many times.
//! It reads answers while it writes requests.
//!
//! The crate has three layers. Each layer can be used without the layers that follow it:
//!
//! - [`ProtocolState`] is the protocol without I/O. It converts bytes to answers. Its tests need no server.
//! - [`Connection`] is a session with a non-blocking socket: TCP, Unix or (feature `tls`) TLS. One event loop
//!   can drive thousands of connections.
//! - [`Client`] is a blocking connection for one thread, with statements, batches and simple queries.
//!
//! [`Settings`] describes how to reach a server, as in libpq. Errors are typed and contain no passwords. This crate
//! reads no command line and prints nothing.
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
