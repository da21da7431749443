//! Appends and removes the statements of an editable tree.

use std::ptr::null_mut;

use super::child::{Any, Child};
use super::list::{insert, remove};
use super::target::EditTree;
use crate::convert::arena;
use crate::sys::bindings as pg;

impl EditTree {
    /// Appends a statement.
    pub fn push<'a>(&'a self, statement: impl Child<'a, Any>) {
        let node = statement.attach(self).0;
        if node.is_null() {
            return;
        }
        let raw: *mut pg::RawStmt = self.new_node(size_of::<pg::RawStmt>(), pg::T_RawStmt).cast();
        // SAFETY: `raw` is a new RawStmt, and the list is NULL or belongs to this tree.
        unsafe {
            (*raw).stmt = node;
            let list = self.list.get();
            if list.is_null() {
                self.list.set(arena::list_of_one(self.arena(), raw.cast()));
            } else {
                insert(self, list, (*list).length as usize, raw.cast());
            }
        }
    }

    /// Removes statement `index`.
    ///
    /// # Panics
    /// Panics if there is no such statement.
    pub fn remove(&self, index: usize) {
        let list = self.list.get();
        assert!(index < self.raw_list().len(), "there is no statement {index}");
        // SAFETY: the index is within the list, which belongs to this tree.
        unsafe {
            if (*list).length == 1 {
                self.list.set(null_mut());
            } else {
                remove(self, list, index);
            }
        }
    }
}
