//! The fingerprint of a node depends on the parent's type, and on the field of the parent that contains the node.

/// Properties of a field that affect the fingerprint of the nodes in it.
#[derive(Clone, Copy)]
pub(crate) struct FieldContext {
    /// Whether lists in this field are sets: their items are sorted by hash, and duplicates are removed.
    pub(crate) sorted: bool,
    /// True if a query reads or writes the relations in this field; false if a utility statement only names them.
    pub(crate) in_query: bool,
    /// Whether the fingerprint ignores the names of result columns in this field.
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

/// Compares strings at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}
