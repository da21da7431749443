//! Tracks the session settings that change how a script is read, such as `standard_conforming_strings` and
//! `client_encoding`. Follows SET, RESET, DISCARD ALL and transactions, but not functions that change settings
//! (`set_config`).

use super::lexer::{ScriptLexer, ScriptToken};

/// A setting's current value, and the values to restore at the end of a transaction or by RESET.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Setting<T> {
    initial: T,
    session: T,
    /// Value of SET LOCAL until the end of the transaction.
    local: Option<T>,
    /// Value at the start of the transaction. A rollback restores it.
    at_begin: Option<T>,
}

impl<T: Clone + Default> Setting<T> {
    fn new(initial: T) -> Self {
        Self { session: initial.clone(), initial, local: None, at_begin: None }
    }

    fn value(&self) -> &T {
        self.local.as_ref().unwrap_or(&self.session)
    }

    fn set(&mut self, value: T, is_local: bool) {
        match (is_local, &self.at_begin) {
            (true, Some(_)) => self.local = Some(value),
            (true, None) => {} // has no effect outside of a transaction
            (false, _) => (self.session, self.local) = (value, None),
        }
    }

    fn begin(&mut self) {
        self.at_begin.get_or_insert_with(|| self.session.clone());
    }

    fn end(&mut self, is_rollback: bool) {
        self.local = None;
        if let (Some(before), true) = (self.at_begin.take(), is_rollback) {
            self.session = before;
        }
    }
}

/// The current values of `standard_conforming_strings`, `client_encoding` and `check_function_bodies`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptSettings {
    backslash_escapes: Setting<bool>,
    /// Encoding name in lower case; empty if the script has set no encoding.
    client_encoding: Setting<String>,
    skips_bodies: Setting<bool>,
}

/// Maximum length of an encoding's name. The server rejects SET with a longer name.
const LONGEST_NAME: usize = 63;

/// Maximum number of words in a statement that changes a setting.
const MOST_WORDS: usize = 8;

impl ScriptSettings {
    /// Creates the initial settings of a session. `backslash_escapes` means that `standard_conforming_strings` is off.
    #[must_use]
    pub fn new(backslash_escapes: bool) -> Self {
        Self { backslash_escapes: Setting::new(backslash_escapes), ..Self::default() }
    }

    /// Returns whether a backslash is an escape in plain literals (`standard_conforming_strings = off`).
    #[must_use]
    pub fn backslash_escapes(&self) -> bool {
        *self.backslash_escapes.value()
    }

    /// Returns the encoding that the script has set, in lower case. Returns `None` if the script has not set it.
    #[must_use]
    pub fn client_encoding(&self) -> Option<&str> {
        Some(self.client_encoding.value().as_str()).filter(|name| !name.is_empty())
    }

    /// Returns whether `check_function_bodies` is off. CREATE FUNCTION then does not check bodies.
    #[must_use]
    pub fn skips_bodies(&self) -> bool {
        *self.skips_bodies.value()
    }

    /// Applies the changes that `statement` makes to settings.
    pub fn run(&mut self, statement: &[u8]) {
        // Return early for most statements, which change no setting.
        let len = statement.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let first = &statement[..len];
        let is = |word: &str| first.eq_ignore_ascii_case(word.as_bytes());
        if len > 8 || !matches!(first.first(), Some(b'A'..=b'E' | b'R' | b'S' | b'a'..=b'e' | b'r' | b's')) {
            return;
        }
        if is("begin") || is("start") {
            self.backslash_escapes.begin();
            self.client_encoding.begin();
            self.skips_bodies.begin();
        } else if is("commit") || is("end") || is("rollback") || is("abort") {
            let words = words(statement, self.backslash_escapes());
            // ROLLBACK TO does not end the transaction, and COMMIT PREPARED ends a different transaction.
            if words.iter().any(|word| word == "to" || word == "prepared") {
                return;
            }
            let is_rollback = is("rollback") || is("abort");
            self.backslash_escapes.end(is_rollback);
            self.client_encoding.end(is_rollback);
            self.skips_bodies.end(is_rollback);
        } else if is("set") || is("reset") || is("discard") {
            let words = words(statement, self.backslash_escapes());
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            self.set(&words);
        }
    }

