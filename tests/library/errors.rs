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
