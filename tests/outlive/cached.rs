//! Expected: E0716. A view of a cached tree cannot outlive the handle of the tree.

fn main() {
    let cache = pgq::cache::TreeCache::new(1 << 20);
    let node = cache.parse("SELECT 1").unwrap().tree().statement(0).node().unwrap();
    println!("{}", node.name());
}
