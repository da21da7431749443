//! Room on the stack: deep statements recurse in C and in Rust, on threads of any size.
//!
//! C code gets a stack that fits the text before it starts. Rust walks grow theirs as
//! they go. Both end in an error, never in a signal, when [`LIMIT`] is reached.

use super::memory;

/// The sanitizer's frames are larger: how many times, at most.
const FRAMES: usize = if cfg!(pgq_asan) { 8 } else { 1 };

/// Bytes of stack that one byte of SQL can cost in libpg_query's recursive functions.
/// The worst text nests one level in two bytes (`- - - 1`, `a+a+a`).
const PER_BYTE: usize = 1024 * FRAMES;

/// What any call may use however short the text: error reports, formatting.
const BASE: usize = 192 * 1024 * FRAMES;

/// No call uses more stack than this, in bytes. Stacks are committed page by page, as used.
pub(crate) const LIMIT: usize = (1 << 30) * FRAMES;

/// Bytes that PostgreSQL's own check leaves free below its limit (its STACK_DEPTH_SLOP
/// is 512 kB for stacks of megabytes; here errors are raised from shallow frames).
const SLOP: usize = 64 * 1024 * FRAMES;

/// Stack segments that Rust walks add one at a time, in bytes.
const SEGMENT: usize = 16 << 20;

/// Runs `f` with enough stack for C code to work on `bytes` of SQL text.
///
/// `f` gets the number of bytes of stack that C may use.
pub(crate) fn for_text<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> R {
    with_at_least(needed(bytes), |room| f(room - SLOP))
}

/// As [`for_text`], for C code that minds its limit of stack: where there is no memory for all
/// of it, with less. Deep texts are then refused.
pub(crate) fn for_parser<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> R {
    let need = needed(bytes);
    match stacker::remaining_stack() {
        Some(left) if left >= need => f(left - SLOP),
        left => {
            let sizes = std::iter::successors(Some(need), |size| Some(size / 4).filter(|size| *size > BASE));
            match sizes.into_iter().find(|size| is_room(*size)) {
                Some(size) => grow(size, || f(size - SLOP)),
                None => f(left.unwrap_or(0).saturating_sub(SLOP)),
            }
        }
    }
}

/// As [`for_text`]; `None` where there is no memory for the stack.
pub(crate) fn try_for_text<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> Option<R> {
    let need = needed(bytes);
    let fits = stacker::remaining_stack().is_some_and(|left| left >= need) || is_room(need);
    fits.then(|| for_text(bytes, f))
}

/// Runs `f` where `need` bytes of stack are left, on this stack or a new one. `f` gets how many.
fn with_at_least<R>(need: usize, f: impl FnOnce(usize) -> R) -> R {
    match stacker::remaining_stack() {
        Some(left) if left >= need => f(left),
        _ => grow(need, || f(need)),
    }
}

/// Runs `f` on a new stack of so many bytes.
fn grow<R>(size: usize, f: impl FnOnce() -> R) -> R {
    stacker::grow(size, || {
        #[cfg(pgq_asan)]
        let _told = sanitizer::Told::of_this_stack();
        f()
    })
}

/// AddressSanitizer must know on which stack code runs: it takes errors that C raises for a
/// reason to forget all that lies between here and the end of the stack it knows.
#[cfg(pgq_asan)]
mod sanitizer {
    use std::ffi::c_void;
    use std::ptr::{null, null_mut};

    unsafe extern "C" {
        fn __sanitizer_start_switch_fiber(fake_stack: *mut *mut c_void, bottom: *const c_void, size: usize);
        fn __sanitizer_finish_switch_fiber(fake_stack: *mut c_void, bottom: *mut *const c_void, size: *mut usize);
    }

    /// The stack that was in use before this one. To be dropped on this one, when it is left.
    pub(super) struct Told {
        bottom: *const c_void,
        size: usize,
    }

    impl Told {
        pub(super) fn of_this_stack() -> Self {
            /// What lies between here and the top.
            const ABOVE: usize = 4096;
            let left = stacker::remaining_stack().unwrap_or(0);
            let bottom = super::here() - left;
            Self::switch(bottom as *const c_void, left + ABOVE)
        }

        fn switch(bottom: *const c_void, size: usize) -> Self {
            let mut before = Self { bottom: null(), size: 0 };
            // SAFETY: both only write down what they are given, and the bounds of before.
            unsafe {
                __sanitizer_start_switch_fiber(null_mut(), bottom, size);
                __sanitizer_finish_switch_fiber(null_mut(), &raw mut before.bottom, &raw mut before.size);
            }
            before
        }
    }

