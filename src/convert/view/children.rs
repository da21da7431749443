//! The children of a node, in the order of the fields in PostgreSQL's structs. The table of nodes provides the offset
//! of each field.

use super::node::Node;
use crate::convert::nodes::nodes;
use crate::convert::row;
use crate::sys::bindings as pg;

/// A field that contains a node or a list of nodes.
#[derive(Clone, Copy)]
pub(super) struct ChildField {
    /// The field's name in JSON.
    pub key: &'static str,
    /// Offset in the struct, in bytes.
    offset: u32,
    is_list: bool,
}

/// A child node.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// Never NULL, and valid as long as the parent is valid.
    pub c: *const pg::Node,
    pub field: &'static ChildField,
    /// The index in the list field; [`Child::NO_INDEX`] for other fields.
    pub index: u32,
}

impl Child {
    pub const NO_INDEX: u32 = u32::MAX;
}

const NO_FIELD: ChildField = ChildField { key: "", offset: 0, is_list: false };
/// The pseudo-field for the members of a list that is itself a node.
static ITEMS: ChildField = ChildField { key: "items", offset: 0, is_list: true };

/// The child fields of a struct. In C, some node types share a struct. `M` distinguishes them.
trait ChildFields<M> {
    const FIELDS: &'static [ChildField];
}

/// The child fields of a node itself or of an embedded struct, and that struct's offset in the node (0 for the node
/// itself).
type Part = (usize, &'static [ChildField]);

const fn count(parts: &[Part]) -> usize {
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        count += parts[part].1.len();
        part += 1;
    }
    count
}

const fn flatten<const N: usize>(parts: &[Part]) -> [ChildField; N] {
    let mut fields = [NO_FIELD; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let (base, from) = parts[part];
        let mut index = 0;
        while index < from.len() {
            fields[at] = ChildField { offset: from[index].offset + base as u32, ..from[index] };
            (at, index) = (at + 1, index + 1);
        }
        part += 1;
    }
    fields
}

macro_rules! part {
    (node, $key:literal, $offset:expr) => {
        (0, &[ChildField { key: $key, offset: $offset as u32, is_list: false }])
    };
    (message, $key:literal, $offset:expr, $ty:ident) => {
        part!(node, $key, $offset)
    };
    (list, $key:literal, $offset:expr) => {
        (0, &[ChildField { key: $key, offset: $offset as u32, is_list: true }])
    };
    // The fields of an embedded struct belong to the node itself.
    (embed, $key:literal, $offset:expr, $ty:ident) => {
        ($offset, <pg::$ty as ChildFields<row::$ty>>::FIELDS)
    };
    ($plain:ident, $key:literal, $offset:expr $(, $ty:ident)?) => {
        (0, &[])
    };
}

macro_rules! child_fields {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl ChildFields<row::$rust> for pg::$c {
            const FIELDS: &'static [ChildField] = {
                const PARTS: &[Part] = &[$(part!($kind, $key, std::mem::offset_of!(pg::$c, $cfield) $(, $ty)?),)*];
                const ALL: [ChildField; count(PARTS)] = flatten(PARTS);
                &ALL
            };
        })*

        /// The child fields of each variant of [`Node`]. The last variants, for values and lists, have no fields.
        static FIELDS_OF: &[&[ChildField]] = &[$(<pg::$c as ChildFields<row::$rust>>::FIELDS,)*];
    };
}
nodes!(child_fields);

/// A cursor over the children of a node.
///
/// Each field and each cell is read only when the cursor reaches it. If a list is edited while the cursor is in it, the
/// cursor may return a member twice or skip one. It always returns nodes of the tree, because memory is freed only with
/// the tree.
#[derive(Clone)]
pub(super) struct Children {
    c: *const pg::Node,
    fields: std::slice::Iter<'static, ChildField>,
    /// The next cell of the current list. `list` is the field that contains this list, `index` is the cell's index, and
    /// `left` is the number of remaining cells.
    cell: *const pg::ListCell,
    list: &'static ChildField,
    index: u32,
    left: u32,
}

impl Children {
    /// Returns the children of a view's node.
    #[inline(always)]
    pub(super) fn of(node: Node<'_>) -> Self {
        let (c, variant) = (node.c(), node.variant() as usize);
        let fields = FIELDS_OF.get(variant).copied().unwrap_or_default();
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
    unsafe fn enter(&mut self, list: *const pg::List, field: &'static ChildField) {
        if !list.is_null() {
            // SAFETY: not NULL, therefore valid.
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
                // SAFETY: a cell of a valid list.
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
            let pointer = unsafe { *self.c.byte_add(field.offset as usize).cast::<*const pg::Node>() };
            if pointer.is_null() {
                continue;
            }
            if !field.is_list {
                return Some(Child { c: pointer, field, index: Child::NO_INDEX });
            }
            // SAFETY: the field is a valid list of nodes.
            unsafe { self.enter(pointer.cast(), field) };
        }
    }
}
