//! PostgreSQL memory contexts as Rust values. Trees live in one and die with its reset.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ptr::NonNull;

use super::bindings::{MemoryContextData, pgq_context_new, pgq_context_reset};

thread_local! {
    /// Contexts at rest. A context belongs to the thread that made it: PostgreSQL's
    /// allocator state is thread-local and is freed by its own thread-exit hook.
    static POOL: RefCell<Vec<NonNull<MemoryContextData>>> = const { RefCell::new(Vec::new()) };
}

/// A memory context in use; dropping it resets it and puts it back to rest.
///
/// Several may be in use on one thread (a tree being compared with another).
pub(crate) struct Context {
    pointer: NonNull<MemoryContextData>,
    /// Not `Send`: the context must stay on its thread.
    _thread: PhantomData<*mut ()>,
}

impl Context {
    /// A resting context of this thread or a new one; `None` when memory is out.
    pub(crate) fn take() -> Option<Self> {
        let resting = POOL.with(|pool| pool.borrow_mut().pop());
        let pointer = match resting {
            Some(pointer) => pointer,
            // SAFETY: the function takes nothing, traps PostgreSQL's errors and returns
            // NULL where it could not make a context.
            None => NonNull::new(unsafe { pgq_context_new() })?,
        };
        Some(Self { pointer, _thread: PhantomData })
    }

    pub(crate) fn as_ptr(&self) -> *mut MemoryContextData {
        self.pointer.as_ptr()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the pointer came from pgq_context_new on this thread (the type is not
        // Send) and is deleted only at thread exit. What was allocated in it is reachable
        // only through values that borrow or own this Context, so nothing outlives this.
        unsafe { pgq_context_reset(self.pointer.as_ptr()) };
        // At thread exit the pool may be gone already; PostgreSQL's hook frees the context.
        let _ = POOL.try_with(|pool| pool.borrow_mut().push(self.pointer));
    }
}
