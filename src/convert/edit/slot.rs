//! Replaces a node in the field or list where it was found.

use super::child::{Any, Child};
use super::target::EditTree;
use crate::convert::field_table::FieldKind;
use crate::convert::view::{MultiAssignRef, Node};
use crate::sys::bindings as pg;

/// A field, or a cell of a list, that can contain a node. `tag` is the node type that the slot accepts; `None` means
/// any type.
struct Slot {
    place: *mut *mut pg::Node,
    tag: Option<pg::NodeTag>,
}

/// Reason why a node was not replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotReplaced {
    /// The parent belongs to another tree, or the given field or list cell of the parent does not contain the node.
    Moved,
    /// The field accepts only nodes of a different type.
    WrongType,
}

/// # Safety
/// `list` must be NULL or a valid list of node pointers.
unsafe fn cell(list: *mut pg::List, index: Option<usize>) -> Option<Slot> {
    let index = index?;
    // SAFETY: the list is valid, and the index is within it.
    unsafe {
        let inside = !list.is_null() && index < (*list).length as usize;
        inside.then(|| Slot { place: (&raw mut (*(*list).elements.add(index)).ptr_value).cast(), tag: None })
    }
}

/// Returns the slot (a field, or a cell of a list) of `parent`. `field` is the name of the field. If the field is a
/// list, `index` is the index of the cell.
///
/// # Safety
/// The node of `parent` must be editable.
unsafe fn slot_in(parent: Node<'_>, field: &str, index: Option<usize>) -> Option<Slot> {
    if let Node::List(list) = parent {
        // SAFETY: a view's list is NULL or valid.
        return unsafe { cell(list.c().cast_mut(), index) };
    }
    let found = parent.table_row().children.iter().find(|child| child.key == field)?;
    let place: *mut *mut pg::Node = found.in_node(parent.c().cast_mut());
    // SAFETY: a view's node is valid, and so are its children.
    unsafe {
        match found.kind {
            FieldKind::Typed => Some(Slot { place, tag: (*place).as_ref().map(|node| node.type_) }),
            FieldKind::List if index.is_some() => cell((*place).cast(), index),
            FieldKind::List => Some(Slot { place, tag: Some(pg::T_List) }),
            _ => Some(Slot { place, tag: None }),
        }
    }
}

/// Returns the address of a list field of a node. The field is NULL if the list is absent.
pub(super) fn list_place(parent: Node<'_>, field: &str) -> Option<*mut *mut pg::List> {
    // SAFETY: nothing is modified here.
    let slot = unsafe { slot_in(parent, field, None) }?;
    // The field is a list field if it accepts only List nodes.
    (slot.tag == Some(pg::T_List)).then_some(slot.place.cast())
}

impl EditTree {
    /// Replaces `node`, a child of `parent`, with `new`.
    pub(crate) fn put<'a>(
        &'a self,
        (parent, field, index): (Node<'_>, &str, Option<usize>),
        node: Node<'_>,
        new: impl Child<'a, Any>,
    ) -> Result<(), NotReplaced> {
        if !self.holds(parent.c()) {
            return Err(NotReplaced::Moved);
        }
        let new = new.attach(self).0;
        // SAFETY: the parent is in this tree's arena, and nothing has a reference to it.
        unsafe {
            let slot = slot_in(parent, field, index).ok_or(NotReplaced::Moved)?;
            if !std::ptr::eq(*slot.place, node.c()) {
                return Err(NotReplaced::Moved);
            }
            if slot.tag.is_some_and(|tag| new.is_null() || (*new).type_ != tag) {
                return Err(NotReplaced::WrongType);
            }
            *slot.place = new;
        }
        Ok(())
    }

    /// Makes `other` share the expression of `column`. The caller passes two columns of the same `SET (a, b) = …`.
    pub(crate) fn share_source(&self, column: MultiAssignRef<'_>, other: MultiAssignRef<'_>) {
        if self.holds(Node::from(column).c()) && self.holds(Node::from(other).c()) {
            // SAFETY: both nodes are in this tree, and nothing has a reference to them.
            unsafe { (*other.0.c()).source = (*column.0.c()).source };
        }
    }

    /// Replaces the node of statement `index` with `new`.
    pub(crate) fn put_statement<'a>(&'a self, index: usize, new: impl Child<'a, Any>) -> bool {
        let new = new.attach(self).0;
        // SAFETY: statements are RawStmt in this tree's arena.
        unsafe {
            let list = self.tree().as_ptr();
            if new.is_null() || list.is_null() || index >= (*list).length as usize {
                return false;
            }
            let raw = (*(*list).elements.add(index)).ptr_value.cast::<pg::RawStmt>();
            (*raw).stmt = new;
        }
        true
    }
}
