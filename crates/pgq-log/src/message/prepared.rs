//! Finds the statement that an EXECUTE runs. The message's detail contains the PREPARE of that statement.

use pgq_lexer::Lexer;

use crate::message::language;

/// Returns the offset of the prepared statement in the detail of an EXECUTE, or `None` for another detail (postgres.c:
/// errdetail_execute).
pub fn find_prepared(detail: &[u8]) -> Option<usize> {
    let prepare = if detail.starts_with(b"prepare: ") { 9 } else { language::prepare(detail)? };
    Some(prepare + statement_of_prepare(&detail[prepare..])?)
}

/// Returns the offset of the statement in `PREPARE name (types) AS statement`.
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
            text if depth == 0 && text.eq_ignore_ascii_case(b"AS") => return Some(tokens.next()?.start as usize),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find_prepared;

    #[test]
    fn the_prepared_statement_is_found() {
        let found = |detail: &'static str| find_prepared(detail.as_bytes()).map(|at| &detail[at..]);
        assert_eq!(found("prepare: PREPARE p AS SELECT 1"), Some("SELECT 1"));
        let typed = "prepare: prepare \"as\" (numeric(5, 2), text) as -- AS\n  SELECT $1 AS b";
        assert_eq!(found(typed), Some("SELECT $1 AS b"));
        assert_eq!(found("Vorbereiten: PREPARE p AS SELECT 1"), Some("SELECT 1"));
        assert_eq!(found("parameters: $1 = 'PREPARE p AS SELECT 1'"), None);
        assert_eq!(found("prepare: PREPARE p"), None);
    }
}
