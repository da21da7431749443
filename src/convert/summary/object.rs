//! The kind of the objects that a utility statement names. The statement's ObjectType determines this kind. The kind
//! determines whether a name belongs to a relation or to a function.

use crate::convert::summary::values::RelationKind;
use crate::sys::bindings as pg;

/// The kind of objects that a utility statement names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Object {
    Relation(RelationKind),
    /// A part of a table, as in `DROP TRIGGER name ON table`. In the tree's list of names, the name
    /// of this part (the trigger) is last.
    PartOfTable,
    Function,
    /// An object of another kind. If its statement has a RangeVar, the RangeVar names a table.
    Other,
}

impl Object {
    pub(super) fn of(object_type: pg::ObjectType) -> Self {
        match object_type {
            pg::OBJECT_TABLE | pg::OBJECT_VIEW | pg::OBJECT_MATVIEW | pg::OBJECT_FOREIGN_TABLE => {
                Self::Relation(RelationKind::Table)
            }
            pg::OBJECT_INDEX => Self::Relation(RelationKind::Index),
            pg::OBJECT_SEQUENCE => Self::Relation(RelationKind::Sequence),
            pg::OBJECT_TYPE | pg::OBJECT_ATTRIBUTE => Self::Relation(RelationKind::Type),
            pg::OBJECT_COLUMN | pg::OBJECT_TABCONSTRAINT | pg::OBJECT_TRIGGER | pg::OBJECT_RULE | pg::OBJECT_POLICY => {
                Self::PartOfTable
            }
            pg::OBJECT_FUNCTION | pg::OBJECT_PROCEDURE | pg::OBJECT_ROUTINE | pg::OBJECT_AGGREGATE => Self::Function,
            _ => Self::Other,
        }
    }

    /// Returns the kind of the relations that the statement names.
    pub(super) fn relation_kind(self) -> RelationKind {
        match self {
            Self::Relation(kind) => kind,
            _ => RelationKind::Table,
        }
    }
}
