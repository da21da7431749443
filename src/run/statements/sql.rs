//! The SQL of a statement, for jobs that parse statements one by one.

use pgq::{Error, PlaceholderStyle, Replaced};

use super::errors::{check_statement_length, original_error};

/// The SQL of a statement. Placeholders are replaced by parameters.
pub struct StatementSql<'a> {
    original: &'a [u8],
    replaced: Option<Replaced<'a>>,
}

impl<'a> StatementSql<'a> {
    /// Replaces placeholders of the style `style`, if it is `Some` and the text is UTF-8.
    pub fn new(original: &'a [u8], style: Option<PlaceholderStyle>) -> Self {
        let style_and_text = style.and_then(|style| Some((std::str::from_utf8(original).ok()?, style)));
        Self { original, replaced: style_and_text.map(|(text, style)| pgq::placeholders(text, style)) }
    }

    /// Returns the SQL.
    pub fn bytes(&self) -> &[u8] {
        self.replaced.as_ref().map_or(self.original, |replaced| replaced.sql.as_bytes())
    }

    /// Returns the text with replaced placeholders. Returns `None` if no placeholder style was chosen, or if the text
    /// is not UTF-8.
    pub fn replaced(&self) -> Option<&Replaced<'a>> {
        self.replaced.as_ref()
    }

    /// Passes the SQL to `parse`. Converts the position of an error to a position in the original text.
    ///
    /// # Errors
    /// `parse` fails, or the SQL is longer than `max` bytes.
    pub fn parse<'s, T>(&'s self, max: usize, parse: impl FnOnce(&'s [u8]) -> Result<T, Error>) -> Result<T, Error> {
        let bytes = self.bytes();
        let parsed = check_statement_length(bytes.len(), max).and_then(|()| parse(bytes));
        parsed.map_err(|error| original_error(error, self.replaced.as_ref()))
    }
}
