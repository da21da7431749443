//! Checks that walks visit nodes in the order of PostgreSQL's raw_expression_tree_walker (nodes/nodeFuncs.c), except
//! for the nodes listed here. Compares PostgreSQL's source with the table that the walk is generated from.

use std::collections::BTreeMap;
use std::path::Path;

/// Nodes whose fields PostgreSQL's walker visits in a different order than pgq's walk.
const OTHER_ORDER: [&str; 5] = [
    "T_JsonAggConstructor",
    "T_JsonArrayConstructor",
    "T_JsonArrayQueryConstructor",
    "T_JsonObjectConstructor",
    "T_JsonTableColumn",
];

/// Returns, for each row of the table, the fields that contain nodes, in the order of a walk.
fn fields_of_walk() -> BTreeMap<String, Vec<String>> {
    let table = include_str!("../../src/convert/nodes.rs");
    let mut rows = BTreeMap::new();
    let mut current = None;
    for line in table.lines().map(str::trim) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [tag, .., "{"] if tag.starts_with("T_") => current = Some(tag.to_string()),
            ["node" | "list" | "message", _, _, c_field, ..] => {
                let tag = current.clone().expect("fields are inside of a row");
                let fields: &mut Vec<String> = rows.entry(tag).or_default();
                fields.push(c_field.trim_end_matches([';', ':']).to_string());
            }
            _ => {}
        }
    }
    rows
}

/// Returns, for each node, the fields that PostgreSQL's walker visits, in its order.
fn fields_of_postgres() -> BTreeMap<String, Vec<String>> {
    let path = Path::new(env!("PGQ_LIBPG_QUERY")).join("src/postgres/src_backend_nodes_nodeFuncs.c");
    let source = std::fs::read_to_string(path).expect("PostgreSQL's source");
    let (_, walker) = source.split_once("raw_expression_tree_walker_impl(Node *node").expect("the walker");
    let (walker, _) = walker.split_once("\n}\n").expect("its end");
    let mut nodes = BTreeMap::new();
    let mut tags = Vec::new();
    for case in walker.split("\n\t\tcase ").skip(1) {
        let (tag, code) = case.split_once(':').expect("a tag");
        tags.push(tag.to_string());
        if !code.contains("break;") && !code.contains("return") {
            continue; // several cases share the following code
        }
        let visited: Vec<String> = code
            .split("WALK(")
            .skip(1)
            .filter_map(|call| call.split_once("))").or(call.split_once(')'))?.0.rsplit("->").next())
            .map(|field| field.trim_end_matches(')').to_string())
            .collect();
        for tag in tags.drain(..) {
            nodes.insert(tag, visited.clone());
        }
    }
    nodes
}

#[test]
fn a_walk_has_the_order_of_postgresqls() {
    let (own, postgres) = (fields_of_walk(), fields_of_postgres());
    assert!(postgres["T_SelectStmt"].len() > 10 && own.len() > 100, "both were read");
    let mut other_order = Vec::new();
    let mut compared = 0;
    for (tag, visited) in &postgres {
        let Some(fields) = own.get(tag).filter(|_| !visited.is_empty()) else { continue };
        // Ignore fields that belong to other nodes. For example, the walker's code for CASE also visits the fields of
        // each WHEN branch.
        let visited: Vec<&String> = visited.iter().filter(|field| fields.contains(field)).collect();
        let in_own_order: Vec<&String> = fields.iter().filter(|field| visited.contains(field)).collect();
        compared += 1;
        if visited != in_own_order {
            other_order.push(tag.as_str());
        }
    }
    assert!(compared > 40, "{compared}");
    assert_eq!(other_order, OTHER_ORDER);
}
