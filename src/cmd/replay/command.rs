//! Classifies a statement of the log, for a replay without `--writes`.
//!
//! Every statement runs in a read-only transaction that is rolled back. Therefore PostgreSQL itself would reject most
//! of the statements that the classification rejects. Only statements that end a transaction, such as COMMIT, must be
//! found by the classification, because PostgreSQL permits them in a read-only transaction. The classification cannot
//! miss such a statement. Each statement that ends a transaction starts with a word such as COMMIT, and pgq sends no
//! statement that starts with one of these words. No server setting changes the meaning of these words. SQL that pgq
//! cannot parse is not sent.

use std::collections::HashMap;

use pgq::nodes::enums::{DiscardMode, TransactionStmtKind, VariableSetKind};
use pgq::nodes::{Node, TransactionStmt, VariableSetStmt};
use pgq::{Access, Statement, Tree};

/// Variable name in [`Command::Set`] for RESET ALL.
pub const ALL: &str = "RESET ALL";

/// Prefix of a variable name in [`Command::Set`] for SET LOCAL.
pub const LOCAL: &str = "SET LOCAL ";

/// How a replay handles a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Send the statement.
    Run,
    /// Send the statement, and repeat it in the later transactions that pgq starts. The string is
    /// the name of the variable (with the prefix [`LOCAL`] for SET LOCAL), or [`ALL`] for RESET
    /// ALL.
    Set(String),
    /// Prepares a statement of this name.
    Prepare(String),
    /// Send the statement if the session has a prepared statement of this name.
    Execute(String),
    /// Removes the prepared statement of this name, or all prepared statements.
    Deallocate(Option<String>),
    /// Starts a transaction block.
    Begin,
    /// Ends a transaction block. If `chain` is true, the next block starts immediately. If `keeps` is false, the
    /// settings of the block are undone.
    End { chain: bool, keeps: bool },
    /// Sets a savepoint in a transaction block.
    Savepoint(String),
    /// Removes a savepoint and all later savepoints.
    Release(String),
    /// Undoes the changes of the block since the savepoint. If an error has aborted the block, the
    /// block accepts statements again.
    RollBackTo(String),
    /// Resets all settings, the role and prepared statements.
    DiscardAll,
    /// A statement that is never sent: it sets the client encoding, which is always UTF-8 in a replay, or it uses a
    /// name that the log's server chose (a snapshot, or a cursor `<unnamed portal 1>`).
    Replaced,
    /// Sets properties of transactions, such as SET TRANSACTION. Sent only with `--writes`.
    SetTransaction,
    /// A statement that a replay does not need, such as DISCARD PLANS.
    Ignore,
    /// Several statements in one SQL string, each with its SQL. They are sent only with `--writes`. Without `--writes`,
    /// pgq only applies their changes of settings and transactions to its own state of the session.
    Several(Vec<(Command, String)>),
    /// Not sent, because it may write.
    Write,
    /// SQL that pgq cannot parse. It is sent only with `--writes`.
    Unparsed,
}

