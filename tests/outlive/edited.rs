//! Expected: E0505. A view of a tree that is edited cannot outlive it, nor its freezing.

fn main() {
    let tree = pgq::EditTree::parse("SELECT 1", &Default::default()).unwrap();
    let statement = tree.statement(0).unwrap();
    let frozen = tree.freeze().unwrap();
    println!("{} {}", statement.name(), frozen.len());
}
