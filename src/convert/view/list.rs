//! Lists of nodes, and sets of integers.

use std::marker::PhantomData;

use super::pointer::OnlySharedNodeIsSend;
use super::{Node, NodeType, String, node_or_null};
use crate::sys::{bindings as pg, members};

/// A list of nodes in a tree. A member may be absent (NULL). For example, the list of `SELECT DISTINCT` has one absent
/// member, and in `DROP OPERATOR + (NONE, int)`, the first of two members is absent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)] // same layout as `RawNode` in node.rs
pub struct List<'t> {
    list: *const OnlySharedNodeIsSend,
    padding: i32,
    _tree: PhantomData<&'t ()>,
}

impl<'t> List<'t> {
    /// # Safety
    /// `list` must be NULL or a list of node pointers that is valid for `'t`.
    #[inline]
    pub(crate) unsafe fn from_c(list: *const pg::List, padding: i32) -> Self {
        Self { list: list.cast(), padding, _tree: PhantomData }
    }

    #[inline]
    pub(crate) fn c(self) -> *const pg::List {
        self.list.cast()
    }

    /// Returns the number of members, including absent ones.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        // SAFETY: the list is NULL or valid. Its length is read on every call, because the list may be edited.
        if self.list.is_null() { 0 } else { unsafe { (*self.c()).length as usize } }
    }

    /// Returns whether the list is empty. PostgreSQL does not distinguish an empty list from a missing list.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the member with index `index`; `None` if it is absent or beyond the end.
    #[inline]
    #[must_use]
    pub fn get(self, index: usize) -> Option<Node<'t>> {
        if index >= self.len() {
            return None;
        }
        // SAFETY: the list is not NULL, and the index is within its cells.
        unsafe { node_or_null((*(*self.c()).elements.add(index)).ptr_value.cast_const().cast(), self.padding) }
    }

    /// Returns the first member; `None` if it is absent or the list is empty.
    #[must_use]
    pub fn first(self) -> Option<Node<'t>> {
        self.get(0)
    }

    /// Returns the last member; `None` if it is absent or the list is empty.
    #[must_use]
    pub fn last(self) -> Option<Node<'t>> {
        self.get(self.len().wrapping_sub(1))
    }

    /// Iterates over all members. An absent member is `None`.
    #[inline]
    #[must_use]
    pub fn iter(self) -> ListIter<'t> {
        ListIter { list: self, next: 0, end: self.len() }
    }

    /// Iterates over the members that are present.
    pub fn nodes(self) -> impl DoubleEndedIterator<Item = Node<'t>> + use<'t> {
        self.iter().flatten()
    }

    /// Iterates over the members of one type.
    pub fn of_type<T: NodeType<'t>>(self) -> impl DoubleEndedIterator<Item = T> + use<'t, T> {
        self.nodes().filter_map(T::from_node)
    }

    /// Iterates over the strings of the `String` members, such as the parts of a name. Skips other members, such as the
    /// `*` of `t.*`.
    pub fn strings(self) -> impl DoubleEndedIterator<Item = &'t str> + use<'t> {
        self.of_type::<String<'t>>().map(String::sval)
    }
}

impl<'t> IntoIterator for List<'t> {
    type Item = Option<Node<'t>>;
    type IntoIter = ListIter<'t>;
    fn into_iter(self) -> ListIter<'t> {
        self.iter()
    }
}

/// Iterator over the members of a [`List`]. It does not return members that are appended during the iteration.
#[derive(Clone)]
pub struct ListIter<'t> {
    list: List<'t>,
    next: usize,
    end: usize,
}

impl<'t> Iterator for ListIter<'t> {
    type Item = Option<Node<'t>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        self.next += 1;
        Some(self.list.get(self.next - 1))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.next = self.next.saturating_add(n).min(self.end);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end - self.next;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for ListIter<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        Some(self.list.get(self.end))
    }
}

impl std::iter::FusedIterator for ListIter<'_> {}

impl ExactSizeIterator for ListIter<'_> {}

/// A set of non-negative integers.
#[derive(Clone, Copy)]
pub struct BitSet<'t> {
    set: *const pg::Bitmapset,
    _tree: PhantomData<&'t pg::Bitmapset>,
}

impl<'t> BitSet<'t> {
    /// # Safety
    /// `set` must be NULL or a Bitmapset that is valid for `'t`.
    pub(super) unsafe fn from_c(set: *const pg::Bitmapset) -> Self {
        Self { set, _tree: PhantomData }
    }

    /// Returns the members in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u64> + use<'t> {
        // SAFETY: the set is NULL or valid for 't. Existing sets are never modified.
        unsafe { members::<'t>(self.set) }
    }

    /// Returns whether the set is absent. (PostgreSQL has no empty sets.)
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.set.is_null()
    }
}
