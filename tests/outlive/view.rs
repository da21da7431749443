//! Expected: E0597. A view of a node cannot outlive its tree.

fn main() {
    let node = {
        let tree = pgq::Tree::parse("SELECT 1", &Default::default()).unwrap();
        tree.statement(0).node().unwrap()
    };
    println!("{}", node.name());
}
