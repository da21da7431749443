//! Generates src/convert/fingerprint/table.rs, the fields that are part of a fingerprint, from libpg_query's generated
//! C functions. C code that matches none of the patterns in `shapes` is an error.

use std::collections::HashMap;

use crate::node_table::{c_name, is_c_word};

const HEADER: &str = "\
//! The fields that count in a fingerprint, for every node and in the order of their tokens.
//!
//! Generated from src/include/pg_query_fingerprint_*.c of the pinned sources. Written by
//! `cargo xtask regenerate`.
//!
//! A row looks like this:
//!
//! ```text
//! T_SelectStmt SelectStmt \"SelectStmt\" always {
//!     list distinctClause \"distinctClause\";
//! ```
//!
//! The first line has the tag, the C struct, the token that opens the node, and the condition under
//! which the node counts: `always`, `never`, or `unless_of_constant`. Each other line has a field's kind, its name
//! in C, its token, and its type if the kind needs one. The kinds are the kinds of the node table
//! (src/convert/nodes.rs) and five more: `same_level`, a struct inside the node that does not add
//! to the depth; `inside`, a node inside the node; `text_of`, the text of a String node;
//! `expression_kind` and `result_name`, whose rules are in fields.rs.
";

/// The only node whose fingerprint function is hand-written in Rust. From PostgreSQL 18 on, its function in C is also
/// hand-written.
const BY_HAND: &str = "RangeVar";

/// Returns the contents of table.rs, or an error that describes unrecognized C code.
pub fn generate(defs: &str, conds: &str, enums: &str) -> Result<String, String> {
    let functions = functions(defs)?;
    let mut text = format!(
        "{HEADER}\n#[rustfmt::skip]\nmacro_rules! fingerprints {{\n    ($walk:ident) => {{\n        $walk! {{\n"
    );
    let mut rows = 0;
    for (tag, counts) in cases(conds)? {
        if tag == BY_HAND {
            continue;
        }
        let body = functions.get(tag).ok_or_else(|| format!("no function for {tag}"))?;
        text.push_str(&format!("            T_{tag} {tag} \"{tag}\" {counts} {{\n"));
        for field in fields(tag, body)? {
            if let Field { kind: "enum_", ty, .. } = &field {
                names_are_constants(enums, ty)?;
            }
            let Field { kind, name, ty } = field;
            let ty = if ty.is_empty() { String::new() } else { format!(": {ty}") };
            text.push_str(&format!("                {kind} {} \"{name}\"{ty};\n", c_name(name)));
        }
        text.push_str("            }\n");
        rows += 1;
    }
    let count = functions.keys().filter(|tag| **tag != BY_HAND).count();
    if rows != count {
        return Err(format!("{count} functions, {rows} of them called"));
    }
    text.push_str("        }\n    };\n}\npub(crate) use fingerprints;\n");
    Ok(text)
}

/// Returns the non-empty lines without indentation.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Parses the C code's switch over node types. Returns each node type, and when its nodes are part of the
/// fingerprint: `always`, `never` or `unless_of_constant`.
fn cases(conds: &str) -> Result<Vec<(&str, &'static str)>, String> {
    let mut cases = Vec::new();
    for case in code_lines(conds).collect::<Vec<_>>().split(|line| *line == "break;").filter(|case| !case.is_empty()) {
        let tag = case[0].strip_prefix("case T_").and_then(|c| c.strip_suffix(':')).ok_or("not a case")?;
        let calls = [
            format!("_fingerprintString(ctx, \"{tag}\");"),
            format!("_fingerprint{tag}(ctx, obj, parent, field_name, depth);"),
        ];
        let of_constant = "if (!IsA(castNode(TypeCast, (void*) obj)->arg, A_Const) && \
                           !IsA(castNode(TypeCast, (void*) obj)->arg, ParamRef))";
        let counts = match &case[1..] {
            ["// Intentionally ignoring for fingerprinting"] => "never",
            [first, second] if [*first, *second] == calls => "always",
            [condition, "{", first, second, "}"]
                if *condition == of_constant && tag == "TypeCast" && [*first, *second] == calls =>
            {
                "unless_of_constant"
            }
            other => return Err(format!("{tag}: not a known way to count: {other:?}")),
        };
        cases.push((tag, counts));
    }
    Ok(cases)
}

