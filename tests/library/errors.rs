//! Positions, messages and SQLSTATEs of errors.

use pgq::{Position, Tree};

#[test]
fn positions_count_characters_in_the_column_and_bytes_in_the_offset() {
    let text = "SELECT 'é',\n  'ü' +";
    let at = text.rfind('+').unwrap();
    assert_eq!(Position::at(text, at), Position { offset: at, character: 18, line: 2, column: 7 });
    assert_eq!(Position::at("", 5), Position { offset: 0, character: 0, line: 1, column: 1 });
}

fn error(sql: &str) -> pgq::Error {
    Tree::parse(sql, &Default::default()).expect_err(sql)
}

#[test]
fn a_long_token_is_cut_at_a_character() {
    let message = error(&format!("SELECT 1 a {}", "é".repeat(500))).message;
    assert!(message.starts_with("syntax error at or near \"é") && message.ends_with("…\" (1000 bytes)"), "{message}");
    assert!(message.len() < 300);
    assert_eq!(error("SELECT 1 a x").message, "syntax error at or near \"x\"");
    let quotes = error(&format!("SELECT {}", "\"".repeat(501))).message;
    assert!(quotes.starts_with("unterminated quoted identifier at or near \"\"\""), "{quotes}");
    assert!(quotes.ends_with("…\" (501 bytes)") && quotes.len() < 300, "{quotes}");
    let tree = Tree::parse(&format!("SELECT {}", "a".repeat(5000)), &Default::default()).unwrap();
    let remark = &tree.warnings()[0].message;
    let end = format!("will be truncated to \"{}\"", "a".repeat(63));
    assert!(remark.starts_with("identifier \"aaa") && remark.ends_with(&end) && remark.len() < 500, "{remark}");
}

#[test]
fn sqlstate_of_a_syntax_error() {
    assert_eq!(error("SELECT FROM WHERE").sqlstate.unwrap().as_str(), "42601");
}

#[test]
fn rows_that_make_the_tree_too_large_are_refused() {
    // Each level assigns the inner query to three columns, so the inner query counts three times.
    let nested = |levels| {
        (0..levels).fold("SELECT 1, 2, 3".to_string(), |row, _| {
            format!("WITH x AS (UPDATE t SET (a, b, c) = ({row}) RETURNING 1) SELECT 1, 2, 3")
        })
    };
    assert!(Tree::parse(&nested(8), &Default::default()).is_ok());
    let refused = error(&nested(30));
    assert_eq!(refused.message, "the assignment of rows to several columns makes the parse tree too large");
    assert_eq!(refused.sqlstate.unwrap().as_str(), "54000");
    let wide = |columns: usize| {
        let [names, row] = ["a, ", "1, "].map(|item| item.repeat(columns - 1));
        format!("UPDATE t SET ({names}b) = ({row}2)")
    };
    assert!(Tree::parse(&wide(1600), &Default::default()).is_ok());
    assert_eq!(error(&wide(4000)).message, refused.message);
    // The limit applies to all repeated bytes of a text. The 10,000 statements of `many` do not reach it.
    let many = "UPDATE t SET (a, b) = (1, 2), (c, d) = (SELECT 3, 4);".repeat(10_000);
    assert!(Tree::parse(&many, &Default::default()).is_ok());
}

/// With quadratic time, this would take a minute.
#[test]
fn many_invalid_bodies_have_a_fingerprint_in_linear_time() {
    let sql = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'x y';".repeat(150_000);
    let mut options = pgq::FingerprintOptions::default();
    options.function_bodies = true;
    assert!(Tree::parse(&sql, &Default::default()).unwrap().fingerprint(&options).is_ok());
}
