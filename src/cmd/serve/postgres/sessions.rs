//! A client connection's sessions to PostgreSQL servers, and the prepared statements of these sessions.

use std::cell::RefCell;
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use pgq_frames::{ErrorCode, Fault};
use pgq_postgres::{Client, Error, Settings, Statement};

use super::super::places::Place;
use super::super::shared::Shared;
use super::super::transport::Transport;
use super::fault;
use super::watch::Watch;

/// Settings that a server reports to every client when the session starts, and again when they change.
const REPORTED: [&str; 15] = [
    "server_version",
    "server_encoding",
    "client_encoding",
    "application_name",
    "default_transaction_read_only",
    "in_hot_standby",
    "is_superuser",
    "session_authorization",
    "DateStyle",
    "IntervalStyle",
    "TimeZone",
    "integer_datetimes",
    "standard_conforming_strings",
    "search_path",
    "scram_iterations",
];

/// Maximum time of an attempt to connect to one address.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(30);
const MAX_HOSTS: usize = 8;

/// A session to a server. It ends when the client drops the handle of the session, or when the client connection
/// closes.
pub struct ServerSession {
    /// `None` after the session has ended.
    client: Option<Client>,
    shared: Arc<Shared>,
    pub cancel_key: u64,
    watch: Watch,
    _place: Place,
}

/// A prepared statement, and its session. The session may have ended.
#[derive(Clone)]
pub struct PreparedStatement {
    pub session: Rc<RefCell<ServerSession>>,
    pub statement: Statement,
}

/// Connects to a server.
///
/// # Errors
/// The settings are wrong, the daemon has too many sessions, or the server is unreachable or refuses the session.
pub fn connect(settings: &[u8], shared: &Arc<Shared>, transport: &Transport) -> Result<ServerSession, Fault> {
    let place = shared.sessions.take().ok_or_else(|| {
        let most = shared.limits.max_sessions;
        let message = format!("there are {most} sessions, and the limit of open files (ulimit -n) allows no more");
        Fault::new(ErrorCode::CannotConnect, message)
    })?;
    let settings = std::str::from_utf8(settings)
        .map_err(|_| Fault::new(ErrorCode::CannotConnect, "the connection settings are not UTF-8"))?;
    let mut settings = Settings::from_environment(settings).map_err(|error| fault(&error.into(), None))?;
    if settings.hosts.len() > MAX_HOSTS {
        return Err(Fault::new(ErrorCode::CannotConnect, format!("there are more than {MAX_HOSTS} hosts")));
    }
    // The session must use UTF-8, because the SQL and the JSON lines are UTF-8.
    settings.use_utf8();
    settings.connect_timeout = Some(settings.connect_timeout.unwrap_or(MAX_CONNECT_TIME).min(MAX_CONNECT_TIME));
    let connection = transport.output();
    let connect = || {
        let mut client = Client::connect_for(connection.as_fd(), &settings)?;
        client.connection().session().require_utf8()?;
        Ok(client)
    };
    let mut client = connect().map_err(|error: Error| match fault(&error, None) {
        // A connection that is lost before the session has started counts as a failed attempt to connect.
        fault @ Fault { code: ErrorCode::ConnectionLost, .. } => Fault { code: ErrorCode::CannotConnect, ..fault },
        fault => fault,
    })?;
    let server = client.connection().as_fd().try_clone_to_owned();
    let watch = Watch::start(transport, client.canceller(), server);
    let cancel_key = shared.cancel_keys.add(client.canceller());
    Ok(ServerSession { client: Some(client), shared: Arc::clone(shared), cancel_key, watch, _place: place })
}

impl ServerSession {
    /// Returns the client if the session has not ended.
    ///
    /// # Errors
    /// The session has ended.
    pub fn client(&mut self) -> Result<&mut Client, Fault> {
        if self.client.as_mut().is_some_and(Client::is_broken) {
            self.end();
        }
        self.client.as_mut().ok_or_else(|| Fault::new(ErrorCode::ConnectionLost, "the session to PostgreSQL has ended"))
    }

    /// Calls `work`, which waits for the server. If the client disconnects meanwhile, the session ends.
    ///
    /// # Errors
    /// The session has ended, or the client has disconnected.
    pub fn watched<R>(&mut self, work: impl FnOnce(&mut Client) -> R) -> Result<R, Fault> {
        self.client()?; // an ended session is not watched
        if !self.watch.begin() {
            return Err(Fault::new(ErrorCode::ConnectionLost, "the client has disconnected"));
        }
        let result = self.client().map(work);
        self.watch.end();
        result
    }

    pub fn end(&mut self) {
        self.shared.cancel_keys.remove(self.cancel_key);
        if let Some(client) = self.client.take() {
            client.close();
        }
    }

    /// Returns the server's reported settings, as a JSON object.
    pub fn parameters(&mut self) -> serde_json::Value {
        let Some(client) = &mut self.client else { return serde_json::json!({}) };
        let reported = REPORTED.iter().filter_map(|name| Some((name.to_string(), client.parameter(name)?.into())));
        serde_json::Value::Object(reported.collect())
    }
}

impl Drop for ServerSession {
    fn drop(&mut self) {
        self.end();
    }
}

/// Prepares a statement.
///
/// # Errors
/// The session has ended, or the server refuses the statement. The error's position is an offset in `sql`.
pub fn prepare(session: &Rc<RefCell<ServerSession>>, sql: &str, types: &[u32]) -> Result<PreparedStatement, Fault> {
    let prepared = session.borrow_mut().watched(|client| client.prepare(sql, types))?;
    let statement = prepared.map_err(|error| match &error {
        Error::Nul => Fault::new(ErrorCode::Nul, error.to_string()),
        _ => fault(&error, Some(sql)),
    })?;
    Ok(PreparedStatement { session: Rc::clone(session), statement })
}

impl PreparedStatement {
    /// Closes the statement on the server. If this fails, the next statement of the session reports the error.
    pub fn close(self) {
        let _ = self.session.borrow_mut().watched(|client| client.close_statement(self.statement));
    }
}

/// Returns the body of the answer to a connect request.
pub fn session_body(handle: u16, session: &mut ServerSession) -> Vec<u8> {
    let mut body = handle.to_le_bytes().to_vec();
    body.extend_from_slice(&[0; 2]);
    body.extend_from_slice(&session.cancel_key.to_le_bytes());
    body.extend_from_slice(session.parameters().to_string().as_bytes());
    body
}

/// Returns the body of the answer to a prepare request.
pub fn prepared_body(handle: u16, statement: &Statement) -> Vec<u8> {
    let columns = statement.columns().unwrap_or_default();
    let mut body = Vec::new();
    // The casts lose nothing: PostgreSQL uses 16 bits for the numbers of parameters and columns.
    for number in [handle, statement.parameter_types().len() as u16, columns.len() as u16, 0] {
        body.extend_from_slice(&number.to_le_bytes());
    }
    body.extend(statement.parameter_types().iter().flat_map(|oid| oid.to_le_bytes()));
    for column in columns {
        body.extend_from_slice(&column.table.to_le_bytes());
        body.extend_from_slice(&column.number.to_le_bytes());
        body.extend_from_slice(&column.type_oid.to_le_bytes());
        body.extend_from_slice(&column.type_size.to_le_bytes());
        body.extend_from_slice(&column.type_modifier.to_le_bytes());
        body.extend_from_slice(&(column.name.len() as u32).to_le_bytes());
        body.extend_from_slice(column.name.as_bytes());
    }
    body
}
