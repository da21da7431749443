//! Committed generated files equal what `pgq_codegen` generates from the pinned sources and, with the
//! feature `bindgen`, what bindgen writes. `cargo xtask regenerate` rewrites them.

mod common;

use std::path::Path;

use common::committed;
use common::project::project_file;

#[test]
fn tables_are_current() {
    let bindings = std::fs::read_to_string(project_file(pgq_codegen::BINDINGS)).unwrap();
    let files = pgq_codegen::generate(Path::new(env!("PGQ_LIBPG_QUERY")), &bindings).unwrap_or_else(|e| panic!("{e}"));
    for file in files {
        committed::check(file.path, &file.text, "tables");
    }
}

#[cfg(feature = "bindgen")]
#[test]
fn bindings_are_current() {
    let bindings = include_str!(concat!(env!("OUT_DIR"), "/bindings.rs"));
    committed::check(pgq_codegen::BINDINGS, bindings, "bindings");
}
