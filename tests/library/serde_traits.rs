//! Checks the implementations of serde's traits for the prost structs: the trees of the corpus and deep trees are read
//! back as written.

use pgq::proto::ParseResult;
use pgq_corpus::sets;
use serde::{Deserialize, Serialize};

fn read(json: &str) -> ParseResult {
    let mut reader = serde_json::Deserializer::from_str(json);
    reader.disable_recursion_limit();
    ParseResult::deserialize(&mut reader).expect("what was written")
}

#[test]
fn structs_of_the_corpus_are_read_back() {
    let mut trees = 0;
    for sql in sets().iter().flat_map(|set| &set.statements) {
        let Ok(parsed) = pgq::parse(sql) else { continue };
        let json = serde_json::to_string(&parsed.tree).unwrap();
        assert_eq!(read(&json), parsed.tree, "{sql}");
        trees += 1;
    }
    assert!(trees > 45_000, "{trees}");
}

#[test]
fn every_field_has_its_name_and_may_be_missing() {
    let parsed = pgq::parse("SELECT 1").unwrap();
    let value = serde_json::to_value(&parsed.tree).unwrap();
    let constant = &value["stmts"][0]["stmt"]["node"]["SelectStmt"]["target_list"][0]["node"]["ResTarget"]["val"];
    assert_eq!(constant["node"]["AConst"]["val"]["Ival"]["ival"], 1, "{value}");
    let short = r#"{"stmts":[{"stmt":{"node":{"ListenStmt":{"conditionname":"c"}}}}]}"#;
    assert_eq!(pgq::deparse(&read(short)).unwrap(), "LISTEN c");
}

#[test]
fn deep_trees_are_written_and_read_on_a_small_thread() {
    let statements = [
        format!("SELECT 1{}", " + 1".repeat(20_000)),
        format!("SELECT 1{}", " UNION SELECT 1".repeat(5_000)),
        format!("SELECT 1 FROM t{}", " JOIN u ON true".repeat(20_000)),
    ];
    for sql in statements {
        let check = move || {
            let parsed = pgq::parse(&sql).unwrap();
            let mut json = Vec::new();
            parsed.tree.serialize(&mut serde_json::Serializer::new(&mut json)).unwrap();
            let tree = read(std::str::from_utf8(&json).unwrap());
            assert_eq!(tree.stmts.len(), 1);
            // Forget the tree: dropping such a deep tree recurses, and would overflow this small stack.
            let again = serde_json::to_vec(&tree).unwrap();
            std::mem::forget(tree);
            assert_eq!(again, json);
        };
        std::thread::Builder::new().stack_size(2 << 20).spawn(check).unwrap().join().unwrap();
    }
}
