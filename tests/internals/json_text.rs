//! Tests of buffers for JSON: numbers, strings, and the bytes that are escaped.

use pgq::internals::{JsonText, escape, is_clean};

#[test]
fn numbers_of_any_length() {
    let powers = (0..19).map(|power| 10i64.pow(power)).flat_map(|power| [power - 1, power, power + 1, -power]);
    for value in (-20..20_000).chain(powers).chain([i64::MIN, i64::MAX]) {
        let mut text = JsonText::new(b"x".to_vec());
        text.int(value);
        assert_eq!(text.into_bytes(), format!("x{value}").into_bytes());
    }
}

#[test]
fn strings_of_any_length() {
    for len in 0..40 {
        let clean: Vec<u8> = (0..len).map(|at| b'a' + at as u8 % 26).collect();
        let texts = (0..len).map(|at| {
            let mut text = clean.clone();
            text[at] = b'<';
            text
        });
        for text in std::iter::once(clean.clone()).chain(texts) {
            let (mut whole, mut expected) = (JsonText::new(b"x".to_vec()), b"x".to_vec());
            whole.string(&text);
            escape(&text, &mut expected);
            assert_eq!(whole.into_bytes(), expected);
        }
    }
}

/// Returns whether libpg_query escapes a byte in JSON.
fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || b"\"\\<>".contains(&byte)
}

#[test]
fn each_byte_is_escaped_in_texts_of_any_length() {
    for len in 1..20 {
        for at in 0..len {
            for byte in 0..=u8::MAX {
                let mut text = vec![b'a'; len];
                text[at] = byte;
                let clean = is_clean(&text);
                assert!(clean != needs_escape(byte) || !byte.is_ascii(), "{text:?}");
                let mut out = Vec::new();
                escape(&text, &mut out);
                assert_eq!(out.len() > len + 2, needs_escape(byte), "{text:?}");
            }
        }
    }
}
