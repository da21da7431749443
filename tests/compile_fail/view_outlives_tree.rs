//! A view borrows the tree that it points into.

fn main() {
    let node = {
        let tree = pgq::Tree::parse("SELECT 1", &Default::default()).unwrap();
        tree.statement(0).node()
    };
    println!("{node:?}");
}
