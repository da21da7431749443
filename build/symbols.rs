//! Gives every C symbol a name of our own, so that pgq can stand beside another copy of
//! PostgreSQL's code in one program. symbols.txt lists the names; a header that is included before
//! every C file renames them (`#define palloc pgq_palloc`). That works for any compiler.
//!
//! `cargo xtask regenerate symbols` adds what the list misses.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What every symbol of the C library begins with.
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
