//! Blocks of memory for the tests of the program's allocator. A block may have a layout that no type has, for example
//! with a size smaller than the alignment.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr::NonNull;

use super::mimalloc::Mimalloc;

/// A block of the program's allocator. Dropping it frees the block.
pub struct Block {
    start: NonNull<u8>,
    layout: Layout,
    /// Number of bytes from the start that have been written.
    written: usize,
}

impl Block {
    /// Allocates a block and writes `byte` to each of its bytes.
    ///
    /// # Panics
    /// Panics if the size is 0.
    #[must_use]
    pub fn filled(layout: Layout, byte: u8) -> Self {
        assert!(layout.size() > 0);
        // SAFETY: the size is not 0.
        let block = Self::new(unsafe { Mimalloc.alloc(layout) }, layout, layout.size());
        // SAFETY: the block has this size.
        unsafe { block.start.write_bytes(byte, layout.size()) };
        block
    }

    /// Allocates a block with the allocator's `alloc_zeroed`.
    ///
    /// # Panics
    /// Panics if the size is 0.
    #[must_use]
    pub fn zeroed(layout: Layout) -> Self {
        assert!(layout.size() > 0);
        // SAFETY: the size is not 0.
        Self::new(unsafe { Mimalloc.alloc_zeroed(layout) }, layout, layout.size())
    }

    /// Changes the size of the block. The block may move.
    ///
    /// # Panics
    /// Panics if the size is 0 or too large.
    #[must_use]
    pub fn resized(self, size: usize) -> Self {
        let layout = Layout::from_size_align(size, self.layout.align()).expect("a valid size");
        assert!(size > 0);
        let block = std::mem::ManuallyDrop::new(self);
        // SAFETY: the block has this layout and is not used afterwards. The new size is valid and not 0.
        let start = unsafe { Mimalloc.realloc(block.start.as_ptr(), block.layout, size) };
        Self::new(start, layout, block.written.min(size))
    }

    fn new(start: *mut u8, layout: Layout, written: usize) -> Self {
        Self { start: NonNull::new(start).expect("memory for a block"), layout, written }
    }

    /// Returns the address of the block.
    #[must_use]
    pub fn address(&self) -> usize {
        self.start.addr().get()
    }

    /// Returns the bytes that have been written.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: these bytes are in the block and initialized, and nothing else refers to them.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.written) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout and is freed once.
        unsafe { Mimalloc.dealloc(self.start.as_ptr(), self.layout) };
    }
}
