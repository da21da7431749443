//! PostgreSQL's own parser for Rust, without Protobuf in between.
//!
//! The grammar is PostgreSQL 18's, in C (libpg_query). Its parse tree is read directly
//! from C memory by walks that one generated table drives, and every result equals
//! libpg_query's byte for byte.
//!
//! ```
//! let parsed = pgq::parse("SELECT 1")?;
//! assert_eq!(pgq::deparse(&parsed.tree)?, "SELECT 1");
//! assert_eq!(pgq::normalize("SELECT 1")?, "SELECT $1");
//! assert_eq!(pgq::fingerprint("SELECT 1")?, pgq::fingerprint("SELECT 2")?);
//! # Ok::<(), pgq::Error>(())
//! ```
//!
//! Units: node locations, ranges and token offsets are **bytes**; an [`Error`]'s
//! [`Position`] has bytes, characters, line and column. Every function may be called from
//! any number of threads at once, and from threads with small stacks: deep statements get
//! the stack they need, up to 1 GiB, and then an error.

pub mod cache;
mod convert;
mod error;
mod options;
pub mod placeholders;
pub mod protobuf;
pub mod shape;
mod sys;

use std::fmt;
use std::ops::Range;

pub use convert::{Departure, Document, Fingerprinted, JsonTree, Normalized, Parsed, Tree};
pub use error::{Error, ErrorKind, Position, SqlState, Warning};
pub use options::{Comment, DeparseOptions, FingerprintOptions, ParseMode, ParseOptions, SplitMethod};
pub use pgq_lexer::{FallbackReason, script};
pub use placeholders::{Placeholder, PlaceholderStyle, Replaced, placeholders};
pub use sys::memory;

/// The PostgreSQL version whose grammar this is, such as `18.6`.
pub const POSTGRES_VERSION: &str = version(sys::bindings::PG_VERSION);

const fn version(c_text: &'static [u8]) -> &'static str {
    match std::str::from_utf8(c_text.split_at(c_text.len() - 1).0) {
        Ok(text) => text,
        Err(_) => panic!("pg_query.h holds a version in ASCII"),
    }
}

/// Longest text that PostgreSQL can scan, in bytes: one allocation (1 GB) less its padding.
const LONGEST_TEXT: usize = 0x3FFF_FFFF - 16;

/// Refuses what cannot be given to C as it is.
pub(crate) fn check_text(sql: &str) -> Result<(), Error> {
    if let Some(at) = memchr::memchr(0, sql.as_bytes()) {
        return Err(Error::new(ErrorKind::Nul, "the text contains a NUL byte").at(sql, at));
    }
    if sql.len() > LONGEST_TEXT {
        let message = format!("the text is {} bytes long; PostgreSQL parses up to {LONGEST_TEXT}", sql.len());
        return Err(Error::new(ErrorKind::TooLong, message));
    }
    Ok(())
}

/// Refuses what PostgreSQL's own scanner cannot be given.
pub(crate) fn check_for_scanner(sql: &str) -> Result<(), Error> {
    check_text(sql)?;
    pgq_lexer::check_cost(sql).map_err(|problem| Error::too_costly(problem, sql))
}

/// Bytes as text.
///
/// # Errors
/// Bytes that are not UTF-8; the position is that of the first one. Lines and columns count
/// what stands before it.
pub fn check_utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|problem| {
        let at = problem.valid_up_to();
        let message = format!("invalid byte sequence for encoding \"UTF8\": 0x{:02x}", bytes[at]);
        let before = String::from_utf8_lossy(&bytes[..at]);
        Error::new(ErrorKind::Encoding, message).at(&before, at)
    })
}

/// Parses statements into owned structs. Node locations are byte offsets into `sql`.
///
/// Equals what prost decodes from `pg_query_parse_protobuf`.
///
/// # Errors
/// What PostgreSQL's parser refuses, a NUL byte, a text longer than 1 GB, a tree deeper
/// than the stack limit.
pub fn parse(sql: &str) -> Result<Parsed, Error> {
    parse_with(sql, &ParseOptions::default())
}

/// [`parse`] with options.
///
/// # Errors
/// As for [`parse`].
pub fn parse_with(sql: &str, options: &ParseOptions) -> Result<Parsed, Error> {
    Tree::parse(sql, options)?.into_protobuf()
}

