//! Provides enough stack for deep statements, even on threads with small stacks.
//!
//! Before a call of C code, pgq provides a stack that is large enough for the SQL. Recursive Rust functions extend
//! their stack as they recurse. If C code or a Rust function needs more than 1 GiB of stack, it fails with an error,
//! never with a signal. In builds with larger stack frames, the limit is higher ([`FRAMES`], [`C_FRAMES`]).

pub(crate) use super::stack_segment::here;
use super::stack_segment::{self, remaining, reserve};

/// Upper bound of the factor by which a sanitizer enlarges the stack frames of C code, which is always optimized.
const C_FRAMES: usize = if cfg!(pgq_asan) { 8 } else { 1 };

/// Upper bound of the factor by which a sanitizer or a build without optimization enlarges the stack frames of Rust
/// code.
const FRAMES: usize = if cfg!(any(pgq_asan, pgq_large_frames)) { 8 } else { 1 };

/// Maximum number of stack bytes that libpg_query's recursive functions use per byte of SQL. The
/// worst SQL nests one level per two bytes (`- - - 1`, `a+a+a`).
const PER_BYTE: usize = 1024 * C_FRAMES;

/// Number of bytes of SQL that pgq assumes for each level of a tree. [`try_with_stack_for`] determines the stack size
/// from a length of SQL. For a tree whose SQL is unknown, this length is estimated as the tree's depth times this
/// number.
pub(crate) const BYTES_PER_LEVEL: usize = 4;

/// Stack bytes that a call may need for error reports and formatting, in addition to the bytes for its SQL.
const BASE: usize = 192 * 1024 * FRAMES;

/// Maximum stack size of a recursive Rust function, in bytes. Stacks are committed page by page on use.
pub(crate) const LIMIT: usize = (1 << 30) * FRAMES;

/// Maximum stack size of a call of C code, in bytes.
const C_LIMIT: usize = (1 << 30) * C_FRAMES;

/// Number of bytes that PostgreSQL's stack check leaves free below its limit. PostgreSQL's own
/// value for stacks of megabytes is 512 kB (STACK_DEPTH_SLOP). Here the value is smaller, because
/// raising an error needs little stack.
const SLOP: usize = 64 * 1024 * FRAMES;

/// Number of bytes by which a recursive Rust function extends its stack at a time.
const SEGMENT: usize = 16 << 20;

/// Runs `f` like [`try_with_stack_for`], but panics if there is no memory for the stack.
#[cfg(feature = "reference")]
pub(crate) fn with_stack_for<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> R {
    try_with_stack_for(bytes, f).expect("memory for a stack")
}

/// Runs `f` like [`try_with_stack_for`], but if there is not enough memory for the stack, runs `f` on a smaller stack.
/// `f` must call C code that respects its stack limit. On a smaller stack, this code rejects deep SQL.
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

/// Runs `f` with enough stack for C code to process `bytes` bytes of SQL. Returns `None` if there is no memory for the
/// stack.
///
/// `f` receives the number of stack bytes that C may use.
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

/// Runs `f` on a new segment of at least `size` bytes.
///
/// # Panics
/// Panics if there is no memory for a segment.
#[cold]
#[inline(never)]
pub fn on_segment<R>(size: usize, f: impl FnOnce() -> R) -> R {
    let (mut f, mut result) = (Some(f), None);
    // The closure is a trait object, so that the switch of stacks is compiled only once.
    stack_segment::run(size, &mut || {
        #[cfg(pgq_asan)]
        let _registered = sanitizer::RegisteredStack::of_this_stack();
        result = f.take().map(|f| f());
    });
    result.expect("the segment ran the closure")
}

/// Reports stack switches to AddressSanitizer. When C code raises an error (longjmp), AddressSanitizer clears its
/// shadow memory from the current frame to the end of the stack that was reported last. If a switch were not reported,
/// this end would be another stack's.
#[cfg(pgq_asan)]
mod sanitizer {
    use std::ffi::c_void;
    use std::ptr::{null, null_mut};

