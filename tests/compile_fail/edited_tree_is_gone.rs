//! A tree that becomes one for threads has no views or editors left.

fn main() {
    let tree = pgq::EditTree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
    let table = tree.find::<pgq::nodes::RangeVar>().next().unwrap();
    let editor = tree.edit(table);
    let shared = tree.freeze();
    editor.relname("u");
    drop(shared);
}
