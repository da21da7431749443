//! What `pg_query_summary` misses, by where it is in the tree. docs/summary.md lists the same
//! categories.

use std::fmt;

use pgq::RelationKind;

/// What a difference is in.
pub enum Finding {
    Table,
    Alias,
    Function,
    FilterColumn,
    Cte,
    StatementKind,
    /// libpg_query lists what is not there.
    Wrong,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "tables only here",
            Self::Alias => "aliases only here",
            Self::Function => "functions only here",
            Self::FilterColumn => "filter columns only here",
            Self::Cte => "WITH queries only here",
            Self::StatementKind => "statement kinds only here",
            Self::Wrong => "wrong in libpg_query",
        })
    }
}

/// A category, and the fields of nodes that libpg_query's summary does not look into.
type Category = (&'static str, &'static [(&'static str, &'static str)]);

#[rustfmt::skip]
const CATEGORIES: &[Category] = &[
    ("RETURNING", &[("InsertStmt", "returningClause"), ("UpdateStmt", "returningClause"), ("DeleteStmt", "returningClause"), ("MergeStmt", "returningClause")]),
    ("DECLARE", &[("DeclareCursorStmt", "query")]),
    ("EXECUTE", &[("ExecuteStmt", "params")]),
];

/// The category of what lies at `path`, where libpg_query's summary misses it.
pub fn category(path: &[String]) -> Option<&'static str> {
    let has = |(node, field): &(&str, &str)| path.windows(2).any(|pair| pair[0] == *node && pair[1] == *field);
    CATEGORIES.iter().find(|(_, places)| places.iter().any(has)).map(|(name, _)| *name)
}

/// The category of a relation at `path`.
pub fn of_table(path: &[String], kind: RelationKind) -> Option<&'static str> {
    let _ = kind;
    category(path)
}

/// The category of a relation that is a list of names, in a statement.
pub fn of_name(statement: &str) -> Option<&'static str> {
    let _ = statement;
    None
}

/// The category of a function that a utility statement names.
pub fn of_function(statement: &str) -> Option<&'static str> {
    let _ = statement;
    None
}

/// The category of a statement at `path`.
pub fn of_statement(path: &[String]) -> Option<&'static str> {
    category(path)
}
