//! What must not compile: a view that outlives its tree, or leaves its thread.

#[test]
fn views_cannot_outlive_their_tree() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
