//! PostgreSQL memory contexts as Rust values. A tree is allocated in a context. Resetting the context frees the tree.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::ptr::NonNull;

use super::bindings::{
    List, MemoryContextData, PgqToken, pgq_context_bytes, pgq_context_delete, pgq_context_new, pgq_context_reset,
};
use super::diagnostic::Diagnostic;
use super::memory;

thread_local! {
    /// This thread's unused contexts.
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { large: Vec::new(), small: Vec::new(), created: 0 }) };
}

#[allow(clippy::vec_box)] // contexts are moved as boxes
struct Pool {
    /// Contexts with a first block of `LARGE` bytes. They are used before the small contexts.
    large: Vec<Box<ContextMemory>>,
    small: Vec<Box<ContextMemory>>,
    /// Number of contexts that this thread has created. The first creation also initializes PostgreSQL on the thread.
    /// Therefore it requires more memory ([`ENOUGH`]) than later creations.
    created: usize,
}

/// Size of the first memory block of a large context, in bytes. The first contexts of each thread are large. The tree
/// of a long query fits in such a block, so most statements need no malloc.
const LARGE: usize = 256 << 10;

/// Number of a thread's contexts that have a first block of `LARGE` bytes.
const LARGE_CONTEXTS: usize = 4;

/// Size of the first memory block of a small context, in bytes. This is enough for the context's own data and for one
/// block of nodes from grammar.c. A thread uses small contexts only if it keeps many trees. In this case, saving memory
/// matters more than avoiding malloc.
const SMALL: usize = 4096 + 512;

/// Maximum number of unused contexts of one size that a thread keeps.
const KEEP_CONTEXTS: usize = 64;

/// Number of bytes that malloc must be able to allocate before PostgreSQL is initialized on a thread. This is checked
/// first, because a failure of the initialization would end the process.
const ENOUGH: usize = 1 << 20;

/// Maximum size of a buffer that is kept for reuse, in bytes.
const KEEP_BUFFER: usize = 1 << 20;

/// Maximum capacity of a token buffer that is kept for reuse, in tokens.
const KEEP_TOKENS: usize = 1 << 16;

/// A context and the memory that belongs to it. Boxed, so that moving a tree moves only a pointer. The context has no
/// parent, therefore any thread may use and free it.
pub(super) struct ContextMemory {
    pointer: NonNull<MemoryContextData>,
    /// Size of the context and its first block, in bytes.
    first_block: usize,
    /// Strings that a tree in the context may point to. While such a tree exists, they must not change.
    pub(super) strings: Vec<u8>,
    /// The tokens of the SQL, if pgq's own lexer read it. Their values are in `strings`.
    pub(super) tokens: Vec<PgqToken>,
    /// The SQL of the tree.
    pub(super) text: String,
    pub(super) made: Made,
    /// A reusable buffer for deparsed SQL, empty between uses.
    pub(super) output: Vec<u8>,
}

/// The parser's result, which is stored in a context.
pub(super) struct Made {
    pub(super) list: *const List,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) used_native_lexer: bool,
    /// Whether the tree was parsed from `text`. False after [`super::ParseTree::set_text`].
    pub(super) has_own_text: bool,
    /// Whether a node may occur twice in the tree.
    pub(super) may_repeat: bool,
}

impl Made {
    /// No result yet.
    pub(super) const NONE: Self = Self {
        list: std::ptr::null(),
        warnings: Vec::new(),
        used_native_lexer: false,
        has_own_text: true,
        may_repeat: true,
    };
}

impl ContextMemory {
    /// Creates a context; returns `None` if memory is exhausted.
    #[cold]
    fn create() -> Option<Box<Self>> {
        let created = POOL.with(|pool| pool.borrow().created);
        if created == 0 && !memory::can_allocate(ENOUGH) {
            return None;
        }
        let first_block = if created < LARGE_CONTEXTS { LARGE } else { SMALL };
        // SAFETY: the size is one that PostgreSQL accepts. The function traps PostgreSQL's errors and returns NULL if
        // it cannot create a context.
        let pointer = NonNull::new(unsafe { pgq_context_new(first_block) })?;
        POOL.with(|pool| pool.borrow_mut().created += 1);
        Some(Box::new(Self {
            pointer,
            first_block,
            strings: Vec::new(),
            tokens: Vec::new(),
            text: String::new(),
            made: Made::NONE,
            output: Vec::new(),
        }))
    }
}

impl Drop for ContextMemory {
    fn drop(&mut self) {
        // SAFETY: the pointer is from pgq_context_new and deleted only here. Allocations in the context are reachable
        // only through values that own this value.
        unsafe { pgq_context_delete(self.pointer.as_ptr()) };
    }
}

/// A memory context in use. Dropping a context resets it and returns it to the pool.
///
/// One thread may use several contexts, for example to compare two trees. A context is not `Send`, but a
/// [`super::ParseTree`], which owns its context, is.
pub(crate) struct Context {
    /// Present until the context is dropped.
    memory: ManuallyDrop<Box<ContextMemory>>,
    _thread: PhantomData<*mut ()>,
}

impl Context {
    /// Returns an unused context of this thread, or a new one; `None` if memory is exhausted.
    #[inline]
    pub(crate) fn take() -> Option<Self> {
        let resting = POOL.with(|pool| {
            let mut pool = pool.borrow_mut();
            pool.large.pop().or_else(|| pool.small.pop())
        });
        let memory = resting.or_else(ContextMemory::create)?;
        Some(Self { memory: ManuallyDrop::new(memory), _thread: PhantomData })
    }

    #[inline]
    pub(super) fn reset(&mut self) {
        // SAFETY: the pointer is from pgq_context_new. Allocations in the context are reachable only through values
        // that borrow or own this Context, and there are no such values.
        unsafe { pgq_context_reset(self.as_ptr()) };
    }

    /// Returns the address range of all allocations in the context, if they are contiguous.
    pub(super) fn extent(&self) -> Option<Range<usize>> {
        let (start, bytes) = (self.as_ptr().addr(), self.bytes());
        (bytes == self.memory.first_block).then(|| start..start + bytes)
    }

    /// Returns the number of bytes that the context has allocated with malloc.
    pub(super) fn bytes(&self) -> usize {
        // SAFETY: a live context.
        unsafe { pgq_context_bytes(self.as_ptr()) }
    }

    #[inline(always)]
    pub(crate) fn as_ptr(&self) -> *mut MemoryContextData {
        self.memory.pointer.as_ptr()
    }

    /// Returns the context with its Rust buffers.
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
        // SAFETY: the context is being dropped, therefore its memory is not used again.
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
        // At thread exit, POOL may already be destroyed.
        let _ = POOL.try_with(|pool| {
            let pool = &mut *pool.borrow_mut();
            let resting = if memory.first_block == LARGE { &mut pool.large } else { &mut pool.small };
            if pool.created > 0 && resting.len() < KEEP_CONTEXTS {
                resting.push(memory);
            }
        });
    }
}
