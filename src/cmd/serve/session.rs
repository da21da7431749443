//! What a connection has between its requests: handles, and a worker while it answers.

use std::sync::Arc;

use pgq_protocol::{ErrorCode, Fault, VERSION};

use super::handles::{Handles, Named};
use super::limits::{Limits, WAITING_BYTES};
use super::options::TextOptions;
use super::server::Shared;
use super::workers::{BorrowedWorker, Worker};

/// The state of a connection.
pub struct Session<'a> {
    shared: &'a Shared,
    handles: Handles,
    defaults: Arc<TextOptions>,
    worker: Option<BorrowedWorker<'a>>,
}

impl<'a> Session<'a> {
    pub fn new(shared: &'a Shared) -> Self {
        Self { shared, handles: Handles::default(), defaults: Arc::default(), worker: None }
    }

    pub fn limits(&self) -> &'a Limits {
        &self.shared.limits
    }

    /// A worker, which stays with the connection until [`Session::rest`].
    pub fn worker(&mut self) -> &mut Worker {
        self.worker.get_or_insert_with(|| self.shared.workers.borrow())
    }

    /// Lets the worker go: the connection is about to wait.
    pub fn rest(&mut self) {
        self.worker = None;
    }

    /// The options of a handle; 0 are the defaults.
    ///
    /// # Errors
    /// The handle is none of options.
    pub fn options(&self, handle: u16) -> Result<Arc<TextOptions>, Fault> {
        if handle == 0 {
            return Ok(Arc::clone(&self.defaults));
        }
        match self.handles.get(handle)? {
            Named::Options(options) => Ok(Arc::clone(options)),
        }
    }

    /// Names options.
    ///
    /// # Errors
    /// They are not as the protocol says, or there are too many handles.
    pub fn add_options(&mut self, json: &[u8]) -> Result<u16, Fault> {
        let options = TextOptions::read(json)?;
        self.handles.add(Named::Options(Arc::new(options)))
    }

    /// Forgets what a handle names.
    ///
    /// # Errors
    /// Nothing has this handle.
    pub fn drop_handle(&mut self, handle: u16) -> Result<(), Fault> {
        match self.handles.remove(handle)? {
            Named::Options(_) => Ok(()),
        }
    }

    /// The answer to hello.
    pub fn hello(&self) -> String {
        let limits = self.limits();
        let operations: Vec<_> = available_operations().collect();
        serde_json::json!({
            "pgq": env!("CARGO_PKG_VERSION"),
            "protocol": VERSION,
            "postgres": env!("PGQ_POSTGRES_VERSION"),
            "max_frame_bytes": limits.frame_bytes(),
            "max_statement_bytes": limits.max_statement_bytes,
            "waiting_bytes": WAITING_BYTES,
            "operations": operations,
        })
        .to_string()
    }
}

/// The names of the operations of this build.
fn available_operations() -> impl Iterator<Item = &'static str> {
    use pgq_protocol::Operation;
    let postgres = |operation: &Operation| *operation as u8 >= Operation::Connect as u8;
    Operation::ALL.into_iter().filter(move |operation| !postgres(operation)).map(Operation::name)
}

/// The error of an operation that this build does not have.
pub fn unknown_operation(what: impl std::fmt::Display) -> Fault {
    Fault::new(ErrorCode::UnknownOperation, format!("there is no operation {what}"))
}
