//! The editable tree.

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;
use std::ptr::null_mut;

use super::copy::copy_tree;
use crate::convert::problem::Problem;
use crate::convert::view::{List, Node, NodeType};
use crate::convert::{
    self,
    arena::{self, Arena, ArenaTree},
};
use crate::sys::{BYTES_PER_LEVEL, ParseTree, TreeRef, bindings as pg};

/// An editable tree. It owns its memory and may be sent to another thread.
///
/// Its views ([`crate::nodes`]) reflect every edit. An invalid edit, such as a string with a NUL byte, is recorded, and
/// the next [`EditTree::deparse`] or [`EditTree::freeze`] returns the error.
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
    /// Memory for copied and new nodes, allocated on first use.
    arena: OnceCell<Arena>,
    /// The list of RawStmt; NULL if there are no statements.
    pub(super) list: Cell<*mut pg::List>,
    problem: RefCell<Option<Problem>>,
    /// Upper bound of the tree's depth, multiplied by [`BYTES_PER_LEVEL`]. The deparser derives its stack size from
    /// this value.
    depth_bytes: Cell<usize>,
    /// The parser's memory, if the tree is edited in place.
    parsed: Option<Parsed>,
}

/// Memory of a tree that is edited in place.
struct Parsed {
    /// Range of the addresses of the tree's nodes.
    extent: Range<usize>,
    /// Owns the memory.
    _tree: ParseTree,
}

// SAFETY: the pointers point into the arena and into the parser's memory. The tree owns both, and any thread may free
// them. Views and editors borrow the tree, so none of them exists while the tree is sent to another thread.
unsafe impl Send for EditTree {}

impl Drop for EditTree {
    fn drop(&mut self) {
        if let Some(arena) = self.arena.take() {
            arena::give_back(arena);
        }
    }
}

/// A view that can be edited. Every node type in the table of nodes has such a view.
pub trait Editable<'t>: NodeType<'t> {
    /// The type with the setters.
    type Editor<'a>;
    /// # Safety
    /// `c` must be a node of this type in the tree's memory.
    #[doc(hidden)]
    unsafe fn editor(c: *mut pg::Node, tree: &EditTree) -> Self::Editor<'_>;
}

impl EditTree {
    /// Copies a tree. A location in `tree` is an offset in the SQL plus `padding`.
    pub(crate) fn copy_of(tree: TreeRef<'_>, padding: usize) -> Result<Self, Problem> {
        let copy = Self::empty();
        let (list, depth) = copy_tree(tree, padding, copy.arena())?;
        copy.list.set(list.cast_mut());
        copy.deepen(depth);
        Ok(copy)
    }

    /// Makes a parsed tree editable in the parser's memory, without a copy. A location in the tree is an offset in the
    /// SQL plus `padding`. Copies the tree nevertheless if `padding` is not 0, if the tree's memory is not contiguous,
    /// or if the tree may contain a node twice.
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

    pub(crate) fn empty() -> Self {
        Self {
            arena: OnceCell::new(),
            list: Cell::new(null_mut()),
            problem: RefCell::default(),
            depth_bytes: Cell::new(0),
            parsed: None,
        }
    }

    pub(super) fn arena(&self) -> &Arena {
        self.arena.get_or_init(arena::take)
    }

    pub(crate) fn tree(&self) -> TreeRef<'_> {
        // SAFETY: the list is NULL or a list of RawStmt of this tree, and is valid as long as `self`. Callers do not
        // edit the tree through the returned reference.
        unsafe { TreeRef::new(self.list.get()) }
    }

    /// Returns an immutable copy without spare capacity.
    pub(crate) fn to_arena_tree(&self) -> Result<ArenaTree, Problem> {
        convert::copied_tree(self.tree(), 0)
    }

    /// Returns an upper bound of the tree's depth, multiplied by [`BYTES_PER_LEVEL`].
    pub(crate) fn depth_bytes(&self) -> usize {
        self.depth_bytes.get()
    }

    /// Returns whether the tree is edited in the parser's memory.
    #[cfg(feature = "reference")]
    pub(crate) fn is_in_place(&self) -> bool {
        self.parsed.is_some()
    }

    /// Raises the upper bound of the depth by `levels`, the depth of the inserted nodes.
    pub(super) fn deepen(&self, levels: usize) {
        self.depth_bytes.set(self.depth_bytes.get() + levels * BYTES_PER_LEVEL);
    }

    #[cold]
    pub(super) fn fail(&self, problem: Problem) {
        self.problem.borrow_mut().get_or_insert(problem);
    }

    /// Returns the first recorded problem.
    pub(crate) fn problem(&self) -> Option<Problem> {
        self.problem.borrow().clone()
    }

    /// Returns whether a node of this tree is at this address.
    pub(crate) fn holds(&self, pointer: *const pg::Node) -> bool {
        if self.parsed.as_ref().is_some_and(|parsed| parsed.extent.contains(&pointer.addr())) {
            return true;
        }
        let in_chunk = |(start, len): (*mut u8, usize)| (start.addr()..start.addr() + len).contains(&pointer.addr());
        // SAFETY: the code only compares the bounds of the chunks. It does not read their contents, and allocates
        // nothing while the iterator is in use.
        self.arena.get().is_some_and(|arena| unsafe { arena.iter_allocated_chunks_raw() }.any(in_chunk))
    }

    /// Returns the setters of a node of this tree, one for each field. For a view of another tree, the setters have no
    /// effect, and [`EditTree::check`] and the next [`EditTree::deparse`] return an error.
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
            // SAFETY: the setters get a new node of the same type, which is not part of the tree.
            return unsafe { T::editor(self.new_node(node.table_row().size, node.table_row().tag), self) };
        }
        // SAFETY: the node belongs to this tree, as checked above.
        unsafe { T::editor(node.c().cast_mut(), self) }
    }

    /// Returns a new node whose fields are zero.
    #[inline]
    pub(super) fn new_node(&self, size: usize, tag: pg::NodeTag) -> *mut pg::Node {
        self.deepen(1);
        let c = arena::bytes_for_node(self.arena(), size);
        // SAFETY: the memory is new and has `size` bytes, and a node begins with its tag.
        unsafe {
            c.cast::<u8>().write_bytes(0, size);
            (*c).type_ = tag;
        }
        c
    }

    /// Returns the list of statements. Its members are `RawStmt` nodes.
    pub(crate) fn raw_list(&self) -> List<'_> {
        // SAFETY: the list is NULL or a valid list of this tree.
        unsafe { List::from_c(self.list.get(), 0) }
    }
}
