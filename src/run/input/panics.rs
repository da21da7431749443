//! Converts panics of other crates' readers to errors. Some readers panic, because they trust the
//! lengths and offsets in damaged files.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns the result of `read`, or `None` if it panics. The caller must not use values that `read` changed before the
/// panic.
pub fn catch_panic<T>(read: impl FnOnce() -> T) -> Option<T> {
    IS_CAUGHT.set(true);
    let result = catch_unwind(AssertUnwindSafe(read));
    IS_CAUGHT.set(false);
    result.ok()
}

/// Whether this thread is in [`catch_panic`].
pub fn is_panic_caught() -> bool {
    IS_CAUGHT.get()
}
