//! An allocator that handles exhausted memory. This file must not allocate memory, because it is a
//! part of the allocator.

use std::alloc::{GlobalAlloc, Layout};

/// A global allocator that ends the program if the inner allocator fails. It writes a message to stderr and exits with
/// code 2. (Rust's own handler raises a signal.) Programs use it as `#[global_allocator]`.
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

// SAFETY: every call is forwarded to the inner allocator, which fulfils the contract. All returned pointers are from
// the inner allocator.
unsafe impl<A: GlobalAlloc> GlobalAlloc for AbortOnOom<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller meets this function's requirements, and the inner function has the same requirements.
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

#[cfg(all(feature = "cli", not(pgq_asan)))] // AddressSanitizer can check only memory of malloc
pub use super::mimalloc::Mimalloc;

/// Ends the program with exit code 2 because memory is exhausted.
#[cold]
fn out_of_memory() -> ! {
    const MESSAGE: &[u8] = b"pgq: error: out of memory\n";
    const STDERR: libc::c_int = 2;
    // SAFETY: the bytes are valid for this length, and `_exit` accepts any number.
    unsafe {
        libc::write(STDERR, MESSAGE.as_ptr().cast(), MESSAGE.len() as _);
        libc::_exit(2)
    }
}

/// Returns whether C code can allocate `bytes` bytes. Callers must check this before they initialize PostgreSQL on a
/// thread, because a failed initialization ends the process.
pub(crate) fn can_allocate(bytes: usize) -> bool {
    // SAFETY: the pointer from malloc is freed and not used.
    unsafe {
        // Without `black_box` the compiler would remove both calls and assume success.
        let pointer = std::hint::black_box(libc::malloc(bytes));
        libc::free(pointer);
        !pointer.is_null()
    }
}
