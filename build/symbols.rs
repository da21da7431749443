//! Prefixes every C symbol, so that pgq can be linked together with another copy of PostgreSQL's code. symbols.txt
//! lists the names. Every C file includes a header that renames them (`#define palloc pgq_palloc`). This works with any
//! compiler.
//!
//! `cargo xtask regenerate symbols` adds missing names to the list.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The prefix of every symbol of the C library.
pub const PREFIX: &str = "pgq_";

/// Writes the header to `out`.
pub fn write_header(out: &Path) -> PathBuf {
    let mut header = String::new();
    for name in include_str!("symbols.txt").lines() {
        writeln!(header, "#define {name} {PREFIX}{name}").expect("writing to a string");
    }
    let path = out.join("pgq_symbols.h");
    std::fs::write(&path, header).expect("OUT_DIR is writable");
    path
}
