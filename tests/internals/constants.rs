//! Tests that pgq finds the extent and the form of constants in SQL.

use pgq::internals::{constant, name_end};

/// In each case `|` marks the expected end of the constant. In a case without `|`, no constant is found. `~|` marks a
/// constant that libpg_query replaces only partly.
#[test]
fn ends_of_constants() {
    #[rustfmt::skip]
    let cases = [
        "1|", "1|+1", "1_000|", "0x_1F|,", "0b101|", "0o17|)", "1.|", "1.5e-3|", ".5|", "1|..2", "1e", "- 5|",
        "-/* /* */ - */5|", "- --x\n 5|", "- - 5~|", "- -(- 5)~|)", "-(5)~|", "-(/* ) */(5) )~| + 1", "-(5 + 1)",
        "-TRUE", "-a", "- ", "-(5", "+5~|", "'a''b'|,'", "'a'|  'b'",
        "'a' -- x\n  'b'|c", "'a'\n'b'|", "'a'|\n/* */'b'", "e'a\\'b'|", "'a\\'|b'", "b'01'|'10'", "X'1F'|",
        "n|'a'", "U&'a'|  ", "U&'a' UESCAPE '!'~|", "U&'a' /* */ uescape\n'!'~| b", "U&'a'| UESCAPE x",
        "u&\"a\"\"b\"", "\"a\"\"b\"|.c", "$$a$b$$|$", "$a$ $b$ $a$|", "$1", "year| from", "é|", "=", "(5)", "",
    ];
    for case in cases {
        let plain = !case.contains('~');
        let case = case.replace('~', "");
        let (text, end) = match case.split_once('|') {
            Some((before, after)) => (format!("{before}{after}"), Some(before.len())),
            None => (case.to_string(), None),
        };
        let found = constant(text.as_bytes(), 0, false);
        assert_eq!(found.map(|constant| constant.end), end, "{case}");
        assert!(found.is_none_or(|constant| constant.plain == plain), "{case}");
    }
    assert_eq!(constant(b"'a\\'b'c", 0, true).unwrap().end, 6);
}

#[test]
fn ends_of_names() {
    for (text, end) in
        [("date '1'", 4), ("double /* x */ precision -- '\n  '1'", 24), ("interval(3)'1'", 11), ("a.\"b c\" '1'", 7)]
    {
        let to = text.rfind("'1'").unwrap();
        assert_eq!(name_end(text.as_bytes(), 0, to), Some(end), "{text}");
    }
}
