//! Uses the library: parses, walks, lists tables, edits, deparses, fingerprints, normalizes and caches. A program
//! outside of this repository depends on it with `pgq = { version = "0.1", default-features = false }`.
//!
//! `cargo run --example library`

use pgq::cache::ShapeCache;
use pgq::nodes::{ColumnRef, Node, RangeVar};
use pgq::{DeparseOptions, EditTree, Error, FingerprintOptions, JsonStyle, ParseOptions, Tree};

fn main() -> Result<(), Error> {
    let sql = "SELECT name FROM users WHERE id = 42; DELETE FROM sessions WHERE age > 7";

    // Get several results from one parse, directly from the parser's memory.
    let tree = Tree::parse(sql, &ParseOptions::default())?;
    for statement in tree.statements() {
        let fingerprint = statement.fingerprint(&FingerprintOptions::default())?.fingerprint;
        let normalized = statement.normalize(false)?.text;
        println!("{} {} {fingerprint} {}", statement.kind(), statement.tables()?.join(", "), normalized.trim());
    }
    println!("{}", tree.statement(0).json(JsonStyle::Compatible)?);

    // Visit typed views of the tree's nodes, in the order of the SQL.
    for visit in tree.statement(0).walk().in_text_order() {
        println!("{:1$}{2} {3}", "", visit.depth * 2, visit.field, visit.node.name());
    }
    if let Some(Node::SelectStmt(select)) = tree.statement(0).node()
        && let Some(condition) = select.where_clause()
    {
        let columns = condition.find::<ColumnRef>().flat_map(|column| column.fields().strings());
        println!("{} compares {}", condition.deparse()?, columns.collect::<Vec<_>>().join(", "));
    }

    // Make an editable copy. Rename one table, add a schema to the others, and deparse the copy.
    let copy: EditTree = tree.edit()?;
    for table in copy.find::<RangeVar>() {
        match table.relname() {
            Some("users") => copy.edit(table).relname("accounts"),
            _ => copy.edit(table).schemaname("app"),
        };
    }
    let mut options = DeparseOptions::default();
    options.verify = true; // parse the output and compare the trees
    println!("{}", copy.deparse(&options)?);

    // Cache trees by shape. Threads can share them, and statements with different constants share one entry.
    let cache = ShapeCache::new(64 << 20);
    cache.parse("SELECT name FROM users WHERE id = 42")?;
    println!("{}", cache.parse("SELECT name FROM users WHERE id = 7")?.edit()?.deparse(&options)?);
    Ok(())
}
