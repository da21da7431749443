//! An empty type for each row of the table of nodes, that is, for each node type. A trait for C structs has such a type
//! as a parameter, because some node types share a C struct. For example, the struct of DistinctExpr and OpExpr must
//! implement the trait twice: once with the parameter DistinctExpr, and once with OpExpr.
#![allow(clippy::upper_case_acronyms)]

use super::nodes::nodes;

macro_rules! declare {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal { $($fields:tt)* })*) => {
        $(pub(crate) enum $rust {})*
    };
}
nodes!(declare);

// Constants, value nodes and lists. The table of nodes does not contain them, because it has no kind of field for
// the union of value nodes in a constant, or for the cells of a list.
pub(crate) enum AConst {}
pub(crate) enum Integer {}
pub(crate) enum Float {}
pub(crate) enum Boolean {}
pub(crate) enum String {}
pub(crate) enum BitString {}
pub(crate) enum List {}
