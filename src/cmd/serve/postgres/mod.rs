//! PostgreSQL operations: sessions, prepared statements, and batches of rows of parameters. The crate `pgq-postgres`
//! does the work. This module converts its results to answers of the daemon.

mod execute;
mod fault;
mod items;
mod lines;
mod sessions;
mod watch;

pub use execute::{Execution, check_rows, execute};
pub use fault::fault;
pub use items::{ItemWriter, Sink};
pub use lines::{JsonRows, json_execute, prepared_json};
pub use sessions::{PreparedStatement, ServerSession, connect, prepare, prepared_body, session_body};
