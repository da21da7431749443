//! The fingerprint for libpg_query's normalizer, which compares the expressions of GROUP BY with the select list. This
//! code replaces libpg_query's own fingerprint in builds without the feature `reference` (src/sys/absent.c).

use super::fingerprint_node;
use crate::sys::{FingerprintFlags, bindings as pg};

/// Computes the same hash as `pg_query_fingerprint_node`, and writes it to `hash`. Returns false if the node is
/// unknown.
///
/// # Safety
/// `node` must be NULL or a tree that is valid during the call, and `hash` must be writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn pgq_fingerprint_of_node(node: *const pg::Node, hash: *mut u64) -> bool {
    // SAFETY: the caller meets this function's requirements.
    match unsafe { fingerprint_node(node, 0, FingerprintFlags::default(), false) } {
        Ok(fingerprint) => {
            // SAFETY: as above.
            unsafe { hash.write(fingerprint.hash) };
            true
        }
        Err(_) => false,
    }
}

/// Tests `pgq_fingerprint_of_node` with the escapes `\xe2\x82\xac`. pgq's lexer cannot read such escapes. Therefore
/// libpg_query normalizes the statement, and its normalizer calls the function.
///
/// ```
/// let sql = r"SELECT E'\xe2\x82\xac' || a, 2 FROM t GROUP BY E'\xe2\x82\xac' || a";
/// assert_eq!(pgq::normalize(sql)?, "SELECT $1 || a, $2 FROM t GROUP BY $1 || a");
/// # Ok::<(), pgq::Error>(())
/// ```
#[cfg(doctest)]
struct NormalizedByLibpgQuery;
