//! Errors, which are the bodies of failed answers and items.

use crate::{BodyError, BodyReader, ErrorCode};

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Bytes from the start of the text.
    pub offset: u32,
    /// Line number, counted from 1; 0 for [`Place::NONE`].
    pub line: u32,
    /// Column number in characters, counted from 1; 0 for [`Place::NONE`].
    pub column: u32,
}

impl Place {
    /// Start of a text, for an error with an unknown position.
    pub const START: Self = Self { offset: 0, line: 1, column: 1 };
    /// No position, for an error that is not about a text.
    pub const NONE: Self = Self { offset: 0, line: 0, column: 0 };
}

/// An error with its code, position and fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The class of the error.
    pub code: ErrorCode,
    /// The position in the text.
    pub place: Place,
    /// Strings with the tags of PostgreSQL's error fields: `M` message, `D` detail, `H` hint, `C` SQLSTATE.
    pub fields: Vec<(u8, String)>,
}

impl Fault {
    /// Creates an error without a position in SQL.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, place: Place::NONE, fields: vec![(b'M', message.into())] }
    }

    /// Sets the position.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// Adds a field if `text` is not `None`.
    #[must_use]
    pub fn with(mut self, tag: u8, text: Option<&str>) -> Self {
        self.fields.extend(text.map(|text| (tag, text.to_string())));
        self
    }

    /// Returns the value of a field.
    #[must_use]
    pub fn field(&self, tag: u8) -> Option<&str> {
        self.fields.iter().find(|(other, _)| *other == tag).map(|(_, text)| text.as_str())
    }

    /// Returns the message.
    #[must_use]
    pub fn message(&self) -> &str {
        self.field(b'M').unwrap_or_default()
    }

    /// Appends the body of the error.
    ///
    /// # Panics
    /// Panics if a field has 4 GiB or more.
    pub fn write(&self, out: &mut Vec<u8>) {
        for number in [self.place.offset, self.place.line, self.place.column] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        for (tag, text) in &self.fields {
            out.push(*tag);
            out.extend_from_slice(&u32::try_from(text.len()).expect("a field is short").to_le_bytes());
            out.extend_from_slice(text.as_bytes());
        }
    }

    /// Reads the body of a failed answer or item. `code` is from the header of the answer or item.
    ///
    /// # Errors
    /// Returns an error if the body is malformed or the code is unknown.
    pub fn read(code: u16, body: &[u8]) -> Result<Self, BodyError> {
        let code = ErrorCode::from_number(code).ok_or(BodyError::Value("a code", code.into()))?;
        let mut reader = BodyReader::new(body);
        let mut number = || reader.u32("a place");
        let place = Place { offset: number()?, line: number()?, column: number()? };
        let mut fields = Vec::new();
        while !reader.rest().is_empty() {
            let tag = reader.u8("a tag")?;
            let text = std::str::from_utf8(reader.sized("a field")?).map_err(|_| BodyError::Encoding("a field"))?;
            fields.push((tag, text.to_string()));
        }
        Ok(Self { code, place, fields })
    }
}
