//! pgq's transactions in a session without `--writes`: read-only, and always rolled back.
//!
//! PostgreSQL can turn a read-only transaction into a writing one only before its first snapshot. Each transaction
//! therefore starts with a query that takes a snapshot. After that no SET, function or procedure can make it write.
//!
//! The rollback undoes changes that read-only transactions allow: notifications, and large objects before version 16.
//! It also undoes SET, so pgq repeats SET statements in the next transaction.

use std::collections::HashSet;

use pgq_postgres::{BindTemplate, Error, Formats, ProtocolState};

use crate::cmd::replay::command::Command;

/// What to do for a statement of the log.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Send it.
    Send,
    /// End pgq's transaction.
    End,
    /// Send nothing.
    Nothing,
}

#[derive(Default)]
pub struct Transactions {
    /// Whether pgq's transaction has begun on the server.
    is_open: bool,
    /// Whether the log is inside a transaction block.
    in_block: bool,
    /// Variables and the statements that set them, in order.
    settings: Vec<(String, String)>,
    /// Number of settings before the block.
    before_block: usize,
}

impl Transactions {
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    pub fn in_block(&self) -> bool {
        self.in_block
    }

    /// Records the end of the transaction or the connection.
    pub fn ended(&mut self) {
        self.is_open = false;
    }

    /// Updates the state of the log's transactions.
    pub fn follow(&mut self, command: &Command) -> Action {
        match command {
            Command::Begin => self.in_block = true,
            Command::End { chain, keeps } => {
                if !keeps {
                    self.settings.truncate(self.before_block);
                }
                self.in_block = *chain;
                self.tidy();
                return if self.is_open { Action::End } else { Action::Nothing };
            }
            Command::RollBackTo if self.is_open => return Action::End,
            Command::Discard => {
                self.settings.clear();
                self.before_block = 0;
                return if self.is_open { Action::End } else { Action::Nothing };
            }
            Command::RollBackTo | Command::Ignore => {}
            Command::Run | Command::Set(_) | Command::Several | Command::Write => return Action::Send,
        }
        Action::Nothing
    }

    /// Records a statement that sets a variable.
    pub fn remember(&mut self, variable: String, sql: &str) {
        self.settings.push((variable, sql.to_string()));
        if !self.in_block {
            self.tidy();
        }
    }

    /// Keeps only the last statement for each variable.
    fn tidy(&mut self) {
        let mut seen = HashSet::new();
        self.settings.reverse();
        self.settings.retain(|(variable, _)| seen.insert(variable.clone()));
        self.settings.reverse();
        self.before_block = self.settings.len();
    }

    /// Sends the statements that start a transaction, as one pipeline. If one fails, the server skips the rest.
    pub fn begin(&mut self, session: &mut ProtocolState) -> Result<(), Error> {
        self.is_open = true;
        let template = BindTemplate::new("", "", 0, &Formats::Text, &Formats::Text, 0)?;
        let settings = self.settings.iter().map(|(_, sql)| sql.as_str());
        for sql in ["BEGIN READ ONLY", "SELECT 1"].into_iter().chain(settings) {
            session.parse("", sql, &[])?;
            session.execute(&template, |_| Ok(()))?;
        }
        session.sync();
        Ok(())
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
            if let Command::Set(variable) = command {
                transactions.remember(variable, sql);
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
            ("COMMIT", &["SET a = 2", "SET b = 4"]),
            ("RESET a", &["SET b = 4", "RESET a"]),
            ("DISCARD ALL", &[]),
        ] {
            assert_eq!(follow(sql), expected, "{sql}");
        }
    }
}
