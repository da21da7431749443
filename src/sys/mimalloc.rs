//! The program's allocator: mimalloc, with a cache of small blocks that the thread freed recently
//! (recent_blocks.rs). This file must not allocate memory, because it is the allocator.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_void;

use libmimalloc_sys as mi;

use super::recent_blocks::{RECENT, STEP, list_of};

unsafe extern "C" {
    /// Allocates like `mi_malloc`, for at most MI_SMALL_SIZE_MAX bytes.
    fn mi_malloc_small(size: usize) -> *mut c_void;
}

/// MI_SMALL_SIZE_MAX of mimalloc.h, in bytes.
const SMALL: usize = 128 * size_of::<*const ()>();

/// Returns whether all blocks of `size` bytes are aligned to `align`. mimalloc aligns blocks to their size, up to 16
/// bytes.
#[inline(always)]
fn is_natural(size: usize, align: usize) -> bool {
    align <= STEP && align <= size
}

/// The program's allocator: mimalloc, with a fast path for the many small boxes of trees.
///
/// The allocator of the crate mimalloc is not used. It needs 50 % more instructions than this allocator, because it
/// always passes an explicit alignment and has no fast path for small blocks.
#[derive(Debug, Default)]
pub struct Mimalloc;

// SAFETY: a block has at least the requested size. It has the requested alignment, because of its size or because the
// alignment was passed to mimalloc. A block that is kept for reuse is unused, and has the size of the blocks of its
// list. mimalloc can free and resize pointers from any of its functions.
unsafe impl GlobalAlloc for Mimalloc {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(list) = list_of(layout) {
            return match RECENT.with(|recent| recent.take(list)) {
                // SAFETY: the size is at most SMALL.
                None => unsafe { mi_malloc_small(list * STEP) }.cast(),
                Some(block) => block.as_ptr(),
            };
        }
        let (size, align) = (layout.size(), layout.align());
        if size <= SMALL && is_natural(size, align) {
            // SAFETY: as above.
            return unsafe { mi_malloc_small(size) }.cast();
        }
        // SAFETY: the alignment is a power of two.
        unsafe { mi::mi_malloc_aligned(size, align) }.cast()
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match list_of(layout) {
            // SAFETY: the caller guarantees that the pointer is valid. The block has the size of the list's blocks.
            Some(list) => RECENT.with(|recent| unsafe { recent.keep(list, pointer) }),
            // SAFETY: the caller meets this function's requirements.
            None => unsafe { mi::mi_free(pointer.cast()) },
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        if list_of(layout).is_some() {
            // SAFETY: the caller meets this function's requirements.
            let block = unsafe { self.alloc(layout) };
            if !block.is_null() {
                // SAFETY: the block has this size.
                unsafe { block.write_bytes(0, size) };
            }
            return block;
        }
        // SAFETY: as for alloc.
        unsafe { if is_natural(size, align) { mi::mi_zalloc(size) } else { mi::mi_zalloc_aligned(size, align) } }.cast()
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let align = layout.align();
        // SAFETY: the caller guarantees a valid size, and the alignment is that of a valid layout.
        let new = unsafe { Layout::from_size_align_unchecked(size, align) };
        match (list_of(layout), list_of(new)) {
            (Some(old), Some(new)) if old == new => pointer,
            (None, None) if is_natural(size, align) => {
                // SAFETY: the caller guarantees that the pointer is valid. Blocks of this size have the required
                // alignment.
                unsafe { mi::mi_realloc(pointer.cast(), size) }.cast()
            }
            // SAFETY: as above.
            (None, None) => unsafe { mi::mi_realloc_aligned(pointer.cast(), size, align) }.cast(),
            _ => {
                // SAFETY: the caller meets this function's requirements.
                let block = unsafe { self.alloc(new) };
                if !block.is_null() {
                    // SAFETY: both blocks have at least the smaller of the two sizes. The old block is not used
                    // afterwards.
                    unsafe {
                        block.copy_from_nonoverlapping(pointer, layout.size().min(size));
                        self.dealloc(pointer, layout);
                    }
                }
                block
            }
        }
    }
}
