//! Classifies a statement of the log by its first words, for a replay without `--writes`.
//!
//! Safety does not depend on this classification, because every statement runs in a read-only transaction that is
//! rolled back. The classification finds statements that would fail anyway and need not be sent. It also finds
//! statements that pgq handles itself.

use std::collections::HashMap;

use pgq_lexer::Lexer;

/// How a replay handles a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Send the statement.
    Run,
    /// The statement sets this variable. Send it, and repeat it in later transactions.
    Set(String),
    /// Send the statement if the session has prepared a statement of this name.
    Execute(String),
    /// Starts a transaction block.
    Begin,
    /// Ends a transaction block. With `chain`, the next block starts immediately. Unless `keeps`, the settings of the
    /// block are undone.
    End { chain: bool, keeps: bool },
    /// Marks a point of a block, to which the block can go back.
    Savepoint(String),
    /// Removes a savepoint and those after it.
    Release(String),
    /// Undoes what a block did after the savepoint. Continues a block after an error.
    RollBackTo(String),
    /// Resets all settings and prepared statements.
    Discard,
    /// A statement that a replay does not need: transaction modes, encodings.
    Ignore,
    /// Not sent, because the text has several statements.
    Several,
    /// Not sent, because it may write.
    Write,
}

/// Number of words that the classification reads.
const WORDS: usize = 8;

impl Command {
    pub fn of(sql: &str) -> Self {
        let mut first: Vec<String> = Vec::new();
        let mut has_ended = false;
        for token in tokens(sql) {
            match token {
                ";" => has_ended = !first.is_empty(),
                _ if has_ended => return Self::Several,
                _ if first.len() < WORDS => first.push(word(token)),
                _ => {}
            }
        }
        Self::of_words(&first.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn of_words(words: &[&str]) -> Self {
        match words {
            ["begin", ..] | ["start", "transaction", ..] => Self::Begin,
            ["commit" | "rollback", "prepared", ..] => Self::Ignore,
            ["savepoint", name] => Self::Savepoint((*name).into()),
            ["release", .., name] => Self::Release((*name).into()),
            ["rollback" | "abort", rest @ .., name] if rest.contains(&"to") => Self::RollBackTo((*name).into()),
            ["commit" | "end" | "rollback" | "abort", rest @ ..] => {
                let chain = rest.contains(&"chain") && !rest.contains(&"no");
                Self::End { chain, keeps: matches!(words[0], "commit" | "end") }
            }
            ["prepare", "transaction", ..] => Self::End { chain: false, keeps: false },
            ["discard", ..] | ["reset", "all", ..] => Self::Discard,
            ["set" | "reset", rest @ ..] => Self::of_set(rest),
            ["execute", name, ..] => Self::Execute((*name).into()),
            [
                "select" | "with" | "values" | "table" | "(" | "show" | "explain" | "copy" | "declare" | "fetch"
                | "move" | "close" | "prepare" | "deallocate",
                ..,
            ] => Self::Run,
            _ => Self::Write,
        }
    }

    /// Classifies the words after SET or RESET.
    fn of_set(words: &[&str]) -> Self {
        match words {
            ["transaction" | "names" | "client_encoding", ..] | ["session", "characteristics", ..] => Self::Ignore,
            [mode, ..] if mode.starts_with("transaction_") => Self::Ignore,
            ["constraints", ..] => Self::Run,
            ["session", "authorization", ..] => Self::Set("session authorization".into()),
            ["session", rest @ ..] => Self::of_set(rest),
            ["local", rest @ ..] if Self::of_set(rest) == Self::Ignore => Self::Ignore,
            ["local", ..] => Self::Run,
            ["time" | "role", ..] => Self::Set(words[0].into()),
            // `app.user = 7`
            _ => Self::Set(words.iter().take_while(|word| !matches!(**word, "=" | "to")).copied().collect()),
        }
    }
}

/// Returns the tokens of SQL, except comments.
fn tokens(sql: &str) -> impl Iterator<Item = &str> {
    let tokens = Lexer::new(sql.as_bytes()).filter(|token| !token.is_comment());
    tokens.map(|token| sql.get(token.start as usize..token.end as usize).unwrap_or_default())
}

/// Returns a keyword or an identifier as PostgreSQL compares it.
fn word(token: &str) -> String {
    match token.strip_prefix('"').and_then(|token| token.strip_suffix('"')) {
        Some(quoted) => quoted.replace("\"\"", "\""),
        None => token.to_ascii_lowercase(),
    }
}

/// Updates the prepared statements of a session after the session has executed `sql`. The keys of `prepared` are names.
pub fn follow_prepared(sql: &str, prepared: &mut HashMap<String, u64>) {
    let mut statement: Vec<String> = Vec::new();
    for token in tokens(sql).chain([";"]) {
        if token != ";" {
            if statement.len() < 3 {
                statement.push(word(token));
            }
            continue;
        }
        match &statement.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["deallocate", "all"] | ["deallocate", "prepare", "all"] | ["discard", "all"] => prepared.clear(),
            ["deallocate", "prepare", name] | ["deallocate", name] => _ = prepared.remove(*name),
            ["prepare", name, _] if *name != "transaction" => _ = prepared.insert((*name).into(), 0),
            _ => {}
        }
        statement.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_decide() {
        let set = |name: &str| Command::Set(name.into());
        let end = |chain, keeps| Command::End { chain, keeps };
        for (sql, expected) in [
            ("SELECT 1", Command::Run),
            (" ; /* a /* b */ */ -- c\n (VALUES (1));", Command::Run),
            ("COPY t TO PROGRAM E'… # to stdout'", Command::Run),
            ("BEGIN READ/**/WRITE", Command::Begin),
            (";;commit AND CHAIN", end(true, true)),
            ("ROLLBACK AND NO CHAIN", end(false, false)),
            ("ROLLBACK WORK TO SAVEPOINT a", Command::RollBackTo("a".into())),
            ("COMMIT PREPARED 'a'", Command::Ignore),
            ("RESET transaction_read_only", Command::Ignore),
            ("PREPARE TRANSACTION 'a'", end(false, false)),
            ("PREPARE a AS SELECT 1", Command::Run),
            ("SET search_path TO a, b", set("search_path")),
            ("SET SESSION App.User = '7'", set("app.user")),
            ("RESET app.user", set("app.user")),
            ("SET TIME ZONE 'UTC'", set("time")),
            ("SET SESSION AUTHORIZATION a", set("session authorization")),
            ("SET LOCAL a = 1", Command::Run),
            ("SET NAMES 'latin1'", Command::Ignore),
            ("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE", Command::Ignore),
            ("DISCARD ALL", Command::Discard),
            ("EXECUTE P(1)", Command::Execute("p".into())),
            ("execute \"P\"\"\"", Command::Execute("P\"".into())),
            ("SELECT 1; SELECT 2", Command::Several),
            ("NOTIFY a", Command::Write),
            ("DO 'BEGIN END'", Command::Write),
            ("", Command::Write),
            ("'", Command::Write),
        ] {
            assert_eq!(Command::of(sql), expected, "{sql}");
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
            follow_prepared(sql, &mut prepared);
            let mut names: Vec<_> = prepared.keys().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(names, expected, "{sql}");
        }
    }
}
