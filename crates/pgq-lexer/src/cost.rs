//! Estimates the work of PostgreSQL's scanner before it runs.
//!
//! A run is a sequence of operator characters, such as `+-+-` or `/*/*`. For each token in a run, PostgreSQL's scanner
//! reads the whole rest of the run again, so it takes quadratic time (scan.l: operator). It also reads the rest of the
//! run again for each `/*` (xcstart). This is true even for a `/*` inside a comment, where the run may continue after
//! the end of the comment.
//!
//! [`Lexer`] takes linear time, but PostgreSQL's scanner is needed for error messages, and for SQL that [`Lexer`]
//! cannot read. [`check_cost`] rejects SQL for which PostgreSQL's scanner would take too long.

use std::ops::Range;

use crate::byte_class::{is_operator_byte, is_space};
use crate::kinds;
use crate::lexer::Lexer;
use crate::script::ScriptLexer;
use crate::token::FallbackReason;

use CostlyConstruct::{NestedComments, OperatorRun};

/// Maximum size, in bytes, of input that needs no estimate, because its cost cannot exceed [`BUDGET`].
const SMALL_TEXT: usize = 16 * 1024;

/// Maximum number of bytes that PostgreSQL's scanner may read again. Reading this number of bytes takes well under a
/// second.
const BUDGET: usize = 200_000_000;

/// Maximum number of times that PostgreSQL's scanner may read a byte again, on average.
const BUDGET_PER_BYTE: usize = 1000;

/// The kind of construct that makes PostgreSQL's scanner too slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CostlyConstruct {
    /// Nested comments.
    NestedComments,
    /// A run of operator characters.
    OperatorRun,
}

/// The error for input that PostgreSQL's scanner would take too long to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooCostly {
    /// The kind of the costly construct.
    pub construct: CostlyConstruct,
    /// Byte offset of the costly construct: the start of a comment, or of a run of operator characters.
    pub offset: usize,
}

// Written by hand to avoid a dependency on a derive macro.
impl std::error::Error for TooCostly {}

impl std::fmt::Display for TooCostly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} for PostgreSQL's scanner to read in reasonable time", self.construct.problem())
    }
}

impl CostlyConstruct {
    fn problem(self) -> &'static str {
        match self {
            Self::NestedComments => "comments are nested too deeply",
            Self::OperatorRun => "a run of operator characters is too long",
        }
    }
}

/// Estimates the work of PostgreSQL's scanner on `sql`.
///
/// # Errors
/// Returns an error if the cost of nested comments or runs of operator characters exceeds the budget.
pub fn check_cost(sql: &str) -> Result<(), TooCostly> {
    if sql.len() <= SMALL_TEXT {
        return Ok(());
    }
    let text = sql.as_bytes();
    let budget = BUDGET.min(text.len().saturating_mul(BUDGET_PER_BYTE));
    let check_budget = |cost: usize, construct, offset| match cost <= budget {
        true => Ok(()),
        false => Err(TooCostly { construct, offset }),
    };
    let mut cost = 0usize;
    let (mut at, mut run_end) = (0, 0);
    while at < text.len() {
        let mut lexer = Lexer::from_offset(text, at, false);
        for token in &mut lexer {
            at = token.end as usize;
            if token.kind == kinds::C_COMMENT {
                cost = cost.saturating_add(reread_in_comment(text, token.start as usize..at, &mut run_end));
                check_budget(cost, NestedComments, token.start as usize)?;
            }
        }
        if lexer.fallback().is_none() {
            return Ok(());
        }
        // The lexer stopped at the token after this white space.
        let start = at + text[at..].iter().take_while(|byte| is_space(**byte)).count();
        if text[start..].starts_with(b"/*") {
            // An unterminated comment extends to the end of the input.
            let rest = reread_in_comment(text, start..text.len(), &mut run_end);
            return check_budget(cost.saturating_add(rest), NestedComments, start);
        }
        if lexer.fallback() == Some(FallbackReason::Unterminated) {
            return Ok(()); // a literal or name that extends to the end of the input
        }
        let run = text[start..].iter().take_while(|byte| is_operator_byte(**byte)).count();
        if run > 0 {
            cost = cost.saturating_add(run.saturating_mul(run) / 2);
            check_budget(cost, OperatorRun, start)?;
            at = start + run;
            continue;
        }
        let mut script_lexer = ScriptLexer::new(text, start);
        let _ = script_lexer.next_token();
        at = script_lexer.offset().max(start + 1);
    }
    Ok(())
}

/// Returns the number of bytes that the scanner reads again because of a comment. At each `/*` in the comment, the
/// scanner reads to the end of the run of operator characters that contains this `/*`. `run_end` is the end of the run
/// that was found last. Only a `/*` after this end needs another search.
fn reread_in_comment(text: &[u8], comment: Range<usize>, run_end: &mut usize) -> usize {
    let mut cost = 0usize;
    for start in memchr::memmem::find_iter(&text[comment.clone()], b"/*").map(|at| comment.start + at) {
        if start >= *run_end {
            *run_end = start + text[start..].iter().take_while(|byte| is_operator_byte(**byte)).count();
        }
        cost = cost.saturating_add(*run_end - start);
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costly_offset(sql: &str) -> Option<usize> {
        check_cost(sql).err().map(|error| error.offset)
    }

    #[test]
    fn quadratic_constructs_are_refused_with_their_offset() {
        for (open, offset) in [("/*", 9), ("/*+", 9)] {
            assert_eq!(costly_offset(&format!("SELECT 1 {}", open.repeat(100_000))), Some(offset));
        }
        let closed = format!("SELECT 'é' {}{}", "/*".repeat(50_000), "*/".repeat(50_000));
        assert_eq!(costly_offset(&closed), Some(12));
        assert!(costly_offset(&format!("SELECT 1 {}", "/***/".repeat(10_000))).is_some(), "comments in one run");
        assert_eq!(costly_offset(&format!("SELECT U&'a', {}1", "+-".repeat(50_000))), Some(14));
        assert_eq!(costly_offset(&format!("SELECT '/*' {}1", "- ".repeat(500) + &"-+".repeat(50_000))), Some(1012));
    }

    #[test]
    fn long_texts_of_linear_cost_are_accepted() {
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
            assert_eq!(costly_offset(&sql), None, "{}", &sql[..20]);
        }
    }
}
