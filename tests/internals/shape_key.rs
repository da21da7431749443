//! Tests the keys of shapes. Texts that differ only in the values of literals have the same shape, and therefore the
//! same key.

use pgq::cache::InputScope;
use pgq::internals::Shape;

fn key(text: &str) -> Option<Vec<u8>> {
    let mut shape = Shape::default();
    shape.read(text, InputScope::Statement)?;
    Some(shape.key)
}

#[test]
fn texts_of_one_shape() {
    #[rustfmt::skip]
    let cases = [
        ("SELECT 1", "select/**/2 -- x"), ("SELECT 1;", "SELECT 2"), ("SELECT 'a'", "SELECT e'b\\n'"),
        ("SELECT 'a'", "SELECT $x$b$x$"), ("SELECT 1.5", "SELECT 99999999999"), ("SELECT Abc", "SELECT abC"),
        ("SELECT x'1F'", "SELECT X''"), ("SELECT 0x1F", "SELECT 1_000"),
    ];
    for (one, other) in cases {
        assert!(key(one).is_some() && key(one) == key(other), "{one} | {other}");
    }
}

#[test]
fn texts_of_different_shapes() {
    #[rustfmt::skip]
    let cases = [
        ("SELECT 1", "SELECT 'a'"), ("SELECT 1", "SELECT 1.0"), ("SELECT a", "SELECT \"a\""), ("SELECT a", "SELECT b"),
        ("SELECT $1", "SELECT $2"), ("SELECT a b", "SELECT ab"), ("SELECT a.b", "SELECT a b"), ("SELECT -1", "SELECT 1"),
        ("SELECT 1 + 1", "SELECT 1 - 1"), ("SELECT b'1'", "SELECT x'1'"), ("SELECT 2147483647", "SELECT 2147483648"),
        ("SELECT 1;;", "SELECT 1;"), ("SELECT \"A\"", "SELECT \"a\""), ("SELECT ''", "SELECT n''"), ("SELECT 1", "SELECT 1 1"),
    ];
    for (one, other) in cases {
        assert!(key(one).is_some() && key(other).is_some() && key(one) != key(other), "{one} | {other}");
    }
}

#[test]
fn texts_without_a_shape() {
    let long = format!("SELECT {}", "a".repeat(64));
    for text in ["", "-- x", ";", "SELECT 'a", "SELECT U&'a'", "SELECT U&\"a\"", "SELECT '\0'", "SELECT 1a", &long] {
        assert_eq!(key(text).filter(|key| !key.is_empty()), None, "{text}");
    }
}
