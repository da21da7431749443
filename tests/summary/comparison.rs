//! Compares the summary of a statement with `pg_query_summary` and with libpg_query's JSON. If only
//! one summary has a finding, such as a table, the finding must be in a category of known
//! differences. All other findings must be equal and in the same order.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;

use pgq::proto::SummaryResult;
use pgq::proto::summary_result::Context as ReferenceContext;
use pgq::{Context, FilterColumn, RelationKind, Summary};

use crate::missed::{self, Finding};
use crate::references::{Path, Place, References};

/// Category of findings that libpg_query reports several times. Its tree contains the expression of `SET (a, b) = …`
/// once for each column.
const REPEATED: &str = "SET (a, b) = (SELECT …): what it refers to, once for each column";

/// Differences between the two summaries of a statement.
#[derive(Default)]
pub struct Differences {
    /// The category of each finding (such as a table) that only one of the two summaries has.
    pub categories: Vec<String>,
    /// Differences without a category.
    pub problems: Vec<String>,
}

/// Compares pgq's summary `ours` with libpg_query's summary `theirs`, and with all references in the tree.
pub fn compare_summaries(ours: &Summary, theirs: &SummaryResult, references: &References) -> Differences {
    let statement = references.statements.first().and_then(|path| path.last()).map_or("", String::as_str);
    let mut comparison = Comparison { ours, theirs, references, statement, differences: Differences::default() };
    comparison.completeness();
    comparison.tables();
    comparison.aliases();
    comparison.functions();
    comparison.filter_columns();
    comparison.ctes();
    comparison.statement_kinds();
    comparison.differences
}

struct Comparison<'a> {
    ours: &'a Summary,
    theirs: &'a SummaryResult,
    references: &'a References,
    /// Node type of the first statement.
    statement: &'a str,
    differences: Differences,
}

/// A table or a function: full name, schema, name without schema, context.
type Row<'a> = (&'a str, &'a str, &'a str, ReferenceContext);

/// Converts a location to its value in libpg_query's JSON, which is -1 for `None`.
fn place(location: Option<usize>) -> i64 {
    location.map_or(-1, |location| location as i64)
}

fn reference_context(context: Context) -> ReferenceContext {
    match context {
        Context::Select => ReferenceContext::Select,
        Context::Dml => ReferenceContext::Dml,
        Context::Call => ReferenceContext::Call,
        _ => ReferenceContext::Ddl,
    }
}

impl<'a> Comparison<'a> {
    fn problem(&mut self, what: &str, ours: impl Debug, theirs: impl Debug) {
        self.differences.problems.push(format!("{what}: {ours:?} against {theirs:?}"));
    }

    fn add(&mut self, finding: Finding, category: &str) {
        self.differences.categories.push(format!("{finding}: {category}"));
    }