/// Parses statements into libpg_query's JSON text. Equals `pg_query_parse`.
///
/// # Errors
/// As for [`parse`].
pub fn parse_to_json(sql: &str) -> Result<String, Error> {
    Tree::parse(sql, &ParseOptions::default())?.to_json()
}

/// Reads a tree from libpg_query's JSON text, as [`parse_to_json`] writes it.
///
/// # Errors
/// A document that is not a tree: unknown keys, node types or enum names and values of a
/// wrong type are named with their path inside the document.
pub fn from_json(json: &str) -> Result<Parsed, Error> {
    JsonTree::read(json)?.to_protobuf()
}

/// Writes a tree as SQL, on one line; several statements are joined by `; `.
///
/// Equals `pg_query_deparse_protobuf`.
///
/// # Errors
/// A tree that libpg_query's deparser refuses, or with values that C cannot hold.
pub fn deparse(tree: &protobuf::ParseResult) -> Result<String, Error> {
    deparse_with(tree, &DeparseOptions::default())
}

/// [`deparse`] with options.
///
/// # Errors
/// As for [`deparse`].
pub fn deparse_with(tree: &protobuf::ParseResult, options: &DeparseOptions) -> Result<String, Error> {
    convert::deparse_structs(&tree.stmts, options)
}

/// Whether `sql` says what `tree` says: whether it parses to the same tree, text positions
/// aside. Structs hold an empty string for none, so the two are the same here;
/// [`Tree::verify`] tells them apart.
///
/// # Errors
/// SQL that does not parse ([`ErrorKind::Unfaithful`]) or says something else, with the first
/// difference named by its path in the tree; a tree with values that C cannot hold.
pub fn verify(tree: &protobuf::ParseResult, sql: &str) -> Result<(), Error> {
    convert::verify_structs(&tree.stmts, sql)
}

/// Parses SQL and writes it back, straight over the C tree: unlike through structs, the
/// difference between an empty string and none is kept.
///
/// # Errors
/// As for [`parse`] and [`deparse`].
pub fn reformat(sql: &str, options: &DeparseOptions) -> Result<String, Error> {
    Tree::parse(sql, &ParseOptions::default())?.deparse(options)
}

/// The comments of a text, for [`DeparseOptions::comments`].
///
/// Equals `pg_query_deparse_comments_for_query`, but for carriage returns that stand alone: they
/// end a `--` comment in PostgreSQL's scanner, and count as the newlines that they are.
///
/// # Errors
/// What PostgreSQL's scanner refuses.
pub fn comments(sql: &str) -> Result<Vec<Comment>, Error> {
    let tokens = scan(sql)?;
    let newline = |at: &usize| match sql.as_bytes()[*at] {
        b'\r' => sql.as_bytes().get(at + 1) != Some(&b'\n'),
        byte => byte == b'\n',
    };
    let newlines = |range: Range<usize>| range.filter(newline).count() as u32;
    let mut comments = Vec::new();
    let (mut code_end, mut token_end, mut after_comment) = (0, 0, false);
    for (i, token) in tokens.iter().enumerate() {
        if token.is_comment() {
            let next = tokens.get(i + 1).map_or(token.end, |next| next.start);
            comments.push(Comment {
                position: code_end,
                // Behind another comment the newlines are already that one's.
                newlines_before: if after_comment { 0 } else { newlines(token_end..token.start) },
                newlines_after: newlines(token.end..next),
                text: sql[token.start..token.end].to_string(),
            });
        } else {
            code_end = token.end;
        }
        (token_end, after_comment) = (token.end, token.is_comment());
    }
    Ok(comments)
}

/// A fingerprint: equal for statements that differ only in their constants (and in what
/// else libpg_query leaves out). `Display` gives its usual form, 16 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The fingerprint of a text, of all its statements together. Equals `pg_query_fingerprint`.
///
/// # Errors
/// As for [`parse`].
pub fn fingerprint(sql: &str) -> Result<Fingerprint, Error> {
    fingerprint_with(sql, &FingerprintOptions::default())
}

/// [`fingerprint`] with options.
///
/// # Errors
/// As for [`parse`].
pub fn fingerprint_with(sql: &str, options: &FingerprintOptions) -> Result<Fingerprint, Error> {
    Tree::parse(sql, &options.parse)?.fingerprint(options)
}

