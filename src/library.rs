//! What libpg_query answers because no walk here does: the tables of a statement, and its own
//! normalization as the last resort. Callers get owned values; no other module may decode Protobuf,
//! but `reference`.
#![forbid(unsafe_code)]

use prost::Message;

use crate::error::{Error, ErrorKind};
use crate::options::ParseOptions;
use crate::parse::check_for_scanner;
use crate::proto::SummaryResult;
use crate::sys;

pub(crate) fn decode<M: Message + Default>(bytes: &[u8]) -> Result<M, Error> {
    M::decode(bytes)
        .map_err(|problem| Error::new(ErrorKind::Protobuf, format!("the Protobuf bytes are not a tree: {problem}")))
}

/// The tables, functions and statement types of a text, from `pg_query_summary`.
pub(crate) fn summary(sql: &str, options: &ParseOptions) -> Result<SummaryResult, Error> {
    check_for_scanner(sql)?;
    let bytes = sys::summary_protobuf(sql, options.bits()).map_err(|d| Error::from_diagnostic(d, sql, 0))?;
    decode(&bytes)
}

/// The names of the tables in a text, each once and sorted.
pub(crate) fn table_names(sql: &str, options: &ParseOptions) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = summary(sql, options)?.tables.into_iter().map(|table| table.name).collect();
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// The text from `pg_query_normalize` or, with `utility_only`, `pg_query_normalize_utility`.
pub(crate) fn normalize_as(sql: &str, utility_only: bool) -> Result<String, Error> {
    check_for_scanner(sql)?;
    sys::normalize(sql, utility_only).map_err(|d| Error::from_diagnostic(d, sql, 0))
}
