//! The comparison of pgq with the C library over sets of statements, and its outcomes.

use std::fmt::Debug;

use pgq::Error;
use pgq::proto::ParseResult;
use pgq_corpus::Set;

use crate::common::counts::Counts;
use crate::common::tally::{Each, Tally, assert_none, tally};

/// The outcomes of one check over a set.
#[derive(Default)]
pub struct Outcomes {
    pub equal: usize,
    /// Number of statements that both libraries refuse with the same message and position.
    pub refused: usize,
    /// Number of statements for which only pgq's result is correct: the C library's SQL does not
    /// parse back to the same tree.
    pub corrected: usize,
    pub differences: Vec<String>,
}

impl Tally for Outcomes {
    fn merge(&mut self, following: Self) {
        self.equal += following.equal;
        self.refused += following.refused;
        self.corrected += following.corrected;
        self.differences.extend(following.differences);
    }
}

impl Outcomes {
    /// Compares pgq's result with the reference: equal values, or the same error at the same position.
    pub fn compare<T: PartialEq + Debug>(&mut self, sql: &str, ours: Result<T, Error>, reference: Result<T, Error>) {
        match (ours, reference) {
            (Ok(ours), Ok(reference)) if ours == reference => self.equal += 1,
            (Err(ours), Err(reference)) if ours.message == reference.message && ours.position == reference.position => {
                self.refused += 1;
            }
            // libpg_query's grammar accepts parameters that PostgreSQL's grammar refuses (build/fixes/parameters.rs).
            (Err(ours), _) if ours.message.contains("at or near \"$") => self.corrected += 1,
            (ours, reference) => {
                self.differences.push(format!("{sql}\n  ours:      {ours:?}\n  reference: {reference:?}"));
            }
        }
    }

    /// Compares deparsed SQL. pgq's SQL must equal the reference, unless the reference does not parse back to the same
    /// tree. In this case, pgq's SQL must parse back to the tree, or pgq must return an error.
    pub fn compare_deparsed(
        &mut self,
        sql: &str,
        tree: &ParseResult,
        ours: Result<String, Error>,
        reference: Result<String, Error>,
    ) {
        let is_correct = |sql: &Result<String, Error>| sql.as_ref().is_ok_and(|sql| pgq::verify(tree, sql).is_ok());
        if is_correct(&reference) || ours == reference {
            return self.compare(sql, ours, reference);
        }
        match &ours {
            Ok(_) if is_correct(&ours) => self.corrected += 1,
            Err(_) => self.refused += 1,
            Ok(_) => self.differences.push(format!("{sql}\n  both wrong: ours: {ours:?}\n  reference: {reference:?}")),
        }
    }
}

/// Runs `check` on every statement of every set. Fails if the outcomes differ from `tests/counts/{topic}.txt`.
pub fn compare_sets<const N: usize>(
    topic: &'static str,
    sets: impl IntoIterator<Item = Set>,
    checks: [&str; N],
    check: impl Fn(&str, &mut [Outcomes; N]) + Sync,
) {
    let mut counts = Counts::new(topic);
    let mut failures = Vec::new();
    for Set { name, statements } in sets {
        let Each(outcomes) = tally(&statements, |sql: &String, Each(outcomes)| check(sql, outcomes));
        for (check, Outcomes { equal, refused, corrected, differences }) in checks.iter().zip(outcomes) {
            let corrected = if corrected > 0 { format!(", {corrected} correct only here") } else { String::new() };
            counts.add(format!(
                "{name}: {check}: {equal} equal, {refused} refused by both{corrected}, {} differ",
                differences.len()
            ));
            failures.extend(differences.into_iter().map(|difference| format!("{name}: {check}: {difference}")));
        }
    }
    assert_none(&failures, "differences");
    counts.check();
}
