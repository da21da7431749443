//! `pgq serve`: a daemon that answers requests to the parser over a Unix socket, or over standard
//! input and output. docs/protocol.md describes the protocol, and docs/serve.md describes the
//! daemon.
//!
//! Only the modules `transport` and `listen` use sockets.

mod binary;
mod buffers;
mod cancel;
mod connection;
mod handles;
mod json_answer;
mod json_lines;
mod limits;
mod listen;
mod options;
mod peer;
mod places;
mod postgres;
mod server;
mod session;
mod shared;
mod signal;
mod text;
mod threads;
mod transport;
mod workers;

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Result;

use super::args::{MAX_STATEMENT_BYTES, units};
use crate::run::input::refuse_replaced_inputs;
use crate::run::report::Diagnostics;
use limits::Limits;
pub use limits::raise_open_files;
use server::Server;

pub const EXAMPLES: &str = "\
Examples:
  pgq serve &
  echo '{\"id\":1,\"op\":\"fingerprint\",\"sql\":\"SELECT 1\"}' | nc -NU $XDG_RUNTIME_DIR/pgq.sock
  echo '{\"id\":1,\"op\":\"normalize\",\"sql\":\"SELECT 1\"}' | pgq serve --stdio";

#[derive(clap::Args)]
pub struct Args {
    /// Listen on this Unix socket [default: pgq.sock in $XDG_RUNTIME_DIR]
    #[arg(long, value_name = "PATH", conflicts_with = "stdio")]
    socket: Option<PathBuf>,

    /// Serve one client, on standard input and output
    #[arg(long)]
    stdio: bool,

    /// Maximum number of requests in progress [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Maximum length of a statement: 100kB, 1GB, or bytes [default: 64MB]
    #[arg(long, value_name = "BYTES", value_parser = units::bytes)]
    max_statement_bytes: Option<usize>,

    /// Maximum number of connections; pgq refuses others
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    max_connections: u16,

    /// Close a connection that sends no complete request for this long: 500ms, 30s, 10min [default: never]
    #[arg(long, value_name = "TIME", value_parser = units::milliseconds)]
    idle_timeout: Option<f64>,
}

/// Serves until the client disconnects (`--stdio`) or a signal arrives.
///
/// # Errors
/// Listening on the socket fails, or a limit is out of range.
pub fn run(args: &Args, _: &Diagnostics) -> Result<()> {
    // Takes systemd's socket before this process opens any descriptor. LISTEN_FDS may be set although systemd has
    // passed no socket. If this process had already opened a descriptor with the expected number, that descriptor would
    // be mistaken for the socket.
    let listener = if args.stdio { None } else { Some(listen::listener(args.socket.as_deref())?) };
    if args.stdio {
        // Standard input and standard output must not be the same file, because the daemon would read its answers as
        // requests.
        refuse_replaced_inputs([None], [])?;
    }
    let limits = Limits::new(
        args.max_statement_bytes.unwrap_or(MAX_STATEMENT_BYTES),
        if args.stdio { 1 } else { args.max_connections.into() },
        args.idle_timeout.map(|milliseconds| Duration::from_micros((milliseconds * 1000.0) as u64)),
    )?;
    let jobs = args.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let server = Server::new(limits, jobs)?;
    signal::stop_on_signals(&server);
    match listener {
        None => server.serve_stdio(),
        Some(listener) => server.serve_socket(listener),
    }
}
