//! What `deparse` writes parses back to the tree that it was written for: over the corpus with
//! other names and strings in it, over sentences of PostgreSQL's whole grammar, over long and
//! deep statements, and for each fix of libpg_query's deparser on its own.

mod chains;
#[path = "../equality/corpus.rs"]
mod corpus;
mod count;
mod fixes;
mod grammar;
mod rewrite;
mod said;

use count::{Count, Way, parsed};
use grammar::{Grammar, Maker};
use pgq::{ErrorKind, JsonTree, ParseOptions, Tree};

/// Runs `check` on every item in two threads and adds up what came of it.
fn in_two_threads<T: Sync, C: Default + Send>(
    items: &[T],
    check: impl Fn(&T, &mut C) + Sync,
    add: impl Fn(&mut C, C),
) -> C {
    let run = |part: &[T]| {
        let mut count = C::default();
        part.iter().for_each(|item| check(item, &mut count));
        count
    };
    let (left, right) = items.split_at(items.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(left));
        let mut count = run(right);
        add(&mut count, other.join().expect("a check panicked"));
        count
    })
}

/// Writes every text in every way, prints the counts, and fails on what must not be.
fn all_ways(name: &str, texts: &[String], may_refuse: fn(Way) -> bool) {
    let mut failed = Vec::new();
    for way in Way::ALL {
        let check = |sql: &String, count: &mut Count| {
            if let Some(tree) = parsed(sql) {
                count.check(way, sql, &tree);
            }
        };
        in_two_threads(texts, check, Count::add).report(name, way, may_refuse(way), &mut failed);
    }
    let shown = failed.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failed.is_empty(), "{name}: {} fail, the first of them:\n{shown}", failed.len());
}

/// Every statement of the corpus.
fn statements() -> Vec<String> {
    let sets = corpus::sets();
    for set in &sets {
        assert!(!set.statements.is_empty(), "{} is empty", set.name);
    }
    sets.into_iter().flat_map(|set| set.statements).collect()
}

/// The corpus as `change` has it; what it leaves alone, and what does not parse then, is
/// counted apart.
fn rewritten(name: &str, change: impl Fn(&str) -> Option<String> + Sync, may_refuse: fn(Way) -> bool) {
    let statements = statements();
    let texts = in_two_threads(
        &statements,
        |sql, texts: &mut Vec<String>| texts.extend(change(sql)),
        |texts, mut others| texts.append(&mut others),
    );
    let parse = texts.iter().filter(|sql| parsed(sql).is_some()).count();
    let (all, changed) = (statements.len(), texts.len());
    println!("{name}: {all} statements, {changed} changed, {} do not parse then", changed - parse);
    assert!(parse > 10_000, "{name}: the run is empty");
    all_ways(name, &texts, may_refuse);
}

fn never(_: Way) -> bool {
    false
}

#[test]
fn the_corpus_as_it_is() {
    rewritten("as it is", |sql| Some(sql.to_string()), never);
}

#[test]
fn the_corpus_with_names_that_need_quotes() {
    rewritten("names \"Zz y\"", |sql| rewrite::names(sql, "\"Zz y\""), never);
}

#[test]
fn the_corpus_with_names_that_are_keywords() {
    rewritten("names \"select\"", |sql| rewrite::names(sql, "\"select\""), never);
}

#[test]
fn the_corpus_with_names_that_hold_quotes() {
    rewritten("names \"a\"\"b\"", |sql| rewrite::names(sql, "\"a\"\"b\""), never);
}

