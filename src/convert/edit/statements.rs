//! Appends and removes the statements of an editable tree.

use std::ptr::null_mut;

use super::child::{Any, Child};
use super::list::{insert, remove};
use super::target::EditTree;
use crate::convert::{arena, row};
use crate::sys::bindings as pg;

impl EditTree {
    /// Appends a statement.
    pub fn push<'a>(&'a self, statement: impl Child<'a, Any>) {
        let node = statement.attach(self).0;
        if node.is_null() {
            return;
        }
        self.deepen(1);
        let raw = arena::zeroed::<row::RawStmt, pg::RawStmt>(self.arena());
        // SAFETY: fresh memory; the list is NULL or of this tree.
        unsafe {
            (*raw).type_ = pg::T_RawStmt;
            (*raw).stmt = node;
            let list = self.list.get();
            if list.is_null() {
                self.list.set(arena::list(self.arena(), 1, |_| raw.cast()).expect("a list of one"));
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
