//! Converts the parts of names in C trees to owned strings. Writes names as SQL, quoted as
//! PostgreSQL's quote_identifier does.

use std::ffi::c_char;

use pgq_lexer::Keyword;

use crate::sys::{bindings as pg, c_bytes, cells};

/// Value of `UNRESERVED_KEYWORD` in libpg_query's enum `KeywordKind`. Unreserved keywords need no quotes.
const UNRESERVED: u8 = 1;

/// # Safety
/// `pointer` must be NULL or a NUL-terminated string.
pub(super) unsafe fn text(pointer: *const c_char) -> Option<String> {
    // SAFETY: the pointer is read only if it is not NULL.
    (!pointer.is_null()).then(|| String::from_utf8_lossy(unsafe { c_bytes(pointer) }).into_owned())
}

/// Returns the strings of a list. Skips members of other types, such as the `*` of `t.*`.
///
/// # Safety
/// `list` must be NULL or a valid list of node pointers.
pub(super) unsafe fn strings(list: *const pg::List) -> Vec<String> {
    // SAFETY: the caller guarantees that the list is valid; the tag decides the cast.
    unsafe {
        let strings = cells(list).iter().map(|cell| cell.ptr_value.cast::<pg::String>().cast_const());
        strings.filter(|s| !s.is_null() && (**s).type_ == pg::T_String).filter_map(|s| text((*s).sval)).collect()
    }
}

pub(super) fn qualified(schema: Option<&str>, name: &str) -> String {
    let mut sql = String::with_capacity(schema.map_or(0, |schema| schema.len() + 1) + name.len());
    if let Some(schema) = schema {
        push_identifier(&mut sql, schema);
        sql.push('.');
    }
    push_identifier(&mut sql, name);
    sql
}

/// Appends an identifier, quoted if PostgreSQL's quote_identifier would quote it.
fn push_identifier(sql: &mut String, name: &str) {
    let starts_a_word = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    let is_word = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    let is_keyword = || Keyword::by_name(name.as_bytes()).is_some_and(|keyword| keyword.kind != UNRESERVED);
    if starts_a_word && is_word && !is_keyword() {
        return sql.push_str(name);
    }
    sql.push('"');
    for c in name.chars() {
        if c == '"' {
            sql.push('"');
        }
        sql.push(c);
    }
    sql.push('"');
}
