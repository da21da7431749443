//! Tests, with small examples, that positions in SQL with replaced placeholders map back to the original.
//! `placeholder_styles` tests the rules of the styles, and tests/internals/placeholders.rs the invariants.

use PlaceholderStyle::{Format, Named, Psql, Pyformat, Qmark};
use pgq::{PlaceholderStyle, Position, placeholders};

#[test]
fn names_of_styles() {
    for style in PlaceholderStyle::ALL {
        assert_eq!(PlaceholderStyle::from_name(style.name()), Some(style));
    }
    assert_eq!(PlaceholderStyle::from_name("PSQL"), None);
}

#[test]
fn positions_lead_back() {
    let sql = "SELECT ':a', :apple, (:b) FROM t WHERE x ü= :apple";
    let replaced = placeholders(sql, Named);
    assert_eq!(replaced.sql, "SELECT ':a', $1, ($2) FROM t WHERE x ü= $1");
    let at = |new: &str| replaced.sql.find(new).unwrap();
    assert_eq!(replaced.original(0), 0);
    assert_eq!(replaced.original(at("$1")), sql.find(":apple").unwrap());
    assert_eq!(replaced.original(at("$1") + 1), sql.find(":apple").unwrap(), "inside");
    assert_eq!(replaced.original(at("$1") + 2), sql.find(", (").unwrap(), "behind");
    assert_eq!(replaced.original(at("FROM")), sql.find("FROM").unwrap());
    assert_eq!(replaced.original(replaced.sql.len()), sql.len());
    assert_eq!(replaced.original(usize::MAX), sql.len());
    let position = replaced.position(Position::at(&replaced.sql, replaced.sql.rfind("$1").unwrap()));
    assert_eq!(position, Position::at(sql, sql.rfind(":apple").unwrap()));
}

#[test]
fn spaces_and_escapes_lead_back() {
    let replaced = placeholders("a??b LIMIT?x", Qmark);
    assert_eq!(replaced.sql, "a?b LIMIT $1 x");
    let originals: Vec<usize> = (0..=replaced.sql.len()).map(|at| replaced.original(at)).collect();
    assert_eq!(originals, [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11, 12]);
}

#[test]
fn errors_are_those_of_the_original() {
    let error = |sql: &str, style| {
        let replaced = placeholders(sql, style);
        let error = replaced.error(pgq::Tree::parse(&replaced.sql, &pgq::ParseOptions::normalized()).unwrap_err());
        let position = error.position.unwrap();
        assert_eq!(position, Position::at(sql, position.offset));
        (error.message, position.offset)
    };
    let near = |token: &str| format!("syntax error at or near \"{token}\"");
    assert_eq!(error("SELECT :apple FORM t", Named), (near("t"), 19));
    assert_eq!(error("SELECT é FROM t ORDER BY (é) :dir", Psql), (near(":dir"), 31));
    assert_eq!(error("SELECT a ? 'k'", Qmark), (near("'k'"), 11));
    assert_eq!(error("SELECT (a) ?", Qmark), (near("?"), 11));
    assert_eq!(error("SELECT * FROM %(table)s", Pyformat), (near("%(table)s"), 14));
    assert_eq!(error("SELECT ?, (", Qmark), ("syntax error at end of input".to_string(), 11));
    assert_eq!(error("SELECT (%%)", Format), (near("%%"), 8));
    assert_eq!(error("SELECT 1 FORM t x", Qmark), (near("t"), 14));
}