    impl Drop for Told {
        fn drop(&mut self) {
            std::mem::forget(Self::switch(self.bottom, self.size));
        }
    }
}

fn needed(bytes: usize) -> usize {
    bytes.saturating_mul(PER_BYTE).saturating_add(BASE).min(LIMIT)
}

/// Whether there is memory for a stack. Small ones are not worth asking for.
fn is_room(size: usize) -> bool {
    const SMALL: usize = 32 << 20;
    size <= SMALL || memory::is_room(size)
}

/// Runs `f` with enough stack for `levels` of recursion that take `bytes` each.
pub(crate) fn for_levels<R>(levels: usize, bytes: usize, f: impl FnOnce() -> R) -> R {
    if cfg!(miri) {
        return f(); // which has no such thing as a stack of bytes
    }
    with_at_least(levels.saturating_mul(bytes * FRAMES).saturating_add(BASE), |_| f())
}

/// How far down the stack a Rust walk may go, and how often it may ask for more.
#[derive(Debug)]
pub(crate) struct Depth {
    /// Lowest address that a frame may start at before the walk must grow its stack.
    lowest: usize,
    /// Bytes of added segments so far, nested.
    added: usize,
    /// The walk went deeper than [`LIMIT`] allows.
    exceeded: bool,
}

/// A walk that counts its depth.
pub(crate) trait Walk {
    fn depth(&mut self) -> &mut Depth;
}

impl Depth {
    pub(crate) fn new() -> Self {
        let lowest = if cfg!(miri) { 0 } else { lowest_from(stacker::remaining_stack().unwrap_or(0)) };
        Self { lowest, added: 0, exceeded: false }
    }

    /// Whether some part of the tree was too deep to be visited, since the last call.
    pub(crate) fn take_exceeded(&mut self) -> bool {
        std::mem::take(&mut self.exceeded)
    }
}

/// Runs `f` one level deeper, on a new stack segment where this one is nearly used up.
/// Returns `None` (and notes it in the walk's [`Depth`]) when the limit is reached.
#[inline(always)]
pub(crate) fn deeper<W: Walk, R>(walk: &mut W, f: impl FnOnce(&mut W) -> R) -> Option<R> {
    if here() > walk.depth().lowest { Some(f(walk)) } else { on_new_segment(walk, f) }
}

#[cold]
#[inline(never)]
fn on_new_segment<W: Walk, R>(walk: &mut W, f: impl FnOnce(&mut W) -> R) -> Option<R> {
    let depth = walk.depth();
    if depth.added + SEGMENT > LIMIT || !memory::is_room(SEGMENT) {
        depth.exceeded = true;
        return None;
    }
    depth.added += SEGMENT;
    let outer = depth.lowest;
    let result = grow(SEGMENT, || {
        walk.depth().lowest = lowest_from(SEGMENT);
        f(walk)
    });
    let depth = walk.depth();
    depth.lowest = outer;
    depth.added -= SEGMENT;
    Some(result)
}

/// The address of the current frame, nearly.
#[inline(always)]
fn here() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as usize
}

fn lowest_from(remaining: usize) -> usize {
    here().saturating_sub(remaining).saturating_add(SLOP)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter(Depth, usize);
    impl Walk for Counter {
        fn depth(&mut self) -> &mut Depth {
            &mut self.0
        }
    }

    fn down(walk: &mut Counter, levels: usize) {
        if levels > 0 {
            walk.1 += 1;
            deeper(walk, |w| {
                let frame = std::hint::black_box([0u8; 256]);
                down(w, levels - 1);
                std::hint::black_box(frame);
            });
        }
    }

    #[test]
    fn a_walk_of_a_hundred_thousand_levels_fits_a_small_thread() {
        let walked = std::thread::Builder::new().stack_size(512 * 1024).spawn(|| {
            let mut counter = Counter(Depth::new(), 0);
            down(&mut counter, 100_000);
            (counter.1, counter.0.take_exceeded())
        });
        assert_eq!(walked.unwrap().join().unwrap(), (100_000, false));
    }

    #[test]
    fn a_walk_without_end_is_an_error() {
        let mut counter = Counter(Depth::new(), 0);
        down(&mut counter, 20_000_000);
        assert!(counter.0.take_exceeded());
    }
}
