//! A blocking connection for one thread. Prepares a statement, executes it for many rows, and passes on answers as they
//! arrive.
//!
//! Every method reads while it writes. Therefore client and server cannot block each other, even
//! with many rows or large results.

mod batch;
mod batch_answer;
mod batch_state;
mod query;

use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

pub use batch::{BatchError, BatchOptions};
pub use batch_answer::{BatchAnswer, BatchSummary, SyncEvery};
pub use query::QueryAnswer;

use crate::connection::{Canceller, Connection, Moved};
use crate::copy::copy_direction;
use crate::error::Error;
use crate::protocol::{Column, ServerEvent, TransactionStatus};
use crate::settings::Settings;

/// Time limit for the server's reaction to a cancel request.
const CANCEL_TIME: Duration = Duration::from_secs(5);

/// A blocking connection for one thread.
///
/// ```no_run
/// use pgq_postgres::{BatchAnswer, BatchOptions, Client, Settings};
///
/// let mut client = Client::connect(&Settings::from_environment("dbname=harbor")?)?;
/// let statement = client.prepare("SELECT name FROM harbors WHERE id = $1", &[])?;
/// let mut ids = ["1", "2", "3"].into_iter();
/// let summary = client.execute(
///     &statement,
///     &BatchOptions::default(),
///     |row| Ok(ids.next().inspect(|id| row.push(Some(id.as_bytes()))).is_some()),
///     |answer| {
///         if let BatchAnswer::Row { row, data } = answer {
///             println!("{row}: {:?}", data.values());
///         }
///         std::ops::ControlFlow::Continue(())
///     },
/// )?;
/// assert_eq!(summary.ran, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Client {
    connection: Connection,
    statements: u64,
    answer_timeout: Option<Duration>,
    answer_limit: (usize, Duration),
    /// Whether an error left answers unread. If so, the connection is unusable.
    broken: bool,
}

/// A prepared statement of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    name: String,
    parameter_types: Vec<u32>,
    columns: Option<Vec<Column>>,
}

impl Statement {
    /// Returns the statement's name in the session.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the OIDs of the parameter types.
    pub fn parameter_types(&self) -> &[u32] {
        &self.parameter_types
    }

    /// Returns the result columns, or `None` if the statement returns no rows.
    pub fn columns(&self) -> Option<&[Column]> {
        self.columns.as_deref()
    }
}

impl Client {
    /// Connects and waits until the session is ready.
    pub fn connect(settings: &Settings) -> Result<Self, Error> {
        Connection::open(settings, None).map(Self::new)
    }

    /// Connects on behalf of another client, whose connection is `client`. Returns an error as soon as that other
    /// client disconnects. Exception: the resolution of a host's name is not interrupted.
    pub fn connect_for(client: BorrowedFd<'_>, settings: &Settings) -> Result<Self, Error> {
        Connection::open(settings, Some(client)).map(Self::new)
    }

    /// Wraps an idle connection.
    pub fn new(connection: Connection) -> Self {
        Self {
            connection,
            statements: 0,
            answer_timeout: None,
            answer_limit: (usize::MAX, Duration::MAX),
            broken: false,
        }
    }

    /// Sets the maximum silence of the server during a request. The default, `None`, is no limit. After the limit, the
    /// client cancels the request over a second connection. The request fails with SQLSTATE 57014, and the client
    /// remains usable. If the server does not react to the cancel request, the result is [`Error::Timeout`] and the
    /// connection is unusable.
    ///
    /// For a limit that the server enforces, execute `SET statement_timeout`.
    pub fn set_answer_timeout(&mut self, timeout: Option<Duration>) {
        self.answer_timeout = timeout;
    }

    /// Limits the answers to each request outside of batches. The default is no limit. If all answers to a request
    /// together exceed `bytes`, the request fails with [`Error::Protocol`]. If they take longer than `time`, the
    /// request fails with [`Error::Timeout`]. After either error, the connection is unusable.
    ///
    /// The limits are checked only when bytes arrive. For a silent server, also call [`Client::set_answer_timeout`].
    pub fn set_answer_limit(&mut self, bytes: usize, time: Duration) {
        self.answer_limit = (bytes, time);
    }