/// The tables that a text names, with their schemas where it names those, each once and in
/// order: read, written, created or dropped, but no names of WITH queries. What
/// `pg_query_summary` finds.
///
/// # Errors
/// As for [`parse`].
pub fn tables(sql: &str) -> Result<Vec<String>, Error> {
    let summary = protobuf::summary(sql, &ParseOptions::default())?;
    let mut names: Vec<String> = summary.tables.into_iter().map(|table| table.name).collect();
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// The text with `$n` in place of its constants. Equals `pg_query_normalize` wherever that
/// text parses and has the same fingerprint; [`Departure`] says what differs elsewhere.
///
/// # Errors
/// As for [`parse`].
pub fn normalize(sql: &str) -> Result<String, Error> {
    Ok(Tree::parse(sql, &ParseOptions::default())?.normalize(sql, false)?.text)
}

/// [`normalize`] for utility statements only; others are left as they are.
/// Equals `pg_query_normalize_utility` as [`normalize`] does `pg_query_normalize`.
///
/// # Errors
/// As for [`parse`].
pub fn normalize_utility(sql: &str) -> Result<String, Error> {
    Ok(Tree::parse(sql, &ParseOptions::default())?.normalize(sql, true)?.text)
}

/// A token of PostgreSQL's scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    /// Byte offset of its start.
    pub start: usize,
    /// Byte offset behind its end.
    pub end: usize,
    /// Its number in libpg_query's `Token` enum.
    pub token: i32,
    /// Its number in libpg_query's `KeywordKind` enum: 0 where it is no keyword.
    pub keyword: i32,
}

impl Token {
    /// Its name in libpg_query's `Token` enum: `SELECT`, `IDENT`, `ASCII_59`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        sys::token_name(self.token as u32)
    }

    /// Its name in libpg_query's `KeywordKind` enum: `NO_KEYWORD`, `RESERVED_KEYWORD`, ….
    #[must_use]
    pub fn keyword_name(&self) -> &'static str {
        sys::keyword_name(self.keyword as u32)
    }

    /// Whether it is a comment of either form.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        self.token as u32 == sys::bindings::PG_QUERY_TOKEN_SQL_COMMENT
            || self.token as u32 == sys::bindings::PG_QUERY_TOKEN_C_COMMENT
    }
}

/// The tokens of a text, comments included. Equals `pg_query_scan`.
///
/// # Errors
/// What PostgreSQL's scanner refuses (an unterminated literal, a bad escape), a NUL byte.
pub fn scan(sql: &str) -> Result<Vec<Token>, Error> {
    check_text(sql)?;
    if let Ok(tokens) = scan_native(sql) {
        return Ok(tokens);
    }
    check_for_scanner(sql)?;
    let tokens = sys::scan_tokens(sql).map_err(|report| Error::from_diagnostic(report, sql, 0))?;
    let token = |t: sys::bindings::PgQueryScanToken| Token {
        start: t.start as usize,
        end: t.end as usize,
        token: t.token as i32,
        keyword: t.keyword_kind as i32,
    };
    Ok(tokens.into_iter().map(token).collect())
}

/// [`scan`] by pgq's own lexer, without asking PostgreSQL.
///
/// # Errors
/// Why the lexer does not know: [`scan`] would ask PostgreSQL then.
pub fn scan_native(sql: &str) -> Result<Vec<Token>, FallbackReason> {
    // Tokens are about five bytes apart.
    let mut tokens = Vec::with_capacity(sql.len() / 5 + 4);
    let mut lexer = pgq_lexer::Lexer::new(sql.as_bytes());
    for token in &mut lexer {
        tokens.push(Token {
            start: token.start as usize,
            end: token.end as usize,
            token: i32::from(token.kind),
            keyword: i32::from(token.keyword_kind()),
        });
    }
    lexer.fallback().map_or(Ok(tokens), Err)
}

/// The byte range of each statement. Equals `pg_query_split_with_parser` or `_scanner`.
///
/// # Errors
/// A script that does not parse, or does not scan.
pub fn split(sql: &str, method: SplitMethod) -> Result<Vec<Range<usize>>, Error> {
    check_for_scanner(sql)?;
    let ranges = sys::split(sql, method == SplitMethod::Scanner);
    let ranges = ranges.map_err(|report| Error::from_diagnostic(report, sql, 0))?;
    Ok(ranges.into_iter().map(|(start, len)| start..start + len).collect())
}
