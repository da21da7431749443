//! Wrappers of libpg_query's own public functions. They return owned values and free the C memory.
//!
//! Tests compare pgq's own implementations with these functions. `pgq bench` measures the functions that use Protobuf.
//! Other code passes SQL to only three of these functions: to `split`, which pgq does not implement itself, and to
//! `scan_tokens` and `normalize` for SQL that pgq's own code cannot process. Each call first resets the scanner's
//! settings, because a failed parse can change them.

use std::ffi::CStr;

use super::bindings as pg;
#[cfg(feature = "reference")]
use super::deparser::{Comment, CommentArray, DeparseOpts};
use super::diagnostic::{Diagnostic, text};
use super::parser::with_c_string;
use super::stack;

/// Calls `f` with a NUL-terminated copy of `sql`, on a large enough stack. Fails if memory is exhausted.
fn call<R>(sql: &str, f: impl FnOnce(&CStr) -> Result<R, Diagnostic>) -> Result<R, Diagnostic> {
    with_c_string(sql, 0, |c_text| {
        let called = stack::try_with_stack_for(sql.len(), |available| {
            // SAFETY: the function only sets thread-local settings.
            unsafe { pg::pgq_before_library_call(available) };
            f(c_text)
        });
        called.unwrap_or_else(|| Err(Diagnostic::out_of_memory()))
    })
}

/// Returns `value` unless libpg_query reported an error.
///
/// # Safety
/// `error` must be NULL, or an error of libpg_query that is not yet freed.
unsafe fn checked<T>(error: *const pg::PgQueryError, value: impl FnOnce() -> T) -> Result<T, Diagnostic> {
    if error.is_null() {
        Ok(value())
    } else {
        // SAFETY: the caller guarantees that `error` is an error of libpg_query if it is not NULL.
        Err(unsafe { Diagnostic::from_library(error) })
    }
}

/// Copies `len` values from C memory. The pointer may be NULL if `len` is 0.
///
/// # Safety
/// `data` must point to `len` initialised values unless `len` is 0.
unsafe fn copied<T: Clone>(data: *const T, len: usize) -> Vec<T> {
    if len == 0 {
        return Vec::new();
    }
    // SAFETY: len is not 0. In this case, the caller must pass a pointer to `len` initialised values.
    unsafe { std::slice::from_raw_parts(data, len) }.to_vec()
}

/// Returns the tree as libpg_query's JSON, from `pg_query_parse_opts`.
#[cfg(feature = "reference")]
pub(crate) fn json(sql: &str, options: i32) -> Result<String, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: the text is NUL-terminated. libpg_query traps its errors. Its result is copied and then freed once.
        unsafe {
            let result = pg::pg_query_parse_opts(c_text.as_ptr(), options);
            let json = checked(result.error, || text(result.parse_tree).unwrap_or_default());
            pg::pg_query_free_parse_result(result);
            json
        }
    })
}

/// Returns libpg_query's JSON of the functions that `sql` defines. Calls `pg_query_parse_plpgsql`.
#[cfg(feature = "reference")]
pub(crate) fn plpgsql_json(sql: &str) -> Result<String, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: as in `json`.
        unsafe {
            let result = pg::pg_query_parse_plpgsql(c_text.as_ptr());
            let json = checked(result.error, || text(result.plpgsql_funcs).unwrap_or_default());
            pg::pg_query_free_plpgsql_parse_result(result);
            json
        }
    })
}

/// Returns the tree as Protobuf bytes, from `pg_query_parse_protobuf_opts`.
#[cfg(feature = "reference")]
pub(crate) fn encode_protobuf(sql: &str, options: i32) -> Result<Vec<u8>, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: the text is NUL-terminated. libpg_query traps its errors. If there is no error, the buffer has `len`
        // bytes. The result is copied and then freed once.
        unsafe {
            let result = pg::pg_query_parse_protobuf_opts(c_text.as_ptr(), options);
            let tree = result.parse_tree;
            let bytes = checked(result.error, || copied(tree.data.cast::<u8>(), tree.len));
            pg::pg_query_free_protobuf_parse_result(result);
            bytes
        }
    })
}