    /// Prepares a statement. `types` contains the type OIDs of the first parameters. The server infers the types of the
    /// other parameters, and of parameters with the OID 0.
    ///
    /// Returns [`Error::Copy`] and sends nothing if `sql` is a COPY from the client or to the client.
    pub fn prepare(&mut self, sql: &str, types: &[u32]) -> Result<Statement, Error> {
        self.check_usable()?;
        if let Some(direction) = copy_direction(sql) {
            return Err(Error::Copy(direction));
        }
        self.statements += 1;
        let mut statement =
            Statement { name: format!("pgq_{}", self.statements), parameter_types: Vec::new(), columns: None };
        self.connection.session().parse(&statement.name, sql, types)?;
        self.connection.session().describe(&statement.name)?;
        self.connection.session().sync();
        let mut failed = None;
        self.until_ready(|event| match event {
            ServerEvent::ParameterTypes(types) => statement.parameter_types = types,
            ServerEvent::Columns(columns) => statement.columns = Some(columns),
            ServerEvent::Failed(error) => failed = Some(error),
            _ => {}
        })?;
        failed.map_or(Ok(statement), |error| Err(Error::Server(error)))
    }

    /// Deallocates a prepared statement. This also works in a failed transaction.
    pub fn close_statement(&mut self, statement: Statement) -> Result<(), Error> {
        self.check_usable()?;
        self.connection.session().close_statement(&statement.name)?;
        self.connection.session().sync();
        let mut failed = None;
        self.until_ready(|event| {
            if let ServerEvent::Failed(error) = event {
                failed = Some(error);
            }
        })?;
        failed.map_or(Ok(()), |error| Err(Error::Server(error)))
    }

    /// Returns the session's transaction status.
    pub fn status(&mut self) -> TransactionStatus {
        self.connection.session().status()
    }

    /// Returns a setting that the server reports, such as `server_version`.
    pub fn parameter(&mut self, name: &str) -> Option<&str> {
        self.connection.session().parameter(name)
    }

    /// Returns a handle for cancelling this client's requests from another thread.
    pub fn canceller(&self) -> Canceller {
        self.connection.canceller()
    }

    /// Returns the underlying connection.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// Unwraps the underlying connection.
    pub fn into_connection(self) -> Connection {
        self.connection
    }

    /// Returns whether the connection is unusable.
    pub fn is_broken(&mut self) -> bool {
        self.broken || self.connection.session().has_ended()
    }

    /// Sends Terminate and closes the connection.
    pub fn close(self) {
        self.connection.close();
    }

    fn check_usable(&mut self) -> Result<(), Error> {
        if self.is_broken() { Err(Error::Closed) } else { Ok(()) }
    }

    /// Passes answers to `take` until the last request is answered.
    fn until_ready(&mut self, mut take: impl FnMut(ServerEvent<'_>)) -> Result<(), Error> {
        let mut silence = Silence::default();
        let start = Instant::now();
        let mut received = 0;
        loop {
            loop {
                let answer = self.connection.session().next_answer();
                let Some(answer) = answer.inspect_err(|_| self.broken = true)? else { break };
                take(answer.event);
            }
            if self.connection.session().outstanding() == 0 {
                return Ok(());
            }
            received += self.move_bytes(&mut silence)?;
            let (bytes, time) = self.answer_limit;
            if received > bytes {
                self.broken = true;
                return Err(Error::Protocol(format!("an answer of more than {bytes} bytes")));
            }
            if start.elapsed() > time {
                self.broken = true;
                return Err(Error::Timeout(time));
            }
        }
    }

    /// Reads and writes. If no bytes can be transferred, waits. Cancels the request if the server
    /// is silent for too long. Returns the number of received bytes.
    fn move_bytes(&mut self, silence: &mut Silence) -> Result<usize, Error> {
        let moved = self.connection.transfer().inspect_err(|_| self.broken = true)?;
        if moved != Moved::default() {
            if moved.read > 0 {
                *silence = Silence::default();
            }
            return Ok(moved.read);
        }
        let Some(timeout) = self.answer_timeout else {
            self.connection.wait(None)?;
            return Ok(0);
        };
        let deadline = *silence.deadline.get_or_insert_with(|| Instant::now() + timeout);
        if self.connection.wait(Some(deadline))? {
            return Ok(0);
        }
        if silence.cancelled || self.connection.canceller().cancel(CANCEL_TIME).is_err() {
            self.broken = true;
            return Err(Error::Timeout(timeout));
        }
        *silence = Silence { deadline: Some(Instant::now() + CANCEL_TIME), cancelled: true };
        Ok(0)
    }
}

/// Deadline by which the server must send something. After the deadline, the request is cancelled, and a second
/// deadline begins.
#[derive(Debug, Default)]
struct Silence {
    deadline: Option<Instant>,
    cancelled: bool,
}