/// Returns the function body for each node type, without empty lines and indentation.
fn functions(defs: &str) -> Result<HashMap<&str, String>, String> {
    const ARGUMENTS: &str = " *node, const void *parent, const char *field_name, unsigned int depth)";
    let mut functions = HashMap::new();
    let mut lines = defs.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        let header = line.strip_prefix("static void ").unwrap_or(line);
        if line.is_empty() || line == "static void" || line.starts_with(&format!("// _fingerprint{BY_HAND} ")) {
            continue;
        }
        let (name, rest) = header
            .strip_prefix("_fingerprint")
            .and_then(|rest| rest.split_once("(FingerprintContext *ctx, const "))
            .ok_or_else(|| format!("not a function: {line}"))?;
        match rest.strip_prefix(name).and_then(|rest| rest.strip_prefix(ARGUMENTS)) {
            Some(";") => {}
            Some("") => {
                let body = lines.by_ref().skip(1).take_while(|line| *line != "}").collect::<Vec<_>>().join("\n");
                functions.insert(name, code_lines(&body).map(|line| format!("{line}\n")).collect());
            }
            _ => return Err(format!("not a function: {line}")),
        }
    }
    Ok(functions)
}

struct Field<'a> {
    kind: &'static str,
    name: &'a str,
    ty: &'a str,
}

/// Pattern of the C code before the visit of a child. `F` represents the field's name. In [`shapes`], `@` represents
/// the field's type. After the visit, the code may compare the hash with its earlier value (`UNCHANGED`).
const BEFORE_CHILD: &str = "\
XXH3_state_t* prev = XXH3_createState();\nXXH64_hash_t hash;\nXXH3_copyState(prev, ctx->xxh_state);\n\
_fingerprintString(ctx, \"F\");\nhash = XXH3_64bits_digest(ctx->xxh_state);\n";
const AFTER_CHILD: &str = "\
XXH3_copyState(ctx->xxh_state, prev);\nif (ctx->write_tokens)\ndlist_delete(dlist_tail_node(&ctx->tokens));\n}\n\
XXH3_freeState(prev);\n}\n";
const UNCHANGED: &str = "if (hash == XXH3_64bits_digest(ctx->xxh_state)) {\n";

/// Returns each kind of field with the pattern of its C code.
fn shapes() -> Vec<(&'static str, String)> {
    let child = |condition: &str, call: &str, unchanged: &str| {
        format!("if ({condition}) {{\n{BEFORE_CHILD}{call}\n{unchanged}{AFTER_CHILD}")
    };
    let printed = |format: &str| {
        format!(
            "if (node->F != 0) {{\nchar buffer[50];\nsprintf(buffer, {format}, node->F);\n\
             _fingerprintString(ctx, \"F\");\n_fingerprintString(ctx, buffer);\n}}\n"
        )
    };
    let token = |condition: &str, value: &str| {
        format!("if ({condition}) {{\n_fingerprintString(ctx, \"F\");\n_fingerprintString(ctx, {value});\n}}\n")
    };
    let unchanged_list = "if (hash == XXH3_64bits_digest(ctx->xxh_state) && \
                          !(list_length(node->F) == 1 && linitial(node->F) == NIL)) {\n";
    vec![
        ("", "// Intentionally ignoring node->F for fingerprinting\n".into()),
        ("bool", token("node->F", "\"true\"")),
        ("int", printed("\"%d\"")),
        ("long", printed("\"%ld\"")),
        ("uint64", printed("UINT64_FORMAT")),
        ("float", printed("\"%f\"")),
        ("string", token("node->F != NULL", "node->F")),
        ("enum_", token("true", "_enumToString@(node->F)")),
        ("text_of", token("strlen(node->F->sval) > 0", "node->F->sval")),
        (
            "char",
            "if (node->F != 0) {\nchar buffer[2] = {node->F, '\\0'};\n_fingerprintString(ctx, \"F\");\n\
             _fingerprintString(ctx, buffer);\n}\n"
                .into(),
        ),
        (
            "bitmapset",
            "if (true) {\nint x = -1;\nBitmapset\t*bms = bms_copy(node->F);\n_fingerprintString(ctx, \"F\");\n\
             while ((x = bms_next_member(bms, x)) >= 0) {\nchar buffer[50];\nsprintf(buffer, \"%d\", x);\n\
             _fingerprintString(ctx, buffer);\n}\nbms_free(bms);\n}\n"
                .into(),
        ),
        (
            "list",
            child(
                "node->F != NULL && node->F->length > 0",
                "_fingerprintNode(ctx, node->F, node, \"F\", depth + 1);",
                unchanged_list,
            ),
        ),
        ("node", child("node->F != NULL", "_fingerprintNode(ctx, node->F, node, \"F\", depth + 1);", UNCHANGED)),
        ("node", child("node->F != NULL", "_fingerprintNode(ctx, (Node*)node->F, node, \"F\", depth + 1);", UNCHANGED)),
        ("inside", child("true", "_fingerprintNode(ctx, (Node*)&node->F, node, \"F\", depth + 1);", UNCHANGED)),
        (
            "message",
            child(
                "node->F != NULL && depth + 1 < 100",
                "_fingerprint@(ctx, node->F, node, \"F\", depth + 1);",
                UNCHANGED,
            ),
        ),
        // In PostgreSQL 17's code, the condition does not test the depth. The called function tests it instead.
        ("message", child("node->F != NULL", "_fingerprint@(ctx, node->F, node, \"F\", depth + 1);", UNCHANGED)),
        (
            "same_level",
            "_fingerprintString(ctx, \"F\");\n_fingerprint@(ctx, (const @*) &node->F, node, \"F\", depth);\n".into(),
        ),
        (
            "expression_kind",
            "if (true) {\n_fingerprintString(ctx, \"F\");\nif (node->F == AEXPR_OP_ANY || node->F == AEXPR_IN)\n\
             _fingerprintString(ctx, \"AEXPR_OP\");\nelse\n\
             _fingerprintString(ctx, _enumToStringA_Expr_Kind(node->F));\n}\n"
                .into(),
        ),
        (
            "result_name",
            token(
                "node->F != NULL && (field_name == NULL || parent == NULL || !IsA(parent, SelectStmt) || \
                 strcmp(field_name, \"targetList\") != 0)",
                "node->F",
            ),
        ),
    ]
}

