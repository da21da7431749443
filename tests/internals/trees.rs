//! Tests the conversions of trees in pgq's own memory. Each tree is converted from JSON to a C tree, to structs, to
//! another C tree and back to JSON. The tests run no C code, so Miri can check them (`.ci/miri`).

use pgq::internals::{EmptyStrings, count_constants, difference, difference_to_edited, tree_of_structs};
use pgq::nodes::{Constant, FieldValue, Node};
use pgq::{
    Document, EditTree, FingerprintOptions, Fingerprinted, JsonStyle, JsonTree, ParseOptions, Statement, Summary, Tree,
    edit,
};

/// Returns JSON documents in libpg_query's form, except that they also contain empty strings. If
/// `PGQ_TREES` names a file, the documents are its lines. Otherwise they are the trees of the SQL
/// in fixtures/.
fn documents() -> Vec<String> {
    if let Some(path) = std::env::var_os("PGQ_TREES") {
        return std::fs::read_to_string(path).unwrap().lines().map(String::from).collect();
    }
    if cfg!(miri) {
        panic!("PGQ_TREES must name a file: no C runs here");
    }
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"))];
    let mut documents = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "sql")
                && let Ok(tree) = Tree::parse(&std::fs::read_to_string(path).unwrap(), &ParseOptions::default())
            {
                documents.push(json(&tree, JsonStyle::Lossless));
            }
        }
    }
    documents
}

fn tree_of(text: &str) -> Tree {
    JsonTree::read(text).unwrap().into_tree()
}

fn json(tree: &Tree, style: JsonStyle) -> String {
    let mut document = Document::new(style);
    document.append(tree, 0).unwrap();
    document.finish()
}

/// Returns the results of the functions that only read a tree: both fingerprints, the number of constants, and the
/// summary.
fn results(statement: Statement<'_>) -> (Fingerprinted, Fingerprinted, usize, Summary) {
    let mut whole = FingerprintOptions::default();
    whole.full_depth = true;
    let fingerprint = |options| statement.fingerprint(options).unwrap();
    let constants = count_constants(statement);
    (fingerprint(&FingerprintOptions::default()), fingerprint(&whole), constants, statement.summary().unwrap())
}

#[test]
fn trees_survive_the_way_through_structs_and_json() {
    let documents = documents();
    let mut statements = 0;
    for text in &documents {
        let tree = tree_of(text);
        assert_eq!(&json(&tree, JsonStyle::Lossless), text);
        let structs = tree.to_prost().unwrap();
        let mut copy = tree_of_structs(&structs.tree.stmts).unwrap();
        let plain = |tree: &Tree| json(tree, JsonStyle::Compatible);
        assert_eq!(plain(&copy), plain(&tree));
        for (one, other) in tree.statements().zip(copy.statements()) {
            // Structs cannot represent empty strings.
            assert_eq!(difference(other, one, EmptyStrings::MatchAbsent), None);
            let exact = difference(one, other, EmptyStrings::Distinct).is_none();
            assert!(results(one) == results(other) || !exact);
            statements += 1;
        }
        let before = plain(&copy);
        copy.relocate("", &|at| at + 7).unwrap();
        assert_eq!(plain(&copy) == before, copy.is_empty());
    }
    println!("{} documents, {statements} statements", documents.len());
    assert!(statements > 0);
}

/// Counts the fields of a node and its descendants, using views.
fn fields(node: Node<'_>) -> usize {
    let mut fields = 0;
    for visit in node.walk() {
        visit.node.for_each_field(|field| {
            fields += 1;
            if let FieldValue::Text(Some(text)) = field.value {
                assert!(!text.contains('\0'));
            }
        });
    }
    fields
}

#[test]
fn views_read_trees_and_edits_change_copies() {
    for text in &documents() {
        let tree = tree_of(text);
        let copy = tree.edit().unwrap();
        assert_eq!(difference_to_edited(&tree, &copy), None);
        let of_tree: usize = tree.statements().filter_map(Statement::node).map(fields).sum();
        assert_eq!(copy.statements().map(fields).sum::<usize>(), of_tree);
        // Replace constants with parameters and restore them.
        let parameters = copy.parameterize().unwrap();
        assert!(copy.put_back(&parameters).unwrap() >= parameters.len());
        assert_eq!(difference_to_edited(&tree, &copy), None);
        change(&copy);
        // Read the tree on another thread and free it there.
        let shared = copy.freeze().unwrap();
        let before: usize = shared.statements().filter_map(Statement::node).map(fields).sum();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    assert_eq!(shared.statements().filter_map(Statement::node).map(fields).sum::<usize>(), before)
                });
            }
        });
        std::thread::spawn(move || drop(shared)).join().unwrap();
    }
}

/// Makes edits of every kind while views of the tree exist.
fn change(tree: &EditTree) {
    let visits: Vec<_> = tree.walk().collect();
    for visit in &visits {
        match visit.node {
            Node::RangeVar(table) => {
                let before = table.relname();
                tree.edit(table).relname("other").schemaname("s").alias(edit::Alias::new(tree).aliasname("a"));
                assert_eq!(table.relname(), Some("other"));
                assert_ne!(before, Some("other"));
            }
            Node::AConst(constant) => tree.set_constant(constant, Constant::String("text")),
            Node::ColumnRef(_) => {
                let wrapped = tree.equals(tree.copied(visit.node), tree.integer(1));
                // If the loop has replaced an ancestor of this node before, the node is no longer in the tree, and the
                // replacement fails.
                let _ = tree.replace(*visit, wrapped);
            }
            Node::SelectStmt(select) => {
                if let Some(mut targets) = tree.edit_list(select.target_list()) {
                    for _ in 0..3 {
                        targets.push(tree.target(tree.column(["a", "b"])));
                        targets.insert(0, visit.node);
                    }
                    assert!(targets.remove(0));
                }
                assert_eq!(select.target_list().iter().count(), select.target_list().len());
            }
            _ => {}
        }
    }
    tree.push(visits.first().map(|visit| visit.node));
    tree.remove(0);
}

#[test]
fn a_cut_document_is_an_error() {
    for text in &documents() {
        let step = text.len() / if cfg!(miri) { 4 } else { 40 } + 1;
        for end in (0..text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
            assert!(JsonTree::read(&text[..end]).is_err());
        }
    }
}
