//! libpg_query's own functions. They return Protobuf bytes, which prost decodes, as in libpg_query's Rust bindings.
//! Tests compare pgq with these functions, and `pgq bench` measures them. No other code may call them. The module needs
//! the feature `reference`.

use prost::Message;

use crate::convert::list_prost_nodes;
use crate::convert::view::node_info::NodeInfo;
use crate::error::{Error, ErrorKind};
use crate::options::{DeparseOptions, FingerprintOptions, ParseOptions};
use crate::parse::normalize::normalize_as;
use crate::parse::{check_for_scanner, check_text};
use crate::proto::{ParseResult, ScanResult, SummaryResult};
use crate::sys;
use crate::tree::comments::CComments;
use crate::tree::fingerprint::Fingerprint;

fn decode<M: Message + Default>(bytes: &[u8]) -> Result<M, Error> {
    M::decode(bytes)
        .map_err(|problem| Error::new(ErrorKind::Protobuf, format!("the Protobuf bytes are not a tree: {problem}")))
}

/// Parses `sql` to Protobuf bytes with `pg_query_parse_protobuf` and decodes them with prost.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL, or if C cannot represent the SQL (see
/// [`crate::parse`]).
pub fn parse(sql: &str, options: &ParseOptions) -> Result<ParseResult, Error> {
    let bytes = encode(sql, options)?;
    sys::stack::with_stack_for(sql.len(), |_| decode(&bytes))
}

