//! Expected: no error. Views and new nodes may be used while their tree exists.

fn main() {
    let tree = pgq::Tree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
    let node = tree.statement(0).node().unwrap();
    let table = node.find::<pgq::nodes::RangeVar>().next().unwrap();
    println!("{} {:?}", node.name(), table.relname());
    let edited = pgq::EditTree::new();
    let sum = edited.operator(edited.integer(1), "+", edited.integer(2));
    drop(sum);
    drop(tree);
    println!("{}", edited.freeze().unwrap().len());
    let cache = pgq::cache::TreeCache::new(1 << 20);
    let known = cache.parse("SELECT 1").unwrap();
    println!("{}", known.tree().statement(0).node().unwrap().name());
}
