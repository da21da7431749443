//! Tests that deparsed SQL parses back to the original tree. The inputs are the corpus (unchanged, and with other names
//! and strings), random sentences of PostgreSQL's grammar, long and deep statements, and SQL for each fix of
//! libpg_query's deparser. `tests/counts/deparse/` contains the counts.

mod chains;
#[path = "../common/mod.rs"]
mod common;
mod fixes;
mod flat;
mod meaning;
mod outcomes;
mod replace;
mod rewrites;
mod sentences;
mod verify;

use common::counts::Counts;
use common::tally::{Each, assert_none, tally};
use outcomes::{Meanings, Outcomes, Route, parsed};
use pgq::JsonTree;
use pgq_corpus::all_statements;
use replace::{with_names, with_strings};

/// Deparses every text from each form of its tree ([`Route`]) and counts the outcomes. Fails if the
/// SQL has a different meaning, or if a route refuses the tree although `may_refuse` returns false
/// for the route.
fn check_routes(counts: &mut Counts, name: &str, texts: &[String], may_refuse: fn(Route) -> bool) {
    let mut failures = Vec::new();
    let Each(by_route) = tally(texts, |sql: &String, outcomes: &mut Each<Outcomes, { Route::ALL.len() }>| {
        if let Some(tree) = parsed(sql) {
            let meanings = Meanings::new(&tree);
            for (route, outcomes) in Route::ALL.into_iter().zip(&mut outcomes.0) {
                outcomes.check(route, sql, &tree, &meanings);
            }
        }
    });
    for (route, Outcomes { equal, different, refused }) in Route::ALL.into_iter().zip(by_route) {
        counts.add(format!(
            "{name}: {route:?}: {equal} equal, {} refused, {} different",
            refused.len(),
            different.len()
        ));
        failures.extend(different);
        if !may_refuse(route) {
            failures.extend(refused);
        }
    }
    assert_none(&failures, &format!("failures for {name}"));
}

/// Changes every statement of the corpus with `replace`, and checks the results.
fn check_corpus(topic: &'static str, replace: impl Fn(&str) -> Option<String> + Sync, may_refuse: fn(Route) -> bool) {
    let statements = all_statements();
    let texts = tally(&statements, |sql: &String, texts: &mut Vec<String>| texts.extend(replace(sql)));
    let parse = texts.iter().filter(|sql| parsed(sql).is_some()).count();
    let mut counts = Counts::new(topic);
    counts.add(format!("{} statements, {} texts, {parse} parse", statements.len(), texts.len()));
    assert!(parse > 10_000, "{topic}: too few texts");
    check_routes(&mut counts, "corpus", &texts, may_refuse);
    counts.check();
}

fn never(_: Route) -> bool {
    false
}

#[test]
fn the_corpus_as_it_is() {
    check_corpus("deparse/unchanged", |sql| Some(sql.to_string()), never);
}

#[test]
fn the_corpus_with_names_that_need_quotes() {
    check_corpus("deparse/names_with_spaces", |sql| with_names(sql, "\"Zz y\""), never);
}

#[test]
fn the_corpus_with_names_that_are_keywords() {
    check_corpus("deparse/names_as_keywords", |sql| with_names(sql, "\"select\""), never);
}

#[test]
fn the_corpus_with_names_that_contain_quotes() {
    check_corpus("deparse/names_with_quotes", |sql| with_names(sql, "\"a\"\"b\""), never);
}

/// Keywords that have a special meaning in some positions where a name is also valid.
const AMBIGUOUS: [&str; 12] = [
    "set",
    "rows",
    "nulls",
    "first",
    "without",
    "time",
    "ordinality",
    "operator",
    "unbounded",
    "cube",
    "none",
    "public",
];

#[test]
fn every_tenth_statement_with_ambiguous_names() {
    let mut counts = Counts::new("deparse/ambiguous_names");
    let statements: Vec<String> = all_statements().into_iter().step_by(10).collect();
    for word in AMBIGUOUS {
        let quoted = format!("\"{word}\"");
        let texts: Vec<String> = statements.iter().filter_map(|sql| with_names(sql, &quoted)).collect();
        assert!(texts.len() > 1000, "{word}: too few texts");
        check_routes(&mut counts, word, &texts, never);
    }
    counts.check();
}

