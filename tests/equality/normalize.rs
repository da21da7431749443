//! Normalized texts: those of the C library byte for byte where they are right; where they are
//! not, ours differ for a reason that is named, and are right. A text is right when it parses
//! and has the fingerprint of what it was made from.
//!
//! The counts are printed: texts that are equal, those that differ on purpose by cause, and
//! exceptions by reason. No text may fail.

use std::collections::BTreeMap;

use pgq::{Deviation, Error, Normalized, ParseOptions, Tree, reference};

use crate::corners;
use crate::corpus::{self, Set};
use crate::mutations::Mutations;

/// What came of a set of texts.
#[derive(Default)]
struct Count {
    equal: usize,
    refused: usize,
    /// Texts that differ on purpose, and why; one may have several causes.
    departed: usize,
    causes: BTreeMap<Deviation, usize>,
    /// Texts whose fingerprint counts strings that no parameter can stand for.
    quoted: usize,
    failures: Vec<String>,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.equal += other.equal;
        self.refused += other.refused;
        self.departed += other.departed;
        self.quoted += other.quoted;
        other.causes.into_iter().for_each(|(cause, count)| *self.causes.entry(cause).or_default() += count);
        self.failures.extend(other.failures);
    }

    fn fail(&mut self, why: &str, sql: &str, text: &str) {
        self.failures.push(format!("{why}\n  of:   {sql}\n  made: {text}"));
    }

    /// Ours against the C library's, for the same statement.
    fn compare(&mut self, sql: &str, ours: Result<Normalized, Error>, reference: Result<String, Error>) {
        match (ours, reference) {
            (Ok(ours), Ok(reference)) if ours.text == reference => self.equal += 1,
            // `extract($1 FROM a)` parses with libpg_query's changes to the grammar alone.
            (Ok(ours), Ok(reference))
                if ours.deviations.contains(&Deviation::Word)
                    || (!ours.deviations.is_empty() && !is_right(sql, &reference)) =>
            {
                self.departed += 1;
                ours.deviations.iter().for_each(|cause| *self.causes.entry(*cause).or_default() += 1);
            }
            (Err(ours), Err(reference)) if ours.message == reference.message && ours.position == reference.position => {
                self.refused += 1;
            }
            (ours, reference) => self.fail(&format!("differs from {reference:?}"), sql, &format!("{ours:?}")),
        }
    }

    /// What must hold of any normalized text.
    fn check(&mut self, sql: &str, utility_only: bool) {
        let Ok(made) = normalized(sql, utility_only) else { return self.refused += 1 };
        let again = match normalized(&made.text, utility_only) {
            Ok(again) => again,
            Err(error) => return self.fail(&format!("does not parse ({error})"), sql, &made.text),
        };
        if again.text != made.text {
            return self.fail(&format!("is another when normalized again: {}", again.text), sql, &made.text);
        }
        if pgq::fingerprint(&made.text) == pgq::fingerprint(sql) {
            self.equal += 1;
        } else if made.quoted > 0 {
            self.quoted += 1;
        } else {
            self.fail("has another fingerprint", sql, &made.text);
        }
    }
}

fn normalized(sql: &str, utility_only: bool) -> Result<Normalized, Error> {
    Tree::parse(sql, &ParseOptions::default())?.normalize(utility_only)
}

/// Whether a text can stand for a statement: it parses, has its fingerprint, and no number
/// that is none of its parameters (`SET x = +5` is `SET x = $15` in C).
fn is_right(sql: &str, text: &str) -> bool {
    let params = |text: &str| -> Vec<usize> {
        let tokens = pgq::scan(text).unwrap_or_default();
        tokens.iter().filter_map(|token| text[token.start..token.end].strip_prefix('$')?.parse().ok()).collect()
    };
    let numbers = params(text);
    let made_up = params(sql).is_empty() && numbers.iter().any(|number| *number > numbers.len());
    !made_up && matches!((pgq::fingerprint(sql), pgq::fingerprint(text)), (Ok(a), Ok(b)) if a == b)
}

