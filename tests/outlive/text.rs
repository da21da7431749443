//! Expected: E0505. A string of a node cannot outlive the tree.

fn main() {
    let tree = pgq::Tree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
    let table = tree.statement(0).node().unwrap().find::<pgq::nodes::RangeVar>().next().unwrap();
    let name = table.relname().unwrap();
    drop(tree);
    println!("{name}");
}
