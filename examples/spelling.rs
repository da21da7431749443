//! Finds spellings that a parse tree does not preserve: `!=` instead of `<>`, CAST instead of `::`, and table aliases
//! without AS.
//!
//! `echo "SELECT CAST(a AS int) FROM t x WHERE b != 1" | cargo run --example spelling`

use std::io::Read;

use pgq::{SyntaxNode, SyntaxTree, symbol};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sql = String::new();
    std::io::stdin().read_to_string(&mut sql)?;
    let tree = SyntaxTree::parse(&sql)?;
    for node in tree.root().descendants() {
        if let Some(advice) = advice(node) {
            let line = sql[..node.range().start].matches('\n').count() + 1;
            println!("line {line}: {}: {advice}", node.text());
        }
    }
    Ok(())
}

fn advice(node: SyntaxNode<'_>) -> Option<&'static str> {
    let first = node.children().next();
    match node.symbol() {
        symbol::NOT_EQUALS if node.text() == "!=" => Some("write <>"),
        symbol::func_expr_common_subexpr if first?.symbol() == symbol::CAST => Some("write a cast as ::"),
        symbol::alias_clause if first?.symbol() != symbol::AS => Some("write AS before an alias"),
        _ => None,
    }
}
