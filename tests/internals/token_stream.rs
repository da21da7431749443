//! Tokens as the grammar receives them.

use pgq::internals::{PgqToken, Tokens, read};
use pgq_lexer::kinds;

/// Returns the values of the tokens of `sql`, as the grammar receives them.
fn values(sql: &str) -> Vec<String> {
    let (mut tokens, mut strings) = (Vec::new(), Vec::new());
    assert!(read(sql, 0, true, &mut tokens, &mut strings), "{sql}");
    let value = |token: &PgqToken| match token.kind {
        kinds::ICONST | kinds::PARAM => token.value.to_string(),
        kinds::IDENT..=kinds::OP => {
            let text = strings[token.value as usize..].split(|byte| *byte == 0).next().unwrap();
            String::from_utf8(text.to_vec()).unwrap()
        }
        kind if kind > kinds::C_COMMENT => pgq_lexer::Keyword::by_number(token.value as u16).name.to_uppercase(),
        _ => String::new(),
    };
    tokens.iter().map(value).filter(|value| !value.is_empty()).collect()
}

#[test]
fn values_are_made() {
    for (sql, expected) in [
        ("Ab.cD", "ab cd"),
        ("ab||cd->>ef", "ab || cd ->> ef"),
        ("a.5 1.5.5 1e5 .5", "a .5 1.5 .5 1e5 .5"),
        ("\"A\"\"b\"c\"D\"", "A\"b c D"),
        ("'a'k'c''d''''e'", "a k c'd''e"),
        ("'a' -- it's\n 'b''c'\n'd'", "ab'cd"),
        ("E'a\\t\\'\\x41\\u00e9'''", "a\t'Aé'"),
        ("$$a$b$$ $x$c$x$", "a$b c"),
        ("B'01' X'1F' b'0'\n'1'", "b01 x1F b01"),
        ("1 0x_1F 0b11 0o17 1_000 99999999999 $12", "1 31 3 15 1000 99999999999 12"),
        ("N'a' École É", "NCHAR a École É"),
    ] {
        assert_eq!(values(sql).join(" "), expected, "{sql}");
    }
}

#[test]
fn tokens_of_one_statement() {
    const SQL: &str = "SELECT 1; -- c\nSELECT a;";
    let (mut tokens, mut strings) = (Vec::new(), Vec::new());
    assert!(read(SQL, 1, false, &mut tokens, &mut strings));
    let all = Tokens { tokens: &tokens, strings: &strings };
    for (range, count) in [(1..9, 2), (9..10, 1), (10..24, 2), (0..1, 0), (1..100, 7)] {
        assert_eq!(all.within(range.clone()).tokens.len(), count, "{range:?}");
    }
}

#[test]
fn some_words_look_ahead() {
    let kinds_of = |sql: &str| {
        let (mut tokens, mut strings) = (Vec::new(), Vec::new());
        assert!(read(sql, 3, true, &mut tokens, &mut strings));
        tokens.iter().map(|token| token.kind).collect::<Vec<_>>()
    };
    for (first, second, changed) in [
        ("not", "in", kinds::NOT_LA),
        ("not", "similar", kinds::NOT_LA),
        ("nulls", "first", kinds::NULLS_LA),
        ("with", "ordinality", kinds::WITH_LA),
        ("without", "time", kinds::WITHOUT_LA),
        ("format", "json", kinds::FORMAT_LA),
    ] {
        assert_eq!(kinds_of(&format!("{first} /* c */ {second}"))[0], changed);
        assert_eq!(kinds_of(&format!("{first} {first} {second}"))[1], changed);
        assert_ne!(kinds_of(&format!("{first}, {second}"))[0], changed);
        assert_ne!(kinds_of(&format!("{first} a {second}"))[0], changed);
    }
}
