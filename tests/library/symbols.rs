//! Tests that every symbol of the C library has pgq's prefix, so that a second copy of PostgreSQL's
//! code in a program cannot replace the symbol. `cargo xtask regenerate symbols` adds missing names
//! to the list.

use std::collections::BTreeSet;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};

#[path = "../../build/symbols.rs"]
#[allow(dead_code)]
mod build_script;

/// Returns the global symbols that the archive defines.
fn global_names(archive: &[u8]) -> BTreeSet<String> {
    let members = ArchiveFile::parse(archive).expect("an archive").members();
    let mut names = BTreeSet::new();
    for member in members {
        let data = member.expect("a member").data(archive).expect("its bytes");
        let Ok(file) = object::File::parse(data) else { continue };
        let defined = file.symbols().filter(|s| s.is_global() && !s.is_undefined());
        // On Apple systems, C symbols have an underscore as a prefix.
        let skip = usize::from(file.format() == object::BinaryFormat::MachO);
        names.extend(defined.filter_map(|s| s.name().ok().map(|name| name[skip..].to_string())));
    }
    names
}

#[test]
fn every_global_symbol_has_our_prefix() {
    let archive = std::fs::read(Path::new(env!("OUT_DIR")).join("libpgq_c.a")).expect("the build script's archive");
    let names = global_names(&archive);
    assert!(names.len() > 500, "only {} symbols were read", names.len());
    let foreign: Vec<&str> =
        names.iter().map(String::as_str).filter(|n| !n.starts_with(build_script::PREFIX)).collect();
    if !foreign.is_empty() && std::env::var_os("PGQ_REGENERATE").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("build/symbols.txt");
        let listed = std::fs::read_to_string(&path).unwrap();
        let all: BTreeSet<&str> = listed.lines().chain(foreign.iter().copied()).collect();
        std::fs::write(&path, all.into_iter().map(|name| format!("{name}\n")).collect::<String>()).unwrap();
    }
    assert!(
        foreign.is_empty(),
        "{} symbols could be mixed with another library's: {foreign:?}\n\
         To add them to build/symbols.txt: cargo xtask regenerate symbols",
        foreign.len()
    );
}
