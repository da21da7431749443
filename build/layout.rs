//! Writes layout.c to OUT_DIR. It asserts the struct layouts of src/sys/bindings.rs, so the build fails if the C
//! compiler lays out a struct differently.

use std::path::{Path, PathBuf};

const BINDINGS: &str = "src/sys/bindings.rs";

/// Writes layout.c and returns its path.
pub fn write(out: &Path) -> PathBuf {
    println!("cargo::rerun-if-changed={BINDINGS}");
    let bindings = std::fs::read_to_string(BINDINGS).expect("the committed bindings are readable");
    let path = out.join("layout.c");
    std::fs::write(&path, generate(&bindings)).expect("OUT_DIR is writable");
    path
}

/// Returns C code that compiles only if every struct has the size and offsets that the bindings specify.
fn generate(bindings: &str) -> String {
    let mut c = String::from(
        "/* If an assertion fails, this target lays structs out differently: build with --features bindgen. */\n\
         #include <stddef.h>\n\n#include \"wrapper.h\"\n\n\
         #define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), \"size of \" #type)\n\
         #define AT(type, field, bytes) _Static_assert(offsetof(type, field) == (bytes), \"offset of \" #type \".\" #field)\n\
         #define VALUE(name, number) _Static_assert((name) == (number), \"value of \" #name)\n",
    );
    for line in bindings.lines() {
        if let Some(layout) = line.strip_prefix("layout!(") {
            struct_assertions(layout, &mut c);
        }
    }
    c.push('\n');
    // Enum constants are included, because src/convert compares node tags and maps enum values.
    for (name, value) in enum_constants(bindings) {
        c.push_str(&format!("VALUE({name}, {value});\n"));
    }
    c
}

/// Converts the text after `layout!(`, such as `List size 24 align 8: type_ 0, length 4);`, to C assertions.
fn struct_assertions(layout: &str, c: &mut String) {
    let (head, fields) = layout.split_once(':').expect("a colon");
    let words: Vec<&str> = head.split(' ').collect();
    let (name, size) = (words[0], words[2]);
    if name.starts_with("__BindgenBitfield") || name.contains("__bindgen_ty") {
        return; // an anonymous member has no name in C, but the offsets of the enclosing struct include it
    }
    // This is the only type without a typedef in C.
    let name = if name == "ValUnion" { "union ValUnion" } else { name };
    c.push_str(&format!("\nSIZE({name}, {size});\n"));
    for field in fields.trim_end_matches(");").split(',').filter(|f| !f.trim().is_empty()) {
        let (field, offset) = field.trim().split_once(' ').expect("a field and its offset");
        if field.starts_with("_bitfield") || field.starts_with("__bindgen") {
            continue;
        }
        let field = field.strip_suffix('_').filter(|f| RUST_KEYWORDS.contains(f)).unwrap_or(field);
        c.push_str(&format!("AT({name}, {field}, {offset});\n"));
    }
}

/// Field names that bindgen renames.
const RUST_KEYWORDS: [&str; 9] = ["type", "str", "override", "final", "where", "move", "ref", "in", "abstract"];

/// Parses the constants of enums, such as `pub const T_List: NodeTag = 1;`.
fn enum_constants(bindings: &str) -> Vec<(&str, &str)> {
    let mut enums: Vec<&str> = Vec::new();
    for line in bindings.lines() {
        if let Some((name, ty)) = line.strip_prefix("pub type ").and_then(|l| l.split_once(" = "))
            && ty == "::std::os::raw::c_uint;"
        {
            enums.push(name);
        }
    }
    bindings
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.strip_prefix("pub const ")?.split_once(": ")?;
            let (ty, value) = rest.split_once(" = ")?;
            enums.contains(&ty).then(|| (name, value.trim_end_matches(';')))
        })
        .collect()
}
