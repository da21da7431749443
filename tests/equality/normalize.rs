//! Compares normalized SQL with the C library's. If the C library's SQL is correct, both must be equal, byte for byte.
//! Otherwise pgq deviates for a named reason, and its output is correct: it parses and has the fingerprint of the
//! original.

use std::collections::BTreeMap;

use fastrand::Rng;
use pgq::{Deviation, Error, Normalized, ParseOptions, Tree, reference};
use pgq_corpus::{Set, sets};

use crate::common::counts::Counts;
use crate::common::mutations::mutated;
use crate::common::tally::{Each, Tally, assert_none, tally};
use crate::sets_and_edge_cases;

/// Outcomes of a set of texts.
#[derive(Default)]
struct Outcomes {
    equal: usize,
    /// Number of texts that both libraries refuse, or that pgq refuses in a check without a
    /// reference.
    refused: usize,
    /// Number of texts for which pgq deviates from the C library, for one or more reasons.
    deviating: usize,
    reasons: BTreeMap<Deviation, usize>,
    /// Number of texts with strings that no parameter can replace. Normalization changes the fingerprint of these
    /// texts.
    quoted: usize,
    failures: Vec<String>,
}

impl Tally for Outcomes {
    fn merge(&mut self, following: Self) {
        self.equal += following.equal;
        self.refused += following.refused;
        self.deviating += following.deviating;
        self.quoted += following.quoted;
        following.reasons.into_iter().for_each(|(reason, count)| *self.reasons.entry(reason).or_default() += count);
        self.failures.extend(following.failures);
    }
}

impl Outcomes {
    fn fail(&mut self, why: &str, sql: &str, normalized: &str) {
        self.failures.push(format!("{why}\n  original:   {sql}\n  normalized: {normalized}"));
    }

    /// Compares pgq's normalized text with the C library's.
    fn compare(&mut self, sql: &str, ours: Result<Normalized, Error>, reference: Result<String, Error>) {
        match (ours, reference) {
            (Ok(ours), Ok(reference)) if ours.text == reference => self.equal += 1,
            // A deviation is accepted if libpg_query's SQL is incorrect. A deviation of the kind `Word` is accepted
            // without this check. For such a deviation, libpg_query's SQL is incorrect, for example `extract($1 FROM
            // a)`, but `is_correct` does not notice this, because libpg_query's changed grammar parses the SQL.
            (Ok(ours), Ok(reference))
                if ours.deviations.contains(&Deviation::Word)
                    || (!ours.deviations.is_empty() && !is_correct(sql, &reference)) =>
            {
                self.deviating += 1;
                ours.deviations.iter().for_each(|reason| *self.reasons.entry(*reason).or_default() += 1);
            }
            (Err(ours), Err(reference)) if ours.message == reference.message && ours.position == reference.position => {
                self.refused += 1;
            }
            (ours, reference) => self.fail(&format!("differs from {reference:?}"), sql, &format!("{ours:?}")),
        }
    }

    /// Checks the invariants of normalized SQL: it parses, normalizing it again changes nothing, and it has the
    /// original's fingerprint.
    fn check(&mut self, sql: &str, utility_only: bool) {
        let Ok(first) = normalized(sql, utility_only) else { return self.refused += 1 };
        let second = match normalized(&first.text, utility_only) {
            Ok(second) => second,
            Err(error) => return self.fail(&format!("does not parse ({error})"), sql, &first.text),
        };
        if second.text != first.text {
            return self.fail(&format!("changes when normalized again: {}", second.text), sql, &first.text);
        }
        if pgq::fingerprint(&first.text) == pgq::fingerprint(sql) {
            self.equal += 1;
        } else if first.quoted > 0 {
            self.quoted += 1;
        } else {
            self.fail("has another fingerprint", sql, &first.text);
        }
    }
}

fn normalized(sql: &str, utility_only: bool) -> Result<Normalized, Error> {
    Tree::parse(sql, &ParseOptions::normalized())?.normalize(utility_only)
}

/// Returns whether normalized SQL can replace the original: it parses, has the original's fingerprint, and every `$n`
/// in it is a parameter. (libpg_query normalizes `SET x = +5` to `SET x = $15`, in which only `$1` is a parameter and
/// the `5` is from the original.)
fn is_correct(sql: &str, normalized: &str) -> bool {
    let parameters = |text: &str| -> Vec<usize> {
        let tokens = pgq::scan(text).unwrap_or_default();
        tokens.iter().filter_map(|token| text[token.start..token.end].strip_prefix('$')?.parse().ok()).collect()
    };
    let numbers = parameters(normalized);
    if reference::parse_to_json(normalized, &ParseOptions::default()).is_err() {
        return false;
    }
    let invented = parameters(sql).is_empty() && numbers.iter().any(|number| *number > numbers.len());
    !invented && matches!((pgq::fingerprint(sql), pgq::fingerprint(normalized)), (Ok(a), Ok(b)) if a == b)
}

