//! Assertions that do not hold. libpg_query's releases are built without them; ours turns
//! what it asserts into errors, so that a tree that it cannot write is not written wrong.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[Fix {
    name: "assertion-operator-class",
    why: "an operator class or family of an extension may be qualified",
    edits: &[Edit::After {
        of: "deparseAlterExtensionContentsStmt",
        mark: "case OBJECT_OPFAMILY:\n\t\tcase OBJECT_OPCLASS:",
        anchor: "Assert(list_length(l) == 2);",
        with: "",
    }],
}];