/// Parses `sql` to Protobuf bytes with `pg_query_parse_protobuf`.
///
/// # Errors
/// Same as for [`parse`].
pub fn encode(sql: &str, options: &ParseOptions) -> Result<Vec<u8>, Error> {
    check_for_scanner(sql)?;
    sys::encode_protobuf(sql, options.bits()).map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// Encodes the tree with prost and deparses it with `pg_query_deparse_protobuf_opts`.
///
/// # Errors
/// Returns an error if libpg_query's deparser rejects the tree.
///
/// # Crashes
/// This is unchanged libpg_query code. Its deparser can crash on a tree that lost an empty string
/// when it was encoded as Protobuf, such as the tree of `LOAD ''`.
pub fn deparse(tree: &ParseResult, options: &DeparseOptions) -> Result<String, Error> {
    let comments = CComments::new(options)?;
    sys::deparse_protobuf(&tree.encode_to_vec(), &options.raw(), &comments.comments(options, 0))
        .map_err(|d| Error::from_diagnostic(d, "", 0))
}

/// Runs `f` with enough stack to decode `bytes` bytes of a tree.
pub fn with_stack_for<R>(bytes: usize, f: impl FnOnce() -> R) -> R {
    sys::stack::with_stack_for(bytes, |_| f())
}

/// Runs `f` with enough stack for `levels` levels of recursion with `bytes` bytes each. Returns `None` if there is no
/// memory for the stack.
pub fn try_with_stack_for_levels<R>(levels: usize, bytes: usize, f: impl FnOnce() -> R) -> Option<R> {
    sys::stack::try_with_stack_for_levels(levels, bytes, f)
}

/// Calls `visit` for each node of a tree of structs, like [`crate::Statement::for_each_node`].
///
/// # Errors
/// Returns an error if the tree is deeper than the stack limit.
pub fn for_each_node(tree: &ParseResult, mut visit: impl FnMut(&NodeInfo<'_>)) -> Result<(), Error> {
    Ok(list_prost_nodes(tree, &mut visit)?)
}

/// Returns the tokens of `sql` from `pg_query_scan`, decoded by prost. Offsets are in bytes.
///
/// # Errors
/// Returns an error if PostgreSQL's scanner rejects the SQL.
pub fn scan(sql: &str) -> Result<ScanResult, Error> {
    decode(&encode_tokens(sql)?)
}

/// Returns the Protobuf bytes of the tokens of `sql`, from `pg_query_scan`.
///
/// # Errors
/// Same as for [`scan`].
pub fn encode_tokens(sql: &str) -> Result<Vec<u8>, Error> {
    check_for_scanner(sql)?;
    sys::scan_protobuf(sql).map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// Uses prost to decode the bytes that [`encode`] returned.
///
/// # Errors
/// Returns an error if the bytes are not a tree.
pub fn decode_tree(bytes: &[u8]) -> Result<ParseResult, Error> {
    decode(bytes)
}

/// Decodes the bytes from [`encode_tokens`] with prost.
///
/// # Errors
/// Returns an error if the bytes are not tokens.
pub fn decode_tokens(bytes: &[u8]) -> Result<ScanResult, Error> {
    decode(bytes)
}

/// Returns JSON from `pg_query_parse`. [`crate::parse_to_json`] must return the same JSON.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL.
pub fn parse_to_json(sql: &str, options: &ParseOptions) -> Result<String, Error> {
    check_for_scanner(sql)?;
    sys::json(sql, options.bits()).map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// Returns the functions that `sql` defines, from `pg_query_parse_plpgsql`. [`crate::parse_plpgsql`] must return the
/// same JSON.
///
/// # Errors
/// Returns an error if PostgreSQL's parser or PL/pgSQL's compiler rejects the SQL. The error's position is not an
/// offset in `sql`.
///
/// # Crashes
/// This is unchanged libpg_query code. It writes beyond the end of an array if a function has more
/// than 100 arguments.
pub fn parse_plpgsql(sql: &str) -> Result<String, Error> {
    check_for_scanner(sql)?;
    sys::plpgsql_json(sql).map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// Returns the references of `sql` from `pg_query_summary`. [`crate::Statement::summary`] must
/// return the same references, except where docs/summary.md lists an error of libpg_query.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL.
pub fn summary(sql: &str, options: &ParseOptions) -> Result<SummaryResult, Error> {
    check_for_scanner(sql)?;
    let bytes = sys::summary_protobuf(sql, options.bits(), None).map_err(|d| Error::from_diagnostic(d, sql, 0))?;
    decode(&bytes)
}

/// Truncates `sql` to `limit` bytes with `pg_query_summary`. [`crate::Statement::truncate`] must return the same SQL.
///
/// # Errors
/// Same as for [`summary`].
pub fn truncate(sql: &str, limit: i32) -> Result<String, Error> {
    check_for_scanner(sql)?;
    let options = ParseOptions::default().bits();
    let bytes = sys::summary_protobuf(sql, options, Some(limit)).map_err(|d| Error::from_diagnostic(d, sql, 0))?;
    decode::<SummaryResult>(&bytes).map(|summary| summary.truncated_query)
}

/// Returns the fingerprint from `pg_query_fingerprint_opts`. [`crate::fingerprint()`] must return the same fingerprint.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL.
pub fn fingerprint(sql: &str, options: &FingerprintOptions) -> Result<Fingerprint, Error> {
    check_for_scanner(sql)?;
    sys::fingerprint(sql, options.parse.bits(), options.flags())
        .map(Fingerprint)
        .map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// Returns normalized SQL from `pg_query_normalize`. [`crate::normalize`] must return the same SQL.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL.
pub fn normalize(sql: &str) -> Result<String, Error> {
    normalize_as(sql, false)
}

/// Returns normalized SQL from `pg_query_normalize_utility`. [`crate::normalize_utility`] must return the same SQL.
///
/// # Errors
/// Returns an error if PostgreSQL's parser rejects the SQL.
pub fn normalize_utility(sql: &str) -> Result<String, Error> {
    normalize_as(sql, true)
}

/// Returns whether `raw_parser` accepts `sql`. `pgq bench` compares the time of every parser with this function's time.
#[must_use]
pub fn baseline_parse(sql: &str) -> bool {
    check_for_scanner(sql).is_ok() && sys::baseline_parse(sql)
}

/// Returns the number of tokens and comments that PostgreSQL's scanner finds, or `None` for an error. `pgq bench`
/// compares the time of [`crate::scan`] with this function's time.
#[must_use]
pub fn baseline_scan(sql: &str) -> Option<usize> {
    check_text(sql).ok().and_then(|()| sys::baseline_scan(sql))
}
