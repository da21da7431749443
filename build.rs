//! Finds libpg_query's pinned C sources, and compiles them together with pgq's own C files. The build must work without
//! libclang and protoc, and must not change the sources.

#[cfg(feature = "bindgen")]
#[path = "build/bindings.rs"]
mod bindings;
#[path = "build/compile.rs"]
mod compile;
#[cfg(feature = "reflection")]
#[path = "build/descriptors.rs"]
mod descriptors;
#[path = "build/fixes/mod.rs"]
mod fixes;
#[path = "build/grammar.rs"]
mod grammar;
#[path = "build/grammar_actions.rs"]
mod grammar_actions;
#[path = "build/grammar_chains.rs"]
mod grammar_chains;
#[path = "build/grammar_order.rs"]
mod grammar_order;
#[path = "build/grammar_packing.rs"]
mod grammar_packing;
#[path = "build/grammar_tables.rs"]
mod grammar_tables;
#[path = "build/keywords.rs"]
mod keywords;
#[path = "build/layout.rs"]
#[cfg_attr(feature = "bindgen", allow(dead_code, reason = "bindings that this build generates need no check"))]
mod layout;
#[path = "build/pins.rs"]
mod pins;
#[path = "build/sources.rs"]
mod sources;
#[path = "build/symbols.rs"]
mod symbols;
#[path = "build/syntax.rs"]
mod syntax;
#[cfg(feature = "bindgen")]
#[path = "build/xmacro.rs"]
mod xmacro;

use std::path::PathBuf;

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    // AddressSanitizer does not see the allocations of a custom allocator. Therefore code with `cfg(pgq_asan)` uses the
    // system's allocator.
    println!("cargo::rustc-check-cfg=cfg(pgq_asan)");
    if compile::with_address_sanitizer() {
        println!("cargo::rustc-cfg=pgq_asan");
    }
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-env-changed=LIBPG_QUERY_DIR");
    if root.join(sources::CARRIED).is_dir() {
        println!("cargo::rerun-if-changed={}", sources::CARRIED);
    }
    let library = sources::find(&root).unwrap_or_else(|problem| fail(&problem));
    // Tests compare the generated tables and the corpus with libpg_query's sources in this directory.
    println!("cargo::rustc-env=PGQ_LIBPG_QUERY={}", library.display());
    // `pgq bench` reports the optimization level.
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=PGQ_OPT_LEVEL={level}");
    // Without optimization or with debug assertions, stack frames of Rust code are several times as large. Therefore
    // pgq reserves larger stacks if `pgq_large_frames` is set.
    println!("cargo::rustc-check-cfg=cfg(pgq_large_frames)");
    if level == "0" || std::env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() {
        println!("cargo::rustc-cfg=pgq_large_frames");
    }
    println!("cargo::rustc-env=PGQ_POSTGRES_VERSION={}", sources::postgres_version(&library));
    // If this variable is set, only the Rust code is built. This suffices for lints and documentation, and for `cargo
    // check` with the sources of a new PostgreSQL version (CONTRIBUTING.md).
    println!("cargo::rerun-if-env-changed=PGQ_RUST_ALONE");
    if std::env::var_os("PGQ_RUST_ALONE").is_some() {
        println!("cargo::warning=there is no C library: PGQ_RUST_ALONE is for cargo check");
        grammar::generate_for_rust(&library, &out).unwrap_or_else(|problem| fail(&problem));
        return;
    }
    compile::write_fixed_files(&library, &out).unwrap_or_else(|problems| fail(&problems));
    grammar::generate(&out).unwrap_or_else(|problem| fail(&problem));
    keywords::write_filter(&library, &out);
    compile::compile(&library, &out);
    #[cfg(feature = "reflection")]
    descriptors::generate(&library.join("protobuf"), &out);
    #[cfg(feature = "bindgen")]
    {
        println!("cargo::rerun-if-changed=src/sys/wrapper.h");
        let text = bindings::generate(&root, &library).unwrap_or_else(|problem| fail(&problem));
        std::fs::write(out.join("bindings.rs"), text).expect("OUT_DIR is writable");
    }
}

/// Fails the build. Cargo shows the message as an error, without a backtrace.
fn fail(problem: &str) -> ! {
    for line in problem.lines() {
        println!("cargo::error={line}");
    }
    std::process::exit(1)
}
