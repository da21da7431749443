//! An empty type for each row of the table: some C structs are one type under several names, and a walk that implements a
//! trait for each row tells them apart by these.
#![allow(clippy::upper_case_acronyms)]

use super::nodes::nodes;

macro_rules! declare {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        $(pub(crate) enum $rust {})*
    };
}
nodes!(declare);

// Those whose C structs are unions or cells, and so are not in the table.
pub(crate) enum AConst {}
pub(crate) enum Integer {}
pub(crate) enum Float {}
pub(crate) enum Boolean {}
pub(crate) enum String {}
pub(crate) enum BitString {}
pub(crate) enum List {}