/// Deparses a tree that is encoded as Protobuf. Calls `pg_query_deparse_protobuf_opts`.
#[cfg(feature = "reference")]
pub(crate) fn deparse_protobuf(
    tree: &[u8],
    opts: &DeparseOpts,
    comments: &[Comment<'_>],
) -> Result<String, Diagnostic> {
    let mut comments = CommentArray::new(comments);
    stack::with_stack_for(tree.len(), |available| {
        // SAFETY: bytes, options and comments outlive the call, which only reads them. The result is copied and then
        // freed once.
        unsafe {
            pg::pgq_before_library_call(available);
            let data = tree.as_ptr().cast_mut().cast();
            let tree = pg::PgQueryProtobuf { len: tree.len(), data };
            let result = pg::pg_query_deparse_protobuf_opts(tree, opts.with(comments.as_mut()));
            let sql = checked(result.error, || text(result.query).unwrap_or_default());
            pg::pg_query_free_deparse_result(result);
            sql
        }
    })
}

/// The fingerprint option bits of pg_query.h.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FingerprintFlags {
    pub ignore_aliases: bool,
    pub include_schema: bool,
    pub full_relation_names: bool,
}

impl FingerprintFlags {
    #[cfg(feature = "reference")]
    fn bits(self) -> i32 {
        let bit = |on: bool, bit: u32| if on { bit } else { 0 };
        let bits = bit(self.ignore_aliases, pg::PG_QUERY_FINGERPRINT_RANGEVAR_IGNORE_ALIASES)
            | bit(self.include_schema, pg::PG_QUERY_FINGERPRINT_RANGEVAR_INCLUDE_SCHEMA)
            | bit(self.full_relation_names, pg::PG_QUERY_FINGERPRINT_FULL_RELNAME);
        bits as i32
    }
}

/// Calls `pg_query_fingerprint_opts`.
#[cfg(feature = "reference")]
pub(crate) fn fingerprint(sql: &str, options: i32, flags: FingerprintFlags) -> Result<u64, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: as in `json`.
        unsafe {
            let result = pg::pg_query_fingerprint_opts(c_text.as_ptr(), options, flags.bits());
            let value = checked(result.error, || result.fingerprint);
            pg::pg_query_free_fingerprint_result(result);
            value
        }
    })
}

/// Calls `pg_query_normalize`. With `utility_only`, calls `pg_query_normalize_utility` instead, which normalizes only
/// utility statements.
pub(crate) fn normalize(sql: &str, utility_only: bool) -> Result<String, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: as in `json`.
        unsafe {
            let result = if utility_only {
                pg::pg_query_normalize_utility(c_text.as_ptr())
            } else {
                pg::pg_query_normalize(c_text.as_ptr())
            };
            let normalized = checked(result.error, || text(result.normalized_query).unwrap_or_default());
            pg::pg_query_free_normalize_result(result);
            normalized
        }
    })
}

/// Returns the tokens as an array, from `pg_query_scan_tokens`. Offsets are in bytes.
pub(crate) fn scan_tokens(sql: &str) -> Result<Vec<pg::PgQueryScanToken>, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: the text is NUL-terminated. libpg_query traps its errors. If there is no error, the array has
        // `n_tokens` tokens. The result is copied and then freed once.
        unsafe {
            let result = pg::pg_query_scan_tokens(c_text.as_ptr());
            let count = usize::try_from(result.n_tokens).unwrap_or(0);
            let tokens = checked(result.error, || copied(result.tokens, count));
            pg::pg_query_free_scan_tokens_result(result);
            tokens
        }
    })
}

/// Returns the tokens as Protobuf bytes, from `pg_query_scan`.
#[cfg(feature = "reference")]
pub(crate) fn scan_protobuf(sql: &str) -> Result<Vec<u8>, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: as in `encode_protobuf`.
        unsafe {
            let result = pg::pg_query_scan(c_text.as_ptr());
            let tokens = result.pbuf;
            let bytes = checked(result.error, || copied(tokens.data.cast::<u8>(), tokens.len));
            pg::pg_query_free_scan_result(result);
            bytes
        }
    })
}

