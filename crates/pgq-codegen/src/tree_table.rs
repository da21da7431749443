//! Reads the rows of src/convert/nodes.rs, which `node_table` generates. The types of all other languages are generated
//! from these rows, so every language has the same nodes, fields and enums.

/// A node type.
pub struct NodeRow {
    /// The name in JSON, such as `A_Expr`.
    pub name: String,
    /// The fields. Fields that libpg_query never writes are omitted.
    pub fields: Vec<FieldRow>,
}

/// A field of a node.
pub struct FieldRow {
    /// The name in JSON, such as `targetList`.
    pub name: String,
    /// The kind of the value.
    pub kind: FieldKind,
}

/// The kinds of fields that the generated types of other programming languages distinguish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// A node of any type, or no node.
    Node,
    /// A node of the type with this name. The node may be absent. In JSON, the type is implied and not written.
    Typed(String),
    /// A list of nodes.
    List,
    /// A string, which may be absent.
    Text,
    /// One character, which may be absent.
    Char,
    /// A Boolean.
    Bool,
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// A constant of an enum.
    Enum(String),
    /// A set of integers.
    BitSet,
    /// A byte offset; -1 if unknown.
    Location,
    /// The value of an `A_Const`.
    Constant,
}

/// An enum with the names of its constants.
pub struct EnumRow {
    /// The name in C.
    pub name: String,
    /// The constants. The first one has the value 0.
    pub constants: Vec<String>,
}

/// All nodes and enums.
pub struct TreeTable {
    /// The nodes, sorted by name.
    pub nodes: Vec<NodeRow>,
    /// The enums, sorted by name.
    pub enums: Vec<EnumRow>,
}

/// Nodes without a row in src/convert/nodes.rs. Each conversion has hand-written code for these nodes, because their C
/// structs are unions or contain list cells.
const BY_HAND: [(&str, &str, FieldKind); 6] = [
    ("Integer", "ival", FieldKind::Int),
    ("Float", "fval", FieldKind::Text),
    ("Boolean", "boolval", FieldKind::Bool),
    ("String", "sval", FieldKind::Text),
    ("BitString", "bsval", FieldKind::Text),
    ("List", "items", FieldKind::List),
];

impl TreeTable {
    /// Returns whether the node is one of `BY_HAND`. A string field of such a node is never null.
    pub fn is_value_node(&self, node: &NodeRow) -> bool {
        BY_HAND.iter().any(|(name, ..)| *name == node.name)
    }

    /// Reads the text of nodes.rs.
    ///
    /// # Errors
    /// Returns an error for a line that is neither a row nor part of the macro around the rows.
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

/// Returns the lines of nodes, fields, enums and constants.
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
