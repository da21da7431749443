//! Fixes wrong assertions in the deparser. These assertions are harmless in libpg_query, whose
//! releases disable assertions. pgq turns failed assertions into errors, because it must reject
//! invalid trees.

use super::{Edit, Fix};

pub const FIXES: &[Fix] = &[Fix {
    name: "assertion-operator-class",
    why: "an assertion of the deparser fails if ALTER EXTENSION contains a qualified operator class or family",
    edits: &[Edit::After {
        of: "deparseAlterExtensionContentsStmt",
        mark: "case OBJECT_OPFAMILY:\n\t\tcase OBJECT_OPCLASS:",
        anchor: "Assert(list_length(l) == 2);",
        with: "",
    }],
}];
