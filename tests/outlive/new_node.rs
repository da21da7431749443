//! Expected: E0382, E0505. A new node can be used only once, and cannot outlive its tree.

fn main() {
    let tree = pgq::EditTree::new();
    let constant = tree.integer(1);
    let sum = tree.operator(constant, "+", constant);
    drop(tree);
    drop(sum);
}
