//! The available stack of Linux's main thread, which grows on demand. This module determines the
//! size of the stack without `pthread_getattr_np`, which would read the list of all memory mappings
//! at every program start.

use std::mem::MaybeUninit;

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = libc::c_int;

/// Upper bound of the gap that the kernel keeps free below a stack, in bytes.
const GAP: usize = 2 << 20;

/// Returns `wanted` if at least this number of bytes is certainly available below `here`, otherwise 0. Returns `None`
/// on threads other than the main thread.
///
/// The kernel grows the main thread's stack on use. If this fails because the address space is limited, the kernel ends
/// the program with a signal. Therefore, with such a limit, this function grows the stack at once.
pub(super) fn remaining(here: usize, wanted: usize) -> Option<usize> {
    // SAFETY: the arguments and results of all three calls are plain numbers.
    let (is_main, top) = unsafe {
        let is_main = libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid());
        (is_main, libc::getauxval(libc::AT_EXECFN) as usize) // the program's name, which is above all frames
    };
    let used = top.checked_sub(here).filter(|_| is_main)?;
    let left = soft_limit(libc::RLIMIT_STACK).saturating_sub(used).saturating_sub(GAP);
    let counted = left >= wanted && (soft_limit(libc::RLIMIT_AS) == usize::MAX || grow(wanted));
    Some(if counted { wanted } else { 0 })
}

/// Returns the soft limit of a resource, in bytes; `usize::MAX` if there is no limit.
fn soft_limit(resource: Resource) -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for writes.
    let known = unsafe { libc::getrlimit(resource, &raw mut limit) } == 0;
    if known { usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX) } else { 0 }
}

/// Grows the stack by `bytes` bytes and returns true. If malloc cannot allocate twice this number of bytes, returns
/// false and changes nothing.
fn grow(bytes: usize) -> bool {
    const STEP: usize = 64 << 10;
    #[inline(never)]
    fn touch(steps: usize) {
        std::hint::black_box(MaybeUninit::<[u8; STEP]>::uninit());
        if steps > 1 {
            touch(steps - 1);
        }
        std::hint::black_box(steps); // prevents a tail call
    }
    let possible = super::memory::can_allocate(2 * bytes);
    if possible {
        touch(bytes / STEP);
    }
    possible
}
