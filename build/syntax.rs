//! Writes the tables of PostgreSQL's grammar for the syntax tree. src/syntax has its own parser loop in Rust, which
//! runs no actions. Numbers and names are the same as in Bison's output. `syntax_entries.bin` has two little-endian i16
//! for each entry. The first is the entry's key (a symbol or state), and the second is its action.

use std::fmt::Write;
use std::path::Path;

use crate::grammar::cut;
use crate::grammar_tables::{define, numbers};

/// Writes the tables of the generated grammar `text` to `out`.
///
/// # Errors
/// Returns an error if the grammar contains unexpected code.
pub fn generate(text: &str, out: &Path) -> Result<(), String> {
    std::fs::write(out.join("syntax_tables.rs"), rust_tables(text)?).expect("OUT_DIR is writable");
    std::fs::write(out.join("syntax_entries.bin"), entries(text)?).expect("OUT_DIR is writable");
    Ok(())
}

fn entries(text: &str) -> Result<Vec<u8>, String> {
    let (check, action) = (numbers(text, "yycheck")?, numbers(text, "yytable")?);
    let error = define(text, "YYTABLE_NINF")?;
    let number = |number: i32| i16::try_from(number).map_err(|_| format!("{number} is too large for an entry"));
    let mut bytes = Vec::with_capacity(check.len() * 4);
    for (check, action) in check.into_iter().zip(action) {
        bytes.extend(number(check)?.to_le_bytes());
        bytes.extend(number(if action == error { 0 } else { action })?.to_le_bytes());
    }
    Ok(bytes)
}

fn rust_tables(text: &str) -> Result<String, String> {
    let names = names(text)?;
    let mut rust = String::new();
    for (name, from) in [("TERMINALS", "YYNTOKENS"), ("FINAL", "YYFINAL"), ("NO_ENTRIES", "YYPACT_NINF")] {
        writeln!(rust, "const {name}: i32 = {};", define(text, from)?).expect("writing to a string");
    }
    for (name, from, kind) in [
        ("KINDS", "yytranslate", "u16"),
        ("STATE_ENTRIES", "yypact", "i32"),
        ("STATE_RULES", "yydefact", "u16"),
        ("SYMBOL_ENTRIES", "yypgoto", "i16"),
        ("SYMBOL_STATES", "yydefgoto", "i16"),
    ] {
        array(&mut rust, name, kind, numbers(text, from)?.iter().map(i32::to_string));
    }
    let rules = Rules::read(text)?;
    array(&mut rust, "RULES", "Rule", (0..rules.made.len()).map(|rule| rules.rust(rule)));
    array(&mut rust, "NAMES", "&str", names.iter().map(|name| format!("{name:?}")));
    rust += "/// The symbols of PostgreSQL's grammar, by their names in gram.y.\n#[allow(non_upper_case_globals, missing_docs)]\n";
    rust += "pub mod symbol {\nuse super::Symbol;\n";
    for (number, name) in names.iter().enumerate() {
        if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            writeln!(rust, "pub const {name}: Symbol = Symbol({number});").expect("writing to a string");
        }
    }
    Ok(rust + "}\n")
}

fn array(rust: &mut String, name: &str, kind: &str, values: impl ExactSizeIterator<Item = String>) {
    writeln!(rust, "static {name}: [{kind}; {}] = [", values.len()).expect("writing to a string");
    for value in values {
        *rust += &value;
        *rust += ",\n";
    }
    *rust += "];\n";
}

/// Returns the names of the symbols. The terminals are first, then the nonterminals.
fn names(text: &str) -> Result<Vec<String>, String> {
    let (_, rest) = cut(text, " yytname[] =\n{\n")?;
    let (body, _) = cut(rest, ", 0\n};")?;
    let name = |quoted: &str| {
        let name = quoted.trim().strip_prefix('"').and_then(|name| name.strip_suffix('"'));
        name.map(|name| name.trim_matches('\'').to_string()).ok_or_else(|| format!("the name {quoted:?}"))
    };
    // The names are separated by commas, but the terminal ',' also contains a comma.
    body.replace("\"','\"", "\"'COMMA'\"").split(',').map(|quoted| Ok(name(quoted)?.replace("COMMA", ","))).collect()
}

/// The rules of the grammar, with the left-hand side and the right-hand side of each.
struct Rules {
    made: Vec<i32>,
    parts: Vec<Vec<i32>>,
}

impl Rules {
    fn read(text: &str) -> Result<Self, String> {
        let (starts, symbols) = (numbers(text, "yyprhs")?, numbers(text, "yyrhs")?);
        let parts = starts
            .into_iter()
            .map(|start| symbols[start as usize..].iter().copied().take_while(|symbol| *symbol >= 0).collect());
        // The first entry is not a rule.
        Ok(Self { made: numbers(text, "yyr1")?, parts: parts.collect() })
    }

    fn rust(&self, rule: usize) -> String {
        let (made, length) = (self.made[rule], if rule == 0 { 0 } else { self.parts[rule].len() });
        format!("Rule {{ made: {made}, length: {length}, extends: {} }}", rule > 0 && self.extends(rule))
    }

    /// Returns whether a rule appends an item to a list, as `list: list ',' item` does. Every other rule for `list`
    /// must also append an item, or start the list; otherwise returns false. A rule starts the list if it is empty, or
    /// if it ends with an item, as `list: item` does.
    fn extends(&self, rule: usize) -> bool {
        let list = self.made[rule];
        let of_list =
            || self.made.iter().zip(&self.parts).skip(1).filter(|(made, _)| **made == list).map(|(_, parts)| parts);
        let appended = || of_list().filter(|parts| parts.first() == Some(&list)).map(|parts| &parts[1..]);
        let begins = |parts: &[i32]| {
            parts.is_empty() || appended().any(|appended| parts.ends_with(&appended[appended.len().min(2) - 1..]))
        };
        self.parts[rule].first() == Some(&list)
            && appended().all(|appended| !appended.is_empty() && !appended.contains(&list))
            && of_list().filter(|parts| parts.first() != Some(&list)).all(|parts| begins(parts))
    }
}
