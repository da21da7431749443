//! Tests the templates of the answer cache. A template is a text that was lexed before. Another text that differs only
//! in simple literals has tokens of the same kinds as the template, so it is not lexed.

use pgq::cache::InputScope;
use pgq::internals::{Shape, Templates};
use pgq_lexer::START_BYTES;

/// Returns whether `text` differs from `template` only in simple literals. If so, checks that the tokens from the
/// template equal the lexer's tokens. Before the check, inserts the same columns after SELECT into both texts, because
/// a template is found only for a text that begins with the same bytes.
fn fits(template: &str, text: &str) -> bool {
    let [template, text] = [template, text].map(|text| text.replacen("SELECT ", "SELECT some_column, another, ", 1));
    assert_eq!(template.as_bytes()[..START_BYTES], text.as_bytes()[..START_BYTES]);
    let (template, text) = (template.as_str(), text.as_str());
    let mut templates = Templates::default();
    let mut shape = Shape::default();
    let statement = shape.read(template, InputScope::Statement).unwrap().len();
    templates.keep(template.as_bytes(), InputScope::Statement, statement, &shape, b"entry");
    let found = templates.find(text.as_bytes(), InputScope::Statement, &mut shape);
    if let Some((at, len)) = found {
        assert_eq!(templates.entry(at), b"entry");
        let mut lexed = Shape::default();
        assert_eq!(lexed.read(text, InputScope::Statement).map(str::len), Some(len), "{text}");

        assert_eq!(shape.tokens, lexed.tokens, "{text}");
    }
    found.is_some()
}

#[test]
fn texts_that_differ_in_simple_literals_have_the_same_tokens() {
    for (template, text) in [
        ("SELECT a + -12 FROM t WHERE b = 'x' AND c = 3;", "SELECT a + -7 FROM t WHERE b = 'long; -- text' AND c = 0;"),
        ("SELECT 1", "SELECT 123456789"),
        ("SELECT 'a', 'b' LIMIT 5", "SELECT '', 'é\n' LIMIT 99"),
        ("SELECT a", "SELECT a"),
        ("SELECT (1), x'1' -- 2".split(',').next().unwrap(), "SELECT (42)"),
    ] {
        assert!(fits(template, text), "{text}");
    }
}

#[test]
fn other_texts_are_lexed() {
    for (template, text) in [
        ("SELECT 1", "SELECT 1234567890"),
        ("SELECT 1", "SELECT 0x1"),
        ("SELECT 1", "SELECT 01"),
        ("SELECT 1", "SELECT 1.5"),
        ("SELECT 1", "SELECT 'a'"),
        ("SELECT 1", "SELECT -1"),
        ("SELECT 1 ", "SELECT 1"),
        ("SELECT 'a'", "SELECT 'a''b'"),
        ("SELECT 'a'", "SELECT 'a\\'"),
        ("SELECT 'a'", "SELECT 'a\0'"),
        ("SELECT 'a'", "SELECT 'a"),
        ("SELECT e'a'", "SELECT e'b'"),
        ("SELECT x'1'", "SELECT x'2'"),
        ("SELECT 1.5", "SELECT 2.5"),
        ("SELECT 'a'\n'b'", "SELECT 'c'\n'd'"),
        ("SELECT 1;", "SELECT 1"),
    ] {
        assert!(!fits(template, text), "{text}");
    }
}
