//! The data of a view: a pointer to its node, and the number of spaces before the SQL.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A pointer to a node that meets the requirements of [`crate::sys::StatementRef`] for `'t`. The node may be edited
/// while views of it exist (`crate::convert::edit`), so there must never be a reference to the node. Therefore each
/// field is read separately through the pointer. The type is neither `Send` nor `Sync`, because another thread could
/// read the node during an edit.
#[repr(C)] // same layout as `RawNode` in node.rs
pub(crate) struct Pointer<'t, C> {
    c: NonNull<OnlySharedNodeIsSend>,
    /// Number of spaces before the SQL in the parser's input.
    padding: i32,
    _tree: PhantomData<&'t fn() -> C>,
}

/// The target type of every view's pointer. Its name is a hint: if code sends a view to another thread, the compiler's
/// error contains this name, which refers to [`crate::SharedNode`]. All views share this type, so that the hint appears
/// only once in the error.
pub(crate) struct OnlySharedNodeIsSend;

impl<C> Clone for Pointer<'_, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Pointer<'_, C> {}

impl<C> PartialEq for Pointer<'_, C> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.c == other.c
    }
}

impl<C> Eq for Pointer<'_, C> {}

impl<C> Hash for Pointer<'_, C> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.c.hash(state);
    }
}

impl<'t, C> Pointer<'t, C> {
    /// # Safety
    /// `c` must be valid for `'t`, with valid children.
    #[inline(always)]
    pub(crate) unsafe fn new(c: *const C, padding: i32) -> Self {
        // SAFETY: a valid pointer is not NULL.
        Self { c: unsafe { NonNull::new_unchecked(c.cast_mut().cast()) }, padding, _tree: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn c(self) -> *mut C {
        self.c.as_ptr().cast()
    }

    #[inline(always)]
    pub(crate) fn padding(self) -> i32 {
        self.padding
    }

    /// Returns a pointer to a child of the node.
    ///
    /// # Safety
    /// `c` must be NULL or valid for `'t`, with valid children.
    #[inline(always)]
    pub(super) unsafe fn child<T>(self, c: *const T) -> Option<Pointer<'t, T>> {
        // SAFETY: the caller guarantees that `c` is valid if it is not NULL.
        (!c.is_null()).then(|| unsafe { Pointer::new(c, self.padding) })
    }

    /// Converts a location field to an offset in the SQL. Returns `None` if PostgreSQL does not know the location.
    #[inline]
    pub(super) fn offset(self, location: i32) -> Option<usize> {
        usize::try_from(location.checked_sub(self.padding)?).ok()
    }
}
