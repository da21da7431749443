//! Generates Rust tables from libpg_query's sources and the bindings. `cargo xtask regenerate` writes the files, and
//! tests/library/generated.rs fails if the committed files differ.
//!
//! This crate must not depend on pgq, because after a change of the PostgreSQL version, pgq compiles only when its
//! tables have been regenerated. Source code that the crate does not recognize is an error, and is never skipped.
#![forbid(unsafe_code)]

mod children_table;
mod fingerprint_table;
mod keywords;
mod names;
mod node_table;
mod python;
mod tree_table;
mod typescript;
#[path = "../../../build/xmacro.rs"]
mod xmacro;

use std::path::{Path, PathBuf};

/// The committed bindings. Tables are generated from them.
pub const BINDINGS: &str = "src/sys/bindings.rs";

/// The prost structs. `cargo xtask regenerate structs` writes them.
pub const STRUCTS: &str = "src/proto/generated.rs";

/// Returns the line of [`STRUCTS`] that contains the checksum of pg_query.proto. `proto` is the contents of
/// pg_query.proto.
pub fn proto_checksum(proto: &str) -> String {
    format!("pg_query.proto has the XXH3 checksum {:016x}.", xxhash_rust::xxh3::xxh3_64(proto.as_bytes()))
}

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Path in the project.
    pub path: &'static str,
    /// The contents.
    pub text: String,
}

/// An error in the sources.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The generator does not recognize the source code.
    #[error("{file} cannot be generated: {problem}")]
    Unrecognized {
        /// The file being generated.
        file: &'static str,
        /// A description of the source code.
        problem: String,
    },
}

/// Generates all files from a directory of libpg_query's sources and the text of [`BINDINGS`].
///
/// # Errors
/// Returns an error if a source file cannot be read, or if the generator does not recognize its contents.
pub fn generate(library: &Path, bindings: &str) -> Result<Vec<GeneratedFile>, Error> {
    let read = |path: &str| {
        let path = library.join(path);
        std::fs::read_to_string(&path).map_err(|error| Error::Read { path, error })
    };
    let file = |path, text: Result<String, String>| match text {
        Ok(text) => Ok(GeneratedFile { path, text }),
        Err(problem) => Err(Error::Unrecognized { file: path, problem }),
    };
    let enums = read("src/include/pg_query_enum_defs.c")?;
    let grammar = read("src/postgres/include/gram.h")?;
    let proto = read("protobuf/pg_query.proto")?;
    let nodes = node_table::generate(
        &read("src/include/pg_query_outfuncs_defs.c")?,
        &read("src/include/pg_query_outfuncs_conds.c")?,
        &enums,
        &proto,
        bindings,
    );
    let fingerprint = fingerprint_table::generate(
        &read("src/include/pg_query_fingerprint_defs.c")?,
        &read("src/include/pg_query_fingerprint_conds.c")?,
        &enums,
    );
    let table = nodes.clone().and_then(|text| tree_table::TreeTable::read(&text));
    let typed = |write: fn(&tree_table::TreeTable) -> String| table.as_ref().map(write).map_err(Clone::clone);
    let children = children_table::generate(&read("src/postgres/src_backend_nodes_nodeFuncs.c")?);
    let keywords = keywords::generate(&read("src/postgres/include/parser/kwlist.h")?, &grammar, &proto);
    Ok(vec![
        file("src/convert/nodes.rs", nodes)?,
        file("src/convert/fingerprint/table.rs", fingerprint)?,
        file("src/convert/normalize/children_table.rs", children)?,
        file("crates/pgq-lexer/src/keywords.rs", keywords)?,
        file("crates/pgq-lexer/src/kinds.rs", keywords::generate_kinds(&grammar, &proto))?,
        file("clients/python/pgquill/nodes.py", typed(python::module))?,
        file("clients/python/pgquill/nodes.pyi", typed(python::stub))?,
        file("clients/node/types.d.ts", typed(typescript::module))?,
    ])
}
