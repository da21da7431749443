//! pg_parse, which has libpg_query's functions. Trees are passed as JSON.

use pgq_peers::{Function, serve};

fn main() -> std::io::Result<()> {
    let (_, json) = pg_parse::parse_debug("SELECT 1").expect("it parses");
    let json: serde_json::Value = serde_json::from_str(&json)?;
    serve(
        json["version"].as_i64().and_then(|version| version.try_into().ok()),
        &[
            Function::new("parse", pg_parse::parse, |statements| statements.len().to_string()),
            Function::new("fingerprint", pg_parse::fingerprint, |fingerprint| fingerprint.hex),
            Function::new("normalize", pg_parse::normalize, |text| text),
        ],
    )
}
