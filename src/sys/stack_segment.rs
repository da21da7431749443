//! Additional stacks for a thread. A stack is mapped once, committed page by page on use, and kept for the thread's
//! next call. Mapping and unmapping a stack for every call would take longer than parsing most statements, and
//! concurrent threads would wait for each other in the kernel.

#[cfg(target_os = "linux")]
use super::main_stack;
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::{NonNull, null_mut};

use corosensei::stack::{Stack, StackPointer};

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
    /// The thread's own stack. `None` before the first call of [`remaining`].
    static OWN: Cell<Option<OwnStack>> = const { Cell::new(None) };
    /// The unused segment that is kept for the next call.
    static KEPT: Cell<Option<Segment>> = const { Cell::new(None) };
}

/// The available addresses of a thread's own stack.
#[derive(Clone, Copy)]
struct OwnStack {
    lowest: usize,
    end: usize,
}

impl OwnStack {
    fn contains(self, address: usize) -> bool {
        self.lowest <= address && address < self.end
    }
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
        // SAFETY: the call creates a new private mapping at an address that the system chooses.
        let start = unsafe { libc::mmap(null_mut(), size, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let segment = Self { start: NonNull::new(start.cast())?, size };
        // SAFETY: the call affects only the first GUARD bytes of the new mapping, to which there are no references.
        let guarded = unsafe { libc::mprotect(start, GUARD, libc::PROT_NONE) } == 0;
        guarded.then_some(segment)
    }

    fn usable(&self) -> usize {
        self.size - GUARD
    }
}

// SAFETY: the guard is at the low end, the rest is mapped, and both ends are page-aligned.
unsafe impl Stack for Segment {
    fn base(&self) -> StackPointer {
        self.start.addr().saturating_add(self.size)
    }

    fn limit(&self) -> StackPointer {
        self.start.addr()
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
pub fn here() -> usize {
    let marker = MaybeUninit::<u8>::uninit();
    (&raw const marker).addr()
}

/// Returns the number of available bytes on the current stack. Returns 0 on a stack that neither
/// the system nor pgq created, such as a coroutine's stack.
#[inline]
pub fn remaining() -> usize {
    let here = here();
    match LIMIT.get() {
        0 => {
            let own = OWN.get().unwrap_or_else(|| own(here));
            if own.contains(here) { (here - own.lowest).min(OWN_STACK) } else { 0 }
        }
        limit => here.saturating_sub(limit),
    }
}

/// Returns the range of the thread's own stack that is certainly available.
#[cold]
fn own(here: usize) -> OwnStack {
    #[cfg(target_os = "linux")]
    let of_main = main_stack::remaining(here, OWN_STACK).filter(|bytes| *bytes > 0);
    #[cfg(not(target_os = "linux"))]
    let of_main: Option<usize> = None;
    let own = match of_main {
        Some(bytes) => OwnStack { lowest: here - bytes, end: usize::MAX },
        None => of_thread().unwrap_or(OwnStack { lowest: 0, end: 0 }),
    };
    OWN.set(Some(own));
    own
}

/// Returns the current thread's stack. The system maps the whole stack when it creates the thread.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn of_thread() -> Option<OwnStack> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut size) = (null_mut(), 0);
    // SAFETY: the first function initializes `attributes`, unless it fails. The other functions read `attributes`,
    // which is destroyed once. All pointers are valid for writes.
    let known = unsafe {
        libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0 && {
            let known = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut size) == 0;
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
            known
        }
    };
    // Some C libraries count the guard as a part of the stack.
    known.then(|| OwnStack { lowest: lowest as usize + GUARD, end: lowest as usize + size })
}

/// Returns the current thread's stack.
#[cfg(target_vendor = "apple")]
fn of_thread() -> Option<OwnStack> {
    // SAFETY: the functions read the calling thread's descriptor.
    let (end, size) = unsafe {
        let this = libc::pthread_self();
        (libc::pthread_get_stackaddr_np(this) as usize, libc::pthread_get_stacksize_np(this))
    };
    Some(OwnStack { lowest: end - size + GUARD, end })
}

/// Returns `None`, because the thread's own stack is unknown. Therefore every call runs on a segment.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn of_thread() -> Option<OwnStack> {
    None
}

/// Ensures that the next call of `run` has a segment of `size` bytes. Returns false if memory is exhausted.
pub fn reserve(size: usize) -> bool {
    let kept = KEPT.take().filter(|kept| kept.usable() >= size).or_else(|| Segment::map(size));
    let reserved = kept.is_some();
    KEPT.set(kept);
    reserved
}

/// Runs `f` on a segment of at least `size` bytes.
///
/// # Panics
/// Panics if there is no memory for a segment; see [`reserve`].
pub fn run(size: usize, f: &mut dyn FnMut()) {
    let kept = KEPT.take().filter(|kept| kept.usable() >= size);
    let mut segment = kept.or_else(|| Segment::map(size)).expect("memory for a stack");
    let outer = LIMIT.replace(segment.limit().get() + GUARD);
    let result = catch_unwind(AssertUnwindSafe(|| corosensei::on_stack(&mut segment, f)));
    LIMIT.set(outer);
    if segment.size <= KEEP {
        let kept = KEPT.take().filter(|kept| kept.size >= segment.size);
        KEPT.set(Some(kept.unwrap_or(segment)));
    }
    result.unwrap_or_else(|panic| resume_unwind(panic));
}
