//! postgresql-cst-parser, PostgreSQL's grammar in Rust. Its trees also contain white space and comments.

use pgq_peers::{Function, serve};
use postgresql_cst_parser::syntax_kind::SyntaxKind;
use postgresql_cst_parser::{ResolvedNode, parse};

fn statements(tree: ResolvedNode) -> String {
    tree.descendants().filter(|node| node.kind() == SyntaxKind::toplevel_stmt).count().to_string()
}

fn main() -> std::io::Result<()> {
    serve(None, &[Function::new("parse", parse, statements)])
}
