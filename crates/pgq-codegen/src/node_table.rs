//! Generates src/convert/nodes.rs, which combines libpg_query's X-macro tables in one declarative Rust table.

use std::collections::HashMap;

use crate::names::{snake_case, upper_camel_case};
use crate::xmacro::{self, Call, Function};

const HEADER: &str = "\
//! THE TABLE: every node of PostgreSQL's parse tree, every field, its kind and its names.
//!
//! Generated from libpg_query's own field tables, src/include/pg_query_*_defs.c of the
//! pinned sources. Written by `cargo xtask regenerate`.
//!
//! A walk is a macro that `nodes!` calls with this table. It defines an action for each kind
//! of field, and needs no code for individual node types. A row looks like this:
//!
//! ```text
//! T_SelectStmt SelectStmt SelectStmt SelectStmt \"SelectStmt\" {
//!     list distinct_clause \"distinctClause\" distinctClause;
//! ```
//!
//! The first line has the tag, the C struct, the Protobuf message, the variant of `Node` and the
//! JSON name. Each other line has a field's kind, its names in Protobuf, JSON and C, and its type
//! if the kind needs one. The kinds are `node`, any node or NULL; `message`, a node of one type or
//! NULL; `embed`, a node inside the struct; `list`; `string`, which may be NULL; `char`; `bool`;
//! `int`; `uint`; `uint64`; `long`; `float`; `enum_`; `bitmapset`; `location`, a byte offset into
//! the text or -1; and `absent`, a field of the Protobuf schema that libpg_query never writes.
";

/// Returns the contents of nodes.rs, or an error that describes unrecognized C code.
pub fn generate(defs: &str, conds: &str, enums: &str, proto: &str, bindings: &str) -> Result<String, String> {
    let functions = xmacro::functions(defs)?;
    let bindings = Bindings::read(bindings);
    let mut text = String::from(HEADER);
    text.push_str("\nmacro_rules! nodes {\n    ($walk:ident) => {\n        $walk! {\n");
    let mut rows = 0;
    for node in conds.lines().filter_map(xmacro::call).filter(|c| c.name == "OUT_NODE") {
        let [message, out, _, _, c_struct, field] = node.args.as_slice() else {
            return Err(format!("OUT_NODE with {} arguments", node.args.len()));
        };
        if BY_HAND.contains(&out.as_str()) {
            continue;
        }
        let function = functions
            .iter()
            .find(|f| &f.message == message && &f.c_struct == c_struct)
            .ok_or_else(|| format!("no fields for {message}"))?;
        text.push_str(&format!(
            "            T_{c_struct} {c_struct} {} {} \"{message}\" {{\n",
            upper_camel_case(message),
            upper_camel_case(field.trim_end_matches('_')),
        ));
        for name in never_written(proto, message, function)? {
            text.push_str(&format!("                absent {name} \"{name}\" {name};\n"));
        }
        for call in &function.calls {
            text.push_str(&format!("                {}\n", field_row(function, call, &bindings)?));
        }
        text.push_str("            }\n");
        rows += 1;
    }
    if rows != functions.len() {
        return Err(format!("{} structs have fields, {rows} have a tag", functions.len()));
    }
    text.push_str("        }\n    };\n}\npub(crate) use nodes;\n");
    let used = |name: &str| text.contains(&format!(": {name};"));
    let enums = enum_table(enums, used)?;
    text.push_str(&enums);
    Ok(text)
}

/// Nodes without a row. Each conversion has hand-written code for these nodes, because their C structs are unions or
/// contain list cells.
const BY_HAND: [&str; 9] =
    ["Integer", "Boolean", "Float", "String", "BitString", "List", "IntList", "OidList", "AConst"];

fn field_row(function: &Function, call: &Call, bindings: &Bindings) -> Result<String, String> {
    let owner = &function.c_struct;
    // The last three arguments are the field's names in Protobuf, JSON and C. A type may precede them. In PostgreSQL
    // 18's macros, the first argument is the struct that contains the field.
    let problem = || format!("{owner}: {} with {} arguments", call.name, call.args.len());
    let [before @ .., proto, json, c] = call.args.as_slice() else { return Err(problem()) };
    let type_at = |from_end: usize| {
        let at = before.len().checked_sub(from_end).ok_or_else(problem)?;
        Ok::<_, String>(&before[at])
    };
    let (kind, with_type) = match call.name.as_str() {
        "WRITE_NODE_PTR_FIELD" => ("node", None),
        "WRITE_SPECIFIC_NODE_PTR_FIELD" => ("message", Some(upper_camel_case(type_at(2)?))),
        "WRITE_SPECIFIC_NODE_FIELD" => ("embed", Some(upper_camel_case(type_at(2)?))),
        "WRITE_LIST_FIELD" => ("list", None),
        "WRITE_STRING_FIELD" => ("string", None),
        "WRITE_CHAR_FIELD" => ("char", None),
        "WRITE_BOOL_FIELD" => ("bool", None),
        "WRITE_INT_FIELD" => ("int", None),
        "WRITE_UINT_FIELD" => ("uint", None),
        "WRITE_UINT64_FIELD" => ("uint64", None),
        "WRITE_LONG_FIELD" => ("long", None),
        "WRITE_FLOAT_FIELD" => ("float", None),
        "WRITE_BITMAPSET_FIELD" => ("bitmapset", None),
        "WRITE_ENUM_FIELD" => ("enum_", Some(type_at(1)?.clone())),
        other => return Err(format!("{owner}: the kind {other} is not known")),
    };
    let (proto, c_rust) = (rust_name(proto), c_name(c));
    let kind = match kind {
        "int" if c != "stmt_len" && bindings.is_location(owner, &c_rust) => "location",
        other => other,
    };
    let ty = with_type.map(|t| format!(": {t}")).unwrap_or_default();
    Ok(format!("{kind} {proto} \"{json}\" {c_rust}{ty};"))
}

