//! Tests calls of the library on any thread, with SQL of any depth, and with any text.

use std::thread;

use pgq::{DeparseOptions, ErrorKind, ParseMode, ParseOptions, SplitMethod};

/// Runs `f` on a thread with a 2 MB stack, Rust's default.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(2 << 20).spawn(f).unwrap().join().unwrap();
}

#[test]
fn chains_of_a_hundred_thousand_links_work_on_a_small_stack() {
    const LINKS: usize = 100_000;
    on_a_small_stack(|| {
        for sql in [
            format!("SELECT 1{}", " + 1".repeat(LINKS)),
            format!("SELECT 1{}", "::int".repeat(LINKS)),
            format!("SELECT * FROM t{}", " JOIN t ON x".repeat(LINKS)),
            format!("SELECT 1{}", " UNION SELECT 1".repeat(LINKS)),
            format!("SELECT a{}", " IS NULL".repeat(LINKS)),
        ] {
            let start = &sql[..30];
            let parsed = pgq::parse(&sql).unwrap_or_else(|e| panic!("{start}: {e}"));
            assert!(parsed.depth() as usize >= LINKS, "{start}");
            let mut verified = DeparseOptions::default();
            verified.verify = true;
            let json = pgq::parse_to_json(&sql).unwrap_or_else(|e| panic!("{start}: {e}"));
            let direct = pgq::reformat(&sql, &verified).unwrap_or_else(|e| panic!("{start}: {e}"));
            let structs = pgq::deparse_with(&parsed.tree, &verified).unwrap_or_else(|e| panic!("{start}: {e}"));
            let read = pgq::JsonTree::read(&json).and_then(|tree| tree.deparse(&verified));
            assert!(direct == structs && read.as_ref() == Ok(&direct), "{start}");
            assert!(json.len() > sql.len());
            pgq::fingerprint(&sql).unwrap_or_else(|e| panic!("{start}: {e}"));
        }
    });
}

#[test]
fn nesting_beyond_the_limit_of_the_parser_is_an_error() {
    on_a_small_stack(|| {
        let sql = format!("SELECT {}1{}", "(".repeat(20_000), ")".repeat(20_000));
        let error = pgq::parse(&sql).unwrap_err();
        assert_eq!(error.message, "memory exhausted at or near \"(\"");
    });
}

#[test]
fn threads_do_not_disturb_each_other() {
    let statements: Vec<String> = (0..200).map(|i| format!("SELECT a{i}, 'x' FROM t WHERE id IN ({i}, 2)")).collect();
    let expected: Vec<String> = statements.iter().map(|sql| pgq::parse_to_json(sql).unwrap()).collect();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for (sql, json) in statements.iter().zip(&expected) {
                    assert_eq!(&pgq::parse_to_json(sql).unwrap(), json);
                    assert!(pgq::parse("SELECT FROM WHERE").is_err());
                }
            });
        }
    });
}

#[test]
fn settings_do_not_leak_into_the_next_call() {
    let mut backslashes = ParseOptions::default();
    backslashes.backslash_escapes = true;
    assert!(pgq::parse_with("SELECT 'a\\'", &backslashes).is_err());
    assert_eq!(pgq::normalize("SELECT 'a\\'").unwrap(), "SELECT $1");
    assert_eq!(pgq::scan("SELECT 'a\\'").unwrap().len(), 2);
    assert!(pgq::parse("SELECT 'a\\'").unwrap().warnings().is_empty());
}

#[test]
fn a_thread_may_hold_two_trees() {
    let first = pgq::Tree::parse("SELECT 1", &ParseOptions::default()).unwrap();
    let second = pgq::Tree::parse("SELECT 2", &ParseOptions::default()).unwrap();
    assert_eq!(first.deparse(&DeparseOptions::default()).unwrap(), "SELECT 1");
    assert_eq!(second.deparse(&DeparseOptions::default()).unwrap(), "SELECT 2");
}

