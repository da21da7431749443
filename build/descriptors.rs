//! Writes the descriptors of pg_query.proto for builds with the feature `reflection`. `pgq bench`
//! uses the descriptors to decode messages by reflection.

use std::path::Path;

use protox::prost::Message;

/// Writes pg_query.descriptors into `out`.
pub fn generate(proto_dir: &Path, out: &Path) {
    println!("cargo::rerun-if-changed={}", proto_dir.join("pg_query.proto").display());
    let files = protox::compile(["pg_query.proto"], [proto_dir])
        .unwrap_or_else(|e| panic!("pg_query.proto does not compile: {e:?}"));
    std::fs::write(out.join("pg_query.descriptors"), files.encode_to_vec()).expect("OUT_DIR is writable");
}
