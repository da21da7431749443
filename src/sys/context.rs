//! PostgreSQL memory contexts as Rust values. Trees live in one and die with its reset.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ptr::NonNull;

use super::bindings::{MemoryContextData, pgq_context_new, pgq_context_reset};
use super::memory;

thread_local! {
    /// Unused contexts, each with its text buffer. A context belongs to the thread that made it:
    /// PostgreSQL's allocator state is thread-local and freed by its own thread-exit hook.
    static POOL: RefCell<Vec<(NonNull<MemoryContextData>, Vec<u8>)>> = const { RefCell::new(Vec::new()) };
}

/// Bytes that must be available for PostgreSQL to start on a thread.
const ENOUGH: usize = 1 << 20;

/// Texts larger than this are not kept between uses, in bytes.
const KEEP_STRINGS: usize = 1 << 20;

/// A memory context in use; dropping it resets it and returns it to the pool.
///
/// Several may be in use on one thread (a tree being compared with another).
pub(crate) struct Context {
    pointer: NonNull<MemoryContextData>,
    /// Memory that a tree in the context may point into. It is not changed while such a tree
    /// exists.
    pub(super) strings: Vec<u8>,
    /// Not `Send`: the context must stay on its thread.
    _thread: PhantomData<*mut ()>,
}

impl Context {
    /// An unused context of this thread, or a new one; `None` when memory is out.
    pub(crate) fn take() -> Option<Self> {
        let resting = POOL.with(|pool| pool.borrow_mut().pop());
        let (pointer, strings) = match resting {
            Some(resting) => resting,
            None if !memory::can_allocate(ENOUGH) => return None,
            // SAFETY: the function takes nothing, traps PostgreSQL's errors and returns
            // NULL where it could not make a context.
            None => (NonNull::new(unsafe { pgq_context_new() })?, Vec::new()),
        };
        Some(Self { pointer, strings, _thread: PhantomData })
    }

    /// Frees what was allocated in the context.
    pub(super) fn reset(&mut self) {
        // SAFETY: the pointer came from pgq_context_new on this thread (the type is not
        // Send) and is deleted only at thread exit. What was allocated in it is reachable
        // only through values that borrow or own this Context, and there are none.
        unsafe { pgq_context_reset(self.pointer.as_ptr()) };
    }

    pub(crate) fn as_ptr(&self) -> *mut MemoryContextData {
        self.pointer.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.reset();
        let mut strings = std::mem::take(&mut self.strings);
        if strings.capacity() > KEEP_STRINGS {
            strings = Vec::new();
        }
        // At thread exit the pool may be gone already; PostgreSQL's hook frees the context.
        let _ = POOL.try_with(|pool| pool.borrow_mut().push((self.pointer, strings)));
    }
}