    unsafe extern "C" {
        fn __sanitizer_start_switch_fiber(fake_stack: *mut *mut c_void, bottom: *const c_void, size: usize);
        fn __sanitizer_finish_switch_fiber(fake_stack: *mut c_void, bottom: *mut *const c_void, size: *mut usize);
    }

    /// The bounds of the stack that was active before the current stack. Dropping this value makes AddressSanitizer
    /// use these bounds again, so it must be dropped when the thread leaves the current stack.
    pub(super) struct RegisteredStack {
        bottom: *const c_void,
        size: usize,
    }

    impl RegisteredStack {
        pub(super) fn of_this_stack() -> Self {
            /// Upper bound of the distance from the current frame to the top of the stack, in bytes.
            const ABOVE: usize = 4096;
            let left = super::remaining();
            let bottom = super::here() - left;
            Self::switch(bottom as *const c_void, left + ABOVE)
        }

        fn switch(bottom: *const c_void, size: usize) -> Self {
            let mut before = Self { bottom: null(), size: 0 };
            // SAFETY: both functions only record their arguments and return the previous bounds.
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
    bytes.saturating_mul(PER_BYTE).saturating_add(BASE).min(C_LIMIT)
}

/// Runs `f` with enough stack for `levels` levels of recursion with `bytes` bytes each. Returns `None` if there is no
/// memory for the stack.
#[inline]
pub(crate) fn try_with_stack_for_levels<R>(levels: usize, bytes: usize, f: impl FnOnce() -> R) -> Option<R> {
    let need = levels.saturating_mul(bytes * FRAMES).saturating_add(BASE);
    // Miri does not measure its stack in bytes.
    if cfg!(miri) || remaining() >= need { Some(f()) } else { try_on_segment(need, |_| f()) }
}

/// Runs one level of a recursion that has no [`StackGuard`]. The level may need `bytes` bytes. If fewer bytes are left
/// on this stack, the level runs on a new segment.
pub(crate) fn with_more_stack<R>(bytes: usize, f: impl FnOnce() -> R) -> R {
    if cfg!(miri) || remaining() >= bytes * FRAMES { f() } else { on_segment(SEGMENT, f) }
}

/// A limit on the total stack size of a recursive Rust function.
#[derive(Debug)]
pub struct StackGuard {
    /// If a frame would be below this address, the stack must be extended first.
    lowest: usize,
    /// Total size of the nested segments, in bytes.
    added: usize,
    /// Maximum of `added`.
    pub(crate) limit: usize,
    /// Whether the recursion exceeded the limit.
    exceeded: bool,
}

/// A recursive visitor with a [`StackGuard`].
pub trait HasStackGuard {
    /// Returns the guard.
    fn stack_guard(&mut self) -> &mut StackGuard;
}

impl StackGuard {
    #[inline]
    pub(crate) fn new() -> Self {
        let lowest = if cfg!(miri) { 0 } else { lowest_from(remaining()) };
        Self { lowest, added: 0, limit: LIMIT, exceeded: false }
    }

    /// Returns whether the recursion has exceeded the stack limit since the last call.
    pub fn take_exceeded(&mut self) -> bool {
        std::mem::take(&mut self.exceeded)
    }
}

/// Runs `f` one level deeper, on a new stack segment if the current segment is nearly full. At the limit, records the
/// failure in the [`StackGuard`] and returns `None`.
#[inline(always)]
pub fn recurse<W: HasStackGuard, R>(walk: &mut W, mut f: impl FnMut(&mut W) -> R) -> Option<R> {
    if here() > walk.stack_guard().lowest {
        return Some(f(walk));
    }
    let mut result = None;
    on_new_segment(walk, &mut |walk| result = Some(f(walk)));
    result
}

/// Runs `f` on a new segment, or records that the limit is exceeded. `f` is a trait object, so that this function is
/// compiled only once per visitor.
#[cold]
#[inline(never)]
fn on_new_segment<W: HasStackGuard>(walk: &mut W, f: &mut dyn FnMut(&mut W)) {
    let guard = walk.stack_guard();
    if guard.added + SEGMENT > guard.limit || !reserve(SEGMENT) {
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
