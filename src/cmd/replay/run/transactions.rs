//! pgq's own transactions in a session without `--writes`. They are read-only and are always rolled back.
//!
//! A client can make a read-only transaction writable only before the transaction's first snapshot. Therefore each
//! transaction starts with a query that takes a snapshot. After that query, no SET, function or procedure can make the
//! transaction writable. A pooler may have several servers. Therefore the query also fails if the server, the database
//! or the role is not the one that pgq checked before the run.
//!
//! Read-only transactions allow some changes: notifications, and large objects before version 16. The rollback undoes
//! these changes. It also undoes SET, so pgq repeats SET statements in the next transaction.

use std::collections::HashSet;

use pgq_postgres::{BindTemplate, Error, Formats, ProtocolState, ServerError};

use crate::cmd::replay::command::{ALL, Command, LOCAL};
use crate::cmd::replay::target::{IDENTITY, LOGIN_ROLE};

/// SQLSTATE of a division by zero. The first query of each transaction divides by zero on purpose if it does not run on
/// the server that pgq checked before the run.
const ANOTHER_SERVER: &str = "22012";

/// Variables that RESET ALL does not reset.
const KEPT_BY_RESET: [&str; 2] = ["role", "session_authorization"];

/// Maximum number of statements that set variables. `MAX_SETTINGS_BYTES` is the maximum of their total size. pgq
/// repeats these statements in each of its transactions. Without the limits, the time of a run would grow with the
/// square of the number of these statements.
const MAX_SETTINGS: usize = 100;
const MAX_SETTINGS_BYTES: usize = 64 << 10;

/// How pgq handles a statement of the log.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Send the statement.
    Send,
    /// End pgq's transaction.
    End,
    /// Send nothing.
    Nothing,
}

#[derive(Default)]
pub struct Transactions {
    /// Whether pgq's transaction has begun on the server.
    pub is_open: bool,
    /// The variables that are set and the statements that set them, in order.
    settings: Vec<(String, String)>,
    /// The log's open transaction block, followed by its savepoints. Each entry has a name (empty for the block), and
    /// the length that `settings` had when the block or the savepoint started. The vector is empty outside of a block.
    levels: Vec<(String, usize)>,
    /// Whether a statement of the block failed in the log. If so, a COMMIT rolls the block back.
    is_aborted: bool,
}

impl Transactions {
    /// Updates the state of the log's transactions after a statement of the log. Returns how pgq handles this
    /// statement.
    pub fn follow(&mut self, command: &Command) -> Action {
        match command {
            Command::Begin if self.levels.is_empty() => self.levels.push((String::new(), self.settings.len())),
            Command::End { chain, keeps } => {
                if let (Some((_, start)), true) = (self.levels.first(), !keeps || self.is_aborted) {
                    self.settings.truncate(*start);
                }
                self.is_aborted = false;
                self.levels.clear();
                self.tidy();
                self.levels.extend(chain.then(|| (String::new(), self.settings.len())));
            }
            Command::DiscardAll => *self = Self { is_open: self.is_open, ..Self::default() },
            Command::Savepoint(name) => self.levels.push((name.clone(), self.settings.len())),
            Command::Release(name) => {
                if let Some(at) = self.level(name) {
                    self.levels.truncate(at);
                    self.tidy();
                }
            }
            Command::RollBackTo(name) => {
                if let Some(at) = self.level(name) {
                    self.settings.truncate(self.levels[at].1);
                    self.levels.truncate(at + 1);
                }
                self.is_aborted = false;
            }
            // The statements are not sent. Only their settings are kept, and pgq's next transaction applies them.
            Command::Several(commands) => self.follow_all(commands),
            Command::Begin | Command::Replaced | Command::SetTransaction | Command::Ignore => {}
            _ => return Action::Send,
        }
        let ends =
            matches!(command, Command::End { .. } | Command::DiscardAll | Command::RollBackTo(_) | Command::Several(_));
        if self.is_open && ends { Action::End } else { Action::Nothing }
    }

    /// Updates the state after a text of several statements. Outside of a block, the server runs these statements in an
    /// implicit block. If one of them is BEGIN, the implicit block becomes a normal block, which stays open after the
    /// text.
    fn follow_all(&mut self, commands: &[(Command, String)]) {
        let mut is_implicit = false;
        for (command, sql) in commands {
            if self.levels.is_empty() {
                is_implicit = true;
                self.levels.push((String::new(), self.settings.len()));
            }
            match command {
                Command::Set(variable) if (is_implicit && variable == ALL) || self.can_repeat(variable, sql) => {
                    self.remember(variable, sql);
                }
                Command::Begin => is_implicit = false,
                command => _ = self.follow(command),
            }
        }
        if is_implicit {
            self.levels.clear();
            self.tidy();
        }
    }

