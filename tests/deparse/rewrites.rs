//! Tests verification, which checks that deparsed SQL has the tree of the original SQL. Verification first compares the
//! tokens of both. If they differ only in equivalent spellings, such as `=` and `TO` in SET, verification accepts the
//! SQL without parsing it.
//!
//! This test changes one spelling to the other wherever possible, and also changes statements at random. A changed
//! statement that verification accepts must have the meaning of the original.

use std::cell::OnceCell;

use fastrand::Rng;
use pgq::Tree;
use pgq_corpus::all_statements;
use pgq_corpus::grammar::Sentences;

use crate::common::counts::Counts;
use crate::common::setting::setting;
use crate::common::tally::{Tally, assert_none, tally};
use crate::meaning::meaning;
use crate::outcomes::parsed;
use crate::sentences::{STARTS, grammar};

/// The results of changed statements.
#[derive(Default)]
struct Changed {
    accepted: usize,
    refused: usize,
    /// Statements that were accepted although they do not parse, or although they have a different meaning.
    wrong: Vec<String>,
}

impl Tally for Changed {
    fn merge(&mut self, following: Self) {
        self.accepted += following.accepted;
        self.refused += following.refused;
        self.wrong.extend(following.wrong);
    }
}

impl Changed {
    fn check(&mut self, sql: &str, tree: &Tree, changed: impl IntoIterator<Item = Vec<String>>) {
        let expected = OnceCell::new();
        for text in changed.into_iter().map(|words| words.join(" ")) {
            if tree.verify(&text).is_err() {
                self.refused += 1;
                continue;
            }
            self.accepted += 1;
            let expected = expected.get_or_init(|| meaning(sql, true));
            if parsed(&text).is_none() || meaning(&text, true) != *expected {
                self.wrong.push(format!("{sql}\n  accepted: {text}"));
            }
        }
    }

    fn assert(self, counts: &mut Counts, name: &str, least: usize) {
        let Self { accepted, refused, wrong } = self;
        counts.add(format!("{name}: {accepted} accepted, {refused} refused, {} of them wrong", wrong.len()));
        assert_none(&wrong, "accepted with another meaning");
        assert!(accepted >= least && refused >= least, "{name}: too few");
    }
}

/// Returns the tokens of `sql` verbatim.
fn words(sql: &str) -> Vec<String> {
    let tokens = pgq::scan(sql).expect("what parses also scans");
    tokens.iter().filter(|token| !token.is_comment()).map(|token| sql[token.start..token.end].to_string()).collect()
}

/// Returns variants of the statement. Each variant changes one spelling for which verification has
/// a rule, such as `=` to `TO`. Some variants have a different meaning.
fn rewritten(words: &[String]) -> Vec<Vec<String>> {
    let mut texts = Vec::new();
    let mut replace = |start: usize, end: usize, with: &[&str]| {
        let with = with.iter().map(|word| (*word).to_string());
        texts.push(words[..start].iter().cloned().chain(with).chain(words.iter().skip(end).cloned()).collect());
    };
    for (i, word) in words.iter().enumerate() {
        let (lower, next) = (word.to_ascii_lowercase(), words.get(i + 1).map_or("", String::as_str));
        match lower.as_str() {
            "as" | "inner" | "outer" => replace(i, i + 1, &[]),
            "(" => {
                replace(i, i, &["USING", "btree"]);
                if let Some(close) = closing(words, i) {
                    let inner: Vec<&str> = words[i + 1..close].iter().map(String::as_str).collect();
                    replace(i, close + 1, &inner);
                }
            }
            "=" => replace(i, i + 1, &["TO"]),
            "to" => replace(i, i + 1, &["="]),
            "integer" => replace(i, i + 1, &["int"]),
            "json" => replace(i, i + 1, &["pg_catalog", ".", "json"]),
            "temp" => replace(i, i + 1, &["TEMPORARY"]),
            "procedure" => replace(i, i + 1, &["FUNCTION"]),
            "session" => {
                replace(i, i + 2, &["session_authorization", "TO"]);
                replace(i, i + 2, &["session_authorization"]);
            }
            _ if word.starts_with('\'') => replace(i, i + 1, &[&word.replace('\'', "\"")]),
            _ if next.eq_ignore_ascii_case("from") => replace(i, i + 1, &[&format!("'{lower}'")]),
            _ => {}
        }
        if next.starts_with('\'') {
            replace(i, i + 2, &[next, "::", word]);
            if lower == "json" {
                replace(i, i + 2, &[next, "::", "pg_catalog", ".", "json"]);
            }
        }
    }
    texts
}

