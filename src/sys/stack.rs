//! Enough stack for deep statements, on threads with stacks of any size.
//!
//! C code gets a stack that fits the text before it starts. Rust walks extend theirs as they
//! recurse. Both end in an error, never in a signal, when [`LIMIT`] is reached.

use super::stack_segment::{self, here, remaining, reserve};

/// Frames of debug builds, and those of the sanitizer, are larger: by at most this factor.
const FRAMES: usize = if cfg!(any(pgq_asan, debug_assertions)) { 8 } else { 1 };

/// Bytes of stack that one byte of SQL can cost in libpg_query's recursive functions.
/// The worst text nests one level in two bytes (`- - - 1`, `a+a+a`).
const PER_BYTE: usize = 1024 * FRAMES;

/// A level of a tree, in bytes of SQL that would be as deep.
pub(crate) const BYTES_PER_LEVEL: usize = 4;

/// Bytes that any call may use however short the text: error reports, formatting.
const BASE: usize = 192 * 1024 * FRAMES;

/// No call uses more stack than this, in bytes. Stacks are committed page by page, as used.
pub(crate) const LIMIT: usize = (1 << 30) * FRAMES;

/// Bytes that PostgreSQL's own check leaves free below its limit (its STACK_DEPTH_SLOP
/// is 512 kB for stacks of megabytes; here errors are raised from shallow frames).
const SLOP: usize = 64 * 1024 * FRAMES;

/// Bytes that a Rust walk adds to its stack at a time.
const SEGMENT: usize = 16 << 20;

/// As [`try_with_stack_for`], and panics when there is no memory for the stack.
#[cfg(feature = "reference")]
pub(crate) fn with_stack_for<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> R {
    with_at_least(needed(bytes), |available| f(available - SLOP))
}

/// As [`try_with_stack_for`], for C code that respects its limit of stack: when memory for all of it is out it runs with
/// less, and refuses deep texts.
#[inline(always)]
pub(crate) fn with_stack_for_parser<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> R {
    let (need, left) = (needed(bytes), remaining());
    if left >= need { f(left - SLOP) } else { on_segment_for_parser(need, left, f) }
}

#[cold]
#[inline(never)]
fn on_segment_for_parser<R>(need: usize, left: usize, f: impl FnOnce(usize) -> R) -> R {
    let sizes = std::iter::successors(Some(need), |size| Some(size / 4).filter(|size| *size > BASE));
    match sizes.into_iter().find(|size| reserve(*size)) {
        Some(size) => on_segment(size, || f(size - SLOP)),
        None => f(left.saturating_sub(SLOP)),
    }
}

/// Runs `f` with enough stack for C code to work on `bytes` bytes of SQL; `None` when there is no memory for it.
///
/// `f` gets the number of bytes of stack that C may use.
#[inline(always)]
pub(crate) fn try_with_stack_for<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> Option<R> {
    let (need, left) = (needed(bytes), remaining());
    if left >= need { Some(f(left - SLOP)) } else { try_on_segment(need, f) }
}

#[cold]
#[inline(never)]
fn try_on_segment<R>(need: usize, f: impl FnOnce(usize) -> R) -> Option<R> {
    reserve(need).then(|| on_segment(need, || f(need - SLOP)))
}

/// Runs `f` where `need` bytes of stack are left, on this stack or on an added segment. `f` gets
/// the number of bytes.
#[inline]
fn with_at_least<R>(need: usize, f: impl FnOnce(usize) -> R) -> R {
    let left = remaining();
    if left >= need { f(left) } else { on_segment(need, || f(need)) }
}

/// Runs `f` on an added segment of at least `size` bytes.
#[cold]
#[inline(never)]
fn on_segment<R>(size: usize, f: impl FnOnce() -> R) -> R {
    stack_segment::run(size, || {
        #[cfg(pgq_asan)]
        let _registered = sanitizer::RegisteredStack::of_this_stack();
        f()
    })
}

/// AddressSanitizer must know on which stack code runs: an error that C raises
/// makes it forget everything between here and the end of the stack that it knows of.
#[cfg(pgq_asan)]
mod sanitizer {
    use std::ffi::c_void;
    use std::ptr::{null, null_mut};

    unsafe extern "C" {
        fn __sanitizer_start_switch_fiber(fake_stack: *mut *mut c_void, bottom: *const c_void, size: usize);
        fn __sanitizer_finish_switch_fiber(fake_stack: *mut c_void, bottom: *mut *const c_void, size: *mut usize);
    }

    /// The stack that was in use before this one. To be dropped on this one, when it is left.
    pub(super) struct RegisteredStack {
        bottom: *const c_void,
        size: usize,
    }

