//! Requests of a client. Each request has a number, which its answers repeat.
//!
//! The methods only write requests to the output. They do not wait.

use postgres_protocol::message::frontend;

use crate::error::Error;
use crate::protocol::bind::MAX_MESSAGE;
use crate::protocol::{BindTemplate, Parameters, Pending, ProtocolState};

impl ProtocolState {
    /// Prepares `sql` as `name` (`""` for the unnamed statement). `types` contains the type OIDs of the first
    /// parameters. The server infers the types of the other parameters, and of parameters with the OID 0.
    pub fn parse(&mut self, name: &str, sql: &str, types: &[u32]) -> Result<u64, Error> {
        check_length(name.len() + sql.len() + types.len() * 4)?;
        self.write(|out| frontend::parse(name, sql, types.iter().copied(), out))?;
        Ok(self.push(Pending::Parse))
    }

    /// Requests the parameter types and the columns of a prepared statement.
    pub fn describe(&mut self, name: &str) -> Result<u64, Error> {
        self.write(|out| frontend::describe(b'S', name, out))?;
        Ok(self.push(Pending::Describe))
    }

    /// Binds the parameters that `fill` pushes, and executes the statement. Sends nothing if `fill` fails.
    pub fn execute(
        &mut self,
        template: &BindTemplate,
        fill: impl FnOnce(&mut Parameters<'_>) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        template.write(&mut self.output, fill)?;
        Ok(self.push(Pending::Execute))
    }

    /// Like `execute`, but `fill` returns false if there is no row. In this case, sends nothing and returns `None`.
    /// Otherwise, returns whether the row requests a Sync.
    pub(crate) fn execute_if(
        &mut self,
        template: &BindTemplate,
        fill: impl FnOnce(&mut Parameters<'_>) -> Result<bool, Error>,
    ) -> Result<Option<bool>, Error> {
        let written = template.write(&mut self.output, |parameters| match fill(parameters)? {
            true => Ok(parameters.wants_sync()),
            false => Err(Error::Encoding(NO_ROW)),
        });
        match written {
            Ok(sync) => {
                self.push(Pending::Execute);
                Ok(Some(sync))
            }
            Err(Error::Encoding(NO_ROW)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Fetches more rows from an open portal. `max_rows` limits the rows (0 for no limit).
    pub fn fetch(&mut self, portal: &str, max_rows: i32) -> Result<u64, Error> {
        self.write(|out| frontend::execute(portal, max_rows, out))?;
        Ok(self.push(Pending::Fetch))
    }

    /// Deallocates a prepared statement.
    pub fn close_statement(&mut self, name: &str) -> Result<u64, Error> {
        self.write(|out| frontend::close(b'S', name, out))?;
        Ok(self.push(Pending::Close))
    }

    /// Closes a portal.
    pub fn close_portal(&mut self, name: &str) -> Result<u64, Error> {
        self.write(|out| frontend::close(b'P', name, out))?;
        Ok(self.push(Pending::Close))
    }

    /// Sends a Sync, which ends the implicit transaction of the preceding requests.
    pub fn sync(&mut self) -> u64 {
        frontend::sync(&mut self.output);
        let number = self.push(Pending::Sync);
        self.unsynced = false;
        number
    }

    /// Executes `sql` in the simple protocol. `sql` has one or more statements. Sends a Sync first if earlier requests
    /// need one.
    pub fn query(&mut self, sql: &str) -> Result<u64, Error> {
        check_length(sql.len())?;
        if sql.contains('\0') {
            return Err(Error::Nul);
        }
        if self.unsynced {
            self.sync();
        }
        self.write(|out| frontend::query(sql, out))?;
        let number = self.push(Pending::Query);
        self.unsynced = false;
        Ok(number)
    }

    /// Sends Terminate. The server closes the connection without an answer.
    pub fn terminate(&mut self) {
        frontend::terminate(&mut self.output);
    }

    /// Calls an encoder of the crate postgres-protocol. An encoder fails if a string is too long or has a NUL byte.
    /// Callers with long strings check the length before they call this method, so no string is too long. Therefore
    /// every failure is reported as a NUL byte ([`Error::Nul`]).
    fn write(&mut self, write: impl FnOnce(&mut bytes::BytesMut) -> std::io::Result<()>) -> Result<(), Error> {
        let start = self.output.len();
        write(&mut self.output).map_err(|_| {
            self.output.truncate(start);
            Error::Nul
        })
    }

    /// Assigns the next number to a request that was written.
    fn push(&mut self, pending: Pending) -> u64 {
        self.pending.push_back(pending);
        self.unsynced = true;
        self.first + self.pending.len() as u64 - 1
    }
}

const NO_ROW: &str = "no row";

fn check_length(length: usize) -> Result<(), Error> {
    // The margin is for the message's length fields and terminators.
    if length > MAX_MESSAGE - 1024 { Err(Error::TooLong(length)) } else { Ok(()) }
}
