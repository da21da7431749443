//! Additional stacks for a thread on Windows, where each stack belongs to a fiber. The crate
//! stacker creates a fiber for each call and deletes it after the call. Miri also uses this file,
//! without additional stacks.

/// Returns the approximate address of the current frame.
#[inline(always)]
pub fn here() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as usize
}

/// Returns the number of available bytes on the current stack.
pub fn remaining() -> usize {
    #[cfg(miri)]
    return 0;
    #[cfg(not(miri))]
    stacker::remaining_stack().unwrap_or(0)
}

/// Returns true, because on Windows only the creation of the fiber shows whether there is enough
/// memory.
pub fn reserve(_size: usize) -> bool {
    true
}

/// Runs `f` on an additional stack of at least `size` bytes.
pub fn run(size: usize, f: &mut dyn FnMut()) {
    #[cfg(miri)]
    return f();
    #[cfg(not(miri))]
    stacker::grow(size, f)
}
