//! The library without the command line: parse, walk, list tables, edit, deparse, fingerprint, normalize, cache. A
//! program outside this repository depends on it with `pgq = { version = "0.1", default-features = false }`.
//!
//! `cargo run --example library`

use pgq::cache::ShapeCache;
use pgq::nodes::{ColumnRef, Node, RangeVar};
use pgq::{DeparseOptions, EditTree, Error, FingerprintOptions, JsonStyle, ParseOptions, Tree};

fn main() -> Result<(), Error> {
    let sql = "SELECT name FROM users WHERE id = 42; DELETE FROM sessions WHERE age > 7";

    // Several results from one parse, directly from the parser's memory.
    let tree = Tree::parse(sql, &ParseOptions::default())?;
    for statement in tree.statements() {
        let fingerprint = statement.fingerprint(&FingerprintOptions::default())?.fingerprint;
        let normalized = statement.normalize(false)?.text;
        println!("{} {} {fingerprint} {}", statement.kind(), statement.tables()?.join(", "), normalized.trim());
    }
    println!("{}", tree.statement(0).json(JsonStyle::Compatible)?);

    // Typed views of its nodes, in the order of the text.
    for visit in tree.statement(0).walk().in_text_order() {
        println!("{:1$}{2} {3}", "", visit.depth * 2, visit.field, visit.node.name());
    }
    if let Some(Node::SelectStmt(select)) = tree.statement(0).node()
        && let Some(condition) = select.where_clause()
    {
        let columns = condition.find::<ColumnRef>().flat_map(|column| column.fields().strings());
        println!("{} compares {}", condition.deparse()?, columns.collect::<Vec<_>>().join(", "));
    }

    // An editable copy: rename a table, qualify the others, deparse it.
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

    // Trees that threads share, cached by the shape of the text: texts with different constants share one entry.
    let cache = ShapeCache::new(64 << 20);
    cache.parse("SELECT name FROM users WHERE id = 42")?;
    println!("{}", cache.parse("SELECT name FROM users WHERE id = 7")?.edit()?.deparse(&options)?);
    Ok(())
}
