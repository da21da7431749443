//! Tests of the code that removes text that other programs added to log lines (envelopes): patterns of lines, rows of
//! tables, API responses, fields and times.

use pgq_log::internals::{CsvRows, Parts, Pattern, csv_header, message_lines, opened_answer, plain_time};
use serde_json::json;

fn match_line<'a>(pattern: &'static str, line: &'a [u8]) -> Option<Parts<'a>> {
    Pattern::parse(pattern).match_line(line)
}

#[test]
fn patterns_take_lines_apart() {
    let parts = match_line("{iso} {std} {flag} {text}", b"2026-01-31T12:00:00.1Z stdout P LOG:  x").unwrap();
    assert_eq!((parts.time, parts.partial, parts.text), (&b"2026-01-31T12:00:00.1Z"[..], true, &b"LOG:  x"[..]));
    let line = b"<134>1 2026-01-31T12:00:00Z db postgres 42 - [a b=\"]\"][c] [7-2] \tx";
    let parts = match_line("{pri}1 {iso} {w} {w} {pid} {w} {sd} {seq}{text}", line).unwrap();
    assert_eq!((parts.pid, parts.piece, parts.text), (42, Some((7, 2)), &b"\tx"[..]));
    let parts = match_line("{bsd} {w} {tag}: {seq}{text}", b"Jan  1 12:00:00 db postgres[42]: LOG:  x").unwrap();
    assert_eq!((parts.pid, parts.piece, parts.text), (42, None, &b"LOG:  x"[..]));
    let parts = match_line("{file}{gs}{text}", b"a-Mon.log:\t -- comment").unwrap();
    assert_eq!(parts.text, b"\t -- comment");
    for line in ["Jan  1 12:00:00 a b c[1]: x", "2026-01-31 12:00:00 UTC [42]: LOG:  x", ""] {
        assert_eq!(match_line("{bsd} {w} {tag}: {seq}{text}", line.as_bytes()), None, "{line}");
    }
}

#[test]
fn a_row_of_too_many_values_is_returned_as_it_is() {
    let mut rows = CsvRows::default();
    assert_eq!(rows.line(b"timestamp,message"), Ok(None));
    for row in [&b"1,2,3"[..], b"1,2,", &[b','; 1000]] {
        assert_eq!(rows.line(row), Err(row.to_vec()));
    }
    assert!(matches!(rows.line(b"1,2"), Ok(Some(_))));
    let header = |columns: usize| csv_header(vec!["a"; columns].join(",").as_bytes());
    assert_eq!((header(500).unwrap().0.len(), header(501)), (500, None));
}

#[test]
fn rows_are_objects() {
    let mut rows = CsvRows::default();
    assert_eq!(rows.line("\u{feff}\"TimeGenerated [UTC]\",Message,n".as_bytes()), Ok(None));
    assert_eq!(rows.line(b"2026,\"LOG:  x \"\"y\"\","), Ok(None));
    let row = rows.line(b"\tz\",1").unwrap().unwrap();
    assert_eq!(
        (&row["timegenerated"], &row["message"], &row["n"]),
        (&"2026".into(), &"LOG:  x \"y\",\n\tz".into(), &"1".into())
    );
    assert_eq!(rows.line(b"2026,x"), Err(b"2026,x".to_vec()));
    assert_eq!(rows.line(b"\"cut"), Ok(None));
    assert_eq!(rows.finish(), b"\"cut");
}

#[test]
fn headers_have_names() {
    assert_eq!(csv_header(b"date;message").unwrap().1, b';');
    assert!(csv_header(b"2026-01-31 12:00:00 UTC,\"ann\",\"shop\"").is_none());
    assert!(csv_header(b"SELECT 'message', 1").is_none());
}

#[test]
fn streams_of_a_source_are_in_order() {
    let stream = |level: &str, values: serde_json::Value| json!({"stream": {"pod": "pg-0", "detected_level": level}, "values": values});
    let answer = json!({"data": {"result": [
        stream("error", json!([["9", "d"], ["5", "b"]])),
        stream("info", json!([["7", "c"], ["3", "a"]])),
    ]}});
    let values = json!([["9", "d"], ["7", "c"], ["5", "b"], ["3", "a"]]);
    assert_eq!(opened_answer(answer)["data"]["result"], json!([{"stream": {"pod": "pg-0"}, "values": values}]));
    assert_eq!(opened_answer(json!({"message": "x"})), json!({"message": "x"}));
}

#[test]
fn parts_of_a_message_stand_beside_it() {
    let lines =
        |object: serde_json::Value| String::from_utf8(message_lines(object.as_object().unwrap(), None)).unwrap();
    let error = json!({
        "errorLevel": "ERROR", "sqlerrcode": "42883", "message": "now [7] ERROR:  none", "hint": "Cast.",
        "query": "SELECT inner()", "statement": "SELECT\nouter()",
    });
    let expected = "now [7] ERROR:  42883: none\nnow [7] HINT:  Cast.\nnow [7] STATEMENT:  SELECT\n\touter()";
    assert_eq!(lines(error), expected);
    let verbose = json!({"errorLevel": "ERROR", "sqlerrcode": "42883", "message": "now [7] ERROR:  42883: none"});
    assert_eq!(lines(verbose), "now [7] ERROR:  42883: none");
    let success = json!({"errorLevel": "LOG", "sqlerrcode": "00000", "message": "now [7] LOG:  started"});
    assert_eq!(lines(success), "now [7] LOG:  started");
    let apart = json!({"prefix": "now [7] ", "errorLevel": "ERROR", "sqlerrcode": "42883", "message": "none"});
    assert_eq!(lines(apart), "now [7] ERROR:  42883: none");
}

#[test]
fn times_of_web_pages_are_times() {
    let time = Some("2026-01-31 12:00:00.123".to_string());
    assert_eq!(plain_time("1/31/2026, 12:00:00.123 PM"), time);
    assert_eq!(plain_time("Jan 31, 2026 @ 12:00:00.123"), time);
    assert_eq!(plain_time("2/1/2026, 12:05:07 AM").as_deref(), Some("2026-02-01 00:05:07"));
    assert_eq!(plain_time("1/31/2026 12:00:00.123 PM"), time);
    for other in ["2026-01-31T12:00:00Z", "2026-01-31 12:00:00 UTC", "01/02/2026 12:00:00"] {
        assert_eq!(plain_time(other), None);
    }
}
