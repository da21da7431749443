//! Tables with their columns.

mod groups;
mod nodes;
mod statements;
mod tokens;

pub use groups::{GroupColumn, GroupRow};
pub use nodes::{NodeColumn, NodeRow};
pub use statements::{Column, DEFAULT, Row};
pub use tokens::{TokenColumn, TokenRow};
