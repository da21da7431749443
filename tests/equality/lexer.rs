//! Compares the tokens of the native lexer with those of PostgreSQL's scanner, over the corpus, edge cases, all short
//! texts, and mutated statements. Skips texts for which the lexer falls back to the scanner.

use std::collections::BTreeMap;

use fastrand::Rng;
use pgq::{FallbackReason, reference};
use pgq_corpus::{Set, all_statements, sets};
use proptest::prelude::*;

use crate::common::counts::Counts;
use crate::common::mutations::mutated;
use crate::common::properties;
use crate::common::tally::{Tally, assert_none, tally};
use crate::lexer_cases;

/// Outcomes of a set of texts.
#[derive(Default)]
struct Outcomes {
    equal: usize,
    /// Number of texts for which the lexer falls back to PostgreSQL's scanner.
    fallbacks: BTreeMap<FallbackReason, usize>,
    differences: Vec<String>,
}

impl Tally for Outcomes {
    fn merge(&mut self, following: Self) {
        self.equal += following.equal;
        following.fallbacks.into_iter().for_each(|(why, count)| *self.fallbacks.entry(why).or_default() += count);
        self.differences.extend(following.differences);
    }
}

/// Start, end, token and keyword kind.
type Tokens = Vec<(i32, i32, i32, i32)>;

/// Compares pgq's tokens of a text with libpg_query's. Returns the difference, if any.
fn difference(text: &str) -> Result<Option<String>, FallbackReason> {
    let tokens = pgq::scan_native(text)?;
    let ours: Tokens = tokens.iter().map(|t| (t.start as i32, t.end as i32, t.token, t.keyword)).collect();
    let reference = reference::scan(text)
        .map(|result| result.tokens.iter().map(|t| (t.start, t.end, t.token, t.keyword_kind)).collect::<Tokens>());
    let equal = reference.as_ref().is_ok_and(|reference| *reference == ours);
    Ok((!equal).then(|| format!("{text:?}\n  ours:      {ours:?}\n  reference: {reference:?}")))
}

fn compare(texts: &[String]) -> Outcomes {
    tally(texts, |text, outcomes: &mut Outcomes| match difference(text) {
        Err(why) => *outcomes.fallbacks.entry(why).or_default() += 1,
        Ok(None) => outcomes.equal += 1,
        Ok(Some(difference)) => outcomes.differences.push(difference),
    })
}

/// Adds the outcomes to the counts. Fails on a difference.
fn report(counts: &mut Counts, name: &str, outcomes: &Outcomes) {
    let Outcomes { equal, fallbacks, differences } = outcomes;
    let all: usize = fallbacks.values().sum();
    counts.add(format!("{name}: {equal} equal, {all} left to the scanner {fallbacks:?}, {} differ", differences.len()));
    assert_none(differences, "texts with other tokens");
}

/// Minimum number of texts per 1000 that the lexer must read.
const NATIVE: usize = 995;

#[test]
fn the_lexer_equals_the_scanner_over_the_corpus() {
    let mut counts = Counts::new("equality/lexer_corpus");
    for Set { name, statements } in sets() {
        let outcomes = compare(&statements);
        report(&mut counts, name, &outcomes);
        assert!(outcomes.equal * 1000 >= statements.len() * NATIVE, "{name}: too many texts need the scanner");
    }
    counts.check();
}

#[test]
fn the_lexer_equals_the_scanner_on_edge_cases() {
    let mut counts = Counts::new("equality/lexer_edge_cases");
    let texts = lexer_cases::texts();
    report(&mut counts, "edge cases", &compare(&texts));
    let mut changed = Vec::new();
    for text in &texts {
        for (before, behind) in
            [("", " "), (" ", ""), ("a", "b"), ("1", "2"), ("'", "'"), ("-", "-"), (".", "."), ("$", "$")]
        {
            changed.push(format!("{before}{text}{behind}"));
        }
        changed.extend(text.char_indices().map(|(at, _)| text[..at].to_string()));
        changed.extend(text.char_indices().map(|(at, _)| text[at..].to_string()));
    }
    report(&mut counts, "with a character before or behind, and cut at every character", &compare(&changed));
    counts.check();
}

#[test]
fn the_lexer_equals_the_scanner_on_every_short_text() {
    // The test uses all texts of up to four of these characters, so that it tests every pair of adjacent tokens.
    const CHARACTERS: [&str; 24] = [
        "a", "E", "x", "_", "0", "9", ".", "$", "'", "\"", "\\", "-", "+", "/", "*", "=", "<", ":", "!", "&", " ",
        "\n", "é", "(",
    ];
    let mut texts = vec![String::new()];
    let mut longest = texts.clone();
    for _ in 0..4 {
        longest = longest.iter().flat_map(|text| CHARACTERS.iter().map(move |next| format!("{text}{next}"))).collect();
        texts.extend(longest.iter().cloned());
    }
    let mut counts = Counts::new("equality/lexer_short_texts");
    report(&mut counts, "short texts", &compare(&texts));
    counts.check();
}

#[test]
fn the_lexer_equals_the_scanner_on_mutated_statements() {
    let mut rng = Rng::with_seed(2);
    let statements = all_statements();
    let mut counts = Counts::new("equality/lexer_mutated");
    report(&mut counts, "mutated statements", &compare(&mutated(&mut rng, &statements, 3)));
    counts.check();
}

/// Returns a token of the edge cases, or white space.
fn piece() -> impl Strategy<Value = &'static str> {
    let tokens: Vec<&str> = lexer_cases::ROWS.iter().flat_map(|row| row.split(' ')).collect();
    prop_oneof![4 => prop::sample::select(tokens), 1 => prop::sample::select(vec![" ", "\n", "\t"])]
}

proptest! {
    #![proptest_config(properties::config(20_000))]

    #[test]
    fn the_lexer_equals_the_scanner_on_any_sequence_of_tokens(pieces in prop::collection::vec(piece(), 1..12)) {
        prop_assert_eq!(difference(&pieces.concat()).unwrap_or(None), None);
    }
}
