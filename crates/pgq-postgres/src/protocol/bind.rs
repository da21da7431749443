//! Bind messages, which contain a row of parameters for a prepared statement. The parts that all rows share are encoded
//! once.

use bytes::{BufMut, BytesMut};

use crate::error::Error;
use crate::protocol::row::Reader;

/// Maximum length of a message, in bytes.
pub const MAX_MESSAGE: usize = (1 << 30) - 1;

/// Formats of a row's values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Formats {
    /// Text for all values.
    #[default]
    Text,
    /// Binary for all values.
    Binary,
    /// One format for each value, `true` for binary.
    Each(Vec<bool>),
}

impl Formats {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let codes: Vec<u16> = match self {
            Self::Text => Vec::new(),
            Self::Binary => vec![1],
            Self::Each(binary) => binary.iter().map(|binary| u16::from(*binary)).collect(),
        };
        let count = u16::try_from(codes.len()).map_err(|_| Error::Encoding("more than 65,535 formats"))?;
        out.put_u16(count);
        codes.iter().for_each(|code| out.put_u16(*code));
        Ok(())
    }
}

/// The parts of Bind messages that all rows of a prepared statement share.
#[derive(Debug, Clone)]
pub struct BindTemplate {
    /// Names of the portal and the statement.
    names: Vec<u8>,
    parameter_formats: Vec<u8>,
    parameters: usize,
    result_formats: Vec<u8>,
    /// The Execute message.
    execute: Vec<u8>,
}

impl BindTemplate {
    /// Creates a template for executing `statement` with `parameters` parameters. `portal` is `""` for the unnamed
    /// portal. `max_rows` limits the result rows (0 for no limit). Fails if a name has a NUL byte, or if the number of
    /// formats differs from the number of parameters.
    pub fn new(
        portal: &str,
        statement: &str,
        parameters: usize,
        parameter_formats: &Formats,
        result_formats: &Formats,
        max_rows: i32,
    ) -> Result<Self, Error> {
        if matches!(parameter_formats, Formats::Each(each) if each.len() != parameters) {
            return Err(Error::Encoding("the number of formats differs from the number of parameters"));
        }
        if parameters > usize::from(u16::MAX) {
            return Err(Error::Encoding("more than 65,535 parameters"));
        }
        if portal.contains('\0') || statement.contains('\0') {
            return Err(Error::Nul);
        }
        let mut template = Self {
            names: [portal.as_bytes(), b"\0", statement.as_bytes(), b"\0"].concat(),
            parameter_formats: Vec::new(),
            parameters,
            result_formats: Vec::new(),
            execute: vec![b'E'],
        };
        parameter_formats.write(&mut template.parameter_formats)?;
        result_formats.write(&mut template.result_formats)?;
        template.execute.put_u32(4 + portal.len() as u32 + 1 + 4);
        template.execute.put_slice(portal.as_bytes());
        template.execute.put_u8(0);
        template.execute.put_i32(max_rows);
        Ok(template)
    }

    /// Appends Bind and Execute for the row that `fill` writes. Appends nothing if `fill` fails.
    pub(crate) fn write<T>(
        &self,
        out: &mut BytesMut,
        fill: impl FnOnce(&mut Parameters<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let start = out.len();
        out.put_u8(b'B');
        out.put_u32(0);
        out.put_slice(&self.names);
        let mut parameters =
            Parameters { out, template: self, count: 0, encoded: false, too_long: None, sync: false, start };
        parameters.begin();
        let filled = fill(&mut parameters).and_then(|value| parameters.finish().map(|()| value));
        match filled {
            Ok(_) => out.put_slice(&self.execute),
            Err(_) => out.truncate(start),
        }
        filled
    }
}

/// Receives the parameters of a row, in order.
pub struct Parameters<'a> {
    out: &'a mut BytesMut,
    template: &'a BindTemplate,
    count: usize,
    encoded: bool,
    /// Length of a value that is longer than the protocol allows. `None` if no value is too long.
    too_long: Option<usize>,
    sync: bool,
    start: usize,
}

