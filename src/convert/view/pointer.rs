//! What every view holds: where its node is, and how its locations count.

use std::marker::PhantomData;
use std::ptr::NonNull;

/// A pointer to a node that is valid for `'t`, as [`crate::sys::StatementRef`] says. The node may be
/// changed while a view of it exists (`crate::convert::edit`), so that fields are read through the
/// pointer, one by one, and never through a reference. Neither `Send` nor `Sync`, for the same reason.
#[repr(C)] // as `RawNode` in node.rs
pub(crate) struct Pointer<'t, C> {
    _thread: PhantomData<OnlySharedNodeIsSend>,
    c: NonNull<C>,
    /// Spaces that were put before the text.
    padding: i32,
    _tree: PhantomData<&'t C>,
}

/// Its name is what the compiler's error shows for a view that is sent: [`crate::SharedNode`] is for that.
pub(crate) struct OnlySharedNodeIsSend(#[allow(dead_code)] *const ());

impl<C> Clone for Pointer<'_, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Pointer<'_, C> {}

impl<C> Pointer<'_, C> {
    /// # Safety
    /// `c` must be valid for `'t`, with valid children.
    #[inline(always)]
    pub(crate) unsafe fn new(c: *const C, padding: i32) -> Self {
        // SAFETY: a valid pointer is not NULL.
        Self { c: unsafe { NonNull::new_unchecked(c.cast_mut()) }, padding, _tree: PhantomData, _thread: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn c(self) -> *mut C {
        self.c.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn padding(self) -> i32 {
        self.padding
    }

    /// Returns a location field as an offset into the text; `None` where PostgreSQL does not know it.
    #[inline]
    pub(super) fn offset(self, location: i32) -> Option<usize> {
        usize::try_from(location.checked_sub(self.padding)?).ok()
    }
}
