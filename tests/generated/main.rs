//! Generated files are what their sources say: the tables of src/convert, the keywords and token kinds of
//! crates/pgq-lexer, and src/sys/layout.c (and, with the `bindgen` feature, src/sys/bindings.rs). Run with PGQ_REGENERATE=1 it
//! writes them; without, it fails on a difference and names that command.

mod children;
mod fingerprint;
mod keywords;
mod layout;
mod table;
#[path = "../../build/xmacro.rs"]
mod xmacro;

use std::path::Path;

const COMMAND: &str = "PGQ_REGENERATE=1 cargo test --test generated";

/// libpg_query's sources, as build.rs found them.
fn library_file(path: &str) -> String {
    let full = Path::new(env!("PGQ_LIBPG_QUERY")).join(path);
    std::fs::read_to_string(&full).unwrap_or_else(|e| panic!("{}: {e}", full.display()))
}

fn project_file(path: &str) -> String {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&full).unwrap_or_default()
}

/// Compares a committed file with what it should be, or rewrites it when asked to.
fn check(path: &str, expected: &str, command: &str) {
    let actual = project_file(path);
    if actual == expected {
        return;
    }
    if std::env::var_os("PGQ_REGENERATE").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(path), expected).unwrap();
        println!("rewrote {path}");
        return;
    }
    let line = actual.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count() + 1;
    panic!("{path} is not what its sources give (first difference at line {line}); to rewrite it: {command}");
}

#[test]
fn node_table_is_current() {
    let table = table::generate(
        &library_file("src/include/pg_query_outfuncs_defs.c"),
        &library_file("src/include/pg_query_outfuncs_conds.c"),
        &library_file("src/include/pg_query_enum_defs.c"),
        &library_file("protobuf/pg_query.proto"),
        &project_file("src/sys/bindings.rs"),
    )
    .unwrap_or_else(|problem| panic!("libpg_query's tables hold something new: {problem}"));
    check("src/convert/nodes.rs", &table, COMMAND);
}

#[test]
fn fingerprint_table_is_current() {
    let table = fingerprint::generate(
        &library_file("src/include/pg_query_fingerprint_defs.c"),
        &library_file("src/include/pg_query_fingerprint_conds.c"),
        &library_file("src/include/pg_query_enum_defs.c"),
    )
    .unwrap_or_else(|problem| panic!("libpg_query's fingerprints hold something new: {problem}"));
    check("src/convert/fingerprint_table.rs", &table, COMMAND);
}

#[test]
fn children_table_is_current() {
    let table = children::generate(&library_file("src/postgres/src_backend_nodes_nodeFuncs.c"))
        .unwrap_or_else(|problem| panic!("PostgreSQL's walker holds something new: {problem}"));
    check("src/convert/children_table.rs", &table, COMMAND);
}

#[test]
fn keywords_are_current() {
    let keywords = keywords::generate(
        &library_file("src/postgres/include/parser/kwlist.h"),
        &library_file("src/postgres/include/gram.h"),
        &project_file("src/sys/bindings.rs"),
    )
    .unwrap_or_else(|problem| panic!("PostgreSQL's keywords hold something new: {problem}"));
    check("crates/pgq-lexer/src/keywords.rs", &keywords, COMMAND);
}

#[test]
fn token_kinds_are_current() {
    let kinds =
        keywords::generate_kinds(&library_file("src/postgres/include/gram.h"), &project_file("src/sys/bindings.rs"))
            .unwrap_or_else(|problem| panic!("PostgreSQL's grammar has changed: {problem}"));
    check("crates/pgq-lexer/src/kinds.rs", &kinds, COMMAND);
}

#[test]
fn layout_assertions_are_current() {
    check("src/sys/layout.c", &layout::generate(&project_file("src/sys/bindings.rs")), COMMAND);
}

#[cfg(feature = "bindgen")]
#[test]
fn bindings_are_current() {
    let fresh = include_str!(concat!(env!("OUT_DIR"), "/bindings.rs"));
    let command = "PGQ_REGENERATE=1 cargo test --features bindgen --test generated";
    check("src/sys/bindings.rs", fresh, command);
}

#[test]
fn a_kind_that_is_not_known_is_an_error() {
    let defs = "static void\n_outAlias(OUT_TYPE(Alias, Alias) out, const Alias *node)\n{\n  WRITE_COLOR_FIELD(Alias, a, a, a);\n}\n";
    let conds = "case T_Alias:\n  OUT_NODE(Alias, Alias, alias, ALIAS, Alias, alias);\n  break;\n";
    let proto = "\nmessage Alias\n{\n  string a = 1;\n}\n";
    let problem = table::generate(defs, conds, "", proto, "").unwrap_err();
    assert!(problem.contains("WRITE_COLOR_FIELD"), "{problem}");
}
