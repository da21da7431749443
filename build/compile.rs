//! Compiles libpg_query, pgq's own C files and the assertions about struct layouts into one static library.

use std::path::{Path, PathBuf};

use crate::fixes::{DEPARSER, FILES, FixedFile, GRAMMAR, SCAN_WITHOUT_PROTOBUF};
use crate::sources::include_dirs;
use crate::{grammar_order, layout, symbols};

/// pgq's C files. They are compiled together with libpg_query's files.
const OURS: [&str; 4] = ["src/sys/shim.c", "src/sys/deparse.c", "src/sys/grammar.c", "src/sys/plpgsql.c"];

/// libpg_query's deparser without pgq's fixes. It is compiled only with the feature `reference`. Without this
/// feature, the file `ABSENT` is compiled instead of this file and the files of [`REFERENCE`].
const STOCK: &str = "src/sys/stock.c";
const ABSENT: &str = "src/sys/absent.c";

/// C functions that copy and compare memory. A program for musl uses these functions instead of musl's own.
const MUSL: &str = "src/sys/musl.c";

/// pgq's C headers, and C files that other files include.
const HEADERS: [&str; 8] = [
    "src/sys/shim.h",
    "src/sys/wrapper.h",
    "src/sys/stack_end.h",
    "src/sys/zeroed.h",
    "src/sys/grammar_count.h",
    "src/sys/checks.h",
    "src/sys/deparse",
    "src/sys/asan",
];

/// Files of libpg_query that only the feature `reference` needs: Protobuf and JSON output in C,
/// fingerprints, and the summary.
const REFERENCE: [&str; 10] = [
    "pg_query_deparse.c",
    "pg_query_fingerprint.c",
    "pg_query_is_utility_stmt.c",
    "pg_query_outfuncs_json.c",
    "pg_query_outfuncs_protobuf.c",
    "pg_query_raw_tree_walker_supports.c",
    "pg_query_readfuncs_protobuf.c",
    "pg_query_summary.c",
    "pg_query_summary_statement_type.c",
    "pg_query_summary_truncate.c",
];

/// Libraries that only the feature `reference` needs.
const REFERENCE_LIBRARIES: [&str; 4] = [
    "vendor/xxhash/xxhash.c",
    "vendor/upb/upb.c",
    "vendor/upb/third_party/utf8_range/utf8_range.c",
    "protobuf/pg_query.upb_minitable.c",
];

/// This file is not compiled separately, because src/sys/plpgsql.c includes it.
const PLPGSQL: &str = "pg_query_parse_plpgsql.c";

