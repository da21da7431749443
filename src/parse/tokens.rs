//! Scans SQL into the same tokens and comments as PostgreSQL's scanner.

use pgq_lexer::kinds::{C_COMMENT, SQL_COMMENT};

use std::ops::Range;

use pgq_lexer::FallbackReason;

use crate::error::Error;
use crate::options::Comment;
use crate::parse::{check_for_scanner, check_text};
use crate::sys;

/// A token of PostgreSQL's scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Token {
    /// Byte offset of the first byte.
    pub start: usize,
    /// Byte offset after the last byte.
    pub end: usize,
    /// Number in libpg_query's `Token` enum.
    pub token: i32,
    /// Number in libpg_query's `KeywordKind` enum; 0 if the token is not a keyword.
    pub keyword: i32,
}

impl Token {
    /// Returns the token's name in libpg_query's `Token` enum, such as `SELECT`, `IDENT` or `ASCII_59`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        sys::token_name(self.token as u32)
    }

    /// Returns the keyword's name in libpg_query's `KeywordKind` enum, such as `NO_KEYWORD` or `RESERVED_KEYWORD`.
    #[must_use]
    pub fn keyword_name(&self) -> &'static str {
        sys::keyword_name(self.keyword as u32)
    }

    /// Returns whether the token is a `--` or `/* */` comment.
    #[must_use]
    pub fn is_comment(&self) -> bool {
        [SQL_COMMENT, C_COMMENT].map(i32::from).contains(&self.token)
    }
}

/// Returns the tokens and comments of `sql`. They equal the result of `pg_query_scan`.
///
/// # Errors
/// Returns an error if PostgreSQL's scanner rejects the SQL (for example because of an unterminated literal), or if the
/// SQL contains a NUL byte.
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

/// Returns the tokens and comments, using only pgq's own lexer; see [`scan`].
///
/// # Errors
/// Returns the reason if the lexer stops. In this case, [`scan`] runs PostgreSQL's scanner.
pub fn scan_native(sql: &str) -> Result<Vec<Token>, FallbackReason> {
    // The average token has five bytes.
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

/// Returns the comments of `sql`, for [`crate::DeparseOptions::comments`].
///
/// The result equals the result of `pg_query_deparse_comments_for_query`, with one exception: a lone carriage return
/// counts as a newline, because it ends a `--` comment in PostgreSQL's scanner.
///
/// # Errors
/// Returns an error if PostgreSQL's scanner rejects the SQL.
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
                // Newlines between two comments belong to the first comment only.
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