#[test]
fn the_corpus_with_empty_strings() {
    // Only the conversion through Rust structs may refuse a tree. Structs cannot represent empty strings, so the
    // structs for `LOAD ''` have no file name.
    check_corpus("deparse/empty_strings", |sql| with_strings(sql, "''"), |route| route == Route::Structs);
}

#[test]
fn an_operator_class_of_an_extension_passes_the_assertions_of_c() {
    let tree = parsed("ALTER EXTENSION e ADD OPERATOR CLASS a.b USING c").unwrap();
    assert!(tree.deparse(&pgq::DeparseOptions::default()).is_ok());
}

/// Trees that correspond to no SQL. Deparsing them must be an error, and must not dereference NULL pointers.
const INVALID_TREES: &[&str] = &[
    r#"{"stmts":[{"stmt":{"InsertStmt":{"relation":{"relname":"t","inh":true,"relpersistence":"p"},"override":"OVERRIDING_NOT_SET","onConflictClause":{"action":"ONCONFLICT_NOTHING","infer":{"indexElems":[{}]}}}}}]}"#,
    r#"{"stmts":[{"stmt":{"SelectStmt":{"targetList":[{"ResTarget":{"val":{"A_Expr":{"kind":"AEXPR_IN","name":[{"Integer":{}}],"lexpr":{"Integer":{}},"rexpr":{"List":{}}}}}}],"op":"SETOP_NONE"}}}]}"#,
    r#"{"stmts":[{"stmt":{"DropStmt":{"objects":[{"Integer":{"ival":1}}],"removeType":"OBJECT_TRIGGER"}}}]}"#,
    r#"{"stmts":[{"stmt":{"AlterObjectDependsStmt":{"objectType":"OBJECT_INDEX","relation":{"relname":"i"}}}}]}"#,
    r#"{"stmts":[{"stmt":{"CreateStatsStmt":{"exprs":[{"Float":{}}]}}}]}"#,
    r#"{"stmts":[{"stmt":{"CreatePublicationStmt":{"pubname":"p","pubobjects":[{"String":{}}]}}}]}"#,
    r#"{"stmts":[{"stmt":{"SelectStmt":{"valuesLists":[{"String":{}}],"op":"SETOP_NONE"}}}]}"#,
    r#"{"stmts":[{"stmt":{"LoadStmt":{}}}]}"#,
    r#"{"stmts":[{}]}"#,
    r#"{"stmts":[{"stmt":{"Integer":{}}}]}"#,
];

#[test]
fn trees_that_no_sql_gives_are_errors() {
    let mut options = pgq::DeparseOptions::default();
    options.verify = true;
    for json in INVALID_TREES {
        let error = JsonTree::read(json).and_then(|tree| tree.deparse(&options)).unwrap_err();
        assert!(!error.message.contains("(null)"), "{json}: {error}");
    }
}

#[test]
fn json_may_hold_empty_strings() {
    for sql in ["COPY t FROM ''", "COMMENT ON TABLE t IS ''", "LOAD ''", "ALTER TYPE t ADD VALUE '' BEFORE ''"] {
        let tree = parsed(sql).unwrap();
        let mut document = pgq::Document::new(pgq::JsonStyle::Lossless);
        document.append(&tree, 0).unwrap();
        let read = JsonTree::read(&document.finish()).unwrap();
        assert_eq!(read.deparse(&pgq::DeparseOptions::default()).unwrap(), sql);
    }
}

#[test]
fn a_line_comment_does_not_swallow_the_next_statement() {
    let sql = "SELECT 1 -- one\n; SELECT 2 -- two\n";
    let mut options = pgq::DeparseOptions::default();
    options.pretty = true;
    options.verify = true;
    options.comments = pgq::comments(sql).unwrap();
    let pretty = parsed(sql).unwrap().deparse(&options).unwrap();
    assert!(pretty.contains("-- one\n; SELECT"), "{pretty}");
}
