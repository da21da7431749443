//! Additional stacks of a thread on Windows, where a stack belongs to a fiber. The crate stacker creates a fiber for
//! each call, and nothing is kept. Also used under Miri, without additional stacks.

/// Returns the approximate address of the current frame.
#[inline(always)]
pub(super) fn here() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as usize
}

/// Returns the number of bytes left on the current stack.
pub(super) fn remaining() -> usize {
    stacker::remaining_stack().unwrap_or(0)
}

/// Returns whether the next [`run`] may expect a segment of `size` bytes. On Windows this is unknown until the segment
/// is created.
pub(super) fn reserve(_size: usize) -> bool {
    true
}

/// Runs `f` on a segment of at least `size` bytes.
pub(super) fn run<R>(size: usize, f: impl FnOnce() -> R) -> R {
    stacker::grow(size, f)
}
