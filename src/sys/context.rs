//! PostgreSQL memory contexts as Rust values. Trees live in one and die with its reset.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::ptr::NonNull;

use super::bindings::{
    MemoryContextData, PgqToken, pgq_context_bytes, pgq_context_delete, pgq_context_extent, pgq_context_new,
    pgq_context_reset,
};
use super::memory;
use super::parser::Made;

thread_local! {
    /// This thread's unused contexts, each with its memory.
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { contexts: Vec::new(), started: false }) };
}

struct Pool {
    #[allow(clippy::vec_box)] // moved as boxes
    contexts: Vec<Box<ContextMemory>>,
    /// Whether PostgreSQL was started on this thread: its functions that work in a context need that.
    started: bool,
}

/// More contexts than this are not kept between uses.
const KEEP_CONTEXTS: usize = 64;

/// Bytes that must be available for PostgreSQL to start on a thread.
const ENOUGH: usize = 1 << 20;

/// Buffers larger than this are not kept between uses, in bytes.
const KEEP_BUFFER: usize = 1 << 20;

/// More tokens than this are not kept between uses.
const KEEP_TOKENS: usize = 1 << 16;

/// A context and the memory that belongs to it. Boxed, because trees are moved from hand to hand.
/// The context has no parent, so that it may be used, and freed, on another thread than the one
/// that made it.
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
    /// The tree in the context.
    pub(super) made: Made,
    /// Room for SQL that is written from a tree. It is always empty.
    pub(super) output: Vec<u8>,
}

impl Drop for ContextMemory {
    fn drop(&mut self) {
        // SAFETY: the pointer came from pgq_context_new and is deleted nowhere else. What was
        // allocated in it is reachable only through values that own this one.
        unsafe { pgq_context_delete(self.pointer.as_ptr()) };
    }
}

/// A memory context in use; dropping it resets it and returns it to the pool.
///
/// Several may be in use on one thread (a tree being compared with another). It is not `Send`, for the
/// sake of the trees in it; what owns a tree that may be sent ([`super::ParseTree`]) takes it along.
pub(crate) struct Context {
    /// Taken out when the context is dropped, and at no other time.
    memory: ManuallyDrop<Box<ContextMemory>>,
    _thread: PhantomData<*mut ()>,
}

impl Context {
    /// Returns an unused context of this thread, or a new one; `None` when memory is out.
    #[inline]
    pub(crate) fn take() -> Option<Self> {
        let resting = POOL.with(|pool| pool.borrow_mut().contexts.pop());
        let memory = match resting {
            Some(memory) => memory,
            None if !memory::can_allocate(ENOUGH) => return None,
            None => {
                // SAFETY: the function takes nothing, traps PostgreSQL's errors and returns
                // NULL where it could not make a context.
                let pointer = NonNull::new(unsafe { pgq_context_new() })?;
                POOL.with(|pool| pool.borrow_mut().started = true);
                Box::new(ContextMemory {
                    pointer,
                    strings: Vec::new(),
                    tokens: Vec::new(),
                    text: String::new(),
                    made: Made::NONE,
                    output: Vec::new(),
                })
            }
        };
        Some(Self { memory: ManuallyDrop::new(memory), _thread: PhantomData })
    }

    /// Frees what was allocated in the context.
    #[inline]
    pub(super) fn reset(&mut self) {
        // SAFETY: the pointer came from pgq_context_new. What was allocated in it is reachable
        // only through values that borrow or own this Context, and there are none.
        unsafe { pgq_context_reset(self.as_ptr()) };
    }

    /// Returns the addresses of all that was allocated in it, if that is in one piece.
    pub(super) fn extent(&self) -> Option<Range<usize>> {
        let start = self.as_ptr();
        // SAFETY: a live context.
        let bytes = unsafe { pgq_context_extent(start) };
        (bytes > 0).then(|| start.addr()..start.addr() + bytes)
    }

    /// Bytes of memory that it has from malloc.
    pub(super) fn bytes(&self) -> usize {
        // SAFETY: a live context.
        unsafe { pgq_context_bytes(self.as_ptr()) }
    }

    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *mut MemoryContextData {
        self.memory.pointer.as_ptr()
    }

    /// Memory beside PostgreSQL's.
    #[inline(always)]
    pub(super) fn memory(&self) -> &ContextMemory {
        &self.memory
    }

    #[inline(always)]
    pub(super) fn memory_mut(&mut self) -> &mut ContextMemory {
        &mut self.memory
    }
}

impl Drop for Context {
    #[inline]
    fn drop(&mut self) {
        self.reset();
        // SAFETY: the context is being dropped, so that its memory is not used again.
        let mut memory = unsafe { ManuallyDrop::take(&mut self.memory) };
        memory.made = Made::NONE;
        if memory.strings.capacity() > KEEP_BUFFER {
            memory.strings = Vec::new();
        }
        if memory.tokens.capacity() > KEEP_TOKENS {
            memory.tokens = Vec::new();
        }
        if memory.text.capacity() > KEEP_BUFFER {
            memory.text = String::new();
        }
        // At thread exit the pool may be gone already.
        let _ = POOL.try_with(|pool| {
            let mut pool = pool.borrow_mut();
            if pool.started && pool.contexts.len() < KEEP_CONTEXTS {
                pool.contexts.push(memory);
            }
        });
    }
}
