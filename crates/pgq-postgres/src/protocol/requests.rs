//! What a client asks for. Every request is numbered; its answers bear its number.
//!
//! Requests are only written to the output: nothing waits here.

use postgres_protocol::message::frontend;

use crate::error::Error;
use crate::protocol::bind::MAX_MESSAGE;
use crate::protocol::{BindTemplate, Parameters, Pending, ProtocolState};

impl ProtocolState {
    /// Prepares `sql` as `name` (`""` for the unnamed statement), with the types of its parameters as far as
    /// they are given (0: the server infers the type).
    pub fn parse(&mut self, name: &str, sql: &str, types: &[u32]) -> Result<u64, Error> {
        check_length(name.len() + sql.len() + types.len() * 4)?;
        self.write(|out| frontend::parse(name, sql, types.iter().copied(), out))?;
        Ok(self.push(Pending::Parse))
    }

    /// Asks for the parameters' types and the columns of a prepared statement.
    pub fn describe(&mut self, name: &str) -> Result<u64, Error> {
        self.write(|out| frontend::describe(b'S', name, out))?;
        Ok(self.push(Pending::Describe))
    }

    /// Binds a row of parameters, which `fill` pushes, and executes. After an error nothing is sent.
    pub fn execute(
        &mut self,
        template: &BindTemplate,
        fill: impl FnOnce(&mut Parameters<'_>) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        template.write(&mut self.output, fill)?;
        Ok(self.push(Pending::Execute))
    }

    /// As `execute`, unless `fill` says that there is no row: then nothing is sent, and `None` is returned. Else
    /// whether the row asks for a Sync behind it.
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

    /// Goes on with a portal that is open: at most `max_rows` rows (0 for all).
    pub fn fetch(&mut self, portal: &str, max_rows: i32) -> Result<u64, Error> {
        self.write(|out| frontend::execute(portal, max_rows, out))?;
        Ok(self.push(Pending::Fetch))
    }

    /// Forgets a prepared statement.
    pub fn close_statement(&mut self, name: &str) -> Result<u64, Error> {
        self.write(|out| frontend::close(b'S', name, out))?;
        Ok(self.push(Pending::Close))
    }

    /// Closes a portal.
    pub fn close_portal(&mut self, name: &str) -> Result<u64, Error> {
        self.write(|out| frontend::close(b'P', name, out))?;
        Ok(self.push(Pending::Close))
    }

    /// Ends the implicit transaction of the requests before.
    pub fn sync(&mut self) -> u64 {
        frontend::sync(&mut self.output);
        let number = self.push(Pending::Sync);
        self.unsynced = false;
        number
    }

    /// Executes `sql`, one statement or several, in the simple protocol. A Sync goes first where it must.
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

    /// Says goodbye. The server answers nothing and closes the connection.
    pub fn terminate(&mut self) {
        frontend::terminate(&mut self.output);
    }

    /// Runs one of postgres-protocol's writers. They fail for nothing but NUL bytes and lengths.
    fn write(&mut self, write: impl FnOnce(&mut bytes::BytesMut) -> std::io::Result<()>) -> Result<(), Error> {
        let start = self.output.len();
        write(&mut self.output).map_err(|_| {
            self.output.truncate(start);
            Error::Nul
        })
    }

    /// Numbers a request that was written.
    fn push(&mut self, pending: Pending) -> u64 {
        self.pending.push_back(pending);
        self.unsynced = true;
        self.first + self.pending.len() as u64 - 1
    }
}

const NO_ROW: &str = "no row";

fn check_length(length: usize) -> Result<(), Error> {
    // Lengths and the ends of texts take less than this.
    if length > MAX_MESSAGE - 1024 { Err(Error::TooLong(length)) } else { Ok(()) }
}