#[test]
fn kept_trees_are_small() {
    let parse = |id| pgq::Tree::parse(&format!("SELECT a, b FROM t WHERE id = {id}"), &ParseOptions::default());
    let trees: Vec<_> = (0..1_000).map(|id| parse(id).unwrap()).collect();
    let bytes: usize = trees.iter().skip(10).map(pgq::Tree::bytes).sum::<usize>() / 990;
    assert!(bytes < 8192, "{bytes} bytes a tree");
    assert_eq!(trees[990].deparse(&DeparseOptions::default()).unwrap(), "SELECT a, b FROM t WHERE id = 990");
}

#[test]
fn empty_strings_and_null_list_members_survive() {
    for (sql, written) in [
        ("COPY t FROM ''", "COPY t FROM ''"),
        ("SELECT DISTINCT a FROM t", "SELECT DISTINCT a FROM t"),
        ("DROP OPERATOR @ (NONE, int)", "DROP OPERATOR @(NONE, int)"),
        ("COMMENT ON TABLE t IS ''", "COMMENT ON TABLE t IS ''"),
    ] {
        assert_eq!(pgq::reformat(sql, &DeparseOptions::default()).unwrap(), written);
    }
    let function = pgq::parse("CREATE FUNCTION f() RETURNS text LANGUAGE sql AS ''").unwrap();
    assert_eq!(pgq::deparse(&function.tree).unwrap(), "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $$$$");
}

#[test]
fn text_that_c_cannot_take_is_an_error_with_its_position() {
    let nul = pgq::parse("SELECT 'é\0'").unwrap_err();
    assert_eq!((nul.kind, nul.position.unwrap().offset, nul.position.unwrap().column), (ErrorKind::Nul, 10, 10));
    let utf8 = pgq::check_utf8(b"SELECT '\xff'").unwrap_err();
    assert_eq!((utf8.kind, utf8.position.unwrap().offset), (ErrorKind::Encoding, 8));
    let mut tree = pgq::parse("LISTEN x").unwrap().into_tree();
    if let Some(pgq::proto::node::Node::ListenStmt(stmt)) = &mut tree.stmts[0].stmt.as_mut().unwrap().node {
        stmt.conditionname = "a\0b".into();
    }
    assert_eq!(pgq::deparse(&tree).unwrap_err().kind, ErrorKind::Tree);
}

#[test]
fn a_tree_that_the_deparser_refuses_is_an_error_of_the_tree() {
    let mut tree = pgq::parse("LISTEN x").unwrap().into_tree();
    if let Some(pgq::proto::node::Node::ListenStmt(stmt)) = &mut tree.stmts[0].stmt.as_mut().unwrap().node {
        stmt.conditionname.clear();
    }
    assert_eq!(pgq::deparse(&tree).unwrap_err().kind, ErrorKind::Tree);
}

#[test]
fn an_error_has_its_position_in_every_unit() {
    let error = pgq::parse("SELECT 'ü',\n  * FORM t").unwrap_err();
    let position = error.position.unwrap();
    assert_eq!((position.offset, position.character, position.line, position.column), (17, 16, 2, 5));
    assert_eq!(error.sqlstate.unwrap().as_str(), "42601");
}

#[test]
fn types_and_plpgsql_expressions_can_be_parsed() {
    let mut options = ParseOptions::default();
    options.mode = ParseMode::TypeName;
    assert!(pgq::Tree::parse("numeric(10, 2)[]", &options).is_ok());
    options.mode = ParseMode::PlpgsqlExpression;
    assert_eq!(pgq::parse_with("a + 1", &options).unwrap().tree.stmts.len(), 1);
}

#[test]
fn scripts_are_split_by_the_parser_or_the_scanner() {
    let script = "SELECT 1; CREATE FUNCTION f() BEGIN ATOMIC SELECT 1; END; SELECT 2";
    let statements =
        |method| pgq::split(script, method).unwrap().into_iter().map(|r| script[r].trim()).collect::<Vec<_>>();
    assert_eq!(statements(SplitMethod::Parser).len(), 3);
    assert_eq!(statements(SplitMethod::Scanner)[0], "SELECT 1");
    assert!(pgq::split("SELECT FROM WHERE", SplitMethod::Parser).is_err());
}