fn fields<'a>(node: &str, body: &'a str) -> Result<Vec<Field<'a>>, String> {
    if body == "// Intentionally ignoring all fields for fingerprinting\n" {
        return Ok(Vec::new());
    }
    let shapes = shapes();
    let mut fields = Vec::new();
    let mut rest = body;
    'fields: while !rest.is_empty() {
        let unknown = || format!("{node}: not a known shape: {}", rest.lines().take(8).collect::<Vec<_>>().join(" "));
        let name = word(rest.split_once("node->").ok_or_else(unknown)?.1);
        for (kind, shape) in &shapes {
            if let Some((ty, length)) = matches(shape, rest, name) {
                if !kind.is_empty() {
                    fields.push(Field { kind, name, ty });
                }
                rest = &rest[length..];
                continue 'fields;
            }
        }
        return Err(unknown());
    }
    Ok(fields)
}

/// Matches `shape` at the start of `text`. In the shape, `F` represents `name` and `@` represents any word. Returns
/// that word and the length of the match.
fn matches<'a>(shape: &str, text: &'a str, name: &str) -> Option<(&'a str, usize)> {
    let shape = shape.replace("->F", &format!("->{name}")).replace("\"F\"", &format!("\"{name}\""));
    let (mut ty, mut at) = ("", 0);
    for (i, part) in shape.split('@').enumerate() {
        if i > 0 {
            let found = word(&text[at..]);
            if found.is_empty() || (i > 1 && found != ty) {
                return None;
            }
            (ty, at) = (found, at + found.len());
        }
        text[at..].starts_with(part).then_some(())?;
        at += part.len();
    }
    Some((ty, at))
}

fn word(text: &str) -> &str {
    &text[..text.find(|c| !is_c_word(c)).unwrap_or(text.len())]
}

/// Checks that the C code, like the Rust code, writes each enum value as the name of its constant.
fn names_are_constants(enums: &str, name: &str) -> Result<(), String> {
    let start = format!("_enumToString{name}(");
    let body = enums.split(&start).nth(2).or_else(|| enums.split(&start).nth(1));
    let body = body.ok_or_else(|| format!("no names for the enum {name}"))?;
    for case in code_lines(body).take_while(|line| *line != "}").filter(|line| line.starts_with("case ")) {
        let constant = word(&case[5..]);
        if case != format!("case {constant}: return \"{constant}\";") {
            return Err(format!("{name}: {case}"));
        }
    }
    Ok(())
}

#[test]
fn an_unknown_statement_is_an_error() {
    let defs = "static void\n_fingerprintAlias(FingerprintContext *ctx, const Alias *node, const void *parent, \
                const char *field_name, unsigned int depth)\n{\n  if (node->x > 1) {\n  }\n}\n";
    let conds = "case T_Alias:\n  _fingerprintString(ctx, \"Alias\");\n  \
                 _fingerprintAlias(ctx, obj, parent, field_name, depth);\n  break;\n";
    let problem = generate(defs, conds, "").unwrap_err();
    assert!(problem.contains("Alias: not a known shape: if (node->x > 1)"), "{problem}");
}
