//! PostgreSQL memory contexts as Rust values. Trees live in one and die with its reset.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use super::bindings::{MemoryContextData, PgqToken, pgq_context_new, pgq_context_reset};
use super::memory;

thread_local! {
    /// Unused contexts, each with its memory. A context belongs to the thread that made it:
    /// PostgreSQL's allocator state is thread-local and freed by its own thread-exit hook.
    #[allow(clippy::vec_box)] // moved as boxes
    static POOL: RefCell<Vec<Box<ContextMemory>>> = const { RefCell::new(Vec::new()) };
}

/// Bytes that must be available for PostgreSQL to start on a thread.
const ENOUGH: usize = 1 << 20;

/// Buffers larger than this are not kept between uses, in bytes.
const KEEP_BUFFER: usize = 1 << 20;

/// More tokens than this are not kept between uses.
const KEEP_TOKENS: usize = 1 << 16;

/// A context and the memory that belongs to it. Boxed, because trees are moved from hand to hand.
pub(super) struct ContextMemory {
    pointer: NonNull<MemoryContextData>,
    /// Strings that a tree in the context may point into. They are not changed while such a tree
    /// exists.
    pub(super) strings: Vec<u8>,
    /// The tokens that the grammar made the tree of, if our own lexer read the text. Their texts are
    /// in `strings`.
    pub(super) tokens: Vec<PgqToken>,
    /// The text of the tree in the context.
    pub(super) text: String,
    /// Room for SQL that is written from a tree. It is always empty.
    pub(super) output: Vec<u8>,
}

/// A memory context in use; dropping it resets it and returns it to the pool.
///
/// Several may be in use on one thread (a tree being compared with another).
pub(crate) struct Context {
    /// Taken out when the context is dropped, and at no other time.
    memory: ManuallyDrop<Box<ContextMemory>>,
    /// Not `Send`: the context must stay on its thread.
    _thread: PhantomData<*mut ()>,
}

impl Context {
    /// An unused context of this thread, or a new one; `None` when memory is out.
    pub(crate) fn take() -> Option<Self> {
        let resting = POOL.with(|pool| pool.borrow_mut().pop());
        let memory = match resting {
            Some(memory) => memory,
            None if !memory::can_allocate(ENOUGH) => return None,
            None => {
                // SAFETY: the function takes nothing, traps PostgreSQL's errors and returns
                // NULL where it could not make a context.
                let pointer = NonNull::new(unsafe { pgq_context_new() })?;
                Box::new(ContextMemory {
                    pointer,
                    strings: Vec::new(),
                    tokens: Vec::new(),
                    text: String::new(),
                    output: Vec::new(),
                })
            }
        };
        Some(Self { memory: ManuallyDrop::new(memory), _thread: PhantomData })
    }

    /// Frees what was allocated in the context.
    pub(super) fn reset(&mut self) {
        // SAFETY: the pointer came from pgq_context_new on this thread (the type is not
        // Send) and is deleted only at thread exit. What was allocated in it is reachable
        // only through values that borrow or own this Context, and there are none.
        unsafe { pgq_context_reset(self.as_ptr()) };
    }

    pub(crate) fn as_ptr(&self) -> *mut MemoryContextData {
        self.memory.pointer.as_ptr()
    }

    /// Memory beside PostgreSQL's.
    pub(super) fn memory(&self) -> &ContextMemory {
        &self.memory
    }

    pub(super) fn memory_mut(&mut self) -> &mut ContextMemory {
        &mut self.memory
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.reset();
        // SAFETY: the context is being dropped, so that its memory is not used again.
        let mut memory = unsafe { ManuallyDrop::take(&mut self.memory) };
        if memory.strings.capacity() > KEEP_BUFFER {
            memory.strings = Vec::new();
        }
        if memory.tokens.capacity() > KEEP_TOKENS {
            memory.tokens = Vec::new();
        }
        if memory.text.capacity() > KEEP_BUFFER {
            memory.text = String::new();
        }
        // At thread exit the pool may be gone already; PostgreSQL's hook frees the context.
        let _ = POOL.try_with(|pool| pool.borrow_mut().push(memory));
    }
}
