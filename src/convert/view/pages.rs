//! The page of PostgreSQL's documentation that describes a node.

/// `, of [SELECT](…)` for the nodes of statements that have a page; nothing for others.
macro_rules! page {
    ($node:ident) => {
        ""
    };
}

pub(super) use page;
