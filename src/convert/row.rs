//! An empty type for each row of the table. In C, some node types, such as DistinctExpr and OpExpr, share a struct. A
//! trait distinguishes them by a type parameter, which is one of these empty types.
#![allow(clippy::upper_case_acronyms)]

use super::nodes::nodes;

macro_rules! declare {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        $(pub(crate) enum $rust {})*
    };
}
nodes!(declare);

// These nodes are not in the table, because their C structs are unions or have cells.
pub(crate) enum AConst {}
pub(crate) enum Integer {}
pub(crate) enum Float {}
pub(crate) enum Boolean {}
pub(crate) enum String {}
pub(crate) enum BitString {}
pub(crate) enum List {}
