//! Summaries over the corpus: complete, by libpg_query's JSON, and equal to `pg_query_summary` but
//! for the categories of [`missed`](crate::missed) and of [`Wrong`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pgq::proto::SummaryResult;
use pgq::proto::summary_result::Context as ReferenceContext;
use pgq::{Context, ParseOptions, RelationKind, Summary, Tree, reference};
use pgq_corpus::{Set, sets};

use crate::cases::CASES;
use crate::common::counts::Counts;
use crate::common::tally::{Tally, assert_none, tally};
use crate::missed::{self, Finding};
use crate::references::{Path, Place, References};

/// Outcomes over a set.
#[derive(Default)]
struct Outcomes {
    /// Statements whose summary is libpg_query's.
    equal: usize,
    /// Statements that differ in the listed categories and in nothing else.
    categorized: usize,
    refused: usize,
    /// How many findings each category has: ours alone, or libpg_query's alone.
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
    let mut categories = BTreeMap::new();
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
    for (name, count) in categories {
        let count: usize = count;
        counts.add(format!("{name}: {count}"));
    }
    assert_none(&failures, "failures");
    counts.check();
}

/// The summaries of all statements of a text, as one.
fn summarize(sql: &str) -> Result<Summary, pgq::Error> {
    let tree = Tree::parse(sql, &ParseOptions::default())?;
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
    let options = ParseOptions::default();
    let (ours, theirs) = match (summarize(sql), reference::summary(sql, &options)) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(ours), Err(theirs)) if ours.message == theirs.message => return outcomes.refused += 1,
        (Ok(_), Err(error)) if error.message.starts_with("improper relation name") => {
            *outcomes.categories.entry(format!("refused by libpg_query: {}", "a name of four parts")).or_default() += 1;
            return outcomes.categorized += 1;
        }
        (ours, theirs) => return outcomes.failures.push(format!("{sql}\n  ours: {ours:?}\n  theirs: {theirs:?}")),
    };
    let mut comparison =
        Comparison { ours, theirs, references: References::of(sql), categories: Vec::new(), problems: Vec::new() };
    comparison.completeness();
    comparison.tables();
    comparison.aliases();
    comparison.functions();
    comparison.filter_columns();
    comparison.ctes();
    comparison.statement_kinds();
    let Comparison { ours, theirs, categories, problems, .. } = comparison;
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

/// The cause of repeated findings: the tree has the expression once for each column.
const REPEATED: &str = "SET (a, b) = (SELECT …): what it refers to, once for each column";

/// The comparison of one statement.
struct Comparison {
    ours: Summary,
    theirs: SummaryResult,
    references: References,
    /// The category of each finding that only one side has.
    categories: Vec<String>,
    problems: Vec<String>,
}

impl Comparison {
    fn problem(&mut self, what: &str, ours: impl std::fmt::Debug, theirs: impl std::fmt::Debug) {
        self.problems.push(format!("{what}: {ours:?} against {theirs:?}"));
    }

    fn add(&mut self, finding: Finding, category: &str) {
        self.categories.push(format!("{finding}: {category}"));
    }

    /// The path of a node, by its place in the text.
    fn paths(places: &[Place]) -> HashMap<i64, &Path> {
        places.iter().rev().map(|place| (place.location, &place.path)).collect()
    }

    /// Every RangeVar is in ours, but names of WITH queries in scope and of FOR UPDATE OF, and every
    /// call and every column in WHERE; ours has no others.
    fn completeness(&mut self) {
        let is_locked = |path: &Path| path.iter().any(|key| key == "lockedRels");
        let ranges = self.references.ranges.iter().filter(|range| !range.is_cte && !is_locked(&range.path));
        let expected: BTreeSet<(i64, &str)> = ranges.map(|range| (range.location, range.name.as_str())).collect();
        let ours = self.ours.tables.iter().chain(&self.ours.other_relations);
        let found: BTreeSet<(i64, &str)> =
            ours.filter_map(|table| Some((table.location? as i64, table.relation.as_str()))).collect();
        let calls: BTreeSet<i64> = self.references.calls.iter().map(|call| call.location).collect();
        let called = self.ours.functions.iter().filter(|function| function.context == Context::Call);
        let called: BTreeSet<i64> = called.filter_map(|function| Some(function.location? as i64)).collect();
        let filters = self.references.columns.iter().filter(|place| place.filter.is_some());
        let filters: BTreeSet<i64> = filters.map(|place| place.location).collect();
        let columns: BTreeSet<i64> = self.ours.filter_columns.iter().filter_map(|c| Some(c.location? as i64)).collect();
        if (&expected, &calls, &filters) != (&found, &called, &columns) {
            let text = format!("not complete: {:?} against {:?}", (found, called, columns), (expected, calls, filters));
            self.problems.push(text);
        }
    }

