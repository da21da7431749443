//! Determines how a utility statement accesses the relations that it names.

use super::Summarizer;
use crate::convert::summary::values::{Access, Context};
use crate::sys::bindings as pg;

/// Casts the node to the struct that its tag names.
macro_rules! of {
    ($node:ident, $c:ident) => {
        &*$node.cast::<pg::$c>()
    };
}

impl Summarizer<'_> {
    /// Records how the statement accesses its relations. TRUNCATE and DROP access all their relations in the same way,
    /// which is stored in `access`. Other statements access only their main relation in a special way: CREATE TABLE
    /// creates its table. This relation and its access are stored in `subject`.
    ///
    /// # Safety
    /// `node` must be a valid node whose tag matches its type.
    pub(super) unsafe fn find_subject(&mut self, node: *const pg::Node) {
        // SAFETY: each arm casts to the struct that the tag names.
        unsafe {
            self.subject = match (*node).type_ {
                pg::T_CreateStmt => ((of!(node, CreateStmt)).relation, Access::Create),
                pg::T_CreateForeignTableStmt => ((of!(node, CreateForeignTableStmt)).base.relation, Access::Create),
                pg::T_ViewStmt => ((of!(node, ViewStmt)).view, Access::Create),
                pg::T_CreateSeqStmt => ((of!(node, CreateSeqStmt)).sequence, Access::Create),
                pg::T_CompositeTypeStmt => ((of!(node, CompositeTypeStmt)).typevar, Access::Create),
                pg::T_AlterTableStmt => ((of!(node, AlterTableStmt)).relation, Access::Alter),
                pg::T_AlterSeqStmt => ((of!(node, AlterSeqStmt)).sequence, Access::Alter),
                pg::T_RenameStmt => ((of!(node, RenameStmt)).relation, Access::Alter),
                pg::T_AlterObjectSchemaStmt => ((of!(node, AlterObjectSchemaStmt)).relation, Access::Alter),
                pg::T_AlterObjectDependsStmt => ((of!(node, AlterObjectDependsStmt)).relation, Access::Alter),
                pg::T_AlterPolicyStmt => ((of!(node, AlterPolicyStmt)).table, Access::Alter),
                pg::T_RefreshMatViewStmt => ((of!(node, RefreshMatViewStmt)).relation, Access::Write),
                pg::T_TruncateStmt => {
                    self.access = Access::Write;
                    return;
                }
                pg::T_DropStmt => {
                    self.access = Access::Drop;
                    return;
                }
                _ => return,
            };
        }
    }

    /// Returns how the statement accesses a relation that it names.
    pub(super) fn access_to(&self, relation: *const pg::RangeVar, context: Context) -> Access {
        match context {
            _ if std::ptr::eq(relation, self.subject.0) && !relation.is_null() => self.subject.1,
            Context::Select => Access::Read,
            Context::Dml => Access::Write,
            _ => self.access,
        }
    }
}
