//! The rows of src/convert/nodes.rs as values, for the generators of other languages' types.
//!
//! It reads the text that `node_table` writes, so that every language has the same nodes, fields and enums.

/// A type of node.
pub struct NodeRow {
    /// Its name in the JSON: `A_Expr`.
    pub name: String,
    /// Its fields, without those that libpg_query never writes.
    pub fields: Vec<FieldRow>,
}

/// A field of a node.
pub struct FieldRow {
    /// Its name in the JSON: `targetList`.
    pub name: String,
    /// What it contains.
    pub kind: FieldKind,
}

/// The kinds of fields that other languages distinguish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// Any node, or none.
    Node,
    /// A node of one type, or none. The JSON has it without its type.
    Typed(String),
    /// A list of nodes.
    List,
    /// A string, or none.
    Text,
    /// One character, or none.
    Char,
    /// A flag.
    Bool,
    /// An integer.
    Int,
    /// A number with a fraction.
    Float,
    /// A constant of an enum.
    Enum(String),
    /// A set of integers.
    BitSet,
    /// A byte offset; -1 for none.
    Location,
    /// The value of a constant.
    Constant,
}

/// An enum with the names of its constants.
pub struct EnumRow {
    /// Its name in C.
    pub name: String,
    /// Its constants, the one with the value 0 first.
    pub constants: Vec<String>,
}

/// All nodes and enums.
pub struct TreeTable {
    /// Nodes by name.
    pub nodes: Vec<NodeRow>,
    /// Enums by name.
    pub enums: Vec<EnumRow>,
}

/// Nodes whose C structs hold unions or cells, which the table leaves to each walk.
const BY_HAND: [(&str, &str, FieldKind); 6] = [
    ("Integer", "ival", FieldKind::Int),
    ("Float", "fval", FieldKind::Text),
    ("Boolean", "boolval", FieldKind::Bool),
    ("String", "sval", FieldKind::Text),
    ("BitString", "bsval", FieldKind::Text),
    ("List", "items", FieldKind::List),
];

impl TreeTable {
    /// Returns whether the node is a value, whose text is never absent.
    pub fn is_value_node(&self, node: &NodeRow) -> bool {
        BY_HAND.iter().any(|(name, ..)| *name == node.name)
    }

    /// Reads the text of nodes.rs.
    ///
    /// # Errors
    /// A line that is neither a row nor the frame around the rows.
    pub fn read(text: &str) -> Result<Self, String> {
        let (nodes, enums) = text.split_once("macro_rules! enums").ok_or("nodes.rs has no enums")?;
        let json_names: Vec<(&str, &str)> = rows(nodes)
            .filter_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
                [_, _, rust, _, json, "{"] => Some((rust, json.trim_matches('"'))),
                _ => None,
            })
            .collect();
        let json_name = |rust: &str| {
            let by_hand = BY_HAND.iter().map(|(name, ..)| (*name, *name));
            let found = json_names.iter().copied().chain(by_hand).find(|(name, _)| *name == rust);
            found.map(|(_, json)| json.to_string()).ok_or_else(|| format!("no node {rust}"))
        };
        let mut table = Self { nodes: Vec::new(), enums: Vec::new() };
        for line in rows(nodes) {
            match line.trim_end_matches([';', '{']).split_whitespace().collect::<Vec<_>>()[..] {
                [tag, _, _, _, json] if tag.starts_with("T_") => {
                    table.nodes.push(NodeRow { name: json.trim_matches('"').to_string(), fields: Vec::new() });
                }
                ["absent", ..] => {}
                [kind, _, json, _, ref of @ ..] => {
                    let node = table.nodes.last_mut().ok_or("a field without a node")?;
                    let of = of.first().copied();
                    let kind = match (kind, of) {
                        ("message" | "embed", Some(of)) => FieldKind::Typed(json_name(of)?),
                        ("enum_", Some(of)) => FieldKind::Enum(of.to_string()),
                        (kind, _) => plain_kind(kind)?,
                    };
                    node.fields.push(FieldRow { name: json.trim_matches('"').to_string(), kind });
                }
                _ => return Err(format!("nodes.rs: not a row: {line}")),
            }
        }
        for (name, field, kind) in BY_HAND {
            let fields = vec![FieldRow { name: field.into(), kind }];
            table.nodes.push(NodeRow { name: name.into(), fields });
        }
        let constant = vec![
            FieldRow { name: "val".into(), kind: FieldKind::Constant },
            FieldRow { name: "location".into(), kind: FieldKind::Location },
        ];
        table.nodes.push(NodeRow { name: "A_Const".into(), fields: constant });
        table.nodes.sort_by(|a, b| a.name.cmp(&b.name));
        for line in rows(enums) {
            match line.split_once(" = ") {
                Some((constant, _)) => {
                    let row = table.enums.last_mut().ok_or("a constant without an enum")?;
                    row.constants.push(constant.to_string());
                }
                None => {
                    let name = line.trim_end_matches(" {").to_string();
                    table.enums.push(EnumRow { name, constants: Vec::new() });
                }
            }
        }
        table.enums.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(table)
    }
}

/// Returns the lines with nodes, fields, enums and constants.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    let rows = text.lines().filter(|line| line.starts_with("            ")).map(str::trim);
    rows.filter(|line| *line != "}")
}

fn plain_kind(kind: &str) -> Result<FieldKind, String> {
    Ok(match kind {
        "node" => FieldKind::Node,
        "list" => FieldKind::List,
        "string" => FieldKind::Text,
        "char" => FieldKind::Char,
        "bool" => FieldKind::Bool,
        "int" | "uint" | "uint64" | "long" => FieldKind::Int,
        "float" => FieldKind::Float,
        "bitmapset" => FieldKind::BitSet,
        "location" => FieldKind::Location,
        _ => return Err(format!("the kind {kind} is not known")),
    })
}