    /// Called if a statement failed in the log. If the statement was in a transaction block, marks the block as
    /// aborted.
    pub fn fail(&mut self) {
        self.is_aborted = self.in_block();
    }

    /// Whether the log's session is inside a transaction block.
    pub fn in_block(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Returns the number of settings before the last savepoint, or before the block if it has no savepoints.
    fn level_start(&self) -> usize {
        self.levels.last().map_or(0, |(_, start)| *start)
    }

    fn level(&self, name: &str) -> Option<usize> {
        self.levels.iter().rposition(|(known, _)| known == name)
    }

    /// Whether pgq can repeat a statement that sets a variable. Returns false if a limit is reached, or if the
    /// statement contains a backslash. The meaning of a backslash depends on `standard_conforming_strings`, which may
    /// have changed when the statement is repeated.
    pub fn can_repeat(&self, variable: &str, sql: &str) -> bool {
        let (earlier, recent) = self.settings.split_at(self.level_start());
        // The statements in `recent` that the new statement replaces do not count: those that set the same variable, or
        // all of them if the new statement is a RESET ALL outside of a block.
        let kept = recent.iter().filter(|(other, _)| other != variable && (variable != ALL || self.in_block()));
        let sizes = earlier.iter().chain(kept).map(|(_, sql)| sql.len());
        let (count, bytes) = sizes.fold((0, sql.len()), |(count, bytes), size| (count + 1, bytes + size));
        count < MAX_SETTINGS && bytes <= MAX_SETTINGS_BYTES && !sql.contains('\\')
    }

    /// Records a statement that sets a variable.
    pub fn remember(&mut self, variable: &str, sql: &str) {
        self.settings.push((variable.to_string(), sql.to_string()));
        self.tidy();
    }

    /// Keeps only the last statement for each variable, and removes statements that RESET ALL or the end of a block has
    /// undone. In a block, changes only the statements after the last savepoint (or BEGIN), because the earlier
    /// statements are needed again after a rollback to this savepoint.
    fn tidy(&mut self) {
        let start = self.level_start();
        let in_block = self.in_block();
        let mut seen = HashSet::new();
        let mut recent = self.settings.split_off(start);
        recent.reverse();
        recent.retain(|(variable, _)| {
            let is_undone = seen.contains(ALL) && !KEPT_BY_RESET.contains(&variable.as_str());
            let lasts = in_block || (variable != ALL && !variable.starts_with(LOCAL));
            seen.insert(variable.clone()) && !is_undone && lasts
        });
        self.settings.extend(recent.into_iter().rev());
    }

    /// Sends the statements that start a transaction, in one pipeline. If a statement fails, the server skips the
    /// statements after it. `identity` is the checked identity of the server, the database and the role.
    pub fn begin(&mut self, identity: &str, session: &mut ProtocolState) -> Result<(), Error> {
        self.is_open = true;
        let snapshot =
            format!("SELECT 1 OPERATOR(pg_catalog./) ({IDENTITY} OPERATOR(pg_catalog.=) $1)::pg_catalog.int4");
        let settings = self.settings.iter().map(|(_, sql)| (sql.as_str(), None));
        let checks = [("BEGIN READ ONLY", None), (LOGIN_ROLE, None), (&snapshot, Some(identity))];
        for (sql, param) in checks.into_iter().chain(settings) {
            session.parse("", sql, &[])?;
            let template = BindTemplate::new("", "", param.iter().len(), &Formats::Text, &Formats::Text, 0)?;
            session.execute(&template, |row| {
                param.iter().for_each(|param| row.push(Some(param.as_bytes())));
                Ok(())
            })?;
        }
        session.sync();
        Ok(())
    }

    /// Returns why a transaction could not begin.
    pub fn failure(error: &ServerError) -> String {
        if error.code == ANOTHER_SERVER {
            return "another server, database or role answered than the one that was checked (use a pool with one \
                    server): its session was ended"
                .into();
        }
        format!("a read-only transaction cannot begin: {error}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_last_as_the_block_of_the_log_does() {
        let mut transactions = Transactions::default();
        let mut follow = |sql: &str| {
            let command = Command::of(sql);
            transactions.follow(&command);
            if sql == "failing" {
                transactions.fail();
            }
            if let Command::Set(variable) = command {
                transactions.remember(&variable, sql);
            }
            transactions.settings.iter().map(|(_, sql)| sql.clone()).collect::<Vec<_>>()
        };
        for (sql, expected) in [
            ("SET a = 1", &["SET a = 1"][..]),
            ("SET a = 2", &["SET a = 2"]),
            ("BEGIN", &["SET a = 2"]),
            ("SET a = 3", &["SET a = 2", "SET a = 3"]),
            ("ROLLBACK", &["SET a = 2"]),
            ("BEGIN", &["SET a = 2"]),
            ("SET b = 4", &["SET a = 2", "SET b = 4"]),
            ("SAVEPOINT s", &["SET a = 2", "SET b = 4"]),
            ("SET c = 5", &["SET a = 2", "SET b = 4", "SET c = 5"]),
            ("ROLLBACK TO SAVEPOINT s", &["SET a = 2", "SET b = 4"]),
            ("RELEASE s", &["SET a = 2", "SET b = 4"]),
            ("COMMIT", &["SET a = 2", "SET b = 4"]),
            ("BEGIN", &["SET a = 2", "SET b = 4"]),
            ("SET a = 6", &["SET a = 2", "SET b = 4", "SET a = 6"]),
            ("failing", &["SET a = 2", "SET b = 4", "SET a = 6"]),
            ("COMMIT", &["SET a = 2", "SET b = 4"]),
            ("RESET a", &["SET b = 4", "RESET a"]),
            ("DISCARD TEMP", &["SET b = 4", "RESET a"]),
            ("SET ROLE r", &["SET b = 4", "RESET a", "SET ROLE r"]),
            ("BEGIN", &["SET b = 4", "RESET a", "SET ROLE r"]),
            ("RESET ALL", &["SET b = 4", "RESET a", "SET ROLE r", "RESET ALL"]),
            ("ROLLBACK", &["SET b = 4", "RESET a", "SET ROLE r"]),
            ("BEGIN", &["SET b = 4", "RESET a", "SET ROLE r"]),
            ("SET LOCAL c = 5", &["SET b = 4", "RESET a", "SET ROLE r", "SET LOCAL c = 5"]),
            ("COMMIT", &["SET b = 4", "RESET a", "SET ROLE r"]),
            ("RESET ALL", &["SET ROLE r"]),
            ("SET a = 1", &["SET ROLE r", "SET a = 1"]),
            ("SELECT 1; CLOSE ALL; RESET ALL; SET b = 2", &["SET ROLE r", "SET b = 2"]),
            ("BEGIN; SET c = 3", &["SET ROLE r", "SET b = 2", "SET c = 3"]),
            ("ROLLBACK; SELECT 1", &["SET ROLE r", "SET b = 2"]),
            ("SET c = 3; BEGIN", &["SET ROLE r", "SET b = 2", "SET c = 3"]),
            ("ROLLBACK", &["SET ROLE r", "SET b = 2"]),
            ("SET c = 3; ROLLBACK", &["SET ROLE r", "SET b = 2"]),
            ("SET b = 4; COMMIT; SET c = 3; ROLLBACK", &["SET ROLE r", "SET b = 4"]),
            ("SET LOCAL c = 3; SET b = 2", &["SET ROLE r", "SET b = 2"]),
            ("SET DateStyle = DMY", &["SET ROLE r", "SET b = 2", "SET DateStyle = DMY"]),
            ("SET DateStyle = ISO", &["SET ROLE r", "SET b = 2", "SET DateStyle = DMY", "SET DateStyle = ISO"]),
            ("SET DateStyle = DMY", &["SET ROLE r", "SET b = 2", "SET DateStyle = ISO", "SET DateStyle = DMY"]),
            ("DISCARD ALL", &[]),
        ] {
            assert_eq!(follow(sql), expected, "{sql}");
        }
    }

    #[test]
    fn settings_are_bounded() {
        let mut transactions = Transactions::default();
        let mut set = |variable: usize, command: &str| {
            transactions.follow(&Command::of(command));
            let (name, sql) = (format!("a.v{variable}"), format!("SET a.v{variable} = 'x'"));
            let is_repeated = transactions.can_repeat(&name, &sql);
            if is_repeated {
                transactions.remember(&name, &sql);
            }
            (is_repeated, transactions.settings.len())
        };
        assert!((1..MAX_SETTINGS - 1).all(|variable| set(variable, "") == (true, variable)));
        assert_eq!(set(0, "BEGIN"), (true, MAX_SETTINGS - 1));
        for _ in 0..3 {
            assert_eq!(set(0, "SAVEPOINT s"), (true, MAX_SETTINGS));
            assert_eq!(set(0, "RELEASE s"), (true, MAX_SETTINGS - 1));
        }
        assert_eq!(set(7, "COMMIT"), (true, MAX_SETTINGS - 1));
        assert_eq!(set(MAX_SETTINGS, ""), (true, MAX_SETTINGS));
        assert_eq!(set(MAX_SETTINGS + 1, ""), (false, MAX_SETTINGS));
        // Replaces a setting.
        assert_eq!(set(MAX_SETTINGS, ""), (true, MAX_SETTINGS));
        assert!(transactions.can_repeat(ALL, "RESET ALL"));
        let transactions = Transactions::default();
        assert!(!transactions.can_repeat("a", &" ".repeat(MAX_SETTINGS_BYTES + 1)));
        assert!(!transactions.can_repeat("a", r"SET a.b = 'x\\y'"));
    }
}
