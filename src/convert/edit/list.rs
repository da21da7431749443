//! Edits lists in place. Views read a list's length and cells on each access, so a list may be changed while it is
//! iterated.

use super::child::{Any, Child};
use super::slot::list_place;
use super::target::EditTree;
use crate::convert::arena;
use crate::convert::problem::Problem;
use crate::convert::view::{FieldValue, List, Node};
use crate::error::Error;
use crate::sys::bindings as pg;

/// Edits a non-empty list of an [`EditTree`]; see [`EditTree::edit_list`].
///
/// The list must not become empty, because PostgreSQL represents an empty list as NULL. To remove the list, use the
/// setter of its field.
pub struct ListEditor<'a> {
    tree: &'a EditTree,
    list: *mut pg::List,
}

impl EditTree {
    /// Returns an editor for a list of this tree. Returns `None` for an empty list, because PostgreSQL represents it as
    /// NULL. To create a list, use [`EditTree::append`] or the field's setter.
    ///
    /// ```
    /// let tree = pgq::EditTree::parse("SELECT a FROM t", &Default::default())?;
    /// let Some(pgq::nodes::Node::SelectStmt(select)) = tree.statement(0) else { panic!() };
    /// let mut columns = tree.edit_list(select.target_list()).unwrap();
    /// columns.push(tree.target(tree.column(["b"])));
    /// columns.insert(0, tree.target(tree.integer(1)));
    /// assert_eq!(tree.deparse(&Default::default())?, "SELECT 1, a, b FROM t");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// If the list belongs to another tree, returns `None` and records an error, like [`EditTree::edit`].
    pub fn edit_list(&self, list: List<'_>) -> Option<ListEditor<'_>> {
        if list.is_empty() {
            return None;
        }
        if !self.holds(list.c().cast()) {
            self.fail(Problem::OtherTree);
            return None;
        }
        Some(ListEditor { tree: self, list: list.c().cast_mut() })
    }
}

impl EditTree {
    /// Appends `node` to the list field `field` of a node of this tree. Creates the list if it is absent.
    ///
    /// ```
    /// use pgq::nodes::SelectStmt;
    ///
    /// let tree = pgq::EditTree::parse("SELECT a FROM t", &Default::default())?;
    /// let select = tree.find::<SelectStmt>().next().unwrap();
    /// tree.append(select, "group_clause", tree.column(["a"]))?;
    /// assert_eq!(tree.deparse(&Default::default())?, "SELECT a FROM t GROUP BY a");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the node belongs to another tree, or if the node has no list field with this name. If the
    /// name is wrong, the error message contains the names of the node's list fields.
    pub fn append<'a, 't>(
        &'a self,
        parent: impl Into<Node<'t>>,
        field: &str,
        node: impl Child<'a, Any>,
    ) -> Result<(), Error> {
        let parent = parent.into();
        if !self.holds(parent.c()) {
            return Err(Problem::OtherTree.into());
        }
        let place = match list_place(parent, field) {
            Some(place) => place,
            None => place_of_other_name(parent, field)?,
        };
        let node = node.attach(self).0;
        // SAFETY: the field belongs to a node of this tree, and contains NULL or a list. Nothing has a reference to the
        // field or to the list.
        unsafe {
            if (*place).is_null() {
                *place = arena::list_of_one(self.arena(), node);
            } else {
                insert(self, *place, (**place).length as usize, node);
            }
        }
        Ok(())
    }
}

/// Returns the address of a list field. `field` is the field's name, spelled as in the accessors,
/// such as `target_list`.
fn place_of_other_name(parent: Node<'_>, field: &str) -> Result<*mut *mut pg::List, Problem> {
    let lists = list_names(parent);
    let name = lists.iter().find(|list| is_same_name(list, field));
    name.and_then(|name| list_place(parent, name)).ok_or_else(|| Problem::NotAList {
        node: parent.name(),
        field: field.to_string(),
        lists: lists.join(", "),
    })
}

/// Returns the JSON names of a node's list fields.
fn list_names(node: Node<'_>) -> Vec<&'static str> {
    let mut names = Vec::new();
    node.for_each_field(|field| {
        if matches!(field.value, FieldValue::List(_)) {
            names.push(field.name);
        }
    });
    names
}

/// Returns whether two field names are equal. Each name may be spelled as in JSON (`targetList`) or
/// as in the accessors (`target_list`).
fn is_same_name(a: &str, b: &str) -> bool {
    let letters = |name: &str| name.replace('_', "").to_ascii_lowercase();
    letters(a) == letters(b)
}

impl<'a> ListEditor<'a> {
    /// Returns the number of members.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        // SAFETY: the list is in the tree's arena.
        unsafe { (*self.list).length as usize }
    }

    /// Appends a member.
    pub fn push(&mut self, node: impl Child<'a, Any>) {
        self.insert(self.len(), node);
    }

    /// Inserts a member before member `index`.
    ///
    /// # Panics
    /// Panics if `index` is greater than the length.
    pub fn insert(&mut self, index: usize, node: impl Child<'a, Any>) {
        assert!(index <= self.len(), "the list has {} members", self.len());
        let node = node.attach(self.tree).0;
        // SAFETY: the index is within the list; the node is in the same arena.
        unsafe { insert(self.tree, self.list, index, node) };
    }

    /// Replaces member `index`.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn set(&mut self, index: usize, node: impl Child<'a, Any>) {
        assert!(index < self.len(), "the list has {} members", self.len());
        let node = node.attach(self.tree).0;
        // SAFETY: the index is within the list; the node is in the same arena.
        unsafe { (*(*self.list).elements.add(index)).ptr_value = node.cast() };
    }

    /// Removes member `index`. If it is the only member, returns false and changes nothing.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn remove(&mut self, index: usize) -> bool {
        assert!(index < self.len(), "the list has {} members", self.len());
        if self.len() == 1 {
            return false;
        }
        // SAFETY: the index is within the list.
        unsafe { remove(self.tree, self.list, index) };
        true
    }
}

/// # Safety
/// `list` must be a list in the tree's arena, `index` at most its length, and `node` NULL or a node of that arena.
pub(super) unsafe fn insert(tree: &EditTree, list: *mut pg::List, index: usize, node: *mut pg::Node) {
    // SAFETY: the caller meets this function's requirements. No view has a reference to the list or to its cells.
    unsafe {
        let length = (*list).length as usize;
        if (*list).length == (*list).max_length {
            let Some(room) = i32::try_from(length * 2).ok() else {
                return tree.fail(Problem::OutOfRange { field: "list" });
            };
            let empty = pg::ListCell { ptr_value: std::ptr::null_mut() };
            let cells = tree.arena().alloc_slice_fill_copy(length * 2, empty).as_mut_ptr();
            cells.copy_from_nonoverlapping((*list).elements, length);
            (*list).elements = cells;
            (*list).max_length = room;
        }
        let cell = (*list).elements.add(index);
        cell.copy_to(cell.add(1), length - index);
        (*cell).ptr_value = node.cast();
        (*list).length += 1;
    }
}

/// # Safety
/// `list` must be a list in the tree's arena, and `index` within it.
pub(super) unsafe fn remove(_tree: &EditTree, list: *mut pg::List, index: usize) {
    // SAFETY: the caller meets this function's requirements. No view has a reference to the list or to its cells.
    unsafe {
        let cell = (*list).elements.add(index);
        cell.add(1).copy_to(cell, (*list).length as usize - index - 1);
        (*list).length -= 1;
    }
}
