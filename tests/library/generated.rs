//! Checks that committed tables equal `pgq_codegen`'s output from the pinned sources, and that the prost structs were
//! generated from the pinned pg_query.proto. `.ci/run` compares bindings and structs with newly generated ones.
//! `cargo xtask regenerate` writes all of these files.

use std::path::Path;

use crate::common::committed;
use crate::common::project::project_file;

#[test]
fn tables_are_current() {
    let bindings = std::fs::read_to_string(project_file(pgq_codegen::BINDINGS)).unwrap();
    let files = pgq_codegen::generate(Path::new(env!("PGQ_LIBPG_QUERY")), &bindings).unwrap_or_else(|e| panic!("{e}"));
    for file in files {
        committed::check(file.path, &file.text, "tables");
    }
}

#[test]
fn structs_are_of_the_pinned_proto() {
    let proto = std::fs::read_to_string(Path::new(env!("PGQ_LIBPG_QUERY")).join("protobuf/pg_query.proto")).unwrap();
    let structs = std::fs::read_to_string(project_file(pgq_codegen::STRUCTS)).unwrap();
    let expected = format!("// {}", pgq_codegen::proto_checksum(&proto));
    assert!(
        structs.lines().any(|line| line == expected),
        "{} is out of date\nto rewrite it: cargo xtask regenerate structs",
        pgq_codegen::STRUCTS
    );
}
