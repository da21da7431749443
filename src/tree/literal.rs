//! Owned values of constants.

use crate::convert::view::Constant;

/// An owned value of a constant.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum LiteralValue {
    /// `NULL`
    Null,
    /// A 32-bit integer.
    Integer(i32),
    /// Any other number, as written in the SQL.
    Float(String),
    /// `TRUE` or `FALSE`
    Boolean(bool),
    /// A string, without its quotes and escapes.
    String(String),
    /// A bit string in PostgreSQL's form: `b0101` or `x1f`.
    BitString(String),
}

impl From<Constant<'_>> for LiteralValue {
    fn from(value: Constant<'_>) -> Self {
        match value {
            Constant::Null => Self::Null,
            Constant::Integer(value) => Self::Integer(value),
            Constant::Float(text) => Self::Float(text.into()),
            Constant::Boolean(value) => Self::Boolean(value),
            Constant::String(text) => Self::String(text.into()),
            Constant::BitString(text) => Self::BitString(text.into()),
        }
    }
}

impl LiteralValue {
    /// Returns the value as a [`Constant`], the type that nodes use.
    #[must_use]
    pub fn as_constant(&self) -> Constant<'_> {
        match self {
            Self::Null => Constant::Null,
            Self::Integer(value) => Constant::Integer(*value),
            Self::Float(text) => Constant::Float(text),
            Self::Boolean(value) => Constant::Boolean(*value),
            Self::String(text) => Constant::String(text),
            Self::BitString(text) => Constant::BitString(text),
        }
    }
}
