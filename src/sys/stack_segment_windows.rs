//! Stacks that are added to a thread, on Windows: a stack is a part of a fiber there, which the crate
//! stacker makes anew for each call. Nothing is kept. Also under Miri, which adds none.

/// Returns the address of the current frame, nearly.
#[inline(always)]
pub(super) fn here() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as usize
}

/// Bytes of stack that are left on the stack in use.
pub(super) fn remaining() -> usize {
    stacker::remaining_stack().unwrap_or(0)
}

/// Returns whether the next [`run`] may expect a segment of `size` bytes. Windows says so only when it makes one.
pub(super) fn reserve(_size: usize) -> bool {
    true
}

/// Runs `f` on a segment of at least `size` bytes.
pub(super) fn run<R>(size: usize, f: impl FnOnce() -> R) -> R {
    stacker::grow(size, f)
}
