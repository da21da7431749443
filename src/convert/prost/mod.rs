//! Conversions between C trees and prost structs (`crate::proto`).

mod from_prost;
#[cfg(feature = "reference")]
mod node_list;
mod to_prost;

pub(crate) use from_prost::from_prost;
#[cfg(feature = "reference")]
pub(crate) use node_list::list_prost_nodes;
pub(crate) use to_prost::{ConvertedTree, to_prost};
