//! The stack of Linux's main thread, of which more is mapped as it is used. Asking libc how much is left takes it a
//! list of all mappings, at every start of a program.

use std::mem::MaybeUninit;

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = libc::c_int;

/// What the kernel keeps free below a stack, and more, in bytes.
const GAP: usize = 2 << 20;

/// Bytes that are left below `here` and can be counted on: `wanted` or none; `None` if this is another
/// thread. In a limited address space growth may fail, which would be a signal; so the stack is used
/// that far now, while there is memory.
pub(super) fn remaining(here: usize, wanted: usize) -> Option<usize> {
    // SAFETY: all three take and give plain numbers.
    let (is_main, top) = unsafe {
        let is_main = libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid());
        (is_main, libc::getauxval(libc::AT_EXECFN) as usize) // the program's name, above all frames
    };
    let used = top.checked_sub(here).filter(|_| is_main)?;
    let left = soft_limit(libc::RLIMIT_STACK).saturating_sub(used).saturating_sub(GAP);
    let counted = left >= wanted && (soft_limit(libc::RLIMIT_AS) == usize::MAX || grow(wanted));
    Some(if counted { wanted } else { 0 })
}

/// Returns the limit of a resource of this process, in bytes; the largest number where there is none.
fn soft_limit(resource: Resource) -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is there to be written to.
    let known = unsafe { libc::getrlimit(resource, &raw mut limit) } == 0;
    if known { usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX) } else { 0 }
}

/// Uses `bytes` bytes of stack, if there is memory for twice as many.
fn grow(bytes: usize) -> bool {
    const STEP: usize = 64 << 10;
    #[inline(never)]
    fn touch(steps: usize) {
        std::hint::black_box(MaybeUninit::<[u8; STEP]>::uninit());
        if steps > 1 {
            touch(steps - 1);
        }
        std::hint::black_box(steps); // no tail call
    }
    let possible = super::memory::can_allocate(2 * bytes);
    if possible {
        touch(bytes / STEP);
    }
    possible
}
