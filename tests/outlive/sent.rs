//! Expected: E0277. A view is not sent to another thread; the error names the type that is.

fn main() {
    let tree = pgq::Tree::parse("SELECT 1", &Default::default()).unwrap();
    let node = tree.statement(0).node().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || println!("{}", node.name()));
    });
}
