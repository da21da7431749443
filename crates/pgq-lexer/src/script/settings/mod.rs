//! Tracks the session settings that change how a script is read, such as `standard_conforming_strings` and
//! `client_encoding`. Follows SET, RESET, DISCARD ALL, transactions and savepoints, but not functions that change
//! settings (`set_config`).

use super::lexer::{ScriptLexer, ScriptToken};

/// A setting's value in the session, and the value that SET LOCAL assigns until the end of the transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Setting<T> {
    session: T,
    local: Option<T>,
}

impl<T> Setting<T> {
    fn value(&self) -> &T {
        self.local.as_ref().unwrap_or(&self.session)
    }

    fn set(&mut self, value: T, is_local: bool) {
        if is_local {
            self.local = Some(value);
        } else {
            (self.session, self.local) = (value, None);
        }
    }
}

/// The current values of `standard_conforming_strings`, `client_encoding` and `check_function_bodies`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Values {
    backslash_escapes: Setting<bool>,
    /// Encoding name in lower case; empty if the script has set no encoding.
    client_encoding: Setting<String>,
    skips_bodies: Setting<bool>,
}

impl Values {
    fn end_transaction(&mut self) {
        self.backslash_escapes.local = None;
        self.client_encoding.local = None;
        self.skips_bodies.local = None;
    }
}

/// The settings of a session that change how its statements are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptSettings {
    values: Values,
    /// Whether a backslash is an escape in a new session.
    initially_escapes: bool,
    /// The values at the start of the transaction and at each savepoint, with the name of the savepoint. Empty outside
    /// of a transaction.
    saved: Vec<(String, Values)>,
}

/// Maximum length of an encoding's name. The server rejects SET with a longer name.
const LONGEST_NAME: usize = 63;

/// Maximum number of saved values. The number is limited, because each statement copies and searches all saved values.
/// Beyond the limit, the oldest savepoint is forgotten.
const MOST_SAVED: usize = 64;

/// Maximum number of words in a statement that changes a setting.
const MOST_WORDS: usize = 8;

impl ScriptSettings {
    /// Creates the initial settings of a session. `backslash_escapes` means that `standard_conforming_strings` is off.
    #[must_use]
    pub fn new(backslash_escapes: bool) -> Self {
        let mut settings = Self { initially_escapes: backslash_escapes, ..Self::default() };
        settings.values.backslash_escapes.session = backslash_escapes;
        settings
    }

    /// Returns whether a backslash is an escape in plain literals (`standard_conforming_strings = off`).
    #[must_use]
    pub fn backslash_escapes(&self) -> bool {
        *self.values.backslash_escapes.value()
    }

    /// Returns the name of the encoding that the script has set, in lower case. Returns `None` if the script has set no
    /// encoding.
    #[must_use]
    pub fn client_encoding(&self) -> Option<&str> {
        Some(self.values.client_encoding.value().as_str()).filter(|name| !name.is_empty())
    }

    /// Returns whether `check_function_bodies` is off. If it is off, CREATE FUNCTION does not check bodies.
    #[must_use]
    pub fn skips_bodies(&self) -> bool {
        *self.values.skips_bodies.value()
    }

    /// Starts a new session, as `\connect` does.
    pub fn connect(&mut self) {
        *self = Self::new(self.initially_escapes);
    }

