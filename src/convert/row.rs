//! An empty type for each row of the table. Some C structs are one type with several names; a walk that implements a
//! trait for each row distinguishes them by these types.
#![allow(clippy::upper_case_acronyms)]

use super::nodes::nodes;

macro_rules! declare {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        $(pub(crate) enum $rust {})*
    };
}
nodes!(declare);

// The nodes whose C structs are unions or have cells, and which the table therefore omits.
pub(crate) enum AConst {}
pub(crate) enum Integer {}
pub(crate) enum Float {}
pub(crate) enum Boolean {}
pub(crate) enum String {}
pub(crate) enum BitString {}
pub(crate) enum List {}
