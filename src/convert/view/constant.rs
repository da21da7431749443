//! Views of constants (`A_Const`) and of value nodes, such as `Integer` and `String`. They are written by hand,
//! because the generated table of nodes (nodes.rs) does not contain these types.

use std::fmt;
use std::str::FromStr;

use super::pointer::Pointer;
use super::values;
use crate::sys::bindings as pg;

/// The value of a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant<'t> {
    /// `NULL`
    Null,
    /// A 32-bit integer.
    Integer(i32),
    /// Any other number, verbatim.
    Float(&'t str),
    /// `TRUE` or `FALSE`
    Boolean(bool),
    /// A string, without its quotes and escapes.
    String(&'t str),
    /// A bit string in PostgreSQL's form: `b0101` or `x1f`.
    BitString(&'t str),
}

impl<'t> Constant<'t> {
    /// Returns the value of a string constant; `None` for other constants.
    #[must_use]
    pub fn as_str(self) -> Option<&'t str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// Parses a number into any numeric type. Returns `None` for other constants, or if the type cannot represent the
    /// number.
    ///
    /// ```
    /// use pgq::nodes::Constant;
    ///
    /// assert_eq!(Constant::Float("4294967296").number::<i64>(), Some(1 << 32));
    /// assert_eq!(Constant::Integer(300).number::<u8>(), None);
    /// ```
    #[must_use]
    pub fn number<N: FromStr>(self) -> Option<N> {
        match self {
            Self::Integer(value) => value.to_string().parse().ok(),
            Self::Float(text) => text.parse().ok(),
            _ => None,
        }
    }
}

/// Writes the constant as SQL: `1`, `'it''s'`, `NULL`.
impl fmt::Display for Constant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(text) => f.write_str(text),
            Self::Boolean(true) => f.write_str("TRUE"),
            Self::Boolean(false) => f.write_str("FALSE"),
            Self::String(text) if text.contains('\\') => {
                write!(f, "E'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
            }
            Self::String(text) => write!(f, "'{}'", text.replace('\'', "''")),
            Self::BitString(text) => {
                let (base, digits) = text.split_at(text.len().min(1));
                write!(f, "{base}'{digits}'")
            }
        }
    }
}

/// A constant in an expression: `1`, `'a'`, `NULL`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct AConst<'t>(pub(crate) Pointer<'t, pg::A_Const>);

impl<'t> AConst<'t> {
    /// Returns the value of the constant.
    ///
    /// # Panics
    /// Panics if the constant has no value node. Neither the parser nor a builder produces such a constant.
    #[must_use]
    pub fn value(self) -> Constant<'t> {
        let c = self.0.c();
        // SAFETY: the constant is valid. The tag inside the union determines the active member. The strings of value
        // nodes are never NULL.
        unsafe {
            if (*c).isnull {
                return Constant::Null;
            }
            let text = |c| values::string(c).unwrap_or_default();
            match (*c).val.node.type_ {
                pg::T_Integer => Constant::Integer((*c).val.ival.ival),
                pg::T_Float => Constant::Float(text((*c).val.fval.fval)),
                pg::T_Boolean => Constant::Boolean((*c).val.boolval.boolval),
                pg::T_String => Constant::String(text((*c).val.sval.sval)),
                pg::T_BitString => Constant::BitString(text((*c).val.bsval.bsval)),
                tag => panic!("a constant holds node tag {tag}"),
            }
        }
    }

    /// Returns the byte offset of the constant in the parsed SQL.
    #[must_use]
    pub fn location(self) -> Option<usize> {
        // SAFETY: the constant is valid.
        self.0.offset(unsafe { (*self.0.c()).location })
    }
}

macro_rules! value_nodes {
    ($($(#[$doc:meta])* $rust:ident $accessor:ident -> $ty:ty, |$c:ident| $read:expr;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(transparent)]
        pub struct $rust<'t>(pub(crate) Pointer<'t, pg::$rust>);

        impl<'t> $rust<'t> {
            /// Returns the value of the node.
            #[must_use]
            pub fn $accessor(self) -> $ty {
                let $c = self.0.c();
                // SAFETY: the node is valid, and the string of a value node is never NULL.
                unsafe { $read }
            }
        }
    )* };
}

value_nodes! {
    /// An integer outside of an expression, such as an option's value.
    Integer ival -> i32, |c| (*c).ival;
    /// A number that is not a 32-bit integer, verbatim.
    Float fval -> &'t str, |c| values::string((*c).fval).unwrap_or_default();
    /// A boolean.
    Boolean boolval -> bool, |c| (*c).boolval;
    /// A string: usually a part of a name.
    String sval -> &'t str, |c| values::string((*c).sval).unwrap_or_default();
    /// A bit string.
    BitString bsval -> &'t str, |c| values::string((*c).bsval).unwrap_or_default();
}