/// Adds the outcomes of a set to the counts. Returns its failures.
fn report<const N: usize>(
    counts: &mut Counts,
    set: &str,
    checks: [&str; N],
    Each(outcomes): Each<Outcomes, N>,
) -> Vec<String> {
    let mut failed = Vec::new();
    for (check, outcomes) in checks.into_iter().zip(outcomes) {
        let Outcomes { equal, refused, deviating, reasons, quoted, failures } = outcomes;
        counts.add(format!(
            "{set}: {check}: {equal} equal, {deviating} deviate {reasons:?}, {quoted} with strings that count, \
             {refused} refused, {} failed",
            failures.len()
        ));
        failed.extend(failures.into_iter().map(|failure| format!("{set}: {check}: {failure}")));
    }
    failed
}

#[test]
fn normalized_texts_equal_the_c_library_where_that_is_correct() {
    let checks = ["normalize", "normalize utility", "normalize one statement of several"];
    let mut counts = Counts::new("equality/normalize");
    let mut failures = Vec::new();
    for Set { name, statements } in sets_and_edge_cases() {
        let outcomes = tally(&statements, |sql: &String, Each([all, utility, one]): &mut Each<Outcomes, 3>| {
            all.compare(sql, normalized(sql, false), reference::normalize(sql));
            utility.compare(sql, normalized(sql, true), reference::normalize_utility(sql));
            let text = format!("SELECT 'é', $7;{sql}");
            let Ok(tree) = Tree::parse_piece(&text, &ParseOptions::normalized()) else {
                return one.refused += 1;
            };
            for (index, range) in tree.statements().map(|statement| statement.range()).enumerate().skip(1) {
                let statement = &text[range];
                let ours = tree.statement(index).normalize(false);
                one.compare(statement, ours, reference::normalize(statement));
            }
        });
        failures.extend(report(&mut counts, name, checks, outcomes));
    }
    assert_none(&failures, "failures");
    counts.check();
}

fn check_sets(topic: &'static str, sets: impl Iterator<Item = Set>) {
    let mut counts = Counts::new(topic);
    let mut failures = Vec::new();
    for Set { name, statements } in sets {
        let outcomes = tally(&statements, |sql: &String, Each([all, utility]): &mut Each<Outcomes, 2>| {
            all.check(sql, false);
            utility.check(sql, true);
        });
        failures.extend(report(&mut counts, name, ["normalized", "normalized utility"], outcomes));
    }
    assert_none(&failures, "failures");
    counts.check();
}

#[test]
fn normalized_texts_parse_stay_and_keep_their_fingerprint() {
    check_sets("equality/normalized", sets_and_edge_cases());
}

#[test]
fn normalized_texts_of_mutated_statements_parse_stay_and_keep_their_fingerprint() {
    let mut rng = Rng::with_seed(3);
    let sets = sets().into_iter().map(|set| Set { statements: mutated(&mut rng, &set.statements, 3), ..set });
    check_sets("equality/normalized_mutated", sets);
}

#[test]
fn texts_that_the_c_library_normalizes_wrongly_are_correct() {
    for (sql, expected, kept, quoted) in [
        ("SELECT - - 1, -(-1), a - - - 3", "SELECT $1, $2, a - $3", 0, 0),
        ("SELECT -(/* ) */ 5) + 1", "SELECT $1 + $2", 0, 0),
        ("SELECT U&'d!0061' UESCAPE '!', 1", "SELECT $1, $2", 0, 0),
        (
            "SELECT extract(year FROM a), extract('month' FROM b)",
            "SELECT extract(year FROM a), extract($1 FROM b)",
            0,
            0,
        ),
        ("SELECT normalize(a, nfc), a IS NFC NORMALIZED, 1", "SELECT normalize(a, nfc), a IS NFC NORMALIZED, $1", 0, 0),
        // Because of `- - 1`, pgq does not use libpg_query's output, but its own normalization. Without `- - 1`, pgq
        // would return libpg_query's output, which contains casts that PostgreSQL does not accept.
        (
            "SELECT - - 1, interval(3) '1' AS a, float8 '1', f('x') 'y'",
            "SELECT $1, $2::interval(3) AS a, $3::float8, $4::f('x')",
            0,
            0,
        ),
        ("SELECT - - 1, 'a'b, c LIKE'x'", "SELECT $1, $2 b, c LIKE $3", 0, 0),
        ("SELECT a LIKE'x' OR'y'=b AND c=-1", "SELECT a LIKE $1 OR $2=b AND c=$3", 0, 0),
        ("SELECT-1", "SELECT $1", 0, 0),
        (
            "CREATE ROLE r PASSWORD 'secret' VALID UNTIL 'x' CONNECTION LIMIT 5",
            "CREATE ROLE r PASSWORD '$1' VALID UNTIL '$2' CONNECTION LIMIT 5",
            0,
            2,
        ),
        ("SET x = +5", "SET x = $1", 0, 0),
        ("DO $$begin$$", "DO '$1'", 0, 1),
        ("SELECT 1, $2147483647", "SELECT 1, $2147483647", 1, 0),
    ] {
        let ours = normalized(sql, false).unwrap();
        assert_eq!((ours.text.as_str(), ours.kept, ours.quoted), (expected, kept, quoted), "{sql}");
        assert!(!ours.deviations.is_empty(), "{sql}");
    }
}