/// Writes copies of libpg_query's files with the fixes applied.
///
/// # Errors
/// Returns one line for each fix that does not match the pinned sources.
pub fn write_fixed_files(library: &Path, out: &Path) -> Result<(), String> {
    let mut problems = String::new();
    for file in [DEPARSER, GRAMMAR].iter().chain(compiled_copies()) {
        let path = library.join("src").join(file.path);
        let fixed = match std::fs::read_to_string(&path) {
            Ok(text) => file.fixed(&text),
            Err(error) => Err(format!("{}: the file does not fit this libpg_query: {error}\n", file.path)),
        };
        match fixed {
            Ok(text) => std::fs::write(out.join(file.name()), text).expect("OUT_DIR is writable"),
            Err(problem) => problems.push_str(&problem),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Returns the files of libpg_query that are compiled from fixed copies.
fn compiled_copies() -> impl Iterator<Item = &'static FixedFile> {
    let scan = if cfg!(feature = "reference") { None } else { Some(&SCAN_WITHOUT_PROTOBUF) };
    FILES.iter().chain(scan)
}

pub fn compile(library: &Path, out: &Path) {
    for file in OURS.into_iter().chain(HEADERS).chain([STOCK, ABSENT]) {
        println!("cargo::rerun-if-changed={file}");
    }
    let source = library.join("src");
    let mut build = cc::Build::new();
    build
        .files(c_files(&source))
        .files(compiled_copies().chain([&GRAMMAR]).map(|file| out.join(file.name())))
        .files(postgres_files(&source.join("postgres"), out))
        .includes(include_dirs(library))
        .include(library.join("src/postgres")) // src/sys/grammar.c and fixed files include files from it
        .include("src/sys") // the fixed deparser includes a file from it
        .include(out) // contains the output of grammar.rs and the fixed deparser
        .files(OURS)
        .opt_level(opt_level())
        .debug(false)
        .warnings(false);
    if cfg!(feature = "reference") {
        build.files(REFERENCE_LIBRARIES.map(|file| library.join(file))).file(STOCK);
    } else {
        build.file(ABSENT);
    }
    if build.get_compiler().is_like_msvc() {
        build.flag(format!("/FI{}", symbols::write_header(out).display()));
    } else {
        build.flag("-include").flag(symbols::write_header(out));
    }
    build
        .flag_if_supported("-fno-strict-aliasing")
        .flag_if_supported("-fwrapv")
        // The next two flags tell the compiler that no code outside of this program calls the C
        // functions. The compiler can then inline more calls.
        .flag_if_supported("-fvisibility=hidden")
        .flag_if_supported("-fno-semantic-interposition")
        .flag_if_supported("-fno-stack-protector");
    if cfg!(feature = "static-tls") {
        // PostgreSQL's globals are thread-local in libpg_query, and palloc reads one of them on every call. The
        // thread-local model `initial-exec` makes the access faster.
        build.flag_if_supported("-ftls-model=initial-exec");
    }
    // Some of libpg_query's messages contain `__FILE__`. Replace this machine's paths in these messages.
    for (folder, name) in [(library, "libpg_query"), (out, "pgq"), (Path::new("src"), "src")] {
        build.flag_if_supported(format!("-ffile-prefix-map={}={name}", folder.display()));
    }
    if grammar_order::counts() {
        build.define("PGQ_COUNT_GRAMMAR", None);
    }
    if with_address_sanitizer() {
        build
            .flag("-fsanitize=address")
            .flag("-fno-omit-frame-pointer")
            .include("src/sys/asan") // memory contexts that report the used bytes of their blocks to the sanitizer
            .define("USE_VALGRIND", None)
            .define("CLOBBER_FREED_MEMORY", None)
            .define("MEMORY_CONTEXT_CHECKING", None);
    }
    if cfg!(feature = "bindgen") {
        // With the feature `bindgen`, the build does not check the struct layouts, because it generates the bindings
        // from these C sources.
    } else {
        build.file(layout::write(out));
    }
    build.compile("pgq_c");
    compile_for_musl();
}

/// Compiles the functions that copy and compare memory (musl.c) into the program. They take precedence over musl's,
/// because musl is linked last. A build of the library alone omits them, because users of the library may prefer
/// other memory functions.
fn compile_for_musl() {
    println!("cargo::rerun-if-changed={MUSL}");
    if cfg!(feature = "cli") && std::env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|name| name == "musl") {
        let mut build = cc::Build::new();
        build.file(MUSL).opt_level(opt_level().max(2)).debug(false);
        // Without these flags, the compiler could replace a loop in `memcpy` with a call of `memcpy`.
        build.flag("-fno-builtin").flag_if_supported("-fno-tree-loop-distribute-patterns");
        build.compile("pgq_musl");
    }
}

/// Returns the optimization level for C code: Cargo's level, but at least 1. In development builds, Cargo's level is 0
/// (Cargo.toml). With level 1, compilation takes longer, but the tests, which parse the corpus many times, save more
/// time. Level 2 takes 1.4 times as long to compile.
fn opt_level() -> u32 {
    match std::env::var("OPT_LEVEL").as_deref() {
        Ok("0" | "1") => 1,
        Ok("2") => 2,
        _ => 3,
    }
}

/// Returns whether RUSTFLAGS contains -Zsanitizer=address (.ci/asan).
pub fn with_address_sanitizer() -> bool {
    std::env::var("CARGO_CFG_SANITIZE").is_ok_and(|kinds| kinds.split(',').any(|kind| kind == "address"))
}

/// Returns the C files of a directory that are compiled separately.
fn c_files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("could not list {}: {e}", dir.display()))
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "c") && !is_left_out(path))
        .collect();
    files.sort(); // the library must not depend on the file system's order
    files
}

/// Returns the C files to compile for PostgreSQL's own code. Files that define no macros cannot affect each other, so
/// one generated file includes all of them. This is faster, because the compiler then reads the headers only once.
fn postgres_files(dir: &Path, out: &Path) -> Vec<PathBuf> {
    let (mut files, mut includes) = (Vec::new(), String::new());
    for path in c_files(dir) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("could not read {}: {e}", path.display()));
        if text.contains("#define") || text.contains("#undef") {
            files.push(path);
        } else {
            includes.push_str(&format!("#include {:?}\n", path.display().to_string()));
        }
    }
    let path = out.join("postgres.c");
    std::fs::write(&path, includes).expect("OUT_DIR is writable");
    files.push(path);
    files
}

fn is_left_out(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let fixed = compiled_copies().chain([&DEPARSER, &GRAMMAR]).any(|file| file.path.rsplit('/').next() == Some(name));
    fixed || name == PLPGSQL || (cfg!(not(feature = "reference")) && REFERENCE.contains(&name))
}
