//! The children of a node, in the order of the fields in PostgreSQL's structs.

use super::node::Node;
use crate::convert::field_table::{FieldKind, TableField};
use crate::sys::bindings as pg;

/// A child node.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// The child. The pointer is never NULL, and is valid as long as the parent is valid.
    pub c: *const pg::Node,
    pub field: &'static TableField,
    /// The index in the list field; [`Child::NO_INDEX`] for other fields.
    pub index: u32,
}

impl Child {
    pub const NO_INDEX: u32 = u32::MAX;
}

/// A list can itself be a node, as in a list of lists. This is the name of the field with the members of such a list. C
/// has no such field, because a C list contains its members directly.
static ITEMS: TableField = TableField::named("items", FieldKind::List);

/// A cursor over the children of a node.
///
/// Each field and each cell is read only when the cursor reaches it. If a list is edited while the cursor is in it, the
/// cursor may return a member twice or skip one. Even then, every returned node is a valid node of the tree, because
/// memory is freed only with the tree.
#[derive(Clone)]
pub(super) struct Children {
    c: *const pg::Node,
    fields: std::slice::Iter<'static, TableField>,
    /// The next cell of the current list. `list` is the field that contains this list, `index` is the cell's index, and
    /// `left` is the number of remaining cells.
    cell: *const pg::ListCell,
    list: &'static TableField,
    index: u32,
    left: u32,
}

impl Children {
    /// Returns the children of a view's node.
    #[inline(always)]
    pub(super) fn of(node: Node<'_>) -> Self {
        let (c, fields) = (node.c(), node.table_row().children);
        let mut children = Self { c, fields: fields.iter(), cell: std::ptr::null(), list: &ITEMS, index: 0, left: 0 };
        if let Node::List(list) = node {
            // SAFETY: a view's list is NULL or valid.
            unsafe { children.enter(list.c(), &ITEMS) };
        }
        children
    }

    /// # Safety
    /// `list` must be NULL or a valid list of nodes.
    #[inline(always)]
    unsafe fn enter(&mut self, list: *const pg::List, field: &'static TableField) {
        if !list.is_null() {
            // SAFETY: the caller guarantees that `list` is valid if it is not NULL.
            (self.cell, self.left) = unsafe { ((*list).elements, (*list).length as u32) };
            (self.list, self.index) = (field, 0);
        }
    }
}

impl Iterator for Children {
    type Item = Child;

    #[inline(always)]
    fn next(&mut self) -> Option<Child> {
        loop {
            while self.left > 0 {
                // SAFETY: `self.cell` points to a cell of a valid list.
                let c: *const pg::Node = unsafe { (*self.cell).ptr_value.cast_const().cast() };
                let index = self.index;
                // SAFETY: the pointer moves at most to the end of the list.
                self.cell = unsafe { self.cell.add(1) };
                (self.index, self.left) = (index + 1, self.left - 1);
                if !c.is_null() {
                    return Some(Child { c, field: self.list, index });
                }
            }
            let field = self.fields.next()?;
            // SAFETY: the struct of the node has a pointer at this offset.
            let pointer = unsafe { *field.in_node::<*const pg::Node>(self.c.cast_mut()) };
            if pointer.is_null() {
                continue;
            }
            if field.kind != FieldKind::List {
                return Some(Child { c: pointer, field, index: Child::NO_INDEX });
            }
            // SAFETY: the field is a valid list of nodes.
            unsafe { self.enter(pointer.cast(), field) };
        }
    }
}
