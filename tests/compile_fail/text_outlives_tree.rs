//! So does a text that a view gives.

fn main() {
    let tree = pgq::Tree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
    let table = tree.statement(0).node().unwrap().find::<pgq::nodes::RangeVar>().next().unwrap();
    let name = table.relname();
    drop(tree);
    println!("{name:?}");
}
