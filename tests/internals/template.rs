//! Tests the templates of the tree cache. A template is the SQL of a cached tree. If a text differs from the template
//! only in literals, only the literals are lexed.

use pgq::Tree;
use pgq::internals::{prefix, template};

#[test]
fn texts_that_fit() {
    for (own, other, found) in [
        ("SELECT 1", "SELECT 234", &["234"][..]),
        ("SELECT a1, -1 FROM t WHERE b='x' ", "SELECT a1, -22 FROM t WHERE b='it''s' ", &["-22", "'it''s'"]),
        ("SELECT 'a'", "SELECT E'b\\n'", &["E'b\\n'"]),
        ("SELECT 1.5, x'1f'", "SELECT .5, x''", &[".5", "x''"]),
        ("SELECT a FROM t", "SELECT a FROM t", &[]),
        ("SELECT TRUE, - 5", "SELECT TRUE, - 6", &["- 6"]),
    ] {
        let mut constants = Vec::new();
        assert!(template(own).unwrap().fits(other, &mut constants), "{own} | {other}");
        let texts: Vec<_> = constants.iter().map(|c| &other[c.start as usize..c.end as usize]).collect();
        assert_eq!(texts, found);
    }
}

#[test]
fn texts_that_do_not_fit() {
    for (own, other) in [
        ("SELECT 1", "SELECT 1.0"),
        ("SELECT 1", "SELECT 1 "),
        ("SELECT 1", "SELECT  1"),
        ("SELECT 1", "SELECT a"),
        ("SELECT 1", "SELECT 'a'"),
        ("SELECT 1", "SELECT 1, 2"),
        ("SELECT 'a' FROM t", "SELECT 'a'\n'b' FROM u"),
        ("SELECT 'a'", "SELECT 'a"),
        ("SELECT 'a'", "SELECT '\0'"),
        ("SELECT 1", "SELECT --1"),
        ("SELECT 1", "SELECT 1a"),
        ("SELECT 1", "SELECT"),
        ("SELECT 1", ""),
    ] {
        assert!(!template(own).unwrap().fits(other, &mut Vec::new()), "{own} | {other}");
    }
}

#[test]
fn texts_without_a_template() {
    for own in ["SELECT a'x'", "SELECT \"a\"'x'", "SELECT x''"] {
        let has_one = Tree::parse(own, &Default::default()).is_ok() && template(own).is_some();
        assert_eq!(has_one, own == "SELECT x''", "{own}");
    }
}

#[test]
fn the_prefix_ends_where_a_literal_may_begin() {
    for (sql, expected) in [
        ("", ""),
        ("1", ""),
        ("SELECT", "SELECT"),
        ("SELECT a1b2, c12345678 FROM t WHERE x = 5", "SELECT a1b2, c12345678 FROM t WHERE x = "),
        ("SELECT a FROM täble1 WHERE ü = 'x'", "SELECT a FROM täble1 WHERE ü = "),
        ("SELECT E'a'", "SELECT E"),
        ("SELECT :/9", "SELECT :/"),
    ] {
        assert_eq!(prefix(sql), expected.as_bytes());
    }
}
