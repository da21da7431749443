//! libpg_query's own normalization. It runs if pgq's own code cannot normalize the SQL.
#![forbid(unsafe_code)]

use crate::error::Error;
use crate::parse::check_for_scanner;
use crate::sys;

/// Calls `pg_query_normalize` or, with `utility_only`, `pg_query_normalize_utility`.
pub(crate) fn normalize_as(sql: &str, utility_only: bool) -> Result<String, Error> {
    check_for_scanner(sql)?;
    sys::normalize(sql, utility_only).map_err(|d| Error::from_diagnostic(d, sql, 0))
}
