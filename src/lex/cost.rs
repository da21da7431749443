//! What a text would cost PostgreSQL's scanner, found before it is asked.
//!
//! That scanner reads a row of operator characters again for each token it takes from it, and
//! again at each `/*` inside a comment: time grows with the square of the row (scan.l:
//! operator, xcstart). Our own lexer does neither; texts go to PostgreSQL's where ours does
//! not know, and where there is an error to be worded.

use super::bytes::is_operator;
use super::{Lexer, Unsure, kinds};
use crate::script::lexer::Lexer as Skipper;
use crate::{Error, ErrorKind};

/// Texts up to this many bytes cannot cost too much.
const SMALL: usize = 16 * 1024;

/// Bytes that PostgreSQL's scanner may read more than once: well under a second.
const BUDGET: usize = 200_000_000;

/// Refuses a text that PostgreSQL's scanner would take too long for.
///
/// # Errors
/// Comments nested, or rows of operator characters, that are too much; the position is that
/// of the comment or row with which it is.
pub(crate) fn check_cost(sql: &str) -> Result<(), Error> {
    if sql.len() <= SMALL {
        return Ok(());
    }
    let text = sql.as_bytes();
    let mut cost = 0usize;
    let mut at = 0;
    while at < text.len() {
        let mut lexer = Lexer::at(text, at, false);
        for token in &mut lexer {
            at = token.end as usize;
            if token.kind == kinds::C_COMMENT {
                cost = cost.saturating_add(of_comment(&text[token.start as usize..at]));
                refuse(cost, COMMENTS, sql, token.start as usize)?;
            }
        }
        if lexer.unsure().is_none() {
            return Ok(());
        }
        // What our lexer does not know begins behind white space.
        let start = at + text[at..].iter().take_while(|byte| super::bytes::is_space(**byte)).count();
        if text[start..].starts_with(b"/*") {
            // A comment that does not end: all the rest is in it.
            return refuse(cost.saturating_add(of_comment(&text[start..])), COMMENTS, sql, start);
        }
        if lexer.unsure() == Some(Unsure::Unterminated) {
            return Ok(()); // a literal or a name that takes up all the rest
        }
        let row = text[start..].iter().take_while(|byte| is_operator(**byte)).count();
        if row > 0 {
            cost = cost.saturating_add(row.saturating_mul(row) / 2);
            refuse(cost, OPERATORS, sql, start)?;
            at = start + row;
            continue;
        }
        let mut skipper = Skipper::new(text, start);
        let _ = skipper.next();
        at = skipper.at().max(start + 1);
    }
    Ok(())
}

const COMMENTS: &str = "comments are nested too deeply for PostgreSQL's scanner to read in reasonable time";
const OPERATORS: &str = "a row of operator characters is too long for PostgreSQL's scanner to read in reasonable time";

fn refuse(cost: usize, why: &str, sql: &str, at: usize) -> Result<(), Error> {
    if cost <= BUDGET { Ok(()) } else { Err(Error::new(ErrorKind::TooCostly, why).at(sql, at)) }
}

/// Bytes that are read again in a comment: at each `/*`, the row of operator characters there.
fn of_comment(comment: &[u8]) -> usize {
    let (mut cost, mut row_end) = (0usize, 0);
    for start in memchr::memmem::find_iter(comment, b"/*") {
        if start >= row_end {
            row_end = start + comment[start..].iter().take_while(|byte| is_operator(**byte)).count();
        }
        cost = cost.saturating_add(row_end - start);
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_and_offset(sql: &str) -> Option<(ErrorKind, usize)> {
        check_cost(sql).err().map(|error| (error.kind, error.position.unwrap().offset))
    }

    #[test]
    fn what_would_take_long_is_refused_at_its_place() {
        let costly = |offset| Some((ErrorKind::TooCostly, offset));
        for (open, offset) in [("/*", 9), ("/*+", 9)] {
            assert_eq!(kind_and_offset(&format!("SELECT 1 {}", open.repeat(100_000))), costly(offset));
        }
        let closed = format!("SELECT 'é' {}{}", "/*".repeat(50_000), "*/".repeat(50_000));
        assert_eq!(kind_and_offset(&closed), costly(12));
        assert_eq!(kind_and_offset(&format!("SELECT U&'a', {}1", "+-".repeat(50_000))), costly(14));
        assert_eq!(kind_and_offset(&format!("SELECT '/*' {}1", "- ".repeat(500) + &"-+".repeat(50_000))), costly(1012));
    }

    #[test]
    fn what_is_long_in_other_ways_is_not() {
        for sql in [
            "/*".repeat(5000),
            format!("SELECT '{}", "/*".repeat(500_000)),
            format!("SELECT '{}'", "+-".repeat(500_000)),
            format!("-- {}\nSELECT 1", "/*".repeat(500_000)),
            format!("/* {} */ SELECT 1", "=".repeat(1_000_000)),
            format!("SELECT $${}$$, U&'{}'", "/*".repeat(500_000), "+".repeat(500_000)),
            "+ ".repeat(500_000),
            "/* a */".repeat(100_000),
            "\\".repeat(100_000),
            "'".repeat(999_999),
            "\"".repeat(999_999),
            "$a".repeat(500_000) + "$",
        ] {
            assert_eq!(kind_and_offset(&sql), None, "{}", &sql[..20]);
        }
    }
}
