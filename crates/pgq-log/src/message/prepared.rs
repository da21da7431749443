//! Finds the statement that an EXECUTE runs: the DETAIL of the logged EXECUTE contains the PREPARE statement. Also
//! tells whether SQL has one statement, and whether it ends a transaction.

use pgq_lexer::script::{ScriptLexer, ScriptToken};
use pgq_lexer::{Lexer, statement_keyword};

use crate::message::language;
use crate::message::portal::is_simple;

/// Returns the offset of the prepared statement in the detail of an EXECUTE (postgres.c: errdetail_execute). Returns
/// `None` in these cases:
///
/// - The detail is of another kind.
/// - `sql` or the detail has several statements, so it is unclear which of them is the EXECUTE or the PREPARE.
/// - The EXECUTE and the PREPARE contain different names, as in `EXECUTE p` and `PREPARE q AS …`. In this case, `p` is
///   the name of the PREPARE itself: the client has prepared it by the extended protocol. The EXECUTE runs only the
///   PREPARE, not the statement inside.
pub fn find_prepared(sql: &[u8], detail: &[u8]) -> Option<usize> {
    let prepare = if detail.starts_with(b"prepare: ") { 9 } else { language::prepare(detail)? };
    let name = name_after(&detail[prepare..], b"PREPARE")?;
    let statement = statement_of_prepare(&detail[prepare..]).filter(|_| is_single(sql))?;
    (name_after(sql, b"EXECUTE")? == name).then_some(prepare + statement)
}

/// Returns the offset of the prepared statement in a logged PREPARE, or 0 for any other SQL. `heading`: the text before
/// the SQL.
///
/// A client may create a statement by the SQL command PREPARE, and execute it by the extended protocol. In this case,
/// the server logs the text of the PREPARE: `execute q: PREPARE q AS SELECT 1`. This message is about the execution of
/// `SELECT 1`. It cannot be about the PREPARE itself, because a second PREPARE with the name `q` would fail.
pub fn prepared_by_sql(heading: &[u8], sql: &[u8]) -> usize {
    let may_be_prepare = sql.trim_ascii_start().first().is_some_and(|byte| b"Pp/-".contains(byte));
    if !may_be_prepare || is_simple(heading) {
        return 0;
    }
    let Some((at, name)) = statement_of_prepare(sql).zip(name_after(sql, b"PREPARE")) else { return 0 };
    let ends = [&name[..], b": "].concat();
    let has_name = heading.ends_with(&ends) || memchr::memmem::find(heading, &[&name[..], b"/"].concat()).is_some();
    if has_name { at } else { 0 }
}

/// Returns the name after the first occurrence of this keyword, folded as in PostgreSQL: an unquoted name in lower
/// case, a quoted name without its quotes.
fn name_after(sql: &[u8], keyword: &[u8]) -> Option<Vec<u8>> {
    let tokens = Lexer::new(sql).filter(|token| !token.is_comment());
    let mut texts = tokens.map(|token| &sql[token.start as usize..token.end as usize]);
    texts.find(|text| text.eq_ignore_ascii_case(keyword))?;
    let name = texts.next()?;
    let quoted = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
    Some(quoted.map_or_else(|| name.to_ascii_lowercase(), <[u8]>::to_vec))
}

/// Whether SQL is a single statement under both settings of standard_conforming_strings. Tests
/// both, because the client's setting is unknown.
pub fn is_single(sql: &[u8]) -> bool {
    let ends_once = |backslash_escapes| {
        let mut lexer = ScriptLexer::new(sql, 0).with_backslash_escapes(backslash_escapes);
        let mut has_ended = false;
        loop {
            match lexer.next_token() {
                ScriptToken::End => return true,
                ScriptToken::Semicolon => has_ended = true,
                _ if has_ended => return false,
                _ => {}
            }
        }
    };
    memchr::memchr(b';', sql).is_none() || (ends_once(false) && ends_once(true))
}

/// Returns the offset of the statement in `PREPARE name (types) AS statement`. Returns `None` if further statements
/// follow.
pub fn statement_of_prepare(sql: &[u8]) -> Option<usize> {
    let mut tokens = Lexer::new(sql).filter(|token| !token.is_comment());
    let word = |range: std::ops::Range<usize>, word: &[u8]| sql[range].eq_ignore_ascii_case(word);
    let first = tokens.next()?;
    if !word(first.start as usize..first.end as usize, b"PREPARE") {
        return None;
    }
    tokens.next()?; // the name, which may be AS
    let mut depth = 0;
    while let Some(token) = tokens.next() {
        match &sql[token.start as usize..token.end as usize] {
            b"(" => depth += 1,
            b")" => depth -= 1,
            text if depth == 0 && text.eq_ignore_ascii_case(b"AS") => {
                return tokens.next().map(|token| token.start as usize).filter(|_| is_single(sql));
            }
            _ => {}
        }
    }
    None
}

/// Whether SQL may have several statements, including a PREPARE.
pub fn may_prepare(sql: &[u8]) -> bool {
    memchr::memchr(b';', sql).is_some() && sql.windows(8).any(|word| word.eq_ignore_ascii_case(b"prepare "))
}

/// Whether a statement ends its transaction, which closes the portals.
pub fn ends_transaction(sql: &[u8]) -> bool {
    let word = sql.trim_ascii_start().first().map_or(0, u8::to_ascii_lowercase);
    if !matches!(word, b'c' | b'r' | b'e' | b'a' | b'p' | b'/' | b'-') {
        return false;
    }
    let is_savepoint = || sql.windows(3).any(|word| word.eq_ignore_ascii_case(b"to "));
    match statement_keyword(sql).as_str() {
        "commit" | "end" | "abort" => true,
        "rollback" => !is_savepoint(),
        "prepare" => sql.windows(11).any(|word| word.eq_ignore_ascii_case(b"transaction")),
        _ => false,
    }
}