    /// Returns the paths of RangeVars by location.
    fn ranges(&self) -> HashMap<i64, &'a Path> {
        self.references.ranges.iter().rev().map(|range| (range.location, &range.path)).collect()
    }

    /// Whether `SET (a, b) = …` assigns an expression with tables or calls to several columns. libpg_query's tree
    /// contains such an expression once for each column.
    fn repeats_a_source(&self) -> bool {
        let is_source = |path: &Path| path.iter().any(|key| key == "MultiAssignRef");
        self.references.ranges.iter().any(|range| is_source(&range.path))
            || self.references.calls.iter().any(|call| is_source(&call.path))
    }

    /// Checks that `ours` has the same relations, calls and columns in WHERE as the tree. A RangeVar does not count as
    /// a relation if it names a WITH query in scope, or is in FOR UPDATE OF.
    fn completeness(&mut self) {
        let is_locked = |path: &Path| path.iter().any(|key| key == "lockedRels");
        let ranges = self.references.ranges.iter().filter(|range| !range.is_cte && !is_locked(&range.path));
        let ranges: BTreeSet<_> = ranges.map(|range| (range.location, range.name.as_str())).collect();
        let relations = self.ours.tables.iter().chain(&self.ours.other_relations);
        let named: BTreeSet<_> =
            relations.filter_map(|r| r.location.map(|at| (at as i64, r.relation.as_str()))).collect();
        if ranges != named {
            self.problem("RangeVars", named, ranges);
        }
        let calls: BTreeSet<_> = self.references.calls.iter().map(|call| call.location).collect();
        let called = self.ours.functions.iter().filter(|function| function.context == Context::Call);
        let called: BTreeSet<_> = called.map(|function| place(function.location)).collect();
        if calls != called {
            self.problem("calls", called, calls);
        }
        let columns = self.references.columns.iter().filter(|column| column.filter.is_some());
        let columns: BTreeSet<_> = columns.map(|column| column.location).collect();
        let filters: BTreeSet<_> = self.ours.filter_columns.iter().map(|column| place(column.location)).collect();
        if columns != filters {
            self.problem("columns in WHERE", filters, columns);
        }
    }

    fn tables(&mut self) {
        let paths = self.ranges();
        let theirs = self.theirs.tables.iter();
        let mut theirs: Vec<Row> = theirs.map(|t| (&*t.name, &*t.schema_name, &*t.table_name, t.context())).collect();
        let mut ours: Vec<Row> = Vec::new();
        // Chain the two lists in the order of libpg_query, which lists the tables of a statement before its other
        // relations.
        for table in self.ours.tables.iter().chain(&self.ours.other_relations) {
            let schema = table.schema.as_deref().unwrap_or_default();
            let row = (&*table.name, schema, &*table.relation, reference_context(table.context));
            let listed = theirs.contains(&row);
            let category = match paths.get(&place(table.location)) {
                Some(path) => missed::of_relation(path, table.kind, listed),
                None => missed::of_name(self.statement).filter(|_| !listed),
            };
            let is_select = table.context == Context::Select && table.schema.is_none();
            if let Some(category) = category {
                self.add(Finding::Table, category);
            } else if !listed && is_select && self.theirs.cte_names.contains(&table.relation) {
                self.add(Finding::Table, "a WITH query of that name is not in scope");
            } else {
                if table.kind != RelationKind::Table {
                    self.add(Finding::Wrong, "a sequence or a composite type among the tables");
                }
                ours.push(row);
            }
        }
        if ours != theirs && self.repeats_a_source() {
            self.add(Finding::Wrong, REPEATED);
            (ours, theirs) = (once(&ours), once(&theirs));
        }
        if ours != theirs {
            let is_cte = |row: &Row| row.3 == ReferenceContext::Select && self.ours.ctes.iter().any(|cte| cte == row.0);
            match without(&theirs, &ours) {
                Some(more) if more.iter().all(is_cte) => {
                    more.iter().for_each(|_| self.add(Finding::Wrong, "a WITH query in scope among the tables"));
                }
                _ => self.problem("tables", ours, theirs),
            }
        }
    }

    fn aliases(&mut self) {
        let paths = self.ranges();
        let mut ours: HashMap<String, String> = HashMap::new();
        for alias in &self.ours.aliases {
            let path = paths.get(&place(alias.location));
            match path.and_then(|path| missed::of_relation(path, RelationKind::Table, true)) {
                Some(category) => self.add(Finding::Alias, category),
                None => drop(ours.insert(alias.alias.clone(), alias.name.clone())),
            }
        }
        if ours != self.theirs.aliases {
            self.problem("aliases", ours, &self.theirs.aliases);
        }
    }

    fn functions(&mut self) {
        let calls: HashMap<i64, &Place> =
            self.references.calls.iter().rev().map(|call| (call.location, call)).collect();
        let theirs = self.theirs.functions.iter();
        let theirs: Vec<Row> = theirs.map(|f| (&*f.name, &*f.schema_name, &*f.function_name, f.context())).collect();
        let mut ours: Vec<Row> = Vec::new();
        let mut filters: Vec<Row> = Vec::new();
        for function in &self.ours.functions {
            let schema = function.schema.as_deref().unwrap_or_default();
            let row = (&*function.name, schema, &*function.function, reference_context(function.context));
            let call = calls.get(&place(function.location)).filter(|_| function.context == Context::Call);
            let category = match call {
                Some(call) => missed::category(&call.path),
                None => missed::of_function(self.statement).filter(|_| !theirs.contains(&row)),
            };
            let bare = (row.2, "", row.2, row.3);
            if self.statement == "RenameStmt" && !theirs.contains(&row) && theirs.contains(&bare) {
                self.add(Finding::Wrong, "the new name of a function without its schema");
                ours.push(bare);
            } else if let Some(category) = category {
                self.add(Finding::Function, category);
            } else {
                if call.and_then(|call| call.filter.as_ref()).is_some_and(|filter| filter.select) {
                    filters.push(row);
                }
                ours.push(row);
            }
        }
        if ours != theirs && self.repeats_a_source() && set(&ours) == set(&theirs) {
            return self.add(Finding::Wrong, REPEATED);
        }
        // libpg_query visits the WHERE clause of a SELECT twice, so its summary may contain a function call twice.
        let repeated = without(&theirs, &ours).filter(|repeated| {
            let count = |rows: &[Row], row: &Row| rows.iter().filter(|other| *other == row).count();
            repeated.iter().all(|row| count(repeated, row) <= count(&filters, row))
        });
        match repeated {
            Some(rows) => rows.iter().for_each(|_| self.add(Finding::Wrong, "a call in WHERE, twice")),
            None => self.problem("functions", ours, theirs),
        }
    }

    fn filter_columns(&mut self) {
        let places: HashMap<i64, &Place> =
            self.references.columns.iter().rev().map(|column| (column.location, column)).collect();
        let theirs = self.theirs.filter_columns.iter();
        let theirs: Vec<_> = theirs.map(|c| (&*c.schema_name, &*c.table_name, &*c.column)).collect();
        let mut ours = Vec::new();
        let mut behind_subqueries = Vec::new();
        for column in &self.ours.filter_columns {
            let FilterColumn { schema, table, column: name, location, .. } = column;
            let Some((path, filter)) =
                places.get(&place(*location)).and_then(|place| Some((&place.path, place.filter.as_ref()?)))
            else {
                continue; // `completeness` reports it
            };
            let row = (schema.as_deref().unwrap_or_default(), table.as_deref().unwrap_or_default(), &**name);
            match missed::category(path) {
                Some(category) => self.add(Finding::FilterColumn, category),
                None if !filter.select => self.add(Finding::FilterColumn, "WHERE of anything but SELECT"),
                None if !row.0.is_empty() && !theirs.contains(&row) && theirs.contains(&("", "", row.2)) => {
                    self.add(Finding::Wrong, "a column of four parts without its table");
                    ours.push(("", "", row.2));
                }
                None => {
                    if filter.subquery {
                        behind_subqueries.push(row);
                    }
                    ours.push(row);
                }
            }
        }
        if ours != theirs && self.repeats_a_source() && set(&ours) == set(&theirs) {
            return self.add(Finding::Wrong, REPEATED);
        }
        // libpg_query's summary lacks the columns after the first subquery of a WHERE clause.
        match without(&ours, &theirs).filter(|more| more.iter().all(|row| behind_subqueries.contains(row))) {
            Some(more) => more.iter().for_each(|_| self.add(Finding::FilterColumn, "behind a subquery")),
            None => self.problem("filter columns", ours, theirs),
        }
    }

    fn ctes(&mut self) {
        let mut all: Vec<&String> = Vec::new();
        let mut visible: Vec<&String> = Vec::new();
        for (path, name) in &self.references.ctes {
            all.push(name);
            match missed::category(path) {
                Some(category) => self.add(Finding::Cte, category),
                None => visible.push(name),
            }
        }
        let mut ours: Vec<&String> = self.ours.ctes.iter().collect();
        let mut theirs: Vec<&String> = self.theirs.cte_names.iter().collect();
        if without(&ours, &theirs).is_none() {
            self.problem("the order of WITH queries", &ours, &theirs);
        }
        [&mut all, &mut visible, &mut ours, &mut theirs].into_iter().for_each(|list| list.sort());
        if (&ours, &theirs) != (&all, &visible) {
            self.problem("WITH queries", (ours, theirs), (all, visible));
        }
    }

    fn statement_kinds(&mut self) {
        let paths = self.references.statements.iter();
        let kinds = paths.map(|path| (path[path.len() - 1].as_str(), missed::of_statement(path)));
        let (missed, seen): (Vec<_>, Vec<_>) = kinds.partition(|(_, category)| category.is_some());
        let seen: BTreeSet<&str> = seen.into_iter().map(|(kind, _)| kind).collect();
        let missed: HashMap<&str, &str> =
            missed.into_iter().filter(|(kind, _)| !seen.contains(kind)).filter_map(|(k, c)| Some((k, c?))).collect();
        missed.values().for_each(|category| self.add(Finding::StatementKind, category));
        let all: BTreeSet<&str> = seen.iter().chain(missed.keys()).copied().collect();
        let ours: Vec<&str> = self.ours.statement_kinds.clone();
        let theirs: Vec<&str> = self.theirs.statement_types.iter().map(String::as_str).collect();
        let same_order = ours == theirs || !missed.is_empty();
        if (set(&ours), set(&theirs)) != (all.clone(), seen.clone()) || !same_order {
            self.problem("kinds of statements", (ours, theirs), (all, seen));
        }
    }
}

fn set<T: Ord + Clone>(rows: &[T]) -> BTreeSet<T> {
    rows.iter().cloned().collect()
}

/// Returns the rows without duplicates.
fn once<T: Ord + Clone>(rows: &[T]) -> Vec<T> {
    let mut seen = BTreeSet::new();
    rows.iter().filter(|row| seen.insert((*row).clone())).cloned().collect()
}

/// Returns `rows` without the rows of `part`, or `None` if `rows` does not contain the rows of `part` in the same
/// order.
fn without<T: PartialEq + Clone>(rows: &[T], part: &[T]) -> Option<Vec<T>> {
    let mut rest = part.iter().peekable();
    let left: Vec<T> = rows.iter().filter(|row| rest.next_if(|next| next == row).is_none()).cloned().collect();
    rest.next().is_none().then_some(left)
}
