//! Writes the prost structs of pg_query.proto into OUT_DIR, without protoc.
//!
//! Every message variant of `Node`'s oneof is boxed. Stock prost inlines the widest
//! statement and makes `Node` 608 bytes; boxed it is 16, and a list of nodes is small.

use std::path::Path;

use protox::prost::Message;
use protox::prost_reflect::prost_types::FileDescriptorProto;

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
    if std::env::var_os("CARGO_FEATURE_SERDE").is_some() {
        derive_serde(&mut config, &files.file[0]);
    }
    config.out_dir(out);
    // Bench decodes messages by reflection.
    if std::env::var_os("CARGO_FEATURE_CLI").is_some() {
        std::fs::write(out.join("pg_query.descriptors"), files.encode_to_vec()).expect("OUT_DIR can be written");
    }
    config.compile_fds(files).expect("prost-build writes the structs");
}

/// Makes the structs serde's. Fields in which messages can be inside themselves get the stack that deep
/// trees need (src/proto/grown.rs): the oneof of `Node`, and fields of a message's own type.
fn derive_serde(config: &mut prost_build::Config, file: &FileDescriptorProto) {
    const GROWN: &str = "#[serde(with = \"crate::proto::grown\")]";
    config.type_attribute(".", "#[derive(serde::Serialize, serde::Deserialize)]");
    config.message_attribute(".", "#[serde(default)]");
    config.field_attribute(".pg_query.Node.node", GROWN);
    for message in &file.message_type {
        let own = format!(".pg_query.{}", message.name());
        for field in message.field.iter().filter(|field| field.type_name() == own) {
            config.field_attribute(format!("{own}.{}", field.name()), GROWN);
        }
    }
}