/// Returns tables, functions and other references as Protobuf bytes, from `pg_query_summary`. If `limit` is set, the
/// result also contains the SQL, truncated to this length.
#[cfg(feature = "reference")]
pub(crate) fn summary_protobuf(sql: &str, options: i32, limit: Option<i32>) -> Result<Vec<u8>, Diagnostic> {
    /// The limit that disables truncation.
    const WHOLE: i32 = -1;
    call(sql, |c_text| {
        // SAFETY: as in `encode_protobuf`.
        unsafe {
            let result = pg::pg_query_summary(c_text.as_ptr(), options, limit.unwrap_or(WHOLE));
            let summary = result.summary;
            let bytes = checked(result.error, || copied(summary.data.cast::<u8>(), summary.len));
            pg::pg_query_free_summary_parse_result(result);
            bytes
        }
    })
}

/// Returns a token's name in libpg_query's Protobuf enum, such as `IDENT` or `ASCII_59`.
pub(crate) fn token_name(token: u32) -> &'static str {
    // SAFETY: the function looks its argument up in a switch and returns a string literal or NULL.
    unsafe { static_name(pg::pg_query_token_name(token)) }
}

/// Returns a keyword kind's name in libpg_query, such as `RESERVED_KEYWORD`.
pub(crate) fn keyword_name(kind: u32) -> &'static str {
    // SAFETY: as in `token_name`.
    unsafe { static_name(pg::pg_query_keyword_kind_name(kind)) }
}

/// # Safety
/// `name` must be NULL or a C string literal.
unsafe fn static_name(name: *const std::ffi::c_char) -> &'static str {
    if name.is_null() {
        return "UNKNOWN";
    }
    // SAFETY: a string literal is valid for the whole run.
    unsafe { CStr::from_ptr::<'static>(name) }.to_str().unwrap_or("UNKNOWN")
}

/// Returns the byte offset and length of each statement, from `pg_query_split_with_parser` or `_scanner`.
pub(crate) fn split(sql: &str, with_scanner: bool) -> Result<Vec<(usize, usize)>, Diagnostic> {
    call(sql, |c_text| {
        // SAFETY: the text is NUL-terminated. libpg_query traps its errors. `stmts` has `n_stmts` pointers to valid
        // ranges. The result is copied and then freed once.
        unsafe {
            let result = if with_scanner {
                pg::pg_query_split_with_scanner(c_text.as_ptr())
            } else {
                pg::pg_query_split_with_parser(c_text.as_ptr())
            };
            let count = usize::try_from(result.n_stmts).unwrap_or(0);
            let ranges = checked(result.error, || {
                copied(result.stmts, count)
                    .into_iter()
                    .map(|range| ((*range).stmt_location as usize, (*range).stmt_len as usize))
                    .collect()
            });
            pg::pg_query_free_split_result(result);
            ranges
        }
    })
}

/// Runs only PostgreSQL's `raw_parser`, in a separate memory context. `pgq bench` uses the time of
/// this function as the baseline.
#[cfg(feature = "reference")]
pub(crate) fn baseline_parse(sql: &str) -> bool {
    call(sql, |c_text| {
        // SAFETY: the text is NUL-terminated; the shim traps errors and frees its allocations.
        Ok(unsafe { pg::pgq_floor_parse(c_text.as_ptr()) })
    })
    .unwrap_or(false)
}

/// Runs only PostgreSQL's scanner. Returns the number of tokens, or `None` for an error.
#[cfg(feature = "reference")]
pub(crate) fn baseline_scan(sql: &str) -> Option<usize> {
    // SAFETY: as in `baseline_parse`.
    let count = call(sql, |c_text| Ok(unsafe { pg::pgq_floor_scan(c_text.as_ptr()) }));
    usize::try_from(count.ok()?).ok()
}
