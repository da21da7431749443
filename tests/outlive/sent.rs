//! Expected: E0277. A view cannot be sent to another thread. The error names the type to send instead.

fn main() {
    let tree = pgq::Tree::parse("SELECT 1", &Default::default()).unwrap();
    let node = tree.statement(0).node().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || println!("{}", node.name()));
    });
}
