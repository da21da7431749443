//! The program that measures pgq, and PostgreSQL's parser alone (`baseline`). Most functions use pgq's views of C trees
//! (`Tree`). `shared` returns trees that are meant to be kept. `structs` and `deparse_structs` use Protobuf structs,
//! like pg_query.

mod cached;

use pgq::nodes::RangeVar;
use pgq::{DeparseOptions, EditTree, Error, Fingerprint, FingerprintOptions, ParseOptions, Tree};
use pgq_peers::{Function, serve};

fn tree(sql: &str) -> Result<Tree, Error> {
    Tree::parse(sql, &ParseOptions::default())
}

/// Returns the fingerprint and the normalized SQL from one parse, as needed for a log record.
fn both(sql: &str) -> Result<(Fingerprint, String), Error> {
    let tree = tree(sql)?;
    Ok((tree.fingerprint(&FingerprintOptions::default())?.fingerprint, tree.normalize(false)?.text))
}

/// Counts the nodes of all statements.
fn walk(sql: &str) -> Result<usize, Error> {
    Ok(tree(sql)?.statements().map(|statement| statement.walk().count()).sum())
}

/// Puts the tables of `sql` into another schema.
fn rewrite(sql: &str) -> Result<String, Error> {
    let tree = EditTree::parse(sql, &ParseOptions::default())?;
    for table in tree.find::<RangeVar>() {
        tree.edit(table).schemaname("s");
    }
    tree.deparse(&DeparseOptions::default())
}

fn main() -> std::io::Result<()> {
    let version = pgq::parse("SELECT 1").expect("it parses").into_tree().version;
    let mut functions = vec![
        Function::new(
            "baseline",
            |sql| pgq::reference::baseline_parse(sql).then_some(()).ok_or(()),
            |()| String::new(),
        ),
        Function::new("parse", tree, |tree| tree.len().to_string()),
        Function::new("shared", Tree::parse_shared, |tree| tree.len().to_string()),
        Function::new("structs", pgq::parse, |parsed| parsed.into_tree().stmts.len().to_string()),
        Function::new("walk", walk, |nodes| nodes.to_string()),
        Function::new("fingerprint", pgq::fingerprint, |fingerprint| fingerprint.to_string()),
        Function::new("normalize", pgq::normalize, |text| text),
        Function::new("both", both, |(fingerprint, text)| format!("{fingerprint} {text}")),
        Function::new("scan", pgq::scan, |tokens| tokens.len().to_string()),
        Function::of_prepared("deparse", tree, |tree| tree.deparse(&DeparseOptions::default()), |sql| sql),
        Function::of_prepared(
            "deparse_structs",
            |sql| Ok::<_, Error>(pgq::parse(sql)?.into_tree()),
            pgq::deparse,
            |sql| sql,
        ),
        Function::new("rewrite", rewrite, |sql| sql),
    ];
    functions.extend(cached::functions());
    serve(Some(version), &functions)
}