/// Keywords that mean something where a name may stand.
const TRICKY: [&str; 12] = [
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
fn a_part_of_the_corpus_with_tricky_names() {
    for word in TRICKY {
        let name = format!("names \"{word}\", every tenth statement");
        let statements: Vec<String> = statements().into_iter().step_by(10).collect();
        let quoted = format!("\"{word}\"");
        let texts: Vec<String> = statements.iter().filter_map(|sql| rewrite::names(sql, &quoted)).collect();
        assert!(texts.len() > 1000, "{name}: the run is empty");
        all_ways(&name, &texts, never);
    }
}

#[test]
fn the_corpus_with_empty_strings() {
    // Structs cannot say '': LOAD '' has no file there, and is refused.
    rewritten("strings ''", |sql| rewrite::strings(sql, "''"), |way| way == Way::Structs);
}

/// Rules that no statement can use: the parser refuses them all, whatever stands around.
const REFUSED: &[&str] = &[
    "stmt: CreateAssertionStmt",
    "AlterOptRoleElem: UNENCRYPTED PASSWORD Sconst",
    "set_rest_more: CATALOG_P Sconst",
    "hash_partbound_elem: NonReservedWord Iconst", // made as one phrase
    "hash_partbound: hash_partbound_elem",
    "hash_partbound: hash_partbound ',' hash_partbound_elem",
    "row: ROW '(' expr_list ')'", // made as one phrase
    "row: ROW '(' ')'",
    "row: '(' expr_list ',' a_expr ')'",
    "key_match: MATCH PARTIAL",
    "create_extension_opt_item: FROM NonReservedWord_or_Sconst",
    "CreateAssertionStmt: CREATE ASSERTION any_name CHECK '(' a_expr ')' ConstraintAttributeSpec",
    "AlterEnumStmt: ALTER TYPE_P any_name DROP VALUE_P Sconst",
    "oper_argtypes: '(' Typename ')'",
    "limit_clause: LIMIT select_limit_value ',' select_offset_value",
    "xmltable_column_option_el: IDENT b_expr", // two names that the parser knows
    "a_expr: UNIQUE opt_unique_null_treatment select_with_parens",
    "frame_bound: UNBOUNDED FOLLOWING", // only behind BETWEEN … AND, as the next
    "frame_bound: a_expr FOLLOWING",
    "PublicationObjSpec: ColId indirection opt_column_list OptWhereClause", // only behind TABLE …, as the next
    "PublicationObjSpec: extended_relation_expr opt_column_list OptWhereClause",
    "json_format_clause: FORMAT_LA JSON ENCODING name", // three names that the parser knows
];

/// Places for parts of statements, so that each is met often.
const PARTS: &[(&str, &str, &str)] = &[
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

#[test]
fn sentences_of_the_whole_grammar() {
    let grammar = Grammar::read();
    let mut unused: Vec<usize> = Vec::new();
    for (start, before, after) in PARTS {
        let mut maker = Maker::new(&grammar, start);
        let (mut texts, mut used, mut refused) = (Vec::new(), std::collections::BTreeSet::new(), 0);
        let rounds = if *start == "stmt" { 15 } else { 4 };
        for size in [0, 12, 30, 60, 5].into_iter().cycle().take(rounds) {
            for rule in 0..grammar.rules.len() {
                let Some((sentence, rules)) = maker.sentence(rule, size) else { continue };
                let sql = format!("{before}{sentence}{after}");
                if parsed(&sql).is_some() {
                    used.extend(rules);
                    texts.push(sql);
                } else {
                    refused += 1;
                }
            }
        }
        println!("{start}: {} sentences that parse, {refused} that do not, {} rules", texts.len(), used.len());
        if *start == "stmt" {
            unused = (0..grammar.rules.len()).filter(|rule| maker.reaches(*rule) && !used.contains(rule)).collect();
        } else {
            unused.retain(|rule| !used.contains(rule));
        }
        // What structs cannot say, and JSON of libpg_query's form neither, they refuse.
        all_ways(start, &texts, |way| way == Way::Structs);
    }
    let unused: Vec<String> = unused.into_iter().map(|rule| grammar.rule(rule)).collect();
    println!("of {} rules, {} are in no sentence that parses", grammar.rules.len(), unused.len());
    let surprising: Vec<&String> = unused.iter().filter(|rule| !REFUSED.contains(&rule.as_str())).collect();
    assert!(surprising.is_empty(), "no sentence that parses uses {surprising:#?}");
}

#[test]
fn every_difference_is_seen() {
    // Each statement against itself with other strings or names: the library's comparison
    // and that of the tests must be of one mind.
    let statements = statements();
    let changes = |sql: &str| [rewrite::strings(sql, "''"), rewrite::strings(sql, "'b'"), rewrite::names(sql, "zz")];
    let check = |sql: &String, counts: &mut [usize; 2]| {
        let Some(tree) = parsed(sql) else { return };
        tree.verify(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
        for changed in changes(sql).into_iter().flatten().filter(|changed| parsed(changed).is_some()) {
            let equal = said::said(sql, true) == said::said(&changed, true);
            let found = tree.verify(&changed);
            assert_eq!(found.is_ok(), equal, "{sql}\nagainst {changed}\n{found:?}");
            counts[usize::from(!equal)] += 1;
        }
    };
    let add = |sum: &mut [usize; 2], more: [usize; 2]| *sum = [sum[0] + more[0], sum[1] + more[1]];
    let [same, different] = in_two_threads(&statements, check, add);
    println!("changed statements: {same} say the same, {different} say something else, all told right");
    assert!(different > 50_000, "the run is empty");
}

#[test]
fn a_difference_is_named() {
    let difference =
        |sql: &str, other: &str| Tree::parse(sql, &ParseOptions::default()).unwrap().verify(other).unwrap_err();
    for (sql, other, expected) in [
        (
            "SELECT a",
            "SELECT b",
            "SelectStmt.targetList[0].ResTarget.val.ColumnRef.fields[0].String is \"b\" instead of \"a\"",
        ),
        ("COPY t FROM ''", "COPY t FROM STDIN", "CopyStmt.filename is none instead of \"\""),
        ("SELECT 1, 2", "SELECT 1", "SelectStmt.targetList is a list of 1 instead of a list of 2"),
        ("SELECT 1", "SELECT 1.0", "SelectStmt.targetList[0].ResTarget.val.A_Const is Float instead of Integer"),
        ("SELECT NULL", "SELECT 1", "SelectStmt.targetList[0].ResTarget.val.A_Const is a value instead of NULL"),
        ("SELECT 1 UNION SELECT 2", "SELECT 1 EXCEPT SELECT 2", "SelectStmt.op is SETOP_EXCEPT instead of SETOP_UNION"),
        ("SELECT 1 WHERE a", "SELECT 1", "SelectStmt.whereClause is none instead of ColumnRef"),
        ("DROP TABLE IF EXISTS t", "DROP TABLE t", "DropStmt.missing_ok is false instead of true"),
        ("SELECT FROM t", "SELECT FROM ONLY t", "SelectStmt.fromClause[0].RangeVar.inh is false instead of true"),
    ] {
        let error = difference(sql, other);
        assert_eq!(error.message, format!("the SQL does not say the same: {expected}"));
        assert_eq!(error.kind, ErrorKind::RoundTripMismatch);
    }
    assert_eq!(difference("SELECT 1", "SELECT 1; SELECT 2").message, "the SQL has 2 statements instead of 1");
    assert_eq!(difference("SELECT 1", "SELEC 1").message, "the SQL does not parse: syntax error at or near \"SELEC\"");
}

#[test]
fn the_place_of_a_deep_difference_is_short() {
    let sql = |last: &str| format!("SELECT {last}{}", " + a".repeat(100_000));
    let error = Tree::parse(&sql("1"), &ParseOptions::default()).unwrap().verify(&sql("2")).unwrap_err();
    let (start, end) = ("SelectStmt.targetList[0].ResTarget.val.A_Expr.lexpr.", ".A_Const.Integer is 2 instead of 1");
    assert!(error.message.contains(start) && error.message.contains(".…."), "{error}");
    assert!(error.message.ends_with(end) && error.message.len() < 500, "{error}");
}

#[test]
fn positions_and_spelling_are_no_difference() {
    let tree =
        Tree::parse("select  a , b from T where X in (1,2) and array[1] = '{1}'", &ParseOptions::default()).unwrap();
    tree.verify("SELECT a, b FROM t /* c */ WHERE (x IN (1, 2)) AND (ARRAY[1] = '{1}')").unwrap();
}

#[test]
fn assertions_hold() {
    let tree = Tree::parse("ALTER EXTENSION e ADD OPERATOR CLASS a.b USING c", &ParseOptions::default()).unwrap();
    assert!(tree.deparse(&pgq::DeparseOptions::default()).is_ok());
}

/// Trees that SQL never gives: an error, and no pointer followed.
const NO_TREES: &[&str] = &[
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
fn trees_that_sql_never_gives_are_errors() {
    let mut options = pgq::DeparseOptions::default();
    options.verify = true;
    for json in NO_TREES {
        let error = JsonTree::read(json).and_then(|tree| tree.deparse(&options)).unwrap_err();
        assert!(!error.message.contains("(null)"), "{json}: {error}");
    }
}

#[test]
fn json_with_empty_strings_keeps_them() {
    for sql in ["COPY t FROM ''", "COMMENT ON TABLE t IS ''", "LOAD ''", "ALTER TYPE t ADD VALUE '' BEFORE ''"] {
        let tree = parsed(sql).unwrap();
        let mut document = pgq::Document::new(pgq::JsonStyle::Lossless);
        document.append(&tree, 0).unwrap();
        let read = JsonTree::read(&document.finish()).unwrap();
        assert_eq!(read.deparse(&pgq::DeparseOptions::default()).unwrap(), sql);
    }
}

#[test]
fn statements_behind_a_comment_stay_statements() {
    let sql = "SELECT 1 -- one\n; SELECT 2 -- two\n";
    let mut options = pgq::DeparseOptions::default();
    options.pretty = true;
    options.verify = true;
    options.comments = pgq::comments(sql).unwrap();
    let written = parsed(sql).unwrap().deparse(&options).unwrap();
    assert!(written.contains("-- one\n; SELECT"), "{written}");
}
