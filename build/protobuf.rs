//! Writes the prost structs of pg_query.proto into OUT_DIR, without protoc.
//!
//! Every message variant of `Node`'s oneof is boxed. Stock prost inlines the widest
//! statement and makes `Node` 608 bytes; boxed it is 16, and a list of nodes is small.

use std::path::Path;

use protox::prost::Message;

pub fn generate(proto_dir: &Path, out: &Path) {
    println!("cargo::rerun-if-changed={}", proto_dir.join("pg_query.proto").display());
    let files = protox::compile(["pg_query.proto"], [proto_dir])
        .unwrap_or_else(|e| panic!("pg_query.proto does not compile: {e:?}"));
    let node = files
        .file
        .iter()
        .flat_map(|file| &file.message_type)
        .find(|message| message.name() == "Node")
        .expect("pg_query.proto has a message Node");
    let mut config = prost_build::Config::new();
    for field in &node.field {
        config.boxed(format!(".pg_query.Node.node.{}", field.name()));
    }
    config.out_dir(out);
    // Bench decodes messages by reflection.
    if std::env::var_os("CARGO_FEATURE_COLUMNAR").is_some() {
        std::fs::write(out.join("pg_query.descriptors"), files.encode_to_vec()).expect("OUT_DIR can be written");
    }
    config.compile_fds(files).expect("prost-build writes the structs");
}
