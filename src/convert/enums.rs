//! The C enums of parse trees, with the name, C value and Protobuf number of each constant.
#![cfg_attr(not(feature = "proto"), allow(dead_code))] // some items are used only for structs

use super::nodes::enums;
use crate::sys::bindings as pg;

/// A C enum of parse trees.
pub(crate) trait TreeEnum {
    /// The C compiler's integer type for the enum.
    type C: Copy + Default + Into<i64>;
    const NAME: &'static str;
    /// Returns the Protobuf number of a C value.
    fn to_protobuf(c: Self::C) -> Option<i32>;
    /// Returns the C value of a Protobuf number. For 0 ("undefined") returns the first constant.
    fn to_c(protobuf: i32) -> Option<Self::C>;
    /// Returns the name of the constant that has this C value. The name is the same in C and in JSON.
    fn name(c: Self::C) -> Option<&'static str>;
    /// Returns the Protobuf number of a name.
    fn from_name(name: &str) -> Option<i32>;
}

/// One empty type per enum. Each of these types implements [`TreeEnum`].
pub(crate) mod kinds {
    #![allow(non_camel_case_types)]
    macro_rules! declare {
        ($($name:ident { $($constant:ident = $number:literal;)* })*) => { $(pub(crate) struct $name;)* };
    }
    super::enums!(declare);
}

macro_rules! implement {
    ($($name:ident { $($constant:ident = $number:literal;)* })*) => { $(
        impl TreeEnum for kinds::$name {
            type C = pg::$name;
            const NAME: &'static str = stringify!($name);
            #[inline]
            fn to_protobuf(c: pg::$name) -> Option<i32> {
                match c { $(pg::$constant => Some($number),)* _ => None }
            }
            #[inline]
            fn to_c(protobuf: i32) -> Option<pg::$name> {
                match protobuf { $($number => Some(pg::$constant),)* 0 => Some([$(pg::$constant),*][0]), _ => None }
            }
            #[inline]
            fn name(c: pg::$name) -> Option<&'static str> {
                match c { $(pg::$constant => Some(stringify!($constant)),)* _ => None }
            }
            fn from_name(name: &str) -> Option<i32> {
                match name { $(stringify!($constant) => Some($number),)* _ => None }
            }
        }
    )* };
}
enums!(implement);
