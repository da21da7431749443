//! Deparses random sentences of PostgreSQL's whole grammar, from every form of their trees.

use std::path::Path;

use pgq_corpus::grammar::{Grammar, Sentences};

use crate::check_routes;
use crate::common::counts::Counts;
use crate::outcomes::{Route, parsed};

/// Rules that no generated statement uses. Either the parser's actions refuse the rule, or the generator writes a
/// fixed text in place of the rule's symbol.
const UNUSED: &[&str] = &[
    "stmt: CreateAssertionStmt",
    "AlterOptRoleElem: UNENCRYPTED PASSWORD Sconst",
    "set_rest_more: CATALOG_P Sconst",
    "hash_partbound_elem: NonReservedWord Iconst", // a fixed text
    "hash_partbound: hash_partbound_elem",
    "hash_partbound: hash_partbound ',' hash_partbound_elem",
    "row: ROW '(' expr_list ')'", // a fixed text
    "row: ROW '(' ')'",
    "row: '(' expr_list ',' a_expr ')'",
    "key_match: MATCH PARTIAL",
    "create_extension_opt_item: FROM NonReservedWord_or_Sconst",
    "CreateAssertionStmt: CREATE ASSERTION any_name CHECK '(' a_expr ')' ConstraintAttributeSpec",
    "AlterEnumStmt: ALTER TYPE_P any_name DROP VALUE_P Sconst",
    "oper_argtypes: '(' Typename ')'",
    "limit_clause: LIMIT select_limit_value ',' select_offset_value",
    "xmltable_column_option_el: IDENT b_expr", // the parser accepts only two names
    "a_expr: UNIQUE opt_unique_null_treatment select_with_parens",
    "frame_bound: UNBOUNDED FOLLOWING", // only after BETWEEN … AND; also the next rule
    "frame_bound: a_expr FOLLOWING",
    "PublicationObjSpec: ColId indirection opt_column_list OptWhereClause", // only after TABLE …; also the next rule
    "PublicationObjSpec: extended_relation_expr opt_column_list OptWhereClause",
    "json_format_clause: FORMAT_LA JSON ENCODING name", // the parser accepts only three names
];

/// Start symbols of sentences, with the SQL before and after them.
pub const STARTS: &[(&str, &str, &str)] = &[
    ("stmt", "", ""),
    ("a_expr", "SELECT ", ""),
    ("b_expr", "CREATE TABLE t (a int DEFAULT ", ")"),
    ("SelectStmt", "", ""),
    ("table_ref", "SELECT FROM ", ""),
    ("window_specification", "SELECT f(x) OVER ", ""),
    ("Typename", "SELECT a::", ""),
    ("columnDef", "CREATE TABLE t (", ")"),
    ("TableConstraint", "CREATE TABLE t (a int, ", ")"),
    ("common_table_expr", "WITH RECURSIVE ", "SELECT 1"),
    ("func_arg_with_default", "CREATE FUNCTION f(", ") RETURNS int AS ''"),
    ("json_table", "SELECT * FROM ", ""),
];

/// Reads the grammar of the pinned sources.
pub fn grammar() -> Grammar {
    Grammar::read(Path::new(env!("PGQ_LIBPG_QUERY")))
}

#[test]
fn sentences_of_the_whole_grammar() {
    let grammar = grammar();
    let mut counts = Counts::new("deparse/sentences");
    let mut unused: Vec<usize> = Vec::new();
    for (start, before, after) in STARTS {
        let mut sentences = Sentences::new(&grammar, start);
        let (mut texts, mut used, mut refused) = (Vec::new(), vec![false; grammar.rules.len()], 0);
        let rounds = if *start == "stmt" { 10 } else { 4 };
        for size in [0, 12, 30, 60, 5].into_iter().cycle().take(rounds) {
            for rule in 0..grammar.rules.len() {
                let Some((sentence, rules)) = sentences.sentence(rule, size) else { continue };
                let sql = format!("{before}{sentence}{after}");
                if parsed(&sql).is_some() {
                    rules.into_iter().for_each(|rule| used[rule] = true);
                    texts.push(sql);
                } else {
                    refused += 1;
                }
            }
        }
        counts.add(format!(
            "{start}: {} sentences parse, {refused} do not, {} rules",
            texts.len(),
            used.iter().filter(|used| **used).count()
        ));
        if *start == "stmt" {
            unused = (0..grammar.rules.len()).filter(|rule| sentences.reaches(*rule) && !used[*rule]).collect();
        } else {
            unused.retain(|rule| !used[*rule]);
        }
        // Only the conversion through Rust structs may refuse a tree, because structs cannot represent empty strings.
        check_routes(&mut counts, start, &texts, |route| route == Route::Structs);
    }
    let unused: Vec<String> = unused.into_iter().map(|rule| grammar.rule(rule)).collect();
    counts.add(format!("{} of {} rules are in no sentence that parses", unused.len(), grammar.rules.len()));
    // Some rules with PARAM accept parameters only in normalized SQL. tests/parameters.rs tests this.
    let is_known = |rule: &&String| UNUSED.contains(&rule.as_str()) || rule.contains("PARAM");
    let unexpected: Vec<&String> = unused.iter().filter(|rule| !is_known(rule)).collect();
    assert!(unexpected.is_empty(), "no sentence that parses uses {unexpected:#?}");
    counts.check();
}
