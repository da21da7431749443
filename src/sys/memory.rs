//! The program's allocator, and running out of memory. This file must not allocate.

use std::alloc::{GlobalAlloc, Layout};

/// A global allocator that ends the program when the one inside fails: with a message on stderr
/// and exit code 2. Rust's own handler would end it by a signal. For a program's
/// `#[global_allocator]`.
#[derive(Debug, Default)]
pub struct AbortOnOom<A>(pub A);

impl<A> AbortOnOom<A> {
    #[inline(always)]
    fn checked(pointer: *mut u8) -> *mut u8 {
        if pointer.is_null() {
            out_of_memory();
        }
        pointer
    }
}

// SAFETY: every call goes to the allocator inside, whose promises these are; a pointer that is
// given out is its own.
unsafe impl<A: GlobalAlloc> GlobalAlloc for AbortOnOom<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the same.
        Self::checked(unsafe { self.0.alloc(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { self.0.dealloc(pointer, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        Self::checked(unsafe { self.0.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        Self::checked(unsafe { self.0.realloc(pointer, layout, size) })
    }
}

/// The program's allocator: mimalloc, for the many small boxes of trees.
///
/// The crate mimalloc asks for every alignment by name, and knows no small blocks: half as many instructions again.
#[cfg(all(feature = "cli", not(pgq_asan)))] // AddressSanitizer watches the memory of malloc
#[derive(Debug, Default)]
pub struct Mimalloc;

#[cfg(all(feature = "cli", not(pgq_asan)))]
mod mimalloc {
    use std::alloc::{GlobalAlloc, Layout};
    use std::ffi::c_void;

    use libmimalloc_sys as mi;

    unsafe extern "C" {
        /// As `mi_malloc`, for at most [`SMALL`] bytes.
        fn mi_malloc_small(size: usize) -> *mut c_void;
    }

    /// MI_SMALL_SIZE_MAX of mimalloc.h, in bytes.
    const SMALL: usize = 128 * size_of::<*const ()>();

    /// Whether a block of `size` bytes is aligned to `align` however it is asked for: mimalloc aligns each to its
    /// size, up to 16 bytes.
    #[inline(always)]
    fn is_natural(size: usize, align: usize) -> bool {
        align <= 16 && align <= size
    }

    // SAFETY: a block has at least the size that is asked for, and the alignment: by its size, or asked for by name.
    // A pointer that mimalloc gave is freed and resized by mimalloc, whichever function gave it.
    unsafe impl GlobalAlloc for super::Mimalloc {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            let (size, align) = (layout.size(), layout.align());
            if size <= SMALL && is_natural(size, align) {
                // SAFETY: a size that is not too large.
                return unsafe { mi_malloc_small(size) }.cast();
            }
            // SAFETY: a size, and an alignment that is a power of two.
            unsafe { mi::mi_malloc_aligned(size, align) }.cast()
        }

        #[inline]
        unsafe fn dealloc(&self, pointer: *mut u8, _layout: Layout) {
            // SAFETY: the caller's promise.
            unsafe { mi::mi_free(pointer.cast()) }
        }

        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            let (size, align) = (layout.size(), layout.align());
            // SAFETY: as for alloc.
            unsafe { if is_natural(size, align) { mi::mi_zalloc(size) } else { mi::mi_zalloc_aligned(size, align) } }
                .cast()
        }

        #[inline]
        unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            let (pointer, align) = (pointer.cast(), layout.align());
            // SAFETY: as for alloc; the pointer is the caller's promise.
            unsafe {
                if is_natural(size, align) {
                    mi::mi_realloc(pointer, size)
                } else {
                    mi::mi_realloc_aligned(pointer, size, align)
                }
            }
            .cast()
        }
    }
}

/// Ends the program because memory is out, with exit code 2.
#[cold]
fn out_of_memory() -> ! {
    const MESSAGE: &[u8] = b"pgq: error: out of memory\n";
    const STDERR: libc::c_int = 2;
    // SAFETY: the bytes are there, of that length, and `_exit` takes any number.
    unsafe {
        libc::write(STDERR, MESSAGE.as_ptr().cast(), MESSAGE.len() as _);
        libc::_exit(2)
    }
}

/// Whether C code can allocate `bytes` bytes. To be asked before PostgreSQL starts on a thread: if
/// that fails it ends the process.
pub(super) fn can_allocate(bytes: usize) -> bool {
    // SAFETY: what malloc gave, if anything, is freed and not used.
    unsafe {
        // Hidden from the compiler, which would remove both calls and assume success.
        let pointer = std::hint::black_box(libc::malloc(bytes));
        libc::free(pointer);
        !pointer.is_null()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(feature = "cli", not(pgq_asan)))]
    #[test]
    fn blocks_are_aligned() {
        let sizes = (1..=64).chain([100, 1000, 1024, 5000, 70_000, 3 << 20]);
        for (size, align) in sizes.flat_map(|size| (0..=12).map(move |bits| (size, 1 << bits))) {
            let layout = Layout::from_size_align(size, align).unwrap();
            // SAFETY: a layout with a size; what is given is written within it, resized and freed as it was asked for.
            unsafe {
                let pointer = Mimalloc.alloc(layout);
                assert!(!pointer.is_null() && pointer.addr().is_multiple_of(align), "{layout:?}");
                pointer.write_bytes(7, size);
                let larger = Mimalloc.realloc(pointer, layout, size * 3);
                assert!(!larger.is_null() && larger.addr().is_multiple_of(align), "{layout:?}");
                assert!(std::slice::from_raw_parts(larger, size).iter().all(|byte| *byte == 7));
                let layout = Layout::from_size_align(size * 3, align).unwrap();
                Mimalloc.dealloc(larger, layout);
                let zeroed = Mimalloc.alloc_zeroed(layout);
                assert!(!zeroed.is_null() && zeroed.addr().is_multiple_of(align), "{layout:?}");
                assert!(std::slice::from_raw_parts(zeroed, size * 3).iter().all(|byte| *byte == 0));
                Mimalloc.dealloc(zeroed, layout);
            }
        }
    }

    #[test]
    fn what_can_allocate_and_what_is_not() {
        assert!(can_allocate(1 << 20));
        assert!(!can_allocate(usize::MAX / 4));
    }
}
