//! Generates Rust declarations for libpg_query's C structs, for the C functions that pgq calls, and for C constants.
//!
//! The result is committed as src/sys/bindings.rs (`cargo xtask regenerate bindings`). For a target with other struct
//! layouts, build with the feature `bindgen`: the build then generates the declarations itself.

use std::collections::HashSet;
use std::path::Path;

use crate::symbols::PREFIX;
use crate::{sources, xmacro};

/// Types that src/convert needs in addition to the structs in libpg_query's tables.
const TYPES: [&str; 7] = ["PgQueryParseMode", "List", "ListCell", "Bitmapset", "A_Const", "ValUnion", "NodeTag"];

/// Tags without a struct of the same name.
const TAGS: [&str; 4] = ["Invalid", "IntList", "OidList", "XidList"];

/// Functions of pg_query.h that pgq does not call.
const UNUSED_FUNCTIONS: &str = "pg_query_(init|exit|.*is_utility.*|free_deparse_comments_result)";

/// Returns the contents of src/sys/bindings.rs for the headers of `library`.
///
/// # Errors
/// Returns an error if bindgen fails, or if libpg_query's table cannot be read.
pub fn generate(root: &Path, library: &Path) -> Result<String, String> {
    let read = |path: &str| std::fs::read_to_string(library.join(path)).map_err(|error| format!("{path}: {error}"));
    let functions = xmacro::functions(&read("src/include/pg_query_outfuncs_defs.c")?)?;
    let mut builder = bindgen::Builder::default()
        .header(root.join("src/sys/wrapper.h").display().to_string())
        .clang_args(sources::include_dirs(library).iter().map(|dir| format!("-I{}", dir.display())))
        .raw_line("// C declarations: layouts of PostgreSQL's nodes, and the functions of shim.h and pg_query.h.")
        .raw_line("//")
        .raw_line("// Generated. Written by `cargo xtask regenerate bindings`;")
        .raw_line("// On every build, build/layout.rs proves that the compiled C code has these layouts.")
        .default_enum_style(bindgen::EnumVariation::Consts)
        .prepend_enum_name(false)
        .derive_copy(true)
        .derive_debug(false)
        .generate_comments(false)
        .merge_extern_blocks(true)
        .layout_tests(true)
        .allowlist_function("pgq_.*|pg_query_.*")
        .blocklist_function(UNUSED_FUNCTIONS)
        .allowlist_var("PG_QUERY_.*|PGQ_.*|PG_VERSION.*|PG_MAJORVERSION")
        .formatter(bindgen::Formatter::Prettyplease);
    for name in functions.iter().map(|f| f.c_struct.as_str()).chain(TYPES) {
        builder = builder.allowlist_type(name);
    }
    let bindings = builder.generate().map_err(|error| format!("bindgen: {error}"))?.to_string();
    let (declarations, layouts) = compact_layouts(&bindings);
    // Remove bindgen's first line, because it contains bindgen's version.
    let declarations = declarations.split_once("*/").map_or(declarations.as_str(), |(_, rest)| rest);
    let named = |line: &'_ str| {
        let name = ["pub struct ", "pub type ", "pub union "].into_iter().find_map(|word| line.strip_prefix(word))?;
        name.split(' ').next().map(str::to_string)
    };
    let types: HashSet<String> = declarations.lines().filter_map(named).collect();
    let used: String = with_link_names(declarations.trim_start())
        .split_inclusive('\n')
        .filter(|line| !is_unused_constant(line, &types))
        .collect();
    Ok(format!("{used}\n{layouts}"))
}

/// Returns whether the line declares a constant that pgq does not use: a token, a kind of keyword, or the tag of a type
/// that the bindings lack.
fn is_unused_constant(line: &str, types: &HashSet<String>) -> bool {
    let Some((name, rest)) = line.strip_prefix("pub const ").and_then(|line| line.split_once(": ")) else {
        return false;
    };
    let tag = name.strip_prefix("T_").filter(|_| rest.starts_with("NodeTag"));
    rest.starts_with("PgQueryToken")
        || rest.starts_with("PgQueryKeywordKind")
        || tag.is_some_and(|tag| !types.contains(tag) && !TAGS.contains(&tag))
}

/// Adds a `link_name` to each of libpg_query's functions, because build/symbols.rs prefixes their names in C.
fn with_link_names(declarations: &str) -> String {
    let mut text = String::new();
    for line in declarations.lines() {
        if let Some(rest) = line.strip_prefix("    pub fn pg_query_") {
            let name = rest.split('(').next().unwrap_or_default();
            text.push_str(&format!("    #[link_name = \"{PREFIX}pg_query_{name}\"]\n"));
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Removes bindgen's layout tests (eight lines per field) from the declarations. Returns the declarations, and one
/// `layout!` line per struct, such as `layout!(List size 24 align 8: type_ 0, length 4);`.
fn compact_layouts(bindings: &str) -> (String, String) {
    const START: &str = "const _: () = {";
    let mut declarations = String::new();
    let mut layouts = String::new();
    let mut rest = bindings;
    while let Some(at) = rest.find(START) {
        let (before, block) = rest.split_at(at);
        let end = block.find("\n};\n").expect("bindgen closes a layout block");
        let attribute = before.rfind("#[allow(clippy::").expect("bindgen marks its layout tests");
        declarations.push_str(&before[..attribute]);
        layouts.push_str(&layout_line(&block[..end]));
        rest = &block[end + 4..];
    }
    declarations.push_str(rest);
    (declarations, layouts)
}

/// Converts a block of bindgen's assertions, such as `["Size of X"][size_of::<X>() - 8usize];`, to one line.
fn layout_line(block: &str) -> String {
    let dense: String = block.chars().filter(|c| !c.is_whitespace()).collect();
    let (mut size, mut align, mut name, mut fields) = ("", "", "", Vec::new());
    for part in dense.split("[\"").skip(1) {
        let (label, code) = part.split_once('"').expect("a quoted label");
        let (_, number) = code.rsplit_once('-').expect("an offset to subtract");
        let number = number.split("usize").next().expect("a number of bytes");
        if let Some(of) = label.strip_prefix("Sizeof") {
            (name, size) = (of, number);
        } else if label.starts_with("Alignmentof") {
            align = number;
        } else {
            let (_, field) = label.rsplit_once("::").expect("a field label");
            fields.push(format!("{field} {number}"));
        }
    }
    format!("layout!({name} size {size} align {align}: {});\n", fields.join(", "))
}
