//! The bodies of the operations `prepare` and `execute`. This module parses the lengths of parameters. It does not
//! decode the values of parameters and rows.

use crate::{BodyError, BodyReader, batch};

/// The body of `prepare`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepare<'a> {
    /// OIDs of the parameter types. For 0, the server infers the type.
    pub types: Vec<u32>,
    /// The statement.
    pub sql: &'a str,
}

impl<'a> Prepare<'a> {
    /// Reads a body.
    ///
    /// # Errors
    /// Returns an error if the body is too short or its SQL is not UTF-8.
    pub fn read(body: &'a [u8]) -> Result<Self, BodyError> {
        let mut reader = BodyReader::new(body);
        let count = reader.u16("the number of types")?;
        let types = (0..count).map(|_| reader.u32("a type")).collect::<Result<_, _>>()?;
        let sql = std::str::from_utf8(reader.rest()).map_err(|_| BodyError::Encoding("the SQL"))?;
        Ok(Self { types, sql })
    }
}

/// Kind of the answer to each row of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Results {
    /// The row count in the command tag.
    Count,
    /// The command tag.
    Tag,
    /// The result rows, as messages.
    Rows,
}

/// The body of `execute`.
#[derive(Debug, Clone)]
pub struct Execute<'a> {
    /// Kind of the answers.
    pub results: Results,
    /// Number of message bytes after which a Sync message is sent, 0 for the default.
    pub sync_bytes: u32,
    /// Number of rows after which a Sync message is sent, 0 for no limit.
    pub sync_rows: u32,
    /// Timeout for all rows in milliseconds, 0 for no timeout.
    pub timeout: u32,
    /// Formats of parameters, as in a Bind message.
    pub parameter_formats: Vec<u16>,
    /// Formats of result columns, as in a Bind message.
    pub column_formats: Vec<u16>,
    /// Rows of parameters. [`parameters`] splits a row.
    pub rows: batch::Texts<'a>,
}

impl<'a> Execute<'a> {
    /// Reads a body.
    ///
    /// # Errors
    /// Returns an error if a length is inconsistent or a number is invalid.
    pub fn read(body: &'a [u8]) -> Result<Self, BodyError> {
        let mut reader = BodyReader::new(body);
        let results = match reader.u8("the kind of results")? {
            0 => Results::Count,
            1 => Results::Tag,
            2 => Results::Rows,
            other => return Err(BodyError::Value("the kind of results", other.into())),
        };
        let [zero, low, high] = reader.array("the reserved bytes")?;
        if [zero, low, high] != [0; 3] {
            return Err(BodyError::Value("a reserved byte", u32::from(zero.max(low).max(high))));
        }
        let mut number = |what| reader.u32(what);
        let (sync_bytes, sync_rows) = (number("sync bytes")?, number("sync rows")?);
        let timeout = number("the timeout")?;
        let parameter_formats = formats(&mut reader)?;
        let column_formats = formats(&mut reader)?;
        let rows = batch::read(reader.rest())?;
        Ok(Self { results, sync_bytes, sync_rows, timeout, parameter_formats, column_formats, rows })
    }
}

fn formats(reader: &mut BodyReader<'_>) -> Result<Vec<u16>, BodyError> {
    let count = reader.u16("the number of formats")?;
    let format = |_| match reader.u16("a format")? {
        format @ (0 | 1) => Ok(format),
        other => Err(BodyError::Value("a format", other.into())),
    };
    (0..count).map(format).collect()
}

/// Returns the values of a row of parameters, `None` for NULL. Checks the length of a value only
/// when the iteration reaches the value.
pub fn parameters(row: &[u8]) -> impl Iterator<Item = Result<Option<&[u8]>, BodyError>> {
    let mut reader = BodyReader::new(row);
    std::iter::from_fn(move || {
        if reader.rest().is_empty() {
            return None;
        }
        let value = parameter(&mut reader);
        if value.is_err() {
            reader = BodyReader::new(&[]); // ends the iteration after an error
        }
        Some(value)
    })
}

fn parameter<'a>(reader: &mut BodyReader<'a>) -> Result<Option<&'a [u8]>, BodyError> {
    let length = i32::from_be_bytes(reader.array("the length of a parameter")?);
    match usize::try_from(length) {
        Ok(length) => reader.bytes(length, "a parameter").map(Some),
        Err(_) if length == -1 => Ok(None),
        Err(_) => Err(BodyError::Value("the length of a parameter", length.cast_unsigned())),
    }
}
