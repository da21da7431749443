//! The tree that is edited, and what of it can be.

use std::cell::{Cell, RefCell};
use std::ptr::null_mut;

use bumpalo::Bump;

use super::child::{Any, Child};
use super::copy::copy_tree;
use crate::convert::arena::{self, ArenaTree};
use crate::convert::problem::Problem;
use crate::convert::view::{List, Node, NodeType};
use crate::sys::{TreeRef, bindings as pg};

/// A tree that can be changed. It owns its memory and may be sent to another thread.
///
/// Views of it ([`crate::nodes`]) show it as it is at the moment. What cannot be done, such as a text with
/// a NUL byte, is noted and is the error of the next [`EditTree::deparse`] or [`EditTree::freeze`].
///
/// ```
/// use pgq::nodes::{Node, RangeVar};
///
/// let tree = pgq::EditTree::parse("SELECT name FROM users WHERE id = 42", &Default::default())?;
/// for table in tree.find::<RangeVar>() {
///     tree.edit(table).schemaname("shop");
/// }
/// let Some(Node::SelectStmt(select)) = tree.statement(0) else { panic!() };
/// tree.limit(select, 10);
/// let sql = tree.deparse(&Default::default())?;
/// assert_eq!(sql, "SELECT name FROM shop.users WHERE id = 42 LIMIT 10");
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct EditTree {
    arena: Bump,
    /// The list of RawStmt in the arena, NULL when there is none.
    list: Cell<*mut pg::List>,
    problem: RefCell<Option<Problem>>,
}

// SAFETY: the pointer is into the arena, which is owned and sent along; views and editors borrow the
// tree, so that there are none while it is sent.
unsafe impl Send for EditTree {}

/// A view whose node can be edited: every type of node in the table.
pub trait Editable<'t>: NodeType<'t> {
    /// Its setters.
    type Editor<'a>;
    /// # Safety
    /// The view's node must be in the tree's arena.
    #[doc(hidden)]
    unsafe fn editor(self, tree: &EditTree) -> Self::Editor<'_>;
}

impl EditTree {
    /// A copy of a tree whose locations count from `padding` bytes before its text.
    pub(crate) fn copy_of(tree: TreeRef<'_>, padding: usize) -> Result<Self, Problem> {
        let arena = Bump::new();
        let (list, _) = copy_tree(tree, padding, &arena)?;
        Ok(Self { arena, list: Cell::new(list.cast_mut()), problem: RefCell::default() })
    }

    /// A tree without a statement.
    pub(crate) fn empty() -> Self {
        Self { arena: Bump::new(), list: Cell::new(null_mut()), problem: RefCell::default() }
    }

    pub(super) fn arena(&self) -> &Bump {
        &self.arena
    }

    /// The statements.
    pub(crate) fn tree(&self) -> TreeRef<'_> {
        // SAFETY: NULL or a list of RawStmt in the arena, which lives as long as `self`. Who holds the
        // result does not edit.
        unsafe { TreeRef::new(self.list.get()) }
    }

    /// The tree in a form that cannot be changed, `depth` nodes deep.
    pub(crate) fn into_arena_tree(self, depth: usize) -> ArenaTree {
        // SAFETY: the list is in the arena, and so is all that it points to.
        unsafe { ArenaTree::from_parts(self.list.get(), depth, self.arena) }
    }

    #[cold]
    pub(super) fn fail(&self, problem: Problem) {
        self.problem.borrow_mut().get_or_insert(problem);
    }

    /// The first problem so far.
    pub(crate) fn problem(&self) -> Option<Problem> {
        self.problem.borrow().clone()
    }

    /// Whether the arena holds this address.
    pub(super) fn holds(&self, pointer: *const pg::Node) -> bool {
        // SAFETY: the chunks' bounds are compared with, and nothing is read or allocated meanwhile.
        let mut chunks = unsafe { self.arena.iter_allocated_chunks_raw() };
        chunks.any(|(start, len)| (start.addr()..start.addr() + len).contains(&pointer.addr()))
    }

    /// The setters of a node of this tree, one for each of its fields.
    ///
    /// # Panics
    /// If the view is of another tree.
    pub fn edit<'t, T: Editable<'t>>(&self, view: T) -> T::Editor<'_> {
        let node: Node<'t> = view.into();
        assert!(self.holds(node.c()), "the node is not of this tree");
        // SAFETY: just checked.
        unsafe { view.editor(self) }
    }

    /// The list of statements, whose members are `RawStmt`.
    pub(crate) fn raw_list(&self) -> List<'_> {
        // SAFETY: NULL or a valid list in the arena.
        unsafe { List::from_c(self.list.get(), 0) }
    }

    /// Appends a statement.
    pub fn push<'a>(&'a self, statement: impl Child<'a, Any>) {
        let node = statement.attach(self).0;
        if node.is_null() {
            return;
        }
        let raw = arena::zeroed::<crate::proto::RawStmt, pg::RawStmt>(&self.arena);
        // SAFETY: fresh memory; the list is NULL or in the arena.
        unsafe {
            (*raw).type_ = pg::T_RawStmt;
            (*raw).stmt = node;
            let list = self.list.get();
            if list.is_null() {
                self.list.set(arena::list(&self.arena, 1, |_| raw.cast()).expect("a list of one"));
            } else {
                super::list::insert(self, list, (*list).length as usize, raw.cast());
            }
        }
    }

    /// Removes statement `index`.
    ///
    /// # Panics
    /// When there is no such statement.
    pub fn remove(&self, index: usize) {
        let list = self.list.get();
        assert!(index < self.raw_list().len(), "there is no statement {index}");
        // SAFETY: the index is within the list, which is in the arena.
        unsafe {
            if (*list).length == 1 {
                self.list.set(null_mut());
            } else {
                super::list::remove(self, list, index);
            }
        }
    }
}