impl Command {
    /// Classifies SQL. SQL without a statement, such as a comment, has no effect. It is sent only with `--writes`.
    pub fn of(sql: &str) -> Self {
        let Ok(tree) = sql.parse::<Tree>() else { return Self::Unparsed };
        let command = |statement: Statement<'_>| {
            let sql = statement.sql();
            (statement.node().map_or(Self::Unparsed, |node| Self::of_node(node, sql)), sql.to_string())
        };
        let mut commands: Vec<_> = tree.statements().map(command).collect();
        match commands.len() {
            0 => Self::Ignore,
            1 => commands.remove(0).0,
            _ => Self::Several(commands),
        }
    }

    fn of_node(node: Node<'_>, sql: &str) -> Self {
        let text = |name: Option<&str>| name.unwrap_or_default().to_string();
        let is_unnamed = |cursor: Option<&str>| cursor.is_some_and(|name| name.starts_with("<unnamed portal "));
        match node {
            Node::FetchStmt(fetch) if is_unnamed(fetch.portalname()) => Self::Replaced,
            Node::ClosePortalStmt(close) if is_unnamed(close.portalname()) => Self::Replaced,
            Node::SelectStmt(_)
            | Node::VariableShowStmt(_)
            | Node::DeclareCursorStmt(_)
            | Node::FetchStmt(_)
            | Node::ClosePortalStmt(_)
            | Node::ConstraintsSetStmt(_) => Self::Run,
            Node::CopyStmt(copy) if !copy.is_from() && !copy.is_program() && copy.filename().is_none() => {
                copy.query().map_or(Self::Run, |query| Self::of_node(query, sql))
            }
            Node::ExplainStmt(explain) => explain.query().map_or(Self::Write, |query| Self::of_node(query, sql)),
            Node::TransactionStmt(statement) => Self::of_transaction(statement),
            Node::VariableSetStmt(statement) => Self::of_set(statement, sql),
            Node::DiscardStmt(statement) if statement.target() == DiscardMode::DISCARD_ALL => Self::DiscardAll,
            Node::DiscardStmt(_) => Self::Ignore,
            Node::PrepareStmt(statement) => Self::Prepare(text(statement.name())),
            Node::ExecuteStmt(statement) => Self::Execute(text(statement.name())),
            Node::DeallocateStmt(statement) => Self::Deallocate(statement.name().map(str::to_string)),
            _ => Self::Write,
        }
    }

    fn of_transaction(statement: TransactionStmt<'_>) -> Self {
        let name = || statement.savepoint_name().unwrap_or_default().to_string();
        match statement.kind() {
            TransactionStmtKind::TRANS_STMT_BEGIN | TransactionStmtKind::TRANS_STMT_START => Self::Begin,
            TransactionStmtKind::TRANS_STMT_COMMIT => Self::End { chain: statement.chain(), keeps: true },
            TransactionStmtKind::TRANS_STMT_ROLLBACK => Self::End { chain: statement.chain(), keeps: false },
            TransactionStmtKind::TRANS_STMT_PREPARE => Self::End { chain: false, keeps: true },
            TransactionStmtKind::TRANS_STMT_SAVEPOINT => Self::Savepoint(name()),
            TransactionStmtKind::TRANS_STMT_RELEASE => Self::Release(name()),
            TransactionStmtKind::TRANS_STMT_ROLLBACK_TO => Self::RollBackTo(name()),
            _ => Self::Ignore,
        }
    }

    fn of_set(statement: VariableSetStmt<'_>, sql: &str) -> Self {
        let mut name = statement.name().unwrap_or_default().to_ascii_lowercase();
        if name == "datestyle" {
            // DateStyle has two parts, and SET may change only one of them. Therefore `SET datestyle = DMY` must not
            // replace an earlier `SET datestyle = ISO`: both are repeated. For this purpose, the whole statement is
            // used as the name in [`Command::Set`].
            name = sql.to_string();
        }
        match statement.kind() {
            _ if matches!(&*name, "client_encoding" | "transaction snapshot") => Self::Replaced,
            VariableSetKind::VAR_SET_MULTI | VariableSetKind::VAR_SET_CURRENT => Self::SetTransaction,
            VariableSetKind::VAR_RESET_ALL => Self::Set(ALL.into()),
            _ if name.starts_with("transaction_") => Self::SetTransaction,
            _ if statement.is_local() => Self::Set(format!("{LOCAL}{name}")),
            _ => Self::Set(name),
        }
    }

    /// Whether SQL declares a cursor of this name. If a client executes the cursor's portal through the protocol, the
    /// log shows the SQL of the DECLARE for this execution.
    pub fn declares(sql: &str, portal: &str) -> bool {
        // To save time, parses only statements that begin with DECLARE.
        let tree = pgq_lexer::first_word(sql.as_bytes()).eq_ignore_ascii_case(b"declare").then(|| sql.parse::<Tree>());
        let node = tree.as_ref().and_then(|tree| tree.as_ref().ok()?.statements().next()?.node());
        matches!(node, Some(Node::DeclareCursorStmt(statement)) if statement.portalname() == Some(portal))
    }

    /// Whether later statements of the session depend on the command, because it sets a variable, prepares a statement,
    /// or controls a transaction. A statement that calls `set_config` also sets a variable, but does not count if it
    /// writes to a table. `sql` is the command's SQL.
    pub fn is_context(&self, sql: &str) -> bool {
        match self {
            Self::Run => sql.parse::<Tree>().and_then(|tree| tree.statement(0).summary()).is_ok_and(|summary| {
                summary.functions.iter().any(|called| called.function == "set_config")
                    && summary.tables.iter().all(|table| table.access == Access::Read)
            }),
            Self::Execute(_) | Self::Replaced | Self::Ignore | Self::Write | Self::Unparsed => false,
            Self::Several(commands) => commands.iter().all(|(command, sql)| command.is_context(sql)),
            _ => true,
        }
    }

    /// Returns the effect of the command if it fails. A failed COMMIT ends the block. A failed BEGIN, savepoint command
    /// or DISCARD ALL has no effect.
    pub fn failed(self) -> Self {
        match self {
            Self::End { .. } => Self::End { chain: false, keeps: false },
            Self::Begin | Self::Savepoint(_) | Self::Release(_) | Self::RollBackTo(_) | Self::DiscardAll => {
                Self::Ignore
            }
            other => other,
        }
    }

    /// Updates `prepared`, the prepared statements of a session, keyed by name. `is_executed` is false if the command
    /// was not sent or has failed. In this case, PREPARE removes the entry for its name instead of adding one.
    pub fn update_prepared(&self, prepared: &mut HashMap<String, u64>, is_executed: bool) {
        match self {
            Self::Prepare(name) if is_executed => _ = prepared.insert(name.clone(), 0),
            Self::Prepare(name) | Self::Deallocate(Some(name)) => _ = prepared.remove(name),
            Self::Deallocate(None) | Self::DiscardAll => prepared.clear(),
            Self::Several(all) => all.iter().for_each(|(command, _)| command.update_prepared(prepared, is_executed)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_decides() {
        let set = |name: &str| Command::Set(name.into());
        let end = |chain, keeps| Command::End { chain, keeps };
        for (sql, expected) in [
            ("SELECT 1", Command::Run),
            (" ; /* a /* b */ */ -- c\n (VALUES (1));", Command::Run),
            ("COPY t TO STDOUT", Command::Run),
            ("COPY (DELETE FROM t RETURNING a) TO STDOUT", Command::Write),
            ("COPY t TO PROGRAM E'… # to stdout'", Command::Write),
            ("COPY t TO 'f'", Command::Write),
            ("COPY t FROM STDIN", Command::Write),
            ("EXPLAIN SELECT 1", Command::Run),
            ("EXPLAIN INSERT INTO t VALUES (1)", Command::Write),
            ("EXPLAIN EXECUTE a", Command::Execute("a".into())),
            ("BEGIN READ/**/WRITE", Command::Begin),
            (";;commit AND CHAIN", end(true, true)),
            ("ROLLBACK AND NO CHAIN", end(false, false)),
            ("ROLLBACK WORK TO SAVEPOINT \"A\"", Command::RollBackTo("A".into())),
            ("COMMIT PREPARED 'a'", Command::Ignore),
            ("RESET transaction_read_only", Command::SetTransaction),
            ("PREPARE TRANSACTION 'a'", end(false, true)),
            ("PREPARE a AS SELECT 1", Command::Prepare("a".into())),
            ("SET search_path TO a, b", set("search_path")),
            ("SET SESSION App.Tenant = '7'", set("app.tenant")),
            ("RESET app.tenant", set("app.tenant")),
            ("SET TIME ZONE 'UTC'", set("timezone")),
            ("SET SESSION AUTHORIZATION a", set("session_authorization")),
            ("SET DateStyle = 'DMY'", set("SET DateStyle = 'DMY'")),
            ("SET LOCAL a = 1", set("SET LOCAL a")),
            ("SET a FROM CURRENT", Command::SetTransaction),
            ("RESET ALL", set(ALL)),
            ("SET NAMES 'latin1'", Command::Replaced),
            ("FETCH ALL IN \"<unnamed portal 7>\"", Command::Replaced),
            ("MOVE 3 IN \"<unnamed portal 7>\"", Command::Replaced),
            ("CLOSE \"<unnamed portal 7>\"", Command::Replaced),
            ("FETCH ALL IN a", Command::Run),
            ("SET TRANSACTION SNAPSHOT '00000003-0000001B-1'", Command::Replaced),
            ("SET U&\"Client!005fencoding\" UESCAPE '!' = 'latin1'", Command::Replaced),
            ("SET LOCAL \"CLIENT_ENCODING\" = 'latin1'", Command::Replaced),
            ("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", Command::SetTransaction),
            ("DISCARD ALL", Command::DiscardAll),
            ("DISCARD PLANS", Command::Ignore),
            ("EXECUTE P(1)", Command::Execute("p".into())),
            ("execute \"P\"\"\"", Command::Execute("P\"".into())),
            (
                "SELECT 1; NOTIFY a",
                Command::Several(vec![(Command::Run, "SELECT 1".into()), (Command::Write, "NOTIFY a".into())]),
            ),
            ("NOTIFY a", Command::Write),
            ("DO 'BEGIN END'", Command::Write),
            ("-- ping", Command::Ignore),
            ("'", Command::Unparsed),
            ("PREPARE TRANSACTION 'a\\'b'", Command::Unparsed),
        ] {
            assert_eq!(Command::of(sql), expected, "{sql}");
        }
    }

    #[test]
    fn a_call_of_set_config_is_context_unless_the_statement_writes() {
        for (sql, expected) in [
            ("SELECT Set_Config('a.b', 'c', true)", true),
            ("SELECT pg_catalog.\"set_config\"($1, $2, $3)", true),
            ("WITH a AS (SELECT U&\"set\\005fconfig\"('a.b', 'c', true)) SELECT 1", true),
            ("EXPLAIN ANALYZE SELECT set_config('a.b', 'c', true)", true),
            ("BEGIN; SELECT set_config('a.b', 'c', true)", true),
            ("SELECT \"SET_CONFIG\"()", false),
            ("SELECT 1 AS set_config /* set_config('a.b', 'c', true) */", false),
            ("INSERT INTO set_config SELECT set_config('a.b', 'c', true)", false),
            ("WITH a AS (DELETE FROM t RETURNING 1) SELECT set_config('a.b', 'c', true) FROM a", false),
            ("SELECT set_config('a.b', 'c', true) INTO t", false),
            ("SELECT set_config('a.b', 'c', true); DELETE FROM t", false),
            ("DO 'BEGIN PERFORM set_config(''a.b'', ''c'', true); END'", false),
            ("SELECT", false),
        ] {
            assert_eq!(Command::of(sql).is_context(sql), expected, "{sql}");
        }
    }

    #[test]
    fn only_a_failed_commit_has_an_effect() {
        for (sql, expected) in [
            ("COMMIT AND CHAIN", Command::End { chain: false, keeps: false }),
            ("ROLLBACK TO a", Command::Ignore),
            ("DISCARD ALL", Command::Ignore),
            ("SELECT 1", Command::Run),
        ] {
            assert_eq!(Command::of(sql).failed(), expected, "{sql}");
        }
    }

    #[test]
    fn prepared_statements_are_followed() {
        let mut prepared = HashMap::new();
        for (sql, expected) in [
            ("PREPARE a AS SELECT 1; prepare \"B\"(int) as select $1", vec!["B", "a"]),
            ("PREPARE TRANSACTION 'a'; SELECT 1", vec!["B", "a"]),
            ("DEALLOCATE A", vec!["B"]),
            ("DISCARD PLANS", vec!["B"]),
            ("DEALLOCATE PREPARE ALL;", vec![]),
        ] {
            Command::of(sql).update_prepared(&mut prepared, true);
            let mut names: Vec<_> = prepared.keys().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(names, expected, "{sql}");
        }
    }
}
