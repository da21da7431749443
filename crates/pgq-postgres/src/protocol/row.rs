//! Rows and columns of results, as the server sent them.

use crate::error::Error;

/// A row of a result: the body of a DataRow message.
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
    /// The body of the message: the number of values (i16), and for each its length (i32, -1 for NULL) and
    /// its bytes, all in network order.
    pub fn as_bytes(self) -> &'a [u8] {
        self.body
    }

    /// The values, in the formats that were asked for; `None` for NULL. An error if the server's lengths
    /// do not add up.
    pub fn values(self) -> Result<Vec<Option<&'a [u8]>>, Error> {
        self.try_values().ok_or_else(|| Error::Protocol("the lengths of a row do not add up".into()))
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

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name. What is not UTF-8 is replaced.
    pub name: String,
    /// The table that it is from, or 0.
    pub table: u32,
    /// Its number in that table, or 0.
    pub number: i16,
    /// Its type.
    pub type_oid: u32,
    /// The size of its type: negative for types of variable length.
    pub type_size: i16,
    /// The modifier of its type, or -1.
    pub type_modifier: i32,
    /// 0 for text, 1 for binary. When a statement is described: always 0.
    pub format: i16,
}

/// The columns in the body of a RowDescription.
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
    read().ok_or_else(|| Error::Protocol("the description of a result does not add up".into()))
}

/// The types in the body of a ParameterDescription.
pub fn parameter_types(body: &[u8]) -> Result<Vec<u32>, Error> {
    let mut reader = Reader(body);
    let count = reader.u16();
    let types: Option<Vec<_>> =
        count.and_then(|count| (0..count).map(|_| reader.i32().map(|oid| oid as u32)).collect());
    types.ok_or_else(|| Error::Protocol("the description of parameters is too short".into()))
}

/// Numbers and texts in network order; `None` where the bytes end.
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