/// Returns the index of the closing parenthesis that matches the opening parenthesis at `open`.
fn closing(words: &[String], open: usize) -> Option<usize> {
    let mut depth = 0;
    (open..words.len()).find(|i| {
        match words[*i].as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Words that mutations insert, because they determine the meaning of adjacent words.
const WORDS: [&str; 32] = [
    "AS", "JOIN", "INNER", "LEFT", "OUTER", "ON", "USING", "SETOF", "DISTINCT", "FROM", "::", ".", "(", ")", ",", ";",
    "[", "=", "TO", "*", "ARRAY", "CAST", "SELECT", "NOT", "WITH", "TIME", "int", "json", "date", "'a'", "x", "1",
];

/// Drops, doubles, swaps, replaces or inserts one word.
fn mutated(rng: &mut Rng, words: &[String]) -> Vec<String> {
    let mut words = words.to_vec();
    let at = rng.usize(..words.len());
    let other = if rng.bool() { words[rng.usize(..words.len())].clone() } else { rng.choice(WORDS).unwrap().into() };
    match rng.u8(..5) {
        0 => drop(words.remove(at)),
        1 => words.insert(at, words[at].clone()),
        2 if at + 1 < words.len() => words.swap(at, at + 1),
        3 => words.insert(at, other),
        _ => words[at] = other,
    }
    words
}

/// Number of mutations of each statement.
const MUTATIONS: usize = 6;

/// Checks rewritten forms of the statements, and mutations of their deparsed SQL.
fn check_statements(counts: &mut Counts, name: &str, statements: &[String], least: usize) {
    let numbered: Vec<(u64, &String)> = (0..).zip(statements).collect();
    let [by_form, at_random] = tally(&numbered, |(number, sql), tallies: &mut crate::common::tally::Each<_, 2>| {
        let Some(tree) = parsed(sql) else { return };
        let [by_form, at_random]: &mut [Changed; 2] = &mut tallies.0;
        by_form.check(sql, &tree, rewritten(&words(sql)));
        let Ok(deparsed) = tree.deparse(&pgq::DeparseOptions::default()) else { return };
        let words = words(&deparsed);
        let mut rng = Rng::with_seed(*number + 1_000_000 * setting("PGQ_SEED", 1) as u64);
        if !words.is_empty() {
            at_random.check(sql, &tree, (0..MUTATIONS * setting("PGQ_CASES", 1)).map(|_| mutated(&mut rng, &words)));
        }
    })
    .0;
    by_form.assert(counts, &format!("{name}, in another form"), least);
    at_random.assert(counts, &format!("{name}, deparsed and mutated"), least);
}

#[test]
fn what_is_accepted_has_the_same_meaning() {
    let mut counts = Counts::new("deparse/rewrites");
    check_statements(&mut counts, "corpus", &all_statements(), 1000);
    let grammar = grammar();
    for (start, before, after) in STARTS {
        let mut sentences = Sentences::new(&grammar, start);
        let mut texts = Vec::new();
        for size in [0, 12, 30].repeat(setting("PGQ_CASES", 1)) {
            for rule in 0..grammar.rules.len() {
                let Some((sentence, _)) = sentences.sentence(rule, size) else { continue };
                texts.push(format!("{before}{sentence}{after}"));
            }
        }
        check_statements(&mut counts, start, &texts, 10);
    }
    if setting("PGQ_SEED", 1) == 1 && setting("PGQ_CASES", 1) == 1 {
        counts.check();
    }
}
