//! Counts the bytes of all heap blocks of Rust and C, by their usable size. This program's `malloc` and `free` replace
//! glibc's functions, and call the originals by their other names, such as `__libc_malloc`.

use std::alloc::System;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

// Rust's default allocator calls `malloc`.
#[global_allocator]
static ALLOCATOR: System = System;

/// Number of allocated bytes, and the maximum since the last reset.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Runs the calls and keeps their results. Returns two sums over the calls: the bytes that the result of a call
/// occupies, and the maximum number of bytes that are allocated during a call.
pub fn measure<T>(calls: impl ExactSizeIterator<Item = impl Fn() -> T>) -> [usize; 2] {
    let mut kept = Vec::with_capacity(calls.len());
    let mut sums = [0, 0];
    for call in calls {
        if kept.is_empty() {
            drop(call()); // allocates what the parser keeps per thread
        }
        let before = LIVE.load(Relaxed);
        PEAK.store(before, Relaxed);
        kept.push(call());
        sums[0] += LIVE.load(Relaxed) - before;
        sums[1] += PEAK.load(Relaxed) - before;
    }
    sums
}

unsafe extern "C" {
    fn malloc_usable_size(block: *mut c_void) -> usize;
    fn __libc_realloc(block: *mut c_void, size: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

/// Counts a new block. The size of a null pointer is 0.
unsafe fn counted(block: *mut c_void) -> *mut c_void {
    // SAFETY: the block is glibc's.
    let size = unsafe { malloc_usable_size(block) };
    PEAK.fetch_max(LIVE.fetch_add(size, Relaxed) + size, Relaxed);
    block
}

/// Defines functions that call glibc's functions, and count the returned blocks.
macro_rules! counting {
    ($($name:ident($($size:ident),*) = $original:ident;)*) => {$(
        unsafe extern "C" { fn $original($($size: usize),*) -> *mut c_void; }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($size: usize),*) -> *mut c_void {
            // SAFETY: glibc's function has the same contract.
            unsafe { counted($original($($size),*)) }
        }
    )*};
}

counting! {
    malloc(size) = __libc_malloc;
    calloc(count, size) = __libc_calloc;
    aligned_alloc(alignment, size) = __libc_memalign;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(out: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    // SAFETY: the caller passes a pointer to which the result can be written.
    unsafe { *out = aligned_alloc(alignment, size) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: glibc allocated the block (see `free`), and glibc's `realloc` has the same contract as this function.
    unsafe {
        LIVE.fetch_sub(malloc_usable_size(block), Relaxed);
        counted(__libc_realloc(block, size))
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(block: *mut c_void) {
    // SAFETY: glibc allocated the block, because every allocating function above calls glibc's.
    unsafe {
        LIVE.fetch_sub(malloc_usable_size(block), Relaxed);
        __libc_free(block);
    }
}