    /// Applies psql's `\encoding NAME`, which sends a SET. If the argument is not a plain name, the settings do not
    /// change.
    pub(super) fn run_encoding(&mut self, command: &[u8]) {
        let command = String::from_utf8_lossy(command);
        let name = command.trim_start_matches("\\encoding").trim_end_matches("\\\\").trim().trim_matches(['\'', '"']);
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) {
            self.run(format!("SET client_encoding = '{name}'").as_bytes());
        }
    }

    /// Applies the changes that `statement` makes to settings.
    pub fn run(&mut self, statement: &[u8]) {
        if !may_change(statement) {
            return;
        }
        // Recognize BEGIN and START TRANSACTION by their first word. They may have more than `MOST_WORDS` words,
        // because of their many options, and `words` returns an empty list for such a statement.
        let is = |word: &[u8]| statement.get(..word.len()).is_some_and(|first| first.eq_ignore_ascii_case(word));
        if is(b"begin") || is(b"start") {
            if self.saved.is_empty() {
                self.save("");
            }
            return;
        }
        let words = words(statement, self.backslash_escapes());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["set" | "reset" | "discard", ..] => self.set(&words),
            ["savepoint", name] if !self.saved.is_empty() => self.save(name),
            ["release", .., name] => {
                if let Some(at) = self.savepoint(name) {
                    self.saved.truncate(at);
                }
            }
            ["rollback", .., "to", name] | ["rollback", .., "to", "savepoint", name] => {
                if let Some(at) = self.savepoint(name) {
                    self.values = self.saved[at].1.clone();
                    self.saved.truncate(at + 1);
                }
            }
            [_, "prepared", ..] => {} // ends a prepared transaction, not the current one
            ["commit" | "end" | "rollback" | "abort", ..] | ["prepare", "transaction", _] => {
                let is_rollback = matches!(words[0], "rollback" | "abort");
                if let (Some((_, before)), true) = (self.saved.first(), is_rollback) {
                    self.values = before.clone();
                }
                let chains = words.ends_with(&["and", "chain"]) && !self.saved.is_empty();
                self.saved.clear();
                self.values.end_transaction();
                if chains {
                    self.save("");
                }
            }
            _ => {}
        }
    }

    /// Saves the values at the start of a transaction, or at a savepoint.
    fn save(&mut self, name: &str) {
        if self.saved.len() == MOST_SAVED {
            self.saved.remove(1);
        }
        self.saved.push((name.to_string(), self.values.clone()));
    }

    /// Returns the index in `saved` of the latest savepoint with this name.
    fn savepoint(&self, name: &str) -> Option<usize> {
        self.saved.iter().skip(1).rposition(|(saved, _)| saved == name).map(|at| at + 1)
    }

    fn set(&mut self, words: &[&str]) {
        let initial = self.initially_escapes;
        let (is_local, rest) = match words {
            ["set", "local", ..] if self.saved.is_empty() => return, // has no effect outside of a transaction
            ["set", "local", rest @ ..] => (true, rest),
            ["set", "session", rest @ ..] | ["set", rest @ ..] => (false, rest),
            ["reset", "all"] | ["discard", "all"] => {
                self.values.backslash_escapes.set(initial, false);
                self.values.skips_bodies.set(false, false);
                return self.values.client_encoding.set(String::new(), false);
            }
            ["reset", name] => (false, &[*name, "=", "default"][..]),
            _ => return,
        };
        match rest {
            ["standard_conforming_strings", "=" | "to", value] => {
                if let Some(value) = if *value == "default" { Some(initial) } else { boolean(value).map(|on| !on) } {
                    self.values.backslash_escapes.set(value, is_local);
                }
            }
            ["check_function_bodies", "=" | "to", value] => {
                if let Some(value) = if *value == "default" { Some(false) } else { boolean(value).map(|on| !on) } {
                    self.values.skips_bodies.set(value, is_local);
                }
            }
            ["client_encoding", "=" | "to", value] | ["names", value] if value.len() <= LONGEST_NAME => {
                let value = if *value == "default" { String::new() } else { (*value).to_string() };
                self.values.client_encoding.set(value, is_local);
            }
            ["names"] => self.values.client_encoding.set(String::new(), is_local),
            _ => {}
        }
    }
}

/// Whether a statement may change settings, or controls a transaction. Reads only the first word.
pub(super) fn may_change(statement: &[u8]) -> bool {
    let len = statement.iter().take(10).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let words: &[&str] = match len {
        3 => &["set", "end"],
        5 => &["begin", "start", "reset", "abort"],
        6 => &["commit"],
        7 => &["release", "discard", "prepare"],
        8 => &["rollback"],
        9 => &["savepoint"],
        _ => &[],
    };
    words.iter().any(|word| statement[..len].eq_ignore_ascii_case(word.as_bytes()))
}

/// Parses a boolean like PostgreSQL (bool.c). Accepts a word or an unambiguous prefix of it.
fn boolean(text: &str) -> Option<bool> {
    let begins = |word: &str, least: usize| text.len() >= least && word.starts_with(text);
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ if begins("true", 1) || begins("yes", 1) || begins("on", 2) => Some(true),
        _ if begins("false", 1) || begins("no", 1) || begins("off", 2) => Some(false),
        _ => None,
    }
}

/// Returns the tokens of a statement in lower case, without the quotes of literals and names, and without the
/// semicolon. Returns an empty list for a statement with more than [`MOST_WORDS`] words.
fn words(statement: &[u8], backslash_escapes: bool) -> Vec<String> {
    let mut lexer = ScriptLexer::new(statement, 0).with_backslash_escapes(backslash_escapes);
    let mut words = Vec::new();
    loop {
        lexer.skip_space();
        let start = lexer.offset();
        let token = match lexer.next_token() {
            ScriptToken::End | ScriptToken::Semicolon | ScriptToken::Backslash(_) => return words,
            ScriptToken::Word(_) => &statement[start..lexer.offset()],
            ScriptToken::Other(b'\'' | b'"') => {
                let literal = &statement[start..lexer.offset()];
                literal.strip_prefix(b"E").or(literal.strip_prefix(b"e")).unwrap_or(literal)
            }
            ScriptToken::Other(_) => &statement[start..lexer.offset()],
        };
        if words.len() == MOST_WORDS {
            return Vec::new();
        }
        let word = String::from_utf8_lossy(token).to_ascii_lowercase();
        words.push(word.trim_matches(['\'', '"']).to_string());
    }
}

#[cfg(test)]
mod tests;
