//! Expected: E0505. A view of an edited tree cannot outlive the tree, and cannot be used after the tree is frozen.

fn main() {
    let tree = pgq::EditTree::parse("SELECT 1", &Default::default()).unwrap();
    let statement = tree.statement(0).unwrap();
    let frozen = tree.freeze().unwrap();
    println!("{} {}", statement.name(), frozen.len());
}
