//! The tree as prost structs, and the Protobuf path: the reference for the direct one and
//! the other half of bench. Nothing here may be used by the direct path but the structs.
//!
//! The structs are generated from libpg_query's pg_query.proto when building. Every message
//! variant of [`Node`]'s oneof is boxed, so that a `Node` is two words.

/// The generated structs.
#[allow(missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/pg_query.rs"));
}
pub use generated::*;

use prost::Message;

use crate::{DeparseOptions, Error, Fingerprint, FingerprintOptions, ParseOptions, convert, sys};

const _: () = assert!(size_of::<Node>() == 16, "every variant of Node must be boxed");

/// `sql` as Protobuf bytes from `pg_query_parse_protobuf`, decoded by prost.
///
/// # Errors
/// What PostgreSQL's parser refuses, and text that it cannot take (see [`crate::parse`]).
pub fn parse(sql: &str, options: &ParseOptions) -> Result<ParseResult, Error> {
    let bytes = encode(sql, options)?;
    sys::stack::for_text(sql.len(), |_| ParseResult::decode(bytes.as_slice())).map_err(Error::protobuf)
}

/// The Protobuf bytes of `sql`, from `pg_query_parse_protobuf`.
///
/// # Errors
/// As for [`parse`].
pub fn encode(sql: &str, options: &ParseOptions) -> Result<Vec<u8>, Error> {
    crate::check_for_scanner(sql)?;
    sys::encode_protobuf(sql, options.bits()).map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// SQL from the tree, encoded by prost and written by `pg_query_deparse_protobuf_opts`.
///
/// # Errors
/// What libpg_query's deparser refuses.
///
/// # Crashes
/// This is the reference, kept as it is: libpg_query's deparser can crash on trees that
/// lost an empty string on the way through Protobuf (`LOAD ''`).
pub fn deparse(tree: &ParseResult, options: &DeparseOptions) -> Result<std::string::String, Error> {
    let texts = convert::comment_texts(options)?;
    let comments = convert::c_comments(options, &texts, 0);
    sys::deparse_protobuf(&tree.encode_to_vec(), &options.raw(), &comments)
        .map_err(|d| Error::from_diagnostic(d, "", 0))
}

/// The tokens of `sql` from `pg_query_scan`, decoded by prost. Offsets are bytes.
///
/// # Errors
/// What PostgreSQL's scanner refuses.
pub fn scan(sql: &str) -> Result<ScanResult, Error> {
    crate::check_for_scanner(sql)?;
    let bytes = sys::scan_protobuf(sql).map_err(|d| Error::from_diagnostic(d, sql, 0))?;
    ScanResult::decode(bytes.as_slice()).map_err(Error::protobuf)
}

/// The tree as `pg_query_parse` writes it in C: what [`crate::parse_to_json`] must equal.
///
/// # Errors
/// What PostgreSQL's parser refuses.
pub fn parse_to_json(sql: &str, options: &ParseOptions) -> Result<std::string::String, Error> {
    crate::check_for_scanner(sql)?;
    sys::json(sql, options.bits()).map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// What a text speaks of, from `pg_query_summary`: tables, functions, statement types.
///
/// # Errors
/// What PostgreSQL's parser refuses.
pub fn summary(sql: &str, options: &ParseOptions) -> Result<SummaryResult, Error> {
    crate::check_for_scanner(sql)?;
    let bytes = sys::summary_protobuf(sql, options.bits()).map_err(|d| Error::from_diagnostic(d, sql, 0))?;
    SummaryResult::decode(bytes.as_slice()).map_err(Error::protobuf)
}

/// The fingerprint from `pg_query_fingerprint_opts`: what [`crate::fingerprint`] must equal.
///
/// # Errors
/// What PostgreSQL's parser refuses.
pub fn fingerprint(sql: &str, options: &FingerprintOptions) -> Result<Fingerprint, Error> {
    crate::check_for_scanner(sql)?;
    sys::fingerprint(sql, options.parse.bits(), options.flags())
        .map(Fingerprint)
        .map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// The text from `pg_query_normalize`: what [`crate::normalize`] must equal.
///
/// # Errors
/// What PostgreSQL's parser refuses.
pub fn normalize(sql: &str) -> Result<std::string::String, Error> {
    normalize_by(sql, false)
}

/// The text from `pg_query_normalize_utility`: what [`crate::normalize_utility`] must equal.
///
/// # Errors
/// What PostgreSQL's parser refuses.
pub fn normalize_utility(sql: &str) -> Result<std::string::String, Error> {
    normalize_by(sql, true)
}

pub(crate) fn normalize_by(sql: &str, utility_only: bool) -> Result<std::string::String, Error> {
    crate::check_for_scanner(sql)?;
    sys::normalize(sql, utility_only).map_err(|d| Error::from_diagnostic(d, sql, 0))
}

/// Whether `raw_parser` accepts the text: the floor, PostgreSQL's parser and nothing else.
#[must_use]
pub fn floor(sql: &str) -> bool {
    crate::check_for_scanner(sql).is_ok() && sys::floor_parse(sql)
}

/// How many tokens PostgreSQL's scanner finds, comments included, or `None` where it refuses
/// the text: the floor of [`crate::scan`].
#[must_use]
pub fn floor_scan(sql: &str) -> Option<usize> {
    crate::check_text(sql).ok().and_then(|()| sys::floor_scan(sql))
}
