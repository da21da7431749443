//! The library without the command line: parse, walk, list tables, rewrite a name, deparse,
//! fingerprint, normalize. A program outside of this repository depends on it with
//! `pgq = { version = "0.1", default-features = false }`.
//!
//! `cargo run --example library`

use pgq::proto::{Node, RawStmt, SelectStmt, node};
use pgq::{DeparseOptions, Error, FingerprintOptions, JsonStyle, ParseOptions, Tree};

fn main() -> Result<(), Error> {
    let sql = "SELECT name FROM users WHERE id = 42; DELETE FROM sessions WHERE age > 7";

    // Several answers from one parse, straight from the parser's memory.
    let tree = Tree::parse(sql, &ParseOptions::default())?;
    for statement in tree.statements() {
        let fingerprint = statement.fingerprint(&FingerprintOptions::default())?.fingerprint;
        let normalized = statement.normalize(false)?.text;
        println!("{} {} {fingerprint} {}", statement.kind(), statement.tables()?.join(", "), normalized.trim());
    }
    println!("{}", tree.statement(0).json(JsonStyle::Compatible)?);

    // The tree as structs: walk it, change it, write it back.
    let mut parsed = tree.to_prost()?;
    for statement in &mut parsed.tree.stmts {
        rename_table(statement, "users", "accounts");
    }
    let mut options = DeparseOptions::default();
    options.verify = true; // parse what was written and compare the trees
    println!("{}", pgq::deparse_with(&parsed.tree, &options)?);
    Ok(())
}

/// Renames a table in the FROM clause of a SELECT.
fn rename_table(statement: &mut RawStmt, from: &str, to: &str) {
    let Some(Node { node: Some(node::Node::SelectStmt(select)) }) = statement.stmt.as_deref_mut() else { return };
    let SelectStmt { from_clause, .. } = &mut **select;
    for item in from_clause {
        if let Some(node::Node::RangeVar(table)) = &mut item.node
            && table.relname == from
        {
            table.relname = to.to_string();
        }
    }
}
