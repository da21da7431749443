//! Generates src/convert/normalize/children_table.rs: the children that PostgreSQL's raw_expression_tree_walker visits,
//! in the order of the visits. A line of raw_expression_tree_walker that this generator does not recognize is an error.

use crate::node_table::{c_name, is_c_word};

const HEADER: &str = "\
//! The children that PostgreSQL's raw_expression_tree_walker visits, in its order.
//!
//! Generated from src/postgres/src_backend_nodes_nodeFuncs.c of the pinned sources. Written by
//! `cargo xtask regenerate`.
//!
//! A row is a tag, its C struct and the visited fields. For example, `each args CaseWhen { expr; }`
//! visits the field `expr` of each member of the list `args`, but not the members themselves.
//! For a node without a row, raw_expression_tree_walker raises an error.
";

/// Returns the contents of children_table.rs, or an error that describes unrecognized C code.
pub fn generate(functions: &str) -> Result<String, String> {
    let start = functions.find("\nraw_expression_tree_walker_impl(Node *node,\n").ok_or("the function is gone")?;
    let body = functions[start..].split("\n}\n").next().unwrap_or_default();
    let (_, cases) = body.split_once("switch (nodeTag(node))\n\t{\n").ok_or("the switch is gone")?;
    let (cases, default) = cases.split_once("\t\tdefault:\n").ok_or("the default is gone")?;
    if !default.trim_start().starts_with("elog(ERROR, \"unrecognized node type: %d\"") {
        return Err("the default is not an error".into());
    }
    let mut rows: Vec<(&str, String)> = Vec::new();
    let mut open = 0; // the first row of the current case
    let mut lists = false;
    let mut lines =
        cases.lines().map(str::trim).filter(|l| !(l.is_empty() || l.starts_with("/*") && l.ends_with("*/")));
    let mut variable = ""; // the function's variable for the node
    let mut closed = true;
    while let Some(line) = lines.next() {
        let unknown = || Err(format!("raw_expression_tree_walker: not recognized: {line}"));
        if let Some(tag) = line.strip_prefix("case T_").and_then(|l| l.strip_suffix(':')) {
            if std::mem::take(&mut closed) {
                open = rows.len();
            }
            rows.push((tag, String::new()));
            continue;
        }
        let Some((tag, fields)) = rows.last_mut() else { return unknown() };
        let tag: &str = tag;
        let node = format!("(({tag} *) node)->");
        if line == "break;" {
            closed = true;
        } else if line == "{" || line == "}" {
        } else if let Some(field) = line.strip_prefix("return WALK(").and_then(|l| l.strip_prefix(&*node)) {
            let Some(field) = field.strip_suffix(");").filter(|f| is_word(f)) else { return unknown() };
            fields.push_str(&format!(" {};", c_name(field)));
            closed = true;
        } else if let Some(declared) = line.strip_suffix(&*format!(" = ({tag} *) node;")) {
            let Some(name) = declared.strip_prefix(tag).and_then(|d| d.trim().strip_prefix('*')) else {
                return unknown();
            };
            variable = name;
        } else if let Some(field) = walked(line, variable) {
            if lines.next() != Some("return true;") {
                return unknown();
            }
            fields.push_str(&format!(" {};", c_name(field)));
        } else if line == "foreach(temp, (List *) node)" && tag == "List" {
            let rest: Vec<_> = lines.by_ref().take(4).collect();
            if rest != ["{", "if (WALK((Node *) lfirst(temp)))", "return true;", "}"] {
                return unknown();
            }
            lists = true;
        } else if let Some(field) = line.strip_prefix(&*format!("foreach(temp, {variable}->")) {
            let Some(field) = field.strip_suffix(')').filter(|f| is_word(f)) else { return unknown() };
            let (Some("{"), Some(declaration)) = (lines.next(), lines.next()) else { return unknown() };
            let member = declaration.split_whitespace().next().unwrap_or_default();
            let own = declaration.strip_suffix(&*format!(" = lfirst_node({member}, temp);"));
            let Some(own) = own.and_then(|d| d[member.len()..].trim().strip_prefix('*')) else { return unknown() };
            let mut inner = String::new();
            loop {
                match lines.next() {
                    Some("}") => break,
                    Some(line) => match walked(line, own) {
                        Some(field) if lines.next() == Some("return true;") => {
                            inner.push_str(&format!(" {};", c_name(field)));
                        }
                        _ => return unknown(),
                    },
                    None => return unknown(),
                }
            }
            fields.push_str(&format!(" each {} {member} {{{inner} }};", c_name(field)));
        } else {
            return unknown();
        }
        // If several cases share a body, the loop adds the body's fields only to the last case. Therefore a shared
        // body that visits fields is an error.
        if closed && rows.len() - open > 1 && rows[open..].iter().any(|(_, fields)| !fields.is_empty()) {
            return Err("cases that share fields".into());
        }
    }
    if !lists {
        return Err("lists are not walked".into());
    }
    let mut text =
        format!("{HEADER}\n#[rustfmt::skip]\nmacro_rules! children {{\n    ($walk:ident) => {{\n        $walk! {{\n");
    for (tag, fields) in rows.iter().filter(|(tag, _)| *tag != "List") {
        text.push_str(&format!("            T_{tag} {tag} {{{fields} }}\n"));
    }
    text.push_str("        }\n    };\n}\npub(crate) use children;\n");
    Ok(text)
}

/// Returns the field name in `if (WALK(variable->field))`.
fn walked<'a>(line: &'a str, variable: &str) -> Option<&'a str> {
    let field = line.strip_prefix("if (WALK(")?.strip_prefix(variable)?.strip_prefix("->")?.strip_suffix("))")?;
    is_word(field).then_some(field)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_c_word)
}

#[test]
fn an_unknown_line_is_an_error() {
    let text = "\nraw_expression_tree_walker_impl(Node *node,\n\tswitch (nodeTag(node))\n\t{\n\t\tcase T_Alias:\n\t\t\t\
                frobnicate(node);\n\t\tdefault:\n\t\t\telog(ERROR, \"unrecognized node type: %d\"\n}\n";
    let problem = generate(text).unwrap_err();
    assert!(problem.contains("frobnicate"), "{problem}");
}
