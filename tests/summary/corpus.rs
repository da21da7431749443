//! Tests that the summaries of the corpus are complete according to libpg_query's JSON. The summaries must equal those
//! of `pg_query_summary`, except for the categories of differences in docs/summary.md.

use std::collections::{BTreeMap, BTreeSet};

use pgq::{ParseOptions, Summary, Tree, reference};
use pgq_corpus::{Set, sets};

use crate::cases::CASES;
use crate::common::counts::Counts;
use crate::common::tally::{Tally, assert_none, tally};
use crate::comparison::{Differences, compare_summaries};
use crate::missed::Finding;
use crate::references::References;

/// Outcomes over a set.
#[derive(Default)]
struct Outcomes {
    /// Number of statements for which both summaries are equal.
    equal: usize,
    /// Number of statements whose differences all belong to known categories.
    categorized: usize,
    refused: usize,
    /// For each category, the number of findings (such as tables) that only one of the two summaries has.
    categories: BTreeMap<String, usize>,
    failures: Vec<String>,
}

impl Tally for Outcomes {
    fn merge(&mut self, following: Self) {
        self.equal += following.equal;
        self.categorized += following.categorized;
        self.refused += following.refused;
        following.categories.into_iter().for_each(|(name, count)| *self.categories.entry(name).or_default() += count);
        self.failures.extend(following.failures);
    }
}

#[test]
fn summaries_are_complete_and_equal_the_c_library_where_that_is_right() {
    let mut counts = Counts::new("summary");
    let mut failures = Vec::new();
    let mut categories: BTreeMap<String, usize> = BTreeMap::new();
    let cases = Set { name: "cases", statements: CASES.iter().map(|(sql, _)| (*sql).to_string()).collect() };
    for set in sets().into_iter().chain([cases]) {
        let outcomes = tally(&set.statements, |sql: &String, outcomes: &mut Outcomes| compare(sql, outcomes));
        let Outcomes { equal, categorized, refused, failures: failed, .. } = &outcomes;
        counts.add(format!(
            "{}: {equal} equal, {categorized} differ in the categories below, {refused} refused by both, {} failed",
            set.name,
            failed.len()
        ));
        for (name, count) in outcomes.categories {
            *categories.entry(name).or_default() += count;
        }
        failures.extend(outcomes.failures);
    }
    categories.into_iter().for_each(|(name, count)| counts.add(format!("{name}: {count}")));
    assert_none(&failures, "failures");
    counts.check();
}

/// Returns the summaries of all statements, joined.
fn summarize(sql: &str) -> Result<Summary, pgq::Error> {
    let tree = Tree::parse(sql, &ParseOptions::normalized())?; // like libpg_query
    let mut whole = Summary::default();
    for statement in tree.statements() {
        let summary = statement.summary()?;
        whole.tables.extend(summary.tables);
        whole.other_relations.extend(summary.other_relations);
        whole.aliases.extend(summary.aliases);
        whole.ctes.extend(summary.ctes);
        whole.functions.extend(summary.functions);
        whole.filter_columns.extend(summary.filter_columns);
        whole.statement_kinds.extend(summary.statement_kinds);
    }
    let mut seen = BTreeSet::new();
    whole.statement_kinds.retain(|kind| seen.insert(*kind));
    Ok(whole)
}

fn compare(sql: &str, outcomes: &mut Outcomes) {
    let (ours, theirs) = match (summarize(sql), reference::summary(sql, &ParseOptions::default())) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(ours), Err(theirs)) if ours.message == theirs.message => return outcomes.refused += 1,
        (Ok(_), Err(error)) if error.message.starts_with("improper relation name") => {
            let category = format!("{}: a name of four parts is refused", Finding::Wrong);
            *outcomes.categories.entry(category).or_default() += 1;
            return outcomes.categorized += 1;
        }
        (ours, theirs) => return outcomes.failures.push(format!("{sql}\n  ours: {ours:?}\n  theirs: {theirs:?}")),
    };
    let Differences { categories, problems } = compare_summaries(&ours, &theirs, &References::of(sql));
    if !problems.is_empty() {
        outcomes.failures.push(format!("{sql}\n  {}\n  ours:   {ours:?}\n  theirs: {theirs:?}", problems.join("\n  ")));
    } else if categories.is_empty() {
        outcomes.equal += 1;
    } else {
        outcomes.categorized += 1;
    }
    for name in categories {
        *outcomes.categories.entry(name).or_default() += 1;
    }
}
