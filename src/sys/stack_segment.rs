//! Additional stacks for a thread. A stack is mapped once, committed page by page on use, and kept for the thread's
//! next call. Mapping and unmapping for every call would cost more than most statements, and concurrent threads would
//! wait for each other in the kernel.

#[cfg(target_os = "linux")]
use super::main_stack;
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{NonNull, null_mut};

/// Maximum size of a segment that is kept for the next call, in bytes. Touched pages stay resident, therefore this
/// value limits the memory of a thread.
const KEEP: usize = 32 << 20;

/// Minimum size of a segment, in bytes. Large enough for most calls of a thread.
const SMALLEST: usize = 1 << 20;

/// Maximum number of bytes of a thread's own stack that are treated as available.
const OWN_STACK: usize = 1 << 20;

/// Size of the inaccessible area at the low end of a segment, in bytes. A stack overflow raises a signal there.
const GUARD: usize = 16 << 10;

thread_local! {
    /// The lowest usable address of the current segment; 0 on the thread's own stack.
    static LIMIT: Cell<usize> = const { Cell::new(0) };
    /// The lowest available address of the main thread's own stack. `Some(None)` on other threads, and `None` before
    /// the first call of [`remaining`].
    static MAIN_LOWEST: Cell<Option<Option<usize>>> = const { Cell::new(None) };
    /// An unused segment.
    static KEPT: Cell<Option<Segment>> = const { Cell::new(None) };
}

/// A memory mapping for a stack.
struct Segment {
    start: NonNull<u8>,
    /// Size in bytes, including the guard.
    size: usize,
}

impl Segment {
    /// Maps a segment with `usable` bytes; `None` if address space or memory is exhausted.
    fn map(usable: usize) -> Option<Self> {
        let size = usable.max(SMALLEST).checked_next_multiple_of(GUARD)?.checked_add(GUARD)?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;
        // SAFETY: a new private mapping at an address that the system chooses.
        let start = unsafe { libc::mmap(null_mut(), size, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let segment = Self { start: NonNull::new(start.cast())?, size };
        // SAFETY: the first GUARD bytes of the mapping above, to which there are no references.
        let guarded = unsafe { libc::mprotect(start, GUARD, libc::PROT_NONE) } == 0;
        guarded.then_some(segment)
    }

    fn usable(&self) -> usize {
        self.size - GUARD
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping, and no code runs on it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.size) };
    }
}

/// Returns the approximate address of the current frame.
#[inline(always)]
pub(crate) fn here() -> usize {
    let marker = MaybeUninit::<u8>::uninit();
    (&raw const marker).addr()
}

/// Returns the number of available bytes on the current stack.
#[inline]
pub(super) fn remaining() -> usize {
    match LIMIT.get() {
        0 => MAIN_LOWEST
            .get()
            .unwrap_or_else(lowest_of_main)
            .map_or_else(of_thread, |lowest| here().saturating_sub(lowest)),
        limit => here().saturating_sub(limit),
    }
}

/// Returns the available bytes of a thread whose stack is mapped as a whole. The stacks of the crate stacker are such
/// stacks, too.
#[cold]
fn of_thread() -> usize {
    stacker::remaining_stack().unwrap_or(0).min(OWN_STACK)
}

/// Returns the lowest address that is certainly available on the main thread's stack, which can grow. Returns `None` on
/// other threads, and on systems other than Linux.
#[cold]
fn lowest_of_main() -> Option<usize> {
    #[cfg(target_os = "linux")]
    let lowest = main_stack::remaining(here(), OWN_STACK).map(|bytes| here() - bytes);
    #[cfg(not(target_os = "linux"))]
    let lowest = None;
    MAIN_LOWEST.set(Some(lowest));
    lowest
}

/// Ensures that the next [`run`] has a segment of `size` bytes. Returns false if memory is exhausted.
pub(super) fn reserve(size: usize) -> bool {
    let kept = KEPT.take().filter(|kept| kept.usable() >= size).or_else(|| Segment::map(size));
    let reserved = kept.is_some();
    KEPT.set(kept);
    reserved
}

/// Runs `f` on a segment of at least `size` bytes.
///
/// # Panics
/// Panics if there is no memory for a segment; see [`reserve`].
pub(super) fn run<R>(size: usize, f: impl FnOnce() -> R) -> R {
    let kept = KEPT.take().filter(|kept| kept.usable() >= size);
    let segment = kept.or_else(|| Segment::map(size)).expect("memory for a stack");
    // SAFETY: the guard is inside the mapping, and the usable part follows it.
    let base = unsafe { segment.start.as_ptr().add(GUARD) };
    let outer = LIMIT.replace(base as usize);
    // SAFETY: `usable` bytes from `base` on are mapped, page-aligned and used by nothing else until this returns. The
    // closure does not unwind.
    let result = unsafe { psm::on_stack(base, segment.usable(), || catch_unwind(AssertUnwindSafe(f))) };
    LIMIT.set(outer);
    if segment.size <= KEEP {
        let kept = KEPT.take().filter(|kept| kept.size >= segment.size);
        KEPT.set(Some(kept.unwrap_or(segment)));
    }
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_kept_and_used_again() {
        std::thread::spawn(|| {
            let place = || here() / SMALLEST;
            let first = run(SMALLEST, place);
            assert_eq!(run(SMALLEST / 2, place), first, "another mapping");
            assert!(run(SMALLEST, remaining) > SMALLEST / 2);
            assert_ne!(run(SMALLEST, || run(SMALLEST, place)), first, "a nested call on the same segment");
            assert!(std::panic::catch_unwind(|| run(SMALLEST, || panic!("inside"))).is_err());
            assert_eq!(LIMIT.get(), 0);
            assert!(!reserve(usize::MAX / 2) && !reserve(usize::MAX));
        })
        .join()
        .unwrap();
    }
}