/// Runs `check` over texts in two threads; the counts of each name.
fn over(texts: &[String], names: &[&str], check: impl Fn(&str, &mut [Count]) + Sync) -> Vec<Count> {
    let run = |part: &[String]| {
        let mut counts: Vec<Count> = names.iter().map(|_| Count::default()).collect();
        part.iter().for_each(|sql| check(sql, &mut counts));
        counts
    };
    let (left, right) = texts.split_at(texts.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(left));
        let mut counts = run(right);
        let more = other.join().expect("a check panicked");
        counts.iter_mut().zip(more).for_each(|(count, more)| count.add(more));
        counts
    })
}

/// Prints the counts of a set; gives its failures.
fn report(set: &str, names: &[&str], counts: Vec<Count>) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, count) in names.iter().zip(counts) {
        let Count { equal, refused, departed, causes, quoted, failures: own } = count;
        println!(
            "{set}: {name}: {equal} equal, {departed} differ on purpose {causes:?}, {quoted} with strings that count, \
             {refused} refused alike, {} failed",
            own.len()
        );
        failures.extend(own.into_iter().map(|failure| format!("{set}: {name}: {failure}")));
    }
    failures
}

fn none_of(failures: &[String]) {
    let shown = failures.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} failures, the first of them:\n{shown}", failures.len());
}

fn sets_and_corners() -> impl Iterator<Item = Set> {
    corpus::sets().into_iter().chain([Set { name: "corners", statements: corners::texts() }])
}

#[test]
fn normalized_texts_equal_the_c_library_where_that_is_right() {
    let names = ["normalize", "normalize utility", "normalize of a piece"];
    let mut failures = Vec::new();
    for Set { name, statements } in sets_and_corners() {
        let counts = over(&statements, &names, |sql, counts| {
            counts[0].compare(sql, normalized(sql, false), reference::normalize(sql));
            counts[1].compare(sql, normalized(sql, true), reference::normalize_utility(sql));
            let text = format!("SELECT 'é', $7;{sql}");
            let Ok(tree) = Tree::parse_piece(&text, &ParseOptions::default()) else {
                return counts[2].refused += 1;
            };
            for (index, range) in tree.statements().map(|statement| statement.range()).enumerate().skip(1) {
                let own = &text[range];
                counts[2].compare(own, tree.statement(index).normalize(false), reference::normalize(own));
            }
        });
        failures.extend(report(name, &names, counts));
    }
    none_of(&failures);
}

const PROPERTIES: [&str; 2] = ["normalized", "normalized utility"];

fn check_properties(name: &str, texts: &[String]) -> Vec<String> {
    let counts = over(texts, &PROPERTIES, |sql, counts| {
        counts[0].check(sql, false);
        counts[1].check(sql, true);
    });
    report(name, &PROPERTIES, counts)
}

#[test]
fn normalized_texts_parse_stay_and_keep_their_fingerprint() {
    let failures: Vec<String> =
        sets_and_corners().flat_map(|Set { name, statements }| check_properties(name, &statements)).collect();
    none_of(&failures);
}

#[test]
fn normalized_texts_of_changed_statements_are_right() {
    let mut mutations = Mutations::new(0x5eed_0a11);
    let sets = corpus::sets().into_iter();
    let failures: Vec<String> =
        sets.flat_map(|Set { name, statements }| check_properties(name, &mutations.of(&statements, 3))).collect();
    none_of(&failures);
}

#[test]
fn wrong_texts_of_the_c_library_are_right_here() {
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
        // Alone, these are as libpg_query has them: its grammar takes them.
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
        ("SET x = +5", "SET x = +5", 1, 0),
        ("DO $$begin$$", "DO '$1'", 0, 1),
        ("SELECT 1, $2147483647", "SELECT 1, $2147483647", 1, 0),
    ] {
        let made = normalized(sql, false).unwrap();
        assert_eq!((made.text.as_str(), made.kept, made.quoted), (expected, kept, quoted), "{sql}");
        assert!(!made.deviations.is_empty(), "{sql}");
    }
}
