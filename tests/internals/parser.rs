//! Tests pgq's choice between two lexers: for some SQL it uses its own lexer, for other SQL PostgreSQL's scanner.

use pgq::internals::{NoTree, parse_by_own_lexer};
use pgq::{ParseOptions, SplitMethod, Tree, reference};

/// Returns how many times `f` parses tokens with pgq's copy of the grammar.
fn token_parses(f: impl FnOnce()) -> usize {
    let before = pgq::internals::token_parses();
    f();
    pgq::internals::token_parses() - before
}

#[test]
fn the_reference_is_postgresqls_own_scanner() {
    const SQL: &str = "SELECT a FROM t WHERE b = 'c'";
    assert_eq!(token_parses(|| assert!(parse_by_own_lexer(SQL).is_ok())), 1);
    let options = ParseOptions::default();
    let reference = || {
        reference::parse_to_json(SQL, &options).unwrap();
        reference::encode(SQL, &options).unwrap();
        reference::fingerprint(SQL, &Default::default()).unwrap();
        reference::normalize(SQL).unwrap();
        reference::encode_tokens(SQL).unwrap();
        pgq::split(SQL, SplitMethod::Parser).unwrap();
        assert!(reference::baseline_parse(SQL));
        // pgq's own lexer does not support this option.
        let mut options = ParseOptions::default();
        options.backslash_escapes = true;
        assert!(!Tree::parse(SQL, &options).unwrap().used_native_lexer());
    };
    assert_eq!(token_parses(reference), 0);
}

#[test]
fn what_the_lexer_does_not_know_goes_to_postgresqls_scanner() {
    let own = |sql: &str| Tree::parse(sql, &Default::default()).is_ok_and(|tree| tree.used_native_lexer());
    assert!(own("SELECT E'a\\n', 'b''c'\n'd', $1, \"A\"\"b\", x'1f' || $$e$$ -- f"));
    let long = format!("LISTEN {}", "a".repeat(64));
    for sql in ["SELECT U&'a'", "SELECT U&\"a\"", "SELECT E'\\xc3\\xa9'", &long] {
        assert!(parse_by_own_lexer(sql).is_err() && !own(sql), "{sql}");
    }
}

#[test]
fn a_remark_of_the_grammar_is_kept() {
    const SQL: &str = "CREATE GLOBAL TEMP TABLE t (a int)";
    assert_eq!(parse_by_own_lexer(SQL), Err(NoTree::Unknown));
    let tree = Tree::parse(SQL, &Default::default()).unwrap();
    assert!(!tree.used_native_lexer());
    assert_eq!(tree.warnings().len(), 1);
}

#[test]
fn what_the_grammar_refuses() {
    for sql in ["SELECT FROM WHERE", "SELECT 1 2", "SELECT a.*.b", "CREATE GLOBAL TEMP TABLE t"] {
        assert_eq!(parse_by_own_lexer(sql), Err(NoTree::Refused), "{sql}");
    }
    for sql in ["SELECT U&'a'", "SELECT 'a", "SELECT E'\\xc3\\xa9'"] {
        assert_eq!(parse_by_own_lexer(sql), Err(NoTree::Unknown), "{sql}");
    }
}
