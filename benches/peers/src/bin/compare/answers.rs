//! Collects the parsers' answers to each statement of a corpus. A parser is not measured with the statements that it
//! rejects.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::function::{Comparison, Function};
use crate::peers::Peer;
use crate::program::{Answers, Program};

/// Maximum number of statements on which a program may crash before it is excluded.
const MOST_CRASHES: usize = 50;

/// The answers of one parser to a corpus.
pub struct Asked {
    pub functions: Vec<String>,
    pub postgresql: Option<u64>,
    /// For each statement, the answers by function. A function that rejects the statement has no answer.
    pub answers: Vec<Answers>,
    /// Number of statements on which the program crashed.
    pub crashes: usize,
}

/// Asks a parser about each statement. Restarts the parser after a crash.
pub fn ask(peer: &Peer, count: usize, statements: &Path) -> Result<Asked> {
    let start = || Program::start(&peer.command, statements).with_context(|| format!("{} does not start", peer.name));
    let mut program = start()?;
    let (functions, postgresql) = (program.functions.clone(), program.postgresql);
    let mut asked = Asked { functions, postgresql, answers: Vec::new(), crashes: 0 };
    for statement in 0..count {
        let answers = program.answers(statement).or_else(|_| {
            asked.crashes += 1;
            ensure!(asked.crashes <= MOST_CRASHES, "{} crashes on more than {MOST_CRASHES} statements", peer.name);
            program = start()?;
            Ok(Answers::new())
        })?;
        asked.answers.push(answers);
    }
    Ok(asked)
}

/// The comparison of a parser's answers with pgq's, for one function.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Compared {
    /// For each statement, whether pgq and the parser both answer it. Only these statements are measured.
    pub chosen: Vec<bool>,
    /// Number of statements that only pgq answers.
    pub refused: usize,
    /// Number of statements that only the parser answers.
    pub extra: usize,
    /// Number of answers that agree with pgq's, and number of comparable answers.
    pub agreeing: usize,
    pub compared: usize,
    /// The sum of the answers, if they are counts.
    pub counted: u64,
}

/// Compares a parser's answers with pgq's. `call` is the name of the parser's function: usually the name of `function`.
/// If the parser is pgq itself, `call` is an alternative to `function` ([`Function::others`]), such as `shared`.
pub fn compare(function: &Function, call: &str, pgq: &[Answers], peer: &[Answers]) -> Compared {
    let mut compared = Compared::default();
    for (expected, answers) in pgq.iter().zip(peer) {
        let answer = answers.get(call);
        let both = expected.contains_key(function.name) && answer.is_some();
        compared.chosen.push(both);
        match answer {
            None => compared.refused += usize::from(expected.contains_key(function.name)),
            Some(_) if !both => compared.extra += 1,
            Some(answer) if function.comparison == Comparison::Count => {
                compared.counted += answer.parse::<u64>().unwrap_or_default();
            }
            Some(answer) => {
                if let Some(agrees) = function.comparison.agrees(function.name, answer, expected) {
                    compared.compared += 1;
                    compared.agreeing += usize::from(agrees);
                }
            }
        }
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FUNCTIONS;

    fn answers(function: &str, of_statements: &[Option<&str>]) -> Vec<Answers> {
        let one = |answer: &Option<&str>| answer.map(|text| (function.to_string(), text.to_string()));
        of_statements.iter().map(|answer| one(answer).into_iter().collect()).collect()
    }

    #[test]
    fn a_statement_that_one_refuses_is_not_measured() {
        let pgq = answers("fingerprint", &[Some("a"), Some("b"), None, Some("d")]);
        let peer = answers("fingerprint", &[Some("a"), None, Some("c"), Some("e")]);
        let compared = compare(&FUNCTIONS[2], "fingerprint", &pgq, &peer);
        let chosen = vec![true, false, false, true];
        assert_eq!(compared, Compared { chosen, refused: 1, extra: 1, agreeing: 1, compared: 2, counted: 0 });
    }

    #[test]
    fn counts_are_added_up() {
        let nodes = answers("walk", &[Some("3"), Some("4")]);
        let compared = compare(&FUNCTIONS[1], "walk", &nodes, &nodes);
        assert_eq!((compared.counted, compared.compared), (7, 0));
    }
}