    fn tables(&mut self) {
        type Row = (String, String, String, i32);
        let paths: HashMap<i64, &Path> =
            self.references.ranges.iter().rev().map(|range| (range.location, &range.path)).collect();
        let statement = self.references.statements.first().and_then(|path| path.last()).cloned().unwrap_or_default();
        let mut theirs: Vec<Row> = Vec::new();
        for table in &self.theirs.tables {
            theirs.push((table.name.clone(), table.schema_name.clone(), table.table_name.clone(), table.context));
        }
        let mut ours: Vec<Row> = Vec::new();
        let mut extra = Vec::new();
        // A statement that names another relation, such as ALTER INDEX, names no table before it.
        for table in self.ours.tables.iter().chain(&self.ours.other_relations) {
            let context = match table.context {
                Context::Select => ReferenceContext::Select,
                Context::Dml => ReferenceContext::Dml,
                _ => ReferenceContext::Ddl,
            };
            let row: Row =
                (table.name.clone(), table.schema.clone().unwrap_or_default(), table.relation.clone(), context as i32);
            let path = table.location.and_then(|location| paths.get(&(location as i64)));
            let listed = theirs.contains(&row);
            let category = match path {
                Some(path) => missed::of_relation(path, table.kind, listed),
                None => missed::of_name(&statement).filter(|_| !listed),
            };
            if table.kind != RelationKind::Table && category.is_none() {
                self.categories.push(format!("{}: a sequence or a composite type among the tables", Finding::Wrong));
            }
            let is_hidden = || {
                table.context == Context::Select
                    && table.schema.is_none()
                    && self.theirs.cte_names.contains(&table.relation)
                    && !theirs.contains(&row)
            };
            match category {
                Some(category) => extra.push(category),
                None if is_hidden() => extra.push("a WITH query of the same name, not in scope"),
                None => ours.push(row),
            }
        }
        extra.into_iter().for_each(|category| self.add(Finding::Table, category));
        if ours != theirs && self.repeats_a_source() {
            self.add(Finding::Wrong, REPEATED);
            let once = |rows: Vec<Row>| {
                let mut seen = BTreeSet::new();
                rows.into_iter().filter(|row| seen.insert(row.clone())).collect::<Vec<_>>()
            };
            (ours, theirs) = (once(ours), once(theirs));
        }
        if ours != theirs {
            self.problem("tables", ours, theirs);
        }
    }

    /// Whether an expression is in the tree several times.
    fn repeats_a_source(&self) -> bool {
        let is_source = |path: &Path| path.iter().any(|key| key == "MultiAssignRef");
        self.references.ranges.iter().any(|range| is_source(&range.path))
            || self.references.calls.iter().any(|call| is_source(&call.path))
    }

    fn aliases(&mut self) {
        let paths: HashMap<i64, &Path> =
            self.references.ranges.iter().rev().map(|range| (range.location, &range.path)).collect();
        let mut ours: HashMap<String, String> = HashMap::new();
        let mut extra = Vec::new();
        for alias in &self.ours.aliases {
            let path = alias.location.and_then(|location| paths.get(&(location as i64)));
            match path.and_then(|path| missed::of_relation(path, RelationKind::Table, true)) {
                Some(category) => extra.push(category),
                None => drop(ours.insert(alias.alias.clone(), alias.name.clone())),
            }
        }
        extra.into_iter().for_each(|category| self.add(Finding::Alias, category));
        if ours != self.theirs.aliases {
            self.problem("aliases", ours, self.theirs.aliases.clone());
        }
    }

    fn functions(&mut self) {
        type Row = (String, String, String, i32);
        let paths = Self::paths(&self.references.calls);
        let statement = self.references.statements.first().and_then(|path| path.last()).cloned().unwrap_or_default();
        let mut theirs: Vec<Row> = Vec::new();
        for function in &self.theirs.functions {
            let (name, schema) = (function.name.clone(), function.schema_name.clone());
            theirs.push((name, schema, function.function_name.clone(), function.context));
        }
        let mut ours: Vec<Row> = Vec::new();
        let mut filters: Vec<Row> = Vec::new();
        let mut extra = Vec::new();
        for function in &self.ours.functions {
            let context =
                if function.context == Context::Call { ReferenceContext::Call } else { ReferenceContext::Ddl };
            let schema = function.schema.clone().unwrap_or_default();
            let row: Row = (function.name.clone(), schema, function.function.clone(), context as i32);
            let path = function.location.and_then(|location| paths.get(&(location as i64)));
            let category = match path {
                Some(path) => missed::category(path),
                None => missed::of_function(&statement).filter(|_| !theirs.contains(&row)),
            };
            if let Some(category) = category {
                extra.push(category);
                continue;
            }
            let location = function.location.map(|location| location as i64);
            let call = self.references.calls.iter().find(|call| Some(call.location) == location);
            if call.and_then(|call| call.filter.as_ref()).is_some_and(|filter| filter.select) {
                filters.push(row.clone());
            }
            ours.push(row);
        }
        extra.into_iter().for_each(|category| self.add(Finding::Function, category));
        if ours == theirs {
            return;
        }
        if self.repeats_a_source() {
            let set = |rows: &[Row]| rows.iter().cloned().collect::<BTreeSet<_>>();
            if set(&ours) == set(&theirs) {
                return self.add(Finding::Wrong, REPEATED);
            }
        }
        // libpg_query walks the WHERE clause of a SELECT twice.
        let Some(repeated) = without(&theirs, &ours) else { return self.problem("functions", ours, theirs) };
        let mut twice = filters.clone();
        for row in repeated {
            match twice.iter().position(|filter| *filter == row) {
                Some(at) => {
                    twice.remove(at);
                    self.add(Finding::Wrong, "a call in WHERE, twice");
                }
                None => return self.problem("functions", ours, theirs),
            }
        }
    }