impl Parameters<'_> {
    fn begin(&mut self) {
        self.out.put_slice(&self.template.parameter_formats);
        self.out.put_u16(self.template.parameters as u16);
    }

    /// Appends the next parameter, either its bytes in the chosen format or `None` for NULL.
    pub fn push(&mut self, value: Option<&[u8]>) {
        self.count += 1;
        match value {
            None => self.out.put_i32(-1),
            // `finish` rejects the row.
            Some(value) if value.len() > MAX_MESSAGE => self.too_long = Some(value.len()),
            Some(value) => {
                self.out.put_i32(value.len() as i32);
                self.out.put_slice(value);
            }
        }
    }

    /// Sets the whole row. `row` is encoded like the end of a Bind message: parameter formats, parameters, result
    /// formats. The row replaces all pushed parameters and the batch's formats.
    ///
    /// Fails if the lengths are inconsistent, or if the row and the statement have different numbers of parameters.
    pub fn encoded(&mut self, row: &[u8]) -> Result<(), Error> {
        let found = encoded_parameters(row).ok_or(Error::Encoding("inconsistent lengths"))?;
        let expected = self.template.parameters;
        if found != expected {
            return Err(Error::ParameterCount { expected, found });
        }
        self.out.truncate(self.start + 5 + self.template.names.len());
        self.out.put_slice(row);
        self.encoded = true;
        Ok(())
    }

    /// Requests a Sync after this row. The Sync ends the implicit transaction.
    pub fn sync_after(&mut self) {
        self.sync = true;
    }

    pub(crate) fn wants_sync(&self) -> bool {
        self.sync
    }

    fn finish(&mut self) -> Result<(), Error> {
        if !self.encoded {
            let expected = self.template.parameters;
            if self.count != expected {
                return Err(Error::ParameterCount { expected, found: self.count });
            }
            self.out.put_slice(&self.template.result_formats);
        }
        let length = self.out.len() - self.start - 1;
        if let Some(length) = self.too_long.or((length > MAX_MESSAGE).then_some(length)) {
            return Err(Error::TooLong(length));
        }
        self.out[self.start + 1..self.start + 5].copy_from_slice(&(length as u32).to_be_bytes());
        Ok(())
    }
}

/// Returns the number of parameters in an encoded row, or `None` if its lengths are inconsistent.
fn encoded_parameters(row: &[u8]) -> Option<usize> {
    let mut reader = Reader(row);
    let formats = usize::from(reader.u16()?);
    reader.bytes(formats * 2)?;
    let count = usize::from(reader.u16()?);
    for _ in 0..count {
        match reader.i32()? {
            -1 => {}
            length => _ = reader.bytes(usize::try_from(length).ok()?)?,
        }
    }
    let results = usize::from(reader.u16()?);
    reader.bytes(results * 2)?;
    reader.0.is_empty().then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(parameters: usize) -> BindTemplate {
        BindTemplate::new("", "s", parameters, &Formats::Text, &Formats::Binary, 0).unwrap()
    }

    #[test]
    fn rows_are_laid_out_as_the_protocol_says() {
        let mut out = BytesMut::new();
        let fill = |row: &mut Parameters<'_>| {
            row.push(Some(b"ab"));
            row.push(None);
            Ok(())
        };
        template(2).write(&mut out, fill).unwrap();
        let bind = b"B\0\0\0\x19\0s\0\0\0\0\x02\0\0\0\x02ab\xff\xff\xff\xff\0\x01\0\x01";
        assert_eq!(out, [&bind[..], b"E\0\0\0\x09\0\0\0\0\0"].concat());
    }

    #[test]
    fn encoded_rows_are_the_same_bytes() {
        let (mut one, mut other) = (BytesMut::new(), BytesMut::new());
        let push = |row: &mut Parameters<'_>| {
            row.push(Some(b"ab"));
            Ok(())
        };
        template(1).write(&mut one, push).unwrap();
        template(1).write(&mut other, |row| row.encoded(b"\0\0\0\x01\0\0\0\x02ab\0\x01\0\x01")).unwrap();
        assert_eq!(one, other);
    }

    #[test]
    fn nothing_is_left_of_a_row_that_does_not_fit() {
        let mut out = BytesMut::from(&b"before"[..]);
        assert!(matches!(
            template(2).write(&mut out, |_| Ok(())),
            Err(Error::ParameterCount { expected: 2, found: 0 })
        ));
        for bad in [&b""[..], b"\0\0\0\x01\0\0\0\x09a\0\0", b"\0\0\0\0\0\0x", b"\0\0\0\x01\xff\xff\xff\xfe\0\0"] {
            assert!(template(1).write(&mut out, |row| row.encoded(bad)).is_err(), "{bad:?}");
        }
        assert_eq!(out, "before");
    }
}
