//! An empty type for each row of the table of nodes, that is, for each node type. Some node types, such as DistinctExpr
//! and OpExpr, share a C struct. Such a struct must implement a trait once for each of its node types. Therefore a
//! trait for C structs has one of the empty types as a parameter.
#![allow(clippy::upper_case_acronyms)]

use super::nodes::nodes;

macro_rules! declare {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        $(pub(crate) enum $rust {})*
    };
}
nodes!(declare);

// Constants, value nodes and lists. The table of nodes does not contain them, because the C struct of a constant
// contains a union of value nodes, and the C struct of a list contains cells.
pub(crate) enum AConst {}
pub(crate) enum Integer {}
pub(crate) enum Float {}
pub(crate) enum Boolean {}
pub(crate) enum String {}
pub(crate) enum BitString {}
pub(crate) enum List {}
