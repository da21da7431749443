//! Generates the files that need libclang or a Protobuf compiler. `generate bindings|structs` prints the contents of
//! the requested file.
//!
//! `cargo xtask regenerate` runs this program. The program must not depend on any other part of pgq's build, because
//! after a change of the PostgreSQL version, no other part compiles until the bindings are regenerated.
#![forbid(unsafe_code)]

#[path = "../../../../build/bindings.rs"]
mod bindings;
#[path = "../../../../build/pins.rs"]
#[allow(dead_code, reason = "this program does not need the corpus")]
mod pins;
#[path = "../../../../build/sources.rs"]
#[allow(dead_code, reason = "only the build script uses the version")]
mod sources;
mod structs;
#[path = "../../../../build/symbols.rs"]
#[allow(dead_code, reason = "only the build script uses the header")]
mod symbols;
#[path = "../../../../build/xmacro.rs"]
#[allow(dead_code, reason = "the tables' generator reads more of the macros")]
mod xmacro;

use std::path::Path;

fn main() -> std::process::ExitCode {
    match run() {
        Ok(text) => {
            print!("{text}");
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the project's folder");
    let library = sources::find(root).map_err(anyhow::Error::msg)?;
    match std::env::args().nth(1).as_deref() {
        Some("bindings") => bindings::generate(root, &library).map_err(anyhow::Error::msg),
        Some("structs") => structs::generate(&library),
        _ => anyhow::bail!("usage: generate bindings|structs"),
    }
}
