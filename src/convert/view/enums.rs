//! The enums of PostgreSQL's parse trees, under PostgreSQL's names.
#![allow(missing_docs, non_camel_case_types, clippy::upper_case_acronyms)]

use crate::convert::nodes::enums;
use crate::sys::bindings as pg;

/// An enum of parse trees.
pub trait Enum: Copy + 'static {
    /// PostgreSQL's name of the enum.
    const NAME: &'static str;
    /// Returns PostgreSQL's name of the constant.
    fn name(self) -> &'static str;
    /// Returns the constant with this name.
    fn from_name(name: &str) -> Option<Self>;
    /// Returns all constants in PostgreSQL's order.
    fn all() -> &'static [Self];
}

macro_rules! declare {
    ($($name:ident { $($constant:ident = $number:literal;)* })*) => { $(
        #[doc = concat!("PostgreSQL's enum `", stringify!($name), "`.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $($constant),* }

        impl $name {
            /// Converts a C value to a constant. Panics if no constant has this value. No tree contains such a value:
            /// neither the parser nor a builder produces it, and the conversions from JSON and Protobuf reject it.
            #[inline]
            pub(crate) fn from_c(c: pg::$name) -> Self {
                match c {
                    $(pg::$constant => Self::$constant,)*
                    other => unknown(stringify!($name), i64::from(other)),
                }
            }

            #[inline]
            pub(crate) fn to_c(self) -> pg::$name {
                match self { $(Self::$constant => pg::$constant,)* }
            }
        }

        impl Enum for $name {
            const NAME: &'static str = stringify!($name);
            fn name(self) -> &'static str {
                match self { $(Self::$constant => stringify!($constant),)* }
            }
            fn from_name(name: &str) -> Option<Self> {
                match name { $(stringify!($constant) => Some(Self::$constant),)* _ => None }
            }
            fn all() -> &'static [Self] {
                &[$(Self::$constant),*]
            }
        }
    )* };
}
enums!(declare);

#[cold]
fn unknown(name: &str, value: i64) -> ! {
    panic!("{value} is not a value of the enum {name}")
}
