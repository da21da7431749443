//! What a fingerprint takes from a node's context: its parent's type and the field that holds it.

/// What matters of a node's context: its parent's type and the field that holds it.
#[derive(Clone, Copy)]
pub(crate) struct FieldContext {
    /// Lists in this field count as sets: sorted by hash, without duplicates.
    pub(crate) sorted: bool,
    /// Relations in this field are read or written by a query, not named by a utility statement.
    pub(crate) in_query: bool,
    /// Names of result columns in this field do not count.
    pub(crate) unnamed: bool,
}

impl FieldContext {
    pub(crate) const NONE: Self = Self { sorted: false, in_query: false, unnamed: false };

    pub(crate) const fn of(parent: &str, field: &str) -> Self {
        let select = same(parent, "SelectStmt");
        let is_relation = same(field, "relation");
        let is_from = same(field, "fromClause");
        Self {
            sorted: is_from
                || same(field, "targetList")
                || same(field, "cols")
                || same(field, "rexpr")
                || same(field, "valuesLists")
                || same(field, "args"),
            in_query: (select && is_from)
                || (same(parent, "InsertStmt") && is_relation)
                || (same(parent, "UpdateStmt") && (is_relation || is_from))
                || (same(parent, "DeleteStmt") && (is_relation || same(field, "usingClause")))
                || (same(parent, "MergeStmt") && (is_relation || same(field, "sourceRelation")))
                || same(parent, "JoinExpr")
                || same(parent, "RangeTableSample")
                || same(parent, "LockingClause"),
            unnamed: select && same(field, "targetList"),
        }
    }
}

/// `==` for strings, when compiling.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
