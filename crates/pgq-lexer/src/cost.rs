//! What a text would cost PostgreSQL's scanner, found before it is asked.
//!
//! That scanner reads a row of operator characters again for each token it takes from it, and
//! again at each `/*` inside a comment: time grows with the square of the row (scan.l:
//! operator, xcstart). Our own lexer does neither; texts go to PostgreSQL's where ours does
//! not know, and where there is an error to be worded.

use crate::bytes::{is_operator, is_space};
use crate::kinds;
use crate::lexer::Lexer;
use crate::script::ScriptLexer;
use crate::token::FallbackReason;

use CostlyConstruct::{NestedComments, OperatorRun};

/// Texts up to this many bytes cannot cost too much.
const SMALL: usize = 16 * 1024;

/// Bytes that PostgreSQL's scanner may read more than once: well under a second.
const BUDGET: usize = 200_000_000;

/// What PostgreSQL's scanner would take too long for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostlyConstruct {
    /// Comments inside comments.
    NestedComments,
    /// A run of operator characters.
    OperatorRun,
}

/// A text that PostgreSQL's scanner would take too long to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} for PostgreSQL's scanner to read in reasonable time", self.construct.problem())]
pub struct TooCostly {
    /// What costs too much.
    pub construct: CostlyConstruct,
    /// Byte offset of the comment or run with which the budget is exceeded.
    pub offset: usize,
}

impl CostlyConstruct {
    fn problem(self) -> &'static str {
        match self {
            Self::NestedComments => "comments are nested too deeply",
            Self::OperatorRun => "a row of operator characters is too long",
        }
    }
}

/// Estimates the work of PostgreSQL's scanner on `sql`.
///
/// # Errors
/// Nested comments, or runs of operator characters, over the budget.
pub fn check_cost(sql: &str) -> Result<(), TooCostly> {
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
                cost = cost.saturating_add(rescanned_in_comment(&text[token.start as usize..at]));
                check(cost, NestedComments, token.start as usize)?;
            }
        }
        if lexer.fallback().is_none() {
            return Ok(());
        }
        // What our lexer does not know begins behind white space.
        let start = at + text[at..].iter().take_while(|byte| is_space(**byte)).count();
        if text[start..].starts_with(b"/*") {
            // A comment that does not end: all the rest is in it.
            return check(cost.saturating_add(rescanned_in_comment(&text[start..])), NestedComments, start);
        }
        if lexer.fallback() == Some(FallbackReason::Unterminated) {
            return Ok(()); // a literal or a name that takes up all the rest
        }
        let row = text[start..].iter().take_while(|byte| is_operator(**byte)).count();
        if row > 0 {
            cost = cost.saturating_add(row.saturating_mul(row) / 2);
            check(cost, OperatorRun, start)?;
            at = start + row;
            continue;
        }
        let mut skipper = ScriptLexer::new(text, start);
        let _ = skipper.next();
        at = skipper.at().max(start + 1);
    }
    Ok(())
}

fn check(cost: usize, construct: CostlyConstruct, offset: usize) -> Result<(), TooCostly> {
    if cost <= BUDGET { Ok(()) } else { Err(TooCostly { construct, offset }) }
}

/// Bytes that are read again in a comment: at each `/*`, the row of operator characters there.
fn rescanned_in_comment(comment: &[u8]) -> usize {
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

    fn costly_at(sql: &str) -> Option<usize> {
        check_cost(sql).err().map(|problem| problem.offset)
    }

    #[test]
    fn what_would_take_long_is_refused_at_its_place() {
        for (open, offset) in [("/*", 9), ("/*+", 9)] {
            assert_eq!(costly_at(&format!("SELECT 1 {}", open.repeat(100_000))), Some(offset));
        }
        let closed = format!("SELECT 'é' {}{}", "/*".repeat(50_000), "*/".repeat(50_000));
        assert_eq!(costly_at(&closed), Some(12));
        assert_eq!(costly_at(&format!("SELECT U&'a', {}1", "+-".repeat(50_000))), Some(14));
        assert_eq!(costly_at(&format!("SELECT '/*' {}1", "- ".repeat(500) + &"-+".repeat(50_000))), Some(1012));
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
            assert_eq!(costly_at(&sql), None, "{}", &sql[..20]);
        }
    }
}
