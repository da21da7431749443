//! Parses normalized SQL with parameters that even libpg_query's grammar rejects. For example, pg_stat_statements of
//! PostgreSQL 18 writes `SAVEPOINT $1` and `FETCH $1 IN c`. This module tries to parse such a parameter as a name, a
//! string or a number. In the tree the parameter is the string `$1` or the number 1.
#![forbid(unsafe_code)]

use pgq_lexer::kinds::{ICONST, IDENT, SCONST};

use crate::error::Error;
use crate::parse::check_for_scanner;
use crate::sys::ParseTree;

/// Returns the token kinds to try for a parameter, in order. Names are tried only for statements in which
/// pg_stat_statements replaces names. If names were always tried, `SELECT $1 $2` would parse, with `$2` as an alias.
fn kinds(sql: &str) -> &'static [u16] {
    match pgq_lexer::statement_keyword(sql.as_bytes()).as_str() {
        "savepoint" | "release" | "rollback" => &[SCONST, IDENT],
        "fetch" | "move" => &[ICONST],
        _ => &[SCONST],
    }
}

/// Maximum number of replaced parameters. Each requires one or two parses.
const MOST: usize = 16;

/// Maximum length of the SQL, in bytes.
const LONGEST: usize = 64 * 1024;

/// A parameter that is replaced with a string, a name or a number before parsing.
#[derive(Clone, Copy)]
struct Replaced {
    /// Byte offset of the parameter's `$`.
    start: usize,
    end: usize,
    kind: u16,
}

impl Replaced {
    fn write(self, sql: &str, out: &mut String) {
        let name = &sql[self.start..self.end];
        match self.kind {
            SCONST => out.extend(["'", name, "'"]),
            IDENT => out.extend(["\"", name, "\""]),
            _ => out.extend(["  ", &name[1..], " "]), // two bytes longer, like the other replacements
        }
    }
}

/// Parses `sql`, in which the grammar rejects the parameter at the position of `error`. Tries several replacements for
/// this parameter (and for later parameters that are rejected). Returns `None` if no replacement parses.
pub(super) fn parse(sql: &str, padding: usize, options: i32, error: &Error) -> Option<ParseTree> {
    if sql.len() > LONGEST {
        return None;
    }
    let mut replaced: Vec<Replaced> = Vec::new();
    let mut offset = error.position?.offset;
    let mut last = offset;
    let kinds = kinds(sql);
    for _ in 0..MOST * kinds.len() {
        // If a parameter was replaced with the wrong kind of token, PostgreSQL may report the error at the next token.
        // For example, `FETCH $1 IN c` requires a number. With the name `"$1"`, the error is at `IN`. If there is no
        // parameter at the error, try another kind for the parameter that was replaced last.
        offset = if is_parameter(sql, offset) { offset } else { last };
        last = offset;
        let at = replaced.partition_point(|before| before.start < offset);
        let is_again = replaced.get(at).is_some_and(|before| before.start == offset);
        match (is_again, replaced.len()) {
            (true, _) => {
                let kind = replaced[at].kind;
                replaced[at].kind = *kinds.iter().skip_while(|tried| **tried != kind).nth(1)?;
            }
            (false, MOST) => return None,
            (false, _) => {
                let digits = sql.get(offset..)?.strip_prefix('$')?.bytes().take_while(u8::is_ascii_digit).count();
                let end = offset + 1 + Some(digits).filter(|digits| *digits > 0)?;
                replaced.insert(at, Replaced { start: offset, end, kind: kinds[0] });
            }
        }
        let text = written(sql, &replaced);
        check_for_scanner(&text).ok()?;
        match ParseTree::parse_by_scanner(&text, padding, options) {
            Ok(_) => {
                let tokens: Vec<_> = replaced.iter().map(|replaced| (replaced.start, replaced.kind)).collect();
                return ParseTree::parse_with_kinds(sql, padding, &tokens);
            }
            Err(report) => {
                offset = original(&replaced, Error::from_diagnostic(report, &text, padding).position?.offset)
            }
        }
    }
    None
}

/// Returns whether a parameter begins at byte `offset`.
fn is_parameter(sql: &str, offset: usize) -> bool {
    matches!(sql.as_bytes().get(offset..), Some([b'$', digit, ..]) if digit.is_ascii_digit())
}

/// Returns `sql` with a different token in place of each replaced parameter. Each token is two bytes longer than its
/// parameter.
fn written(sql: &str, replaced: &[Replaced]) -> String {
    let (mut text, mut end) = (String::with_capacity(sql.len() + 2 * replaced.len()), 0);
    for parameter in replaced {
        text.push_str(&sql[end..parameter.start]);
        parameter.write(sql, &mut text);
        end = parameter.end;
    }
    text + &sql[end..]
}

/// Maps a byte offset in the rewritten SQL to the original SQL.
fn original(replaced: &[Replaced], offset: usize) -> usize {
    let mut shift = 0;
    for parameter in replaced {
        if offset < parameter.end + shift + 2 {
            // The error can be at any byte of the replacement. For example, a number has two spaces before it, and the
            // error is at the number. Therefore every byte of the replacement maps to the start of the parameter.
            let inside = offset >= parameter.start + shift;
            return if inside { parameter.start } else { offset - shift };
        }
        shift += 2;
    }
    offset - shift
}
