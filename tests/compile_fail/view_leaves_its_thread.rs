//! A tree that can be edited may be sent to a thread, but not its views.

fn main() {
    let tree = pgq::EditTree::parse("SELECT 1 FROM t", &Default::default()).unwrap();
    let node = tree.statement(0).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || node.name());
    });
}
