//! Result rows and columns, in the server's encoding.

use crate::error::Error;

/// A result row, which is the body of a DataRow message.
#[derive(Clone, Copy)]
pub struct DataRow<'a> {
    pub(crate) body: &'a [u8],
}

impl std::fmt::Debug for DataRow<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "DataRow({} bytes)", self.body.len())
    }
}

impl<'a> DataRow<'a> {
    /// Returns the body of the message: the number of values (i16), then the length (i32, -1 for NULL) and the bytes of
    /// each value. All numbers are big-endian.
    pub fn as_bytes(self) -> &'a [u8] {
        self.body
    }

    /// Returns the values in the requested formats, `None` for NULL. Fails if the lengths are inconsistent.
    pub fn values(self) -> Result<Vec<Option<&'a [u8]>>, Error> {
        self.try_values().ok_or_else(|| Error::Protocol("a row with inconsistent lengths".into()))
    }

    fn try_values(self) -> Option<Vec<Option<&'a [u8]>>> {
        let mut reader = Reader(self.body);
        let count = reader.u16()?;
        let mut values = Vec::with_capacity(count.into());
        for _ in 0..count {
            values.push(match reader.i32()? {
                -1 => None,
                length => Some(reader.bytes(usize::try_from(length).ok()?)?),
            });
        }
        reader.0.is_empty().then_some(values)
    }
}

/// A result column.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Name of the column. Invalid UTF-8 is replaced.
    pub name: String,
    /// OID of the column's table, or 0.
    pub table: u32,
    /// Number of the column in its table, or 0.
    pub number: i16,
    /// OID of the type.
    pub type_oid: u32,
    /// Size of the type in bytes. Negative for a variable length.
    pub type_size: i16,
    /// The type modifier, or -1.
    pub type_modifier: i32,
    /// 0 for text, 1 for binary. Always 0 in the description of a statement.
    pub format: i16,
}

/// Parses the columns in the body of a RowDescription.
pub fn columns(body: &[u8]) -> Result<Vec<Column>, Error> {
    let read = || {
        let mut reader = Reader(body);
        let count = reader.u16()?;
        let mut columns = Vec::with_capacity(count.into());
        for _ in 0..count {
            columns.push(Column {
                name: reader.text()?,
                table: reader.i32()? as u32,
                number: reader.u16()? as i16,
                type_oid: reader.i32()? as u32,
                type_size: reader.u16()? as i16,
                type_modifier: reader.i32()?,
                format: reader.u16()? as i16,
            });
        }
        reader.0.is_empty().then_some(columns)
    };
    read().ok_or_else(|| Error::Protocol("an inconsistent description of a result".into()))
}

/// Parses the types in the body of a ParameterDescription.
pub fn parameter_types(body: &[u8]) -> Result<Vec<u32>, Error> {
    let mut reader = Reader(body);
    let count = reader.u16();
    let types: Option<Vec<_>> =
        count.and_then(|count| (0..count).map(|_| reader.i32().map(|oid| oid as u32)).collect());
    types.ok_or_else(|| Error::Protocol("the description of parameters is too short".into()))
}

/// Reads big-endian numbers and strings. Returns `None` at the end of the bytes.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    pub fn u16(&mut self) -> Option<u16> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u16::from_be_bytes(*number))
    }

    pub fn i32(&mut self) -> Option<i32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i32::from_be_bytes(*number))
    }

    fn text(&mut self) -> Option<String> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = String::from_utf8_lossy(&self.0[..end]).into_owned();
        self.0 = &self.0[end + 1..];
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused() {
        let row = |body| DataRow { body };
        let body = b"\0\x03\0\0\0\x01a\xff\xff\xff\xff\0\0\0\0";
        assert_eq!(row(&body[..]).values().unwrap(), [Some(&b"a"[..]), None, Some(&b""[..])]);
        for bad in [&b""[..], b"\0\x01", b"\0\x01\0\0\0\x02a", b"\0\x01\xff\xff\xff\xfe", b"\0\0a"] {
            assert!(row(bad).values().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn descriptions_are_read_or_refused() {
        let body = b"\0\x01id\0\0\0\0\x05\0\x02\0\0\0\x17\0\x04\xff\xff\xff\xff\0\0";
        let column = &columns(body).unwrap()[0];
        assert_eq!((column.name.as_str(), column.type_oid, column.type_modifier), ("id", 23, -1));
        assert!(columns(&body[..body.len() - 1]).is_err());
        assert_eq!(parameter_types(b"\0\x01\0\0\0\x17").unwrap(), [23]);
        assert!(parameter_types(b"\0\x02\0\0\0\x17").is_err());
    }
}
