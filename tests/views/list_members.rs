//! Collects the types of the members of each list field. The documentation of the field's accessor lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use pgq::nodes::FieldValue;
use pgq::{ParseOptions, Tree};

use crate::common::committed;

/// Maximum number of member types in a list field's description. If the list has more types, its
/// description omits all of them.
const MAX_TYPES: usize = 3;

const HEADER: &str = "\
//! For each list field, the types that its members have in the corpus. The accessors' documentation lists these types.
//! Written by `cargo xtask regenerate counts`.

/// Describes a list field.
#[rustfmt::skip]
macro_rules! members {
";

#[test]
fn list_members_are_described() {
    super::with_large_stack(describe);
}

fn describe() {
    let mut lists: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let options = ParseOptions::default();
    for sql in pgq_corpus::sets().iter().flat_map(|set| &set.statements) {
        let Ok(tree) = Tree::parse(sql, &options) else { continue };
        for visit in tree.walk() {
            visit.node.for_each_field(|field| {
                if let FieldValue::List(list) = field.value {
                    let types = lists.entry((visit.node.name(), field.name)).or_default();
                    types.extend(list.nodes().map(|member| member.name()));
                }
            });
        }
    }
    let mut text = HEADER.to_string();
    for ((node, field), types) in lists.into_iter().filter(|((node, _), types)| *node != "List" && !types.is_empty()) {
        let names: Vec<String> = types.iter().map(|name| format!("`{}`", name.replace('_', ""))).collect();
        let what = match names.as_slice() {
            [name] => name.clone(),
            [names @ .., last] if names.len() < MAX_TYPES => format!("{} and {last}", names.join(", ")),
            _ => "any nodes".to_string(),
        };
        writeln!(text, "    ({} {field:?}) => {{ \"a list of {what}.\" }};", node.replace('_', "")).unwrap();
    }
    text.push_str("    ($rust:ident $key:literal) => { \"a list of nodes.\" };\n}\npub(super) use members;\n");
    committed::check("src/convert/view/list_members.rs", &text, "counts");
}