    impl RegisteredStack {
        pub(super) fn of_this_stack() -> Self {
            /// What lies between here and the top.
            const ABOVE: usize = 4096;
            let left = super::remaining();
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

    impl Drop for RegisteredStack {
        fn drop(&mut self) {
            std::mem::forget(Self::switch(self.bottom, self.size));
        }
    }
}

#[inline]
fn needed(bytes: usize) -> usize {
    bytes.saturating_mul(PER_BYTE).saturating_add(BASE).min(LIMIT)
}

/// Runs `f` with enough stack for `levels` levels of recursion of `bytes` bytes each.
#[inline]
pub(crate) fn with_stack_for_levels<R>(levels: usize, bytes: usize, f: impl FnOnce() -> R) -> R {
    if cfg!(miri) {
        return f(); // its stack is not counted in bytes
    }
    with_at_least(levels.saturating_mul(bytes * FRAMES).saturating_add(BASE), |_| f())
}

/// As [`with_stack_for_levels`]; `None` when there is no memory for the stack.
#[cfg_attr(not(feature = "proto"), allow(dead_code, reason = "structs alone need it"))]
pub(crate) fn try_with_stack_for_levels<R>(levels: usize, bytes: usize, f: impl FnOnce() -> R) -> Option<R> {
    let need = levels.saturating_mul(bytes * FRAMES).saturating_add(BASE);
    if cfg!(miri) || remaining() >= need { Some(f()) } else { try_on_segment(need, |_| f()) }
}

/// Runs one level of other crates' recursion, on an added segment where little stack is left.
#[cfg(feature = "serde")]
pub(crate) fn with_more_stack<R>(f: impl FnOnce() -> R) -> R {
    /// Bytes that a level may take, with those around it that do not come here.
    const LOW: usize = 96 * 1024 * FRAMES;
    if cfg!(miri) || remaining() >= LOW { f() } else { on_segment(SEGMENT, f) }
}

/// How far down the stack a Rust walk may go, and how much it may add.
#[derive(Debug)]
pub(crate) struct StackGuard {
    /// Lowest address that a frame may start at before the walk must grow its stack.
    lowest: usize,
    /// Bytes of added segments so far, nested.
    added: usize,
    /// The walk went deeper than [`LIMIT`] allows.
    exceeded: bool,
}

/// A walk with a [`StackGuard`].
pub(crate) trait HasStackGuard {
    fn stack_guard(&mut self) -> &mut StackGuard;
}

impl StackGuard {
    #[inline]
    pub(crate) fn new() -> Self {
        let lowest = if cfg!(miri) { 0 } else { lowest_from(remaining()) };
        Self { lowest, added: 0, exceeded: false }
    }

    /// Returns whether some part of the tree was too deep to be visited, since the last call.
    pub(crate) fn take_exceeded(&mut self) -> bool {
        std::mem::take(&mut self.exceeded)
    }
}

/// Runs `f` one level deeper, on a new stack segment where this one is nearly used up.
/// Returns `None` (and notes it in the walk's [`Depth`]) when the limit is reached.
#[inline(always)]
pub(crate) fn recurse<W: HasStackGuard, R>(walk: &mut W, f: impl FnOnce(&mut W) -> R) -> Option<R> {
    if here() > walk.stack_guard().lowest {
        return Some(f(walk));
    }
    let (mut f, mut result) = (Some(f), None);
    on_new_segment(walk, &mut |walk| result = f.take().map(|f| f(walk)));
    result
}

/// Not generic over the function: walks of every node type come here, and compile to one.
#[cold]
#[inline(never)]
fn on_new_segment<W: HasStackGuard>(walk: &mut W, f: &mut dyn FnMut(&mut W)) {
    let guard = walk.stack_guard();
    if guard.added + SEGMENT > LIMIT || !reserve(SEGMENT) {
        guard.exceeded = true;
        return;
    }
    guard.added += SEGMENT;
    let outer = guard.lowest;
    on_segment(SEGMENT, || {
        walk.stack_guard().lowest = lowest_from(SEGMENT);
        f(walk);
    });
    let guard = walk.stack_guard();
    guard.lowest = outer;
    guard.added -= SEGMENT;
}

#[inline]
fn lowest_from(remaining: usize) -> usize {
    here().saturating_sub(remaining).saturating_add(SLOP)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter(StackGuard, usize);
    impl HasStackGuard for Counter {
        fn stack_guard(&mut self) -> &mut StackGuard {
            &mut self.0
        }
    }

    fn down(walk: &mut Counter, levels: usize) {
        if levels > 0 {
            walk.1 += 1;
            recurse(walk, |w| {
                let frame = std::hint::black_box([0u8; 256]);
                down(w, levels - 1);
                std::hint::black_box(frame);
            });
        }
    }

    #[test]
    fn a_walk_of_a_hundred_thousand_levels_fits_a_small_thread() {
        let walked = std::thread::Builder::new().stack_size(512 * 1024).spawn(|| {
            let mut counter = Counter(StackGuard::new(), 0);
            down(&mut counter, 100_000);
            (counter.1, counter.0.take_exceeded())
        });
        assert_eq!(walked.unwrap().join().unwrap(), (100_000, false));
    }

    #[test]
    fn a_walk_without_end_is_an_error() {
        let mut counter = Counter(StackGuard::new(), 0);
        down(&mut counter, 20_000_000);
        assert!(counter.0.take_exceeded());
    }
}
