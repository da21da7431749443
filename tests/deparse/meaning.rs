//! The meaning of a statement, for comparisons: the JSON of its tree without positions. Shares no code with the
//! library's comparison of trees.

use memchr::{memchr, memchr2};
use pgq::{Document, JsonStyle, ParseOptions, Tree};

/// Keys of positions, in addition to keys that end in `location`.
const POSITIONS: [&str; 5] = ["stmt_len", "list_start", "list_end", "rexpr_list_start", "rexpr_list_end"];

/// Returns the meaning of valid SQL. Includes empty strings if `empty_strings` is true.
pub fn meaning(sql: &str, empty_strings: bool) -> String {
    let tree = Tree::parse(sql, &ParseOptions::default()).unwrap_or_else(|e| panic!("{sql}: {e}"));
    meaning_of(&tree, empty_strings)
}

/// Returns the meaning of a tree, as [`meaning`] does.
pub fn meaning_of(tree: &Tree, empty_strings: bool) -> String {
    let mut document = Document::new(if empty_strings { JsonStyle::Lossless } else { JsonStyle::Compatible });
    document.append(tree, 0).expect("the tree of a statement has JSON");
    without_positions(&document.finish())
}

/// Removes the positions from JSON.
fn without_positions(json: &str) -> String {
    let bytes = json.as_bytes();
    let mut out = String::with_capacity(json.len());
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr(b'"', &bytes[at..]) {
        let start = at + found;
        let end = string_end(bytes, start);
        at = end;
        let number = bytes.get(end) == Some(&b':') && matches!(bytes.get(end + 1), Some(b'-' | b'0'..=b'9'));
        if number && is_position(&json[start + 1..end - 1]) {
            out.push_str(&json[copied..start]);
            at = end + 1;
            while matches!(bytes.get(at), Some(b'-' | b'0'..=b'9')) {
                at += 1;
            }
            // Removes a comma along with the position: the comma after it or, if there is none, the comma before it.
            if bytes.get(at) == Some(&b',') {
                at += 1;
            } else if out.ends_with(',') {
                out.pop();
            }
            copied = at;
        }
    }
    out.push_str(&json[copied..]);
    out
}

fn is_position(key: &str) -> bool {
    key.ends_with("location") || POSITIONS.contains(&key)
}

/// Returns the offset after the string that starts at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    loop {
        end += memchr2(b'"', b'\\', &bytes[end..]).expect("strings of JSON end");
        if bytes[end] == b'"' {
            return end + 1;
        }
        end += 2;
    }
}

#[test]
fn only_positions_are_removed() {
    let json = r#"{"a":1,"location":-1,"b":{"name_location":5},"location":"x\"","c":[{"stmt_len":3}],"len":4}"#;
    assert_eq!(without_positions(json), r#"{"a":1,"b":{},"location":"x\"","c":[{}],"len":4}"#);
}