/// Returns the fields that the Protobuf schema declares but libpg_query never writes. These are the abstract parents of
/// expression and plan nodes. Any other field that is never written is an error.
fn never_written(proto: &str, message: &str, function: &Function) -> Result<Vec<String>, String> {
    let start = [format!("\nmessage {message}\n{{"), format!("\nmessage {message} {{")]
        .iter()
        .find_map(|opening| proto.find(opening.as_str()).map(|at| at + opening.len()))
        .ok_or_else(|| format!("pg_query.proto has no message {message}"))?;
    let body = proto[start..].split("\n}").next().unwrap_or_default();
    let declared = body.lines().filter_map(|line| line.split_once(" = ")?.0.split_whitespace().last());
    let mut absent = Vec::new();
    for field in declared {
        let written = function.calls.iter().any(|call| call.args.iter().rev().nth(2).is_some_and(|name| name == field));
        match field {
            _ if written => {}
            "xpr" | "plan" => absent.push(field.to_string()),
            _ => return Err(format!("{message}: the field {field} is declared and never written")),
        }
    }
    Ok(absent)
}

/// Returns the table of the enums that fields use. Each C constant has its Protobuf number.
fn enum_table(text: &str, used: impl Fn(&str) -> bool) -> Result<String, String> {
    let mut out = String::from(
        "\n/// Every enum of the tree: its C constants, each with its number in Protobuf (0 is \"undefined\").\n\
         macro_rules! enums {\n    ($walk:ident) => {\n        $walk! {\n",
    );
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("_enumToInt") else { continue };
        let (name, _) = rest.split_once('(').ok_or("an enum function without arguments")?;
        if !used(name) {
            continue;
        }
        out.push_str(&format!("            {name} {{\n"));
        for line in lines.by_ref().take_while(|l| l.trim() != "Assert(false);") {
            let Some(case) = line.trim().strip_prefix("case ") else { continue };
            let (constant, number) = case.split_once(": return ").ok_or("a case that returns nothing")?;
            out.push_str(&format!("                {constant} = {};\n", number.trim_end_matches(';')));
        }
        out.push_str("            }\n");
    }
    out.push_str("        }\n    };\n}\npub(crate) use enums;\n");
    Ok(out)
}

/// Returns the name that prost gives a Protobuf field.
fn rust_name(proto: &str) -> String {
    let snake = snake_case(proto);
    if is_keyword(&snake) { format!("r#{snake}") } else { snake }
}

/// Returns the name that bindgen gives a C field.
pub fn c_name(c: &str) -> String {
    if is_keyword(c) { format!("{c}_") } else { c.to_string() }
}

/// Returns whether a C name may contain the character.
pub fn is_c_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "abstract" | "as" | "do" | "final" | "in" | "move" | "override" | "ref" | "type" | "use" | "where")
}

/// The types of the fields in the bindings. Locations have the type `ParseLoc`.
struct Bindings<'a>(HashMap<(&'a str, &'a str), &'a str>);

impl<'a> Bindings<'a> {
    fn read(text: &'a str) -> Self {
        let mut fields = HashMap::new();
        let mut owner = "";
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("pub struct ") {
                owner = name.split(' ').next().unwrap_or_default();
            } else if let Some((field, ty)) = line.strip_prefix("    pub ").and_then(|l| l.split_once(": ")) {
                fields.insert((owner, field), ty.trim_end_matches(','));
            }
        }
        Self(fields)
    }

    fn is_location(&self, owner: &str, field: &str) -> bool {
        self.0.get(&(owner, field)) == Some(&"ParseLoc")
    }
}

#[test]
fn an_unknown_kind_of_field_is_an_error() {
    let defs = "static void\n_outAlias(OUT_TYPE(Alias, Alias) out, const Alias *node)\n{\n  \
                WRITE_COLOR_FIELD(Alias, a, a, a);\n}\n";
    let conds = "case T_Alias:\n  OUT_NODE(Alias, Alias, alias, ALIAS, Alias, alias);\n  break;\n";
    let proto = "\nmessage Alias\n{\n  string a = 1;\n}\n";
    let problem = generate(defs, conds, "", proto, "").unwrap_err();
    assert!(problem.contains("WRITE_COLOR_FIELD"), "{problem}");
}
