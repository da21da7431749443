//! The tree that is edited, and what of it can be.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::ptr::null_mut;

use super::child::{Any, Child};
use super::copy::copy_tree;
use crate::convert::problem::Problem;
use crate::convert::view::{List, Node, NodeType};
use crate::convert::{
    self,
    arena::{self, Arena, ArenaTree},
};
use crate::sys::{BYTES_PER_LEVEL, ParseTree, TreeRef, bindings as pg};

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
    /// What was made since.
    arena: Arena,
    /// The list of RawStmt, NULL when there is none.
    list: Cell<*mut pg::List>,
    problem: RefCell<Option<Problem>>,
    /// The tree is at most as deep as that of a text of so many bytes.
    depth_bytes: Cell<usize>,
    /// Where the parser made it, if it is edited there.
    parsed: Option<Parsed>,
}

/// A tree that is edited where the parser made it.
struct Parsed {
    /// The addresses of its nodes.
    extent: Range<usize>,
    /// Owns the memory.
    _tree: ParseTree,
}

// SAFETY: the pointers are into the arena and into the parser's memory, which are owned, sent along, and
// may be freed on any thread; views and editors borrow the tree, so that there are none while it is sent.
unsafe impl Send for EditTree {}

impl Drop for EditTree {
    fn drop(&mut self) {
        arena::give_back(std::mem::take(&mut self.arena));
    }
}

/// A view whose node can be edited: every type of node in the table.
pub trait Editable<'t>: NodeType<'t> {
    /// Its setters.
    type Editor<'a>;
    /// # Safety
    /// The view's node must be of the tree.
    #[doc(hidden)]
    unsafe fn editor(self, tree: &EditTree) -> Self::Editor<'_>;
    /// Setters of a new node, which is in no tree.
    #[doc(hidden)]
    fn scratch(tree: &EditTree) -> Self::Editor<'_>;
}

impl EditTree {
    /// Returns a copy of a tree whose locations count from `padding` bytes before its text.
    pub(crate) fn copy_of(tree: TreeRef<'_>, padding: usize) -> Result<Self, Problem> {
        let copy = Self::empty();
        let (list, depth) = copy_tree(tree, padding, &copy.arena)?;
        copy.list.set(list.cast_mut());
        copy.deepen(depth);
        Ok(copy)
    }

    /// Returns a tree whose locations count from `padding` bytes before its text, in the memory where the parser
    /// made it if that can be: if no node is in two places.
    pub(crate) fn of_parsed(mut tree: ParseTree, padding: usize) -> Result<Self, Problem> {
        let Some(extent) = tree.extent().filter(|_| padding == 0) else {
            return Self::copy_of(tree.tree(), padding);
        };
        let (list, depth_bytes) = (tree.list_mut(), tree.text().len());
        let mut edited = Self::empty();
        edited.list.set(list);
        edited.depth_bytes.set(depth_bytes);
        edited.parsed = Some(Parsed { extent, _tree: tree });
        Ok(edited)
    }

    /// Creates a tree without a statement.
    pub(crate) fn empty() -> Self {
        Self {
            arena: arena::take(),
            list: Cell::new(null_mut()),
            problem: RefCell::default(),
            depth_bytes: Cell::new(0),
            parsed: None,
        }
    }

    pub(super) fn arena(&self) -> &Arena {
        &self.arena
    }

    /// Returns the statements.
    pub(crate) fn tree(&self) -> TreeRef<'_> {
        // SAFETY: NULL or a list of RawStmt of this tree, which lives as long as `self`. Who holds the
        // result does not edit.
        unsafe { TreeRef::new(self.list.get()) }
    }

    /// Returns a copy that cannot be changed, in as much memory as it needs.
    pub(crate) fn to_arena_tree(&self) -> Result<ArenaTree, Problem> {
        convert::copied_tree(self.tree(), 0)
    }

    /// Returns the tree is at most as deep as that of a text of so many bytes.
    pub(crate) fn depth_bytes(&self) -> usize {
        self.depth_bytes.get()
    }

    /// Returns whether the tree is where the parser made it.
    #[cfg(test)]
    pub(super) fn is_in_place(&self) -> bool {
        self.parsed.is_some()
    }

    /// Notes that nodes were made which are this many levels deep: nodes are put only into new ones, and
    /// new ones in place of others, so that the tree gets no deeper than by the sum of these.
    pub(super) fn deepen(&self, levels: usize) {
        self.depth_bytes.set(self.depth_bytes.get() + levels * BYTES_PER_LEVEL);
    }

    #[cold]
    pub(super) fn fail(&self, problem: Problem) {
        self.problem.borrow_mut().get_or_insert(problem);
    }

    /// Returns the first problem so far.
    pub(crate) fn problem(&self) -> Option<Problem> {
        self.problem.borrow().clone()
    }

    /// Returns whether this address is of a node of this tree.
    pub(super) fn holds(&self, pointer: *const pg::Node) -> bool {
        if self.parsed.as_ref().is_some_and(|parsed| parsed.extent.contains(&pointer.addr())) {
            return true;
        }
        // SAFETY: the chunks' bounds are compared with, and nothing is read or allocated meanwhile.
        let mut chunks = unsafe { self.arena.iter_allocated_chunks_raw() };
        chunks.any(|(start, len)| (start.addr()..start.addr() + len).contains(&pointer.addr()))
    }

    /// Returns the setters of a node of this tree, one for each of its fields. The setters of a view of another tree change
    /// nothing: that is an error of [`EditTree::check`] and of the next [`EditTree::deparse`].
    ///
    /// ```
    /// use pgq::nodes::RangeVar;
    ///
    /// let (tree, other): (pgq::EditTree, pgq::Tree) = ("SELECT 1 FROM t".parse()?, "SELECT 1 FROM u".parse()?);
    /// tree.edit(other.find::<RangeVar>().next().unwrap()).relname("v");
    /// assert!(tree.check().is_err());
    /// # Ok::<(), pgq::Error>(())
    /// ```
    pub fn edit<'t, T: Editable<'t>>(&self, view: T) -> T::Editor<'_> {
        let node: Node<'t> = view.into();
        if !self.holds(node.c()) {
            self.fail(Problem::OtherTree);
            return T::scratch(self);
        }
        // SAFETY: just checked.
        unsafe { view.editor(self) }
    }

    /// Returns the list of statements, whose members are `RawStmt`.
    pub(crate) fn raw_list(&self) -> List<'_> {
        // SAFETY: NULL or a valid list of this tree.
        unsafe { List::from_c(self.list.get(), 0) }
    }

    /// Appends a statement.
    pub fn push<'a>(&'a self, statement: impl Child<'a, Any>) {
        let node = statement.attach(self).0;
        if node.is_null() {
            return;
        }
        self.deepen(1);
        let raw = arena::zeroed::<crate::convert::row::RawStmt, pg::RawStmt>(&self.arena);
        // SAFETY: fresh memory; the list is NULL or of this tree.
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
        // SAFETY: the index is within the list, which is of this tree.
        unsafe {
            if (*list).length == 1 {
                self.list.set(null_mut());
            } else {
                super::list::remove(self, list, index);
            }
        }
    }
}
