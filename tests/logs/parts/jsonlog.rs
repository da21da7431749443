//! Tests of jsonlog objects: values of each type, the tables of keys, and escapes.

use pgq_log::internals::jsonlog_keys::{
    COMMAND_TAG, DATABASE, DETAIL, KEYS, LINE_NUMBER, LINE_NUMBER_PLACE, MESSAGE, ORDER, PID, QUERY_ID, SESSION_KEYS,
    SEVERITY, key_index,
};
use pgq_log::internals::{decode_json_escapes, jsonlog_parser};

use super::read_log::{check_all_cuts, read_log};

const LOG: &str = concat!(
    r#"{"timestamp":"2026-01-31 12:00:00.123 UTC","user":"ann","dbname":"shop","pid":7,"session_id":"65b.7","#,
    r#""error_severity":"LOG","message":"duration: 1.5 ms  execute s: SELECT\n\t\"a\"","detail":"Parameters: $1 = 'x'"}"#,
    "\n",
    r#"{"timestamp":"2026-01-31 12:00:00.123 UTC","pid":1,"error_severity":"LOG","message":"checkpoint","new":[{}]}"#,
    "\n",
    r#"{"user":"ann","pid":7,"error_severity":"ERROR","message":"no","statement":"SELECT 1 \ud83d\ude00"}"#,
    "\n",
);

#[test]
fn objects_are_read() {
    let (records, stats) = read_log(&jsonlog_parser, LOG.as_bytes());
    assert_eq!(records, ["7 LOG | ann | 1.5 | SELECT\n\t\"a\" | $1 = 'x'", "7 ERROR | ann | SELECT 1 😀"]);
    assert_eq!((stats.messages, stats.without_statement, stats.unreadable), (3, 1, 0));
}

#[test]
fn reading_in_place_agrees_with_serde() {
    for message in [
        r"plain",
        r#"\"quoted\" \\ \/ \b\f\n\r\t"#,
        r"\u00e9\u20ac\ud83d\ude00 é",
        r"\ud83d",
        r"\ude00\ud83d",
        r"\u12",
        r"\x",
        r"\",
        r"",
    ] {
        let compact = format!(r#"{{"pid":7,"message":"statement: {message}","x":-1.5e+3,"error_severity":"LOG"}}"#);
        let spaced = compact.replacen(':', " : ", 1);
        let (in_place, by_serde) =
            (read_log(&jsonlog_parser, compact.as_bytes()), read_log(&jsonlog_parser, spaced.as_bytes()));
        assert_eq!((&in_place.0, in_place.1.unreadable), (&by_serde.0, by_serde.1.unreadable), "{message}");
    }
}

#[test]
fn values_of_other_types_are_for_serde() {
    let log = br#"{"user":null,"pid":7,"error_severity":"LOG","message":"statement: SELECT 1"}"#;
    let (records, stats) = read_log(&jsonlog_parser, log);
    assert_eq!((records, stats.unreadable), (vec!["7 LOG | SELECT 1".to_string()], 0));
    let log = br#"{"user":["ann"],"pid":7,"error_severity":"LOG","message":"statement: SELECT 1"}"#;
    let (records, stats) = read_log(&jsonlog_parser, log);
    assert_eq!((records.len(), stats.unreadable), (0, 1));
}

#[test]
fn lines_that_are_not_log_objects_are_counted() {
    let (records, stats) = read_log(&jsonlog_parser, b"{\"pid\":1}\nnull\n{\n\n\"\xff\"\n");
    assert_eq!((records.len(), stats.unreadable), (0, 4));
    check_all_cuts(&jsonlog_parser, LOG.as_bytes());
}

#[test]
fn indexes_are_those_of_the_keys() {
    assert_eq!((KEYS[SEVERITY].0, KEYS[PID].0), (&b"error_severity"[..], &b"pid"[..]));
    let names = [DATABASE, MESSAGE, DETAIL, COMMAND_TAG, LINE_NUMBER, QUERY_ID].map(|index| KEYS[index].0);
    assert_eq!(names, [&b"dbname"[..], b"message", b"detail", b"ps", b"line_num", b"query_id"]);
    assert!(KEYS[SESSION_KEYS - 1].0 == b"vxid" && KEYS[SESSION_KEYS].0 == b"session_start");
    for (index, (key, _)) in KEYS.iter().enumerate() {
        assert_eq!(key_index(key), Some(index));
    }
}
#[test]
fn ordered_keys_are_found_by_their_bytes() {
    for key in &ORDER {
        let text = key.text.to_le_bytes();
        let name = &text[1..key.len - 1];
        assert_eq!(key_index(name), key.index);
        assert!(key.starts(&[&text[..key.len], b":\"x\",            "].concat()));
        assert!(!key.starts(&[&text[..key.len - 1], b"s\":\"x\",         "].concat()));
        assert!(!key.starts(&text[..key.len.min(15)]));
    }
    assert_eq!(ORDER[LINE_NUMBER_PLACE].index, Some(LINE_NUMBER));
}

#[test]
fn escapes_are_decoded_in_place() {
    for (text, decoded) in [
        ("plain", Some("plain")),
        (r#"\"a\\b\/\n"#, Some("\"a\\b/\n")),
        (r"\u00e9 \ud83d\ude00", Some("é 😀")),
        (r"\ud83d", None),
        (r"\u12", None),
        (r"\x", None),
        (r"\", None),
    ] {
        let mut bytes = text.as_bytes().to_vec();
        let len = decode_json_escapes(&mut bytes);
        assert_eq!(len.map(|len| &bytes[..len]), decoded.map(str::as_bytes), "{text}");
    }
}
