//! SQL of cursors: whether it declares a cursor, and hashes of SQL and of the names of cursors.

use pgq_lexer::Lexer;

use crate::assembly::entry::Entry;
use crate::message::field::Field;
use crate::message::portal::may_have_portal;

/// Whether an execution may continue after its message was logged, because it declares a cursor or has a named portal.
/// The server logs the plan when the cursor or the portal is closed.
pub fn is_cursor_like(entry: Entry<'_>) -> bool {
    may_have_portal(entry.get(Field::Heading)) || declares_cursor(entry.sql())
}

/// Whether a statement of the text declares a cursor.
pub fn declares_cursor(sql: &[u8]) -> bool {
    let sql = sql.trim_ascii();
    let is_declare = |word: &[u8]| word.eq_ignore_ascii_case(b"declare");
    let has_comment = sql.first().is_some_and(|byte| b"/-".contains(byte));
    let may_be_several = memchr::memchr(b';', sql).is_some_and(|end| end + 1 < sql.len());
    if !has_comment && !may_be_several {
        return sql.get(..7).is_some_and(is_declare);
    }
    let mut is_first = true;
    words(sql).any(|word| std::mem::replace(&mut is_first, word == b";") && is_declare(word))
}

/// Whether SQL consists of white space, comments and semicolons.
pub fn is_empty(sql: &[u8]) -> bool {
    sql.trim_ascii_start().first().is_none_or(|byte| b"/-;".contains(byte)) && words(sql).all(|word| word == b";")
}

/// Returns the hash of the name of the cursor in a FETCH or MOVE.
pub fn fetched_cursor(sql: &[u8]) -> Option<u64> {
    sql.trim_ascii_start().first().filter(|byte| b"FfMm/-".contains(byte))?;
    let mut words = words(sql);
    words.next().filter(|word| word.eq_ignore_ascii_case(b"fetch") || word.eq_ignore_ascii_case(b"move"))?;
    words.filter(|word| *word != b";").last().map(name_hash)
}

/// Returns the hash of the name of the cursor in a DECLARE.
pub fn declared_cursor(sql: &[u8]) -> Option<u64> {
    let mut words = words(sql);
    words.next().filter(|word| word.eq_ignore_ascii_case(b"declare"))?;
    words.next().map(name_hash)
}

/// Returns the text of each token that is not a comment.
fn words(sql: &[u8]) -> impl Iterator<Item = &[u8]> {
    let tokens = Lexer::new(sql).filter(|token| !token.is_comment());
    tokens.map(|token| &sql[token.start as usize..token.end as usize])
}

/// Splits SQL at white space.
pub fn space_separated(sql: &[u8]) -> impl Iterator<Item = &[u8]> {
    sql.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn name_hash(name: &[u8]) -> u64 {
    let quoted = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
    quoted.map_or_else(|| hash(&name.to_ascii_lowercase()), hash)
}

/// Fast hash of the words of SQL. It ignores the white space between words, like the comparison of SQL by `same_text`.
/// Collisions are unlikely, because a session has few statements to distinguish.
pub fn hash(sql: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let add = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    space_separated(sql).fold(0, |hash, word| {
        let (words, rest) = word.as_chunks::<8>();
        let hash = words.iter().fold(add(hash, word.len() as u64), |hash, word| add(hash, u64::from_le_bytes(*word)));
        rest.iter().fold(hash, |hash, byte| add(hash, u64::from(*byte)))
    })
}
