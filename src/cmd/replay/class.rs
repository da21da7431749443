//! What a statement does to a database, as far as its text says.
//!
//! It decides what is sent without --writes. It is no guarantee, because a function may do anything: the server's
//! read-only transactions are.

use pgq::Tree;
use pgq_postgres::{CopyDirection, copy_direction};

/// What a statement does, from the most harmless to the least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It reads.
    Read = 0,
    /// It changes nothing but its session: settings, cursors, prepared statements.
    Session = 1,
    /// It begins or ends a transaction or a part of one.
    Transaction = 2,
    /// It writes, or may.
    Write = 3,
    /// It takes data that the log does not have.
    CopyFromStdin = 4,
}

impl Class {
    pub const ALL: [Self; 5] = [Self::Read, Self::Session, Self::Transaction, Self::Write, Self::CopyFromStdin];

    /// That of a text with one statement or several, whatever its constants; of one that cannot be looked into, that
    /// it writes.
    pub fn of_tree(tree: &Tree) -> Self {
        tree.statements().map(Self::of_statement).max().unwrap_or(Self::Read)
    }

    /// That of a text, from that of its tree: one that could take away what keeps its session from writing writes.
    pub fn of_text(tree: Self, sql: &str) -> Self {
        if tree < Self::Write && lifts_read_only(sql) { Self::Write } else { tree }
    }

    fn of_statement(statement: pgq::Statement<'_>) -> Self {
        if copy_direction(statement.sql()) == Some(CopyDirection::FromStdin) {
            return Self::CopyFromStdin;
        }
        let Ok(summary) = statement.summary() else { return Self::Write };
        let kinds = std::iter::once(statement.kind()).chain(summary.statement_kinds.iter().copied());
        let copies_out = copy_direction(statement.sql()) == Some(CopyDirection::ToStdout);
        kinds.map(|kind| if copies_out && kind == "CopyStmt" { Self::Read } else { of_kind(kind) }).max().expect("one")
    }
}

fn of_kind(kind: &str) -> Class {
    match kind {
        "SelectStmt" | "VariableShowStmt" | "ExplainStmt" => Class::Read,
        "VariableSetStmt" | "DeclareCursorStmt" | "FetchStmt" | "ClosePortalStmt" | "PrepareStmt" | "ExecuteStmt"
        | "DeallocateStmt" | "DiscardStmt" | "ConstraintsSetStmt" => Class::Session,
        "TransactionStmt" => Class::Transaction,
        _ => Class::Write,
    }
}

/// Whether a text may set a session to write.
fn lifts_read_only(sql: &str) -> bool {
    let lower = sql.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let read_write = words.windows(2).any(|pair| pair[0] == "read" && pair[1].starts_with("write"));
    read_write || lower.contains("read_only") || lower.contains("session authorization")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(sql: &str) -> Class {
        Class::of_text(Class::of_tree(&Tree::parse(sql, &pgq::ParseOptions::default()).unwrap()), sql)
    }

    #[test]
    fn classes_are_those_of_the_worst_part() {
        for (sql, expected) in [
            ("", Class::Read),
            ("SELECT 1", Class::Read),
            ("VALUES (1)", Class::Read),
            ("SHOW ALL", Class::Read),
            ("EXPLAIN SELECT 1", Class::Read),
            ("EXPLAIN ANALYZE DELETE FROM t", Class::Write),
            ("COPY t TO STDOUT", Class::Read),
            ("COPY (DELETE FROM t RETURNING a) TO STDOUT", Class::Write),
            ("COPY t TO '/tmp/a'", Class::Write),
            ("COPY t FROM STDIN", Class::CopyFromStdin),
            ("SELECT 1; COPY t FROM STDIN", Class::CopyFromStdin),
            ("WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a", Class::Write),
            ("DECLARE c CURSOR FOR SELECT 1", Class::Session),
            ("PREPARE p AS INSERT INTO t VALUES (1)", Class::Write),
            ("SET search_path = a", Class::Session),
            ("SET default_transaction_read_only = off", Class::Write),
            ("SELECT set_config('transaction_read_only', 'off', true)", Class::Write),
            ("BEGIN", Class::Transaction),
            ("BEGIN READ  WRITE", Class::Write),
            ("BEGIN; SELECT 1; COMMIT", Class::Transaction),
            ("CREATE TABLE t (a int)", Class::Write),
            ("DO 'BEGIN END'", Class::Write),
            ("CALL p()", Class::Write),
        ] {
            assert_eq!(class(sql), expected, "{sql}");
        }
    }
}
