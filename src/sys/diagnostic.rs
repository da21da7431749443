//! PostgreSQL's errors and warnings as owned values, copied from the results of `shim.c` or libpg_query.

use std::ffi::{CStr, c_char};

use super::bindings::{PgQueryError, PgqMessage, PgqOutcome};

/// An error, warning or notice of PostgreSQL.
#[derive(Debug, Clone, Default)]
pub(crate) struct Diagnostic {
    pub message: String,
    pub detail: Option<String>,
    pub hint: Option<String>,
    /// The five characters of the SQLSTATE, or `None` if libpg_query does not provide it.
    pub sqlstate: Option<[u8; 5]>,
    /// Character number in the SQL, from 1; 0 if PostgreSQL reports no position.
    pub cursor: usize,
    /// True for NOTICE and less severe messages, false for WARNING and ERROR.
    pub notice: bool,
}

/// elog.h's number for WARNING.
const WARNING: i32 = 19;

impl Diagnostic {
    #[cold]
    pub(crate) fn out_of_memory() -> Self {
        Self { message: "out of memory".into(), sqlstate: Some(*b"53200"), ..Self::default() }
    }

    /// # Safety
    /// `message` must be a message of a PgqOutcome whose context has not been reset.
    unsafe fn from_shim(message: &PgqMessage) -> Self {
        // SAFETY: the caller guarantees that the context is live. The shim writes each string as NULL or as a
        // NUL-terminated copy in that context.
        unsafe {
            Self {
                message: text(message.message).unwrap_or_default(),
                detail: text(message.detail),
                hint: text(message.hint),
                sqlstate: Some(unpack_sqlstate(message.sqlstate)),
                cursor: usize::try_from(message.cursor).unwrap_or(0),
                notice: message.level < WARNING,
            }
        }
    }

    /// # Safety
    /// `error` must be a valid PgQueryError that libpg_query made.
    pub(super) unsafe fn from_library(error: *const PgQueryError) -> Self {
        // SAFETY: the caller guarantees that `error` is valid.
        let error = unsafe { &*error };
        Self {
            // SAFETY: libpg_query has filled the message with a NUL-terminated string, which is freed only after this
            // copy.
            message: unsafe { text(error.message) }.unwrap_or_default(),
            cursor: usize::try_from(error.cursorpos).unwrap_or(0),
            ..Self::default()
        }
    }

    /// Returns the error of a call, or `None` if the call succeeded. Also returns the warnings of the call in order.
    ///
    /// # Safety
    /// The context of the call must not have been reset after the call.
    pub(super) unsafe fn of_outcome(outcome: &PgqOutcome) -> (Option<Self>, Vec<Self>) {
        if !outcome.failed && outcome.warnings.is_null() {
            return (None, Vec::new());
        }
        let mut warnings = Vec::new();
        let mut next = outcome.warnings;
        // SAFETY: the messages are a linked list in the context of the call. `next` of the last message is NULL.
        while let Some(message) = unsafe { next.as_ref() } {
            // SAFETY: the caller guarantees that the context is live.
            warnings.push(unsafe { Self::from_shim(message) });
            next = message.next;
        }
        // SAFETY: the caller guarantees that the context is live. If `failed` is set, the error is valid.
        let error = outcome.failed.then(|| unsafe { Self::from_shim(&outcome.error) });
        (error, warnings)
    }
}

/// Copies a C string. Returns `None` for NULL. Replaces invalid UTF-8, because PostgreSQL may cut a string inside a
/// character if a message quotes this string.
///
/// # Safety
/// `pointer` must be NULL or point to a NUL-terminated string.
pub(super) unsafe fn text(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees that `pointer` is a NUL-terminated string if it is not NULL.
    Some(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
}

/// Unpacks a SQLSTATE. PostgreSQL packs each character into six bits (MAKE_SQLSTATE in utils/elog.h).
fn unpack_sqlstate(packed: i32) -> [u8; 5] {
    std::array::from_fn(|i| ((packed >> (6 * i)) & 0x3F) as u8 + b'0')
}