    fn set(&mut self, words: &[&str]) {
        let (is_local, rest) = match words {
            ["set", "local", rest @ ..] => (true, rest),
            ["set", "session", rest @ ..] | ["set", rest @ ..] => (false, rest),
            ["reset", "all"] | ["discard", "all"] => {
                let (escapes, encoding) = (self.backslash_escapes.initial, self.client_encoding.initial.clone());
                self.backslash_escapes.set(escapes, false);
                self.skips_bodies.set(false, false);
                return self.client_encoding.set(encoding, false);
            }
            ["reset", name] => (false, &[*name, "=", "default"][..]),
            _ => return,
        };
        match rest {
            ["standard_conforming_strings", "=" | "to", value] => {
                let initial = self.backslash_escapes.initial;
                if let Some(value) = if *value == "default" { Some(initial) } else { boolean(value).map(|on| !on) } {
                    self.backslash_escapes.set(value, is_local);
                }
            }
            ["check_function_bodies", "=" | "to", value] => {
                if let Some(value) = if *value == "default" { Some(false) } else { boolean(value).map(|on| !on) } {
                    self.skips_bodies.set(value, is_local);
                }
            }
            ["client_encoding", "=" | "to", value] | ["names", value] if value.len() <= LONGEST_NAME => {
                let value = if *value == "default" { String::new() } else { (*value).to_string() };
                self.client_encoding.set(value, is_local);
            }
            ["names"] => self.client_encoding.set(String::new(), is_local),
            _ => {}
        }
    }
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
mod tests {
    use super::ScriptSettings;

    /// Returns whether a backslash is an escape after these statements.
    fn escapes_after(statements: &[&str]) -> bool {
        let mut settings = ScriptSettings::default();
        statements.iter().for_each(|statement| settings.run(statement.as_bytes()));
        settings.backslash_escapes()
    }

    #[test]
    fn every_form_of_set_is_followed() {
        for set in [
            "SET standard_conforming_strings = off;",
            "set Standard_Conforming_Strings to 'OFF'",
            "SET SESSION /* c */ standard_conforming_strings TO false;",
            "SET \"standard_conforming_strings\" = 0;",
            "SET standard_conforming_strings = n;",
        ] {
            assert!(escapes_after(&[set]), "{set}");
            for reset in [
                "RESET standard_conforming_strings;",
                "reset all",
                "DISCARD ALL;",
                "SET standard_conforming_strings TO DEFAULT",
            ] {
                assert!(!escapes_after(&[set, reset]), "{set} {reset}");
            }
        }
        for other in
            ["SET standard_conforming_strings = o;", "SELECT 'SET standard_conforming_strings = off'", "SET x = off"]
        {
            assert!(!escapes_after(&[other]), "{other}");
        }
    }

    #[test]
    fn transactions_end_what_is_local_and_roll_back_the_rest() {
        const OFF: &str = "SET standard_conforming_strings = off;";
        const LOCAL: &str = "SET LOCAL standard_conforming_strings = off;";
        assert!(!escapes_after(&[LOCAL]), "there is no transaction");
        assert!(escapes_after(&["BEGIN;", LOCAL]));
        assert!(!escapes_after(&["BEGIN;", LOCAL, "COMMIT;"]));
        assert!(escapes_after(&["START TRANSACTION;", OFF, "END;"]));
        assert!(!escapes_after(&["BEGIN;", OFF, "ROLLBACK;"]));
        assert!(escapes_after(&["BEGIN;", OFF, "ROLLBACK TO SAVEPOINT a;"]));
        assert!(escapes_after(&["BEGIN;", OFF, "COMMIT PREPARED 'x';"]));
    }

    #[test]
    fn the_encoding_is_followed() {
        let mut settings = ScriptSettings::default();
        settings.run(b"SET client_encoding = 'LATIN1';");
        assert_eq!(settings.client_encoding(), Some("latin1"));
        settings.run(b"SET NAMES 'utf8';");
        assert_eq!(settings.client_encoding(), Some("utf8"));
        settings.run(format!("SET client_encoding = '{}';", "x".repeat(64)).as_bytes());
        assert_eq!(settings.client_encoding(), Some("utf8"));
        settings.run(b"RESET client_encoding;");
        assert_eq!(settings.client_encoding(), None);
    }

    #[test]
    fn checks_of_bodies_are_followed() {
        let mut settings = ScriptSettings::default();
        for (statement, skips) in [
            ("SET check_function_bodies = false;", true),
            ("SET check_function_bodies TO on;", false),
            ("BEGIN;", false),
            ("SET LOCAL check_function_bodies TO 'off';", true),
            ("COMMIT;", false),
            ("SET check_function_bodies = 0;", true),
            ("RESET ALL;", false),
        ] {
            settings.run(statement.as_bytes());
            assert_eq!(settings.skips_bodies(), skips, "{statement}");
        }
    }
}
