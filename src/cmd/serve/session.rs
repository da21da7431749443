//! State of a client connection: its handles, and the worker that it borrows for an answer.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use pgq::Error;
use pgq_frames::postgres::Execute;
use pgq_frames::{ErrorCode, Fault, Operation, VERSION};

use super::buffers::Output;
use super::handles::{Handles, Named};
use super::limits::{Limits, WAITING_BYTES};
use super::options::TextOptions;
use super::postgres::{self, Execution, PreparedStatement, ServerSession};
use super::shared::Shared;
use super::transport::Transport;
use super::workers::{BorrowedWorker, Worker};

/// Timeout of a cancel request.
const CANCEL_TIME: Duration = Duration::from_secs(10);

/// State of a client connection.
pub struct ClientSession<'a> {
    shared: &'a Arc<Shared>,
    pub transport: &'a Transport,
    handles: Handles,
    defaults: Arc<TextOptions>,
    worker: Option<BorrowedWorker<'a>>,
}

impl<'a> ClientSession<'a> {
    pub fn new(shared: &'a Arc<Shared>, transport: &'a Transport) -> Self {
        Self { shared, transport, handles: Handles::default(), defaults: Arc::default(), worker: None }
    }

    pub fn limits(&self) -> &'a Limits {
        &self.shared.limits
    }

    /// Returns the connection's worker. If there is no worker yet, waits for one from the pool and keeps it until
    /// [`ClientSession::rest`].
    pub fn worker(&mut self) -> &mut Worker {
        self.worker.get_or_insert_with(|| self.shared.workers.borrow())
    }

    /// Returns the worker to the pool. Called before the connection waits.
    pub fn rest(&mut self) {
        self.worker = None;
    }

    /// Sends the answers written so far, before an operation that may wait for PostgreSQL. Ignores a broken connection,
    /// because the next write reports the error.
    pub fn send_before(&self, operation: Option<Operation>, output: &mut Output) {
        if operation.is_some_and(|operation| !operation.is_about_text()) {
            let _ = self.transport.write(output);
        }
    }

    /// Returns the options of a handle. Handle 0 has the defaults.
    ///
    /// # Errors
    /// The handle does not refer to options.
    pub fn options(&self, handle: u16) -> Result<Arc<TextOptions>, Fault> {
        if handle == 0 {
            return Ok(Arc::clone(&self.defaults));
        }
        match self.handles.get(handle)? {
            Named::Options(options) => Ok(Arc::clone(options)),
            Named::Session(_) | Named::Statement(_) => Err(other_kind(handle, "options")),
        }
    }

    /// Adds options.
    ///
    /// # Errors
    /// The options are malformed, or the maximum number of handles is reached.
    pub fn add_options(&mut self, json: &[u8]) -> Result<u16, Fault> {
        let options = TextOptions::read(json)?;
        self.handles.add(Named::Options(Arc::new(options)))
    }

    /// Removes a handle. If the handle refers to a session, ends the session and removes the
    /// handles of the session's statements.
    ///
    /// # Errors
    /// The handle is unknown.
    pub fn drop_handle(&mut self, handle: u16) -> Result<(), Fault> {
        self.rest();
        match self.handles.remove(handle)? {
            Named::Options(_) => {}
            Named::Session(session) => {
                session.borrow_mut().end();
                self.handles.forget_session(&session);
            }
            Named::Statement(statement) => statement.close(),
        }
        Ok(())
    }

    /// Starts a session to PostgreSQL.
    ///
    /// # Errors
    /// The server is unreachable, the server refuses the session, or the maximum number of handles is reached.
    pub fn connect(&mut self, settings: &[u8]) -> Result<(u16, Rc<RefCell<ServerSession>>), Fault> {
        self.rest();
        self.handles.check_room()?;
        let session = Rc::new(RefCell::new(postgres::connect(settings, self.shared, self.transport)?));
        Ok((self.handles.add(Named::Session(Rc::clone(&session)))?, session))
    }

    /// Prepares a statement in the session of a handle.
    ///
    /// # Errors
    /// The SQL is too long, there are too many types, the handle does not refer to a session, the server refuses the
    /// statement, or the maximum number of handles is reached.
    pub fn prepare(&mut self, handle: u16, sql: &str, types: &[u32]) -> Result<(u16, PreparedStatement), Fault> {
        if types.len() > usize::from(u16::MAX) {
            return Err(Fault::new(ErrorCode::Malformed, "a statement has at most 65,535 parameters"));
        }
        let max = self.limits().max_statement_bytes;
        if sql.len() > max {
            return Err(super::text::fault(&Error::too_long(sql.len(), max)));
        }
        self.rest();
        let Named::Session(session) = self.handles.get(handle)? else {
            return Err(other_kind(handle, "a session"));
        };
        self.handles.check_room()?;
        let session = Rc::clone(session);
        let prepared = postgres::prepare(&session, sql, types);
        self.forget_if_ended(&session);
        let statement = prepared?;
        Ok((self.handles.add(Named::Statement(statement.clone()))?, statement))
    }

    /// Executes the prepared statement of a handle.
    ///
    /// # Errors
    /// Nothing was executed: the handle does not refer to a statement, the rows of parameters do
    /// not fit the statement, or the statement's session has ended.
    pub fn execute(&mut self, handle: u16, execute: &Execute<'_>, receiver: &mut impl Execution) -> Result<(), Fault> {
        self.rest();
        let Named::Statement(statement) = self.handles.get(handle)? else {
            return Err(other_kind(handle, "a statement"));
        };
        let statement = statement.clone();
        postgres::check_rows(execute, &statement)?;
        let executed = postgres::execute(execute, &statement, receiver);
        self.forget_if_ended(&statement.session);
        executed
    }

    /// Removes the handles of a session that has ended.
    fn forget_if_ended(&mut self, session: &Rc<RefCell<ServerSession>>) {
        if session.borrow_mut().client().is_err() {
            self.handles.forget_session(session);
        }
    }

    /// Cancels the execution of the session with this key.
    ///
    /// # Errors
    /// No session has the key, or the session's server does not respond.
    pub fn cancel(&mut self, key: u64) -> Result<(), Fault> {
        self.rest();
        let canceller = self.shared.cancel_keys.get(key);
        let canceller = canceller.ok_or_else(|| Fault::new(ErrorCode::BadHandle, "no session has this cancel key"))?;
        canceller.cancel(CANCEL_TIME).map_err(|error| postgres::fault(&error, None))
    }

    /// Returns the answer to a hello request.
    pub fn hello(&self) -> String {
        let limits = self.limits();
        let operations = Operation::ALL.map(Operation::name);
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

fn other_kind(handle: u16, wanted: &str) -> Fault {
    Fault::new(ErrorCode::BadHandle, format!("the handle {handle} is not {wanted}"))
}

/// Returns the error for an unknown operation.
pub fn unknown_operation(what: impl std::fmt::Display) -> Fault {
    Fault::new(ErrorCode::UnknownOperation, format!("there is no operation {what}"))
}
