//! Reuses the small blocks that a thread freed last. This file must not allocate memory, because it
//! is a part of the allocator.
//!
//! A tree consists of many small boxes that are freed together, and the next tree needs boxes of
//! the same sizes. mimalloc reuses a freed block only after all other blocks of the block's page
//! are used. By then, the freed block has left the processor's first-level cache. This module
//! therefore reuses the block that was freed last.

use std::alloc::Layout;
use std::cell::Cell;
use std::ptr::{NonNull, null_mut};

use libmimalloc_sys as mi;

/// Alignment of kept blocks, in bytes. Their sizes are multiples of this number.
pub(super) const STEP: usize = 16;

/// Maximum size of kept blocks, in bytes.
const LARGEST: usize = 512;

/// Maximum total size of the kept blocks of one list, in bytes.
const KEPT: usize = 64 << 10;

/// Whether threads keep blocks. This requires thread-local storage without allocation, and a hook at thread exit.
const KEEPS: bool = cfg!(any(target_os = "linux", target_os = "macos"));

/// Number of lists. List `n` has blocks of `n * STEP` bytes; list 0 is always empty.
const LISTS: usize = LARGEST / STEP + 1;

/// The blocks that a thread keeps, by size.
pub(super) struct Recent {
    /// For each size, the block that was freed last. Each kept block contains the address of the block that was freed
    /// before it.
    last: [Cell<*mut *mut u8>; LISTS],
    /// For each size, the number of blocks that can still be added.
    room: [Cell<u32>; LISTS],
    /// Whether the hook that frees the blocks at thread exit is registered.
    started: Cell<bool>,
}

thread_local! {
    pub(super) static RECENT: Recent = const {
        Recent {
            last: [const { Cell::new(null_mut()) }; LISTS],
            room: [const { Cell::new(0) }; LISTS],
            started: Cell::new(false),
        }
    };
}

/// Returns the list for blocks of this layout.
#[inline(always)]
pub(super) fn list_of(layout: Layout) -> Option<usize> {
    (KEEPS && layout.size() <= LARGEST && layout.align() <= STEP).then(|| (layout.size() + (STEP - 1)) >> STEP.ilog2())
}

impl Recent {
    /// Removes the most recently freed block from a list and returns it.
    #[inline(always)]
    pub(super) fn take(&self, list: usize) -> Option<NonNull<u8>> {
        let block = NonNull::new(self.last[list].get())?;
        // SAFETY: a kept block contains the address of the block that was freed before it.
        self.last[list].set(unsafe { block.read() }.cast());
        self.room[list].set(self.room[list].get() + 1);
        Some(block.cast())
    }

    /// Keeps a block, or frees it if the list is full.
    ///
    /// # Safety
    /// The block must be from mimalloc, be unused, and have the size of the list's blocks.
    #[inline(always)]
    pub(super) unsafe fn keep(&self, list: usize, block: *mut u8) {
        let room = self.room[list].get();
        if room == 0 {
            // SAFETY: the caller meets this function's requirements.
            return unsafe { self.start_or_free(list, block) };
        }
        self.room[list].set(room - 1);
        let block: *mut *mut u8 = block.cast();
        // SAFETY: the block is unused, large enough for an address, and aligned for one.
        unsafe { block.write(self.last[list].get().cast()) };
        self.last[list].set(block);
    }

    /// Called if a list has no room. Before a thread frees its first block, no list has room. Therefore the first call
    /// sets up the lists and keeps the block. In later calls the list is full, so the block is freed.
    ///
    /// # Safety
    /// Same as for [`Recent::keep`].
    #[cold]
    #[inline(never)]
    unsafe fn start_or_free(&self, list: usize, block: *mut u8) {
        if !self.started.replace(true) && at_end::drain_this_thread() {
            self.room.iter().zip(0..).skip(1).for_each(|(room, steps)| room.set((KEPT / (steps * STEP)) as u32));
            // SAFETY: the caller meets this function's requirements.
            unsafe { self.keep(list, block) };
        } else {
            // SAFETY: the caller meets this function's requirements.
            unsafe { mi::mi_free(block.cast()) };
        }
    }

    /// Frees the kept blocks, and stops keeping blocks.
    fn drain(&self) {
        self.room.iter().for_each(|room| room.set(0));
        for last in &self.last {
            let mut rest = last.replace(null_mut());
            while !rest.is_null() {
                let block = rest;
                // SAFETY: `block` is a kept block. It contains the address of the block that was freed before it, and
                // nothing else uses it.
                rest = unsafe { block.read() }.cast();
                // SAFETY: nothing else uses the block, and mimalloc has allocated it.
                unsafe { mi::mi_free(block.cast()) };
            }
        }
    }
}

/// A POSIX hook at thread exit. Rust's own hook is not suitable, because it may allocate memory.
#[cfg(unix)]
mod at_end {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The POSIX thread-specific key plus 1, or 0 before the key is created. Each thread that keeps blocks sets a value
    /// for the key, so that the hook runs when the thread exits.
    static KEY: AtomicUsize = AtomicUsize::new(0);

    /// Registers the hook that frees this thread's blocks. Returns whether that succeeded.
    pub(super) fn drain_this_thread() -> bool {
        // SAFETY: the key exists, and nothing reads the value.
        key().is_some_and(|key| unsafe { libc::pthread_setspecific(key, (&raw const KEY).cast()) } == 0)
    }

    fn key() -> Option<libc::pthread_key_t> {
        let mut known = KEY.load(Ordering::Acquire);
        if known == 0 {
            let mut key = 0;
            // SAFETY: pthread_key_create only writes `key`. It registers `drain`, which threads call at their exit.
            if unsafe { libc::pthread_key_create(&raw mut key, Some(drain)) } != 0 {
                return None;
            }
            known = key as usize + 1;
            if let Err(first) = KEY.compare_exchange(0, known, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: another thread was first to set `KEY`, so nothing uses `key`.
                unsafe { libc::pthread_key_delete(key) };
                known = first;
            }
        }
        Some((known - 1) as libc::pthread_key_t)
    }

    extern "C" fn drain(_: *mut c_void) {
        super::RECENT.with(super::Recent::drain);
    }
}

#[cfg(not(unix))]
mod at_end {
    pub(super) fn drain_this_thread() -> bool {
        false
    }
}