    fn filter_columns(&mut self) {
        type Row = (String, String, String);
        let mut theirs: Vec<Row> = Vec::new();
        for column in &self.theirs.filter_columns {
            theirs.push((column.schema_name.clone(), column.table_name.clone(), column.column.clone()));
        }
        let mut ours: Vec<(Row, bool)> = Vec::new();
        let mut extra = Vec::new();
        for column in &self.ours.filter_columns {
            let (schema, table) = (column.schema.clone().unwrap_or_default(), column.table.clone().unwrap_or_default());
            let location = column.location.map(|location| location as i64);
            let Some(place) = self.references.columns.iter().find(|place| Some(place.location) == location) else {
                return self.problem("a filter column that is no ColumnRef", column.clone(), location);
            };
            let Some(filter) = place.filter.clone() else {
                return self.problem("a filter column outside of WHERE", column.clone(), place.path.clone());
            };
            match missed::category(&place.path) {
                Some(category) => extra.push(category),
                None if !filter.select => extra.push("WHERE of a statement other than SELECT"),
                None => ours.push(((schema, table, column.column.clone()), filter.subquery)),
            }
        }
        extra.into_iter().for_each(|category| self.add(Finding::FilterColumn, category));
        if self.repeats_a_source() {
            let set = |rows: &[Row]| rows.iter().cloned().collect::<BTreeSet<_>>();
            let rows: Vec<Row> = ours.iter().map(|(row, _)| row.clone()).collect();
            if rows != theirs && set(&rows) == set(&theirs) {
                return self.add(Finding::Wrong, REPEATED);
            }
        }
        // Ours may have more behind a subquery, and nothing else.
        let mut rest = theirs.iter().peekable();
        let mut missing = 0;
        for (row, subquery) in &ours {
            match rest.peek() {
                Some(next) if *next == row => drop(rest.next()),
                _ if *subquery => missing += 1,
                _ => return self.problem("filter columns", ours, theirs),
            }
        }
        if rest.next().is_some() {
            return self.problem("filter columns", ours, theirs);
        }
        (0..missing).for_each(|_| self.add(Finding::FilterColumn, "behind a subquery"));
    }

    fn ctes(&mut self) {
        let mut all: Vec<String> = Vec::new();
        let mut visible: Vec<String> = Vec::new();
        let mut extra = Vec::new();
        for (path, name) in &self.references.ctes {
            all.push(name.clone());
            match missed::category(path) {
                Some(category) => extra.push(category),
                None => visible.push(name.clone()),
            }
        }
        extra.into_iter().for_each(|category| self.add(Finding::Cte, category));
        let (mut ours, mut theirs) = (self.ours.ctes.clone(), self.theirs.cte_names.clone());
        if without(&ours, &theirs).is_none() {
            self.problem("the order of WITH queries", ours.clone(), theirs.clone());
        }
        for list in [&mut all, &mut visible, &mut ours, &mut theirs] {
            list.sort();
        }
        if (&ours, &theirs) != (&all, &visible) {
            self.problem("WITH queries", (ours, theirs), (all, visible));
        }
    }

    fn statement_kinds(&mut self) {
        let mut all: BTreeSet<String> = BTreeSet::new();
        let mut visible: BTreeSet<String> = BTreeSet::new();
        let mut extra = BTreeMap::new();
        for path in &self.references.statements {
            let kind = path.last().expect("a path to a node").clone();
            match missed::of_statement(path) {
                Some(category) => drop(extra.insert(kind.clone(), category)),
                None => drop(visible.insert(kind.clone())),
            }
            all.insert(kind);
        }
        let hidden: Vec<_> = extra.into_iter().filter(|(kind, _)| !visible.contains(kind)).collect();
        hidden.iter().for_each(|(_, category)| self.add(Finding::StatementKind, category));
        let set = |kinds: &[String]| kinds.iter().cloned().collect::<BTreeSet<String>>();
        let ours: Vec<String> = self.ours.statement_kinds.iter().map(ToString::to_string).collect();
        let theirs = self.theirs.statement_types.clone();
        let same_order = ours == theirs || all != visible;
        if (set(&ours), set(&theirs)) != (all.clone(), visible.clone()) || !same_order {
            self.problem("kinds of statements", (ours, theirs), (all, visible));
        }
    }
}

/// What is left of `rows` without `part`, whose rows must occur in it in the same order.
fn without<T: PartialEq + Clone>(rows: &[T], part: &[T]) -> Option<Vec<T>> {
    let mut rest = part.iter().peekable();
    let left: Vec<T> = rows.iter().filter(|row| rest.next_if(|next| next == row).is_none()).cloned().collect();
    rest.next().is_none().then_some(left)
}
