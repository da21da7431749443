//! The transactions of a session without --writes: pgq's own, read-only, and always rolled back. Knows no connections.
//!
//! PostgreSQL lets a read-only transaction become one that writes only until its first snapshot. So each begins with a
//! query that takes one, and nothing in a statement can make it write: no SET, no function, no procedure. It is rolled
//! back, because some things are allowed in it: notifications and, before version 16, changes of large objects. What
//! SET did is lost with it, and is done again in the next one.

use std::collections::HashSet;

use pgq_postgres::{BindTemplate, Error, Formats, ProtocolState};

use crate::cmd::replay::command::Command;

/// What a statement of the log asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// It is sent.
    Send,
    /// The transaction ends.
    End,
    /// Nothing is sent.
    Nothing,
}

/// The transactions of one session.
#[derive(Default)]
pub struct Transactions {
    /// One of pgq's has begun on the server.
    is_open: bool,
    /// In the log, a block of statements has begun.
    in_block: bool,
    /// Variables that the session has set, with the statements that did, in their order.
    settings: Vec<(String, String)>,
    /// How many of them were set before the block.
    before_block: usize,
}

impl Transactions {
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    pub fn in_block(&self) -> bool {
        self.in_block
    }

    /// The transaction has ended, or its connection.
    pub fn ended(&mut self) {
        self.is_open = false;
    }

    /// Follows the log.
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

    /// Remembers a statement that has set a variable.
    pub fn remember(&mut self, variable: String, sql: &str) {
        self.settings.push((variable, sql.to_string()));
        if !self.in_block {
            self.tidy();
        }
    }

    /// Forgets all but the last statement for each variable.
    fn tidy(&mut self) {
        let mut seen = HashSet::new();
        self.settings.reverse();
        self.settings.retain(|(variable, _)| seen.insert(variable.clone()));
        self.settings.reverse();
        self.before_block = self.settings.len();
    }

    /// Requests the beginning: nothing in it is executed if something before it fails.
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
