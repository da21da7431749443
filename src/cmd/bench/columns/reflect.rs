//! Decodes Protobuf by reflection, as other published programs do: with dynamic messages, boxed builders, and a
//! lookup by field name for every value.

use prost_reflect::{DynamicMessage, Kind, ReflectMessage, Value};

use super::boxed::BoxedBuilders;
use super::{DESCRIPTORS, Table, UNKNOWN};

/// Numeric fields of a token, in column order.
const TOKEN_FIELDS: [&str; 2] = ["start", "end"];

/// String fields that qualify the name of a node, such as its schema.
const QUALIFIERS: [&str; 3] = ["catalogname", "schemaname", "defnamespace"];

/// String fields that are single characters in C.
const CHARACTERS: [&str; 16] = [
    "aggkind",
    "amtype",
    "fk_del_action",
    "fk_matchtype",
    "fk_upd_action",
    "generated",
    "generated_kind",
    "generated_when",
    "identity",
    "identity_type",
    "relkind",
    "relpersistence",
    "storage",
    "strategy",
    "subtype",
    "tgenabled",
];

fn decode(message: &str, bytes: &[u8]) -> DynamicMessage {
    let descriptor = DESCRIPTORS.get_message_by_name(message).expect("a message of pg_query.proto");
    DynamicMessage::decode(descriptor, bytes).expect("libpg_query wrote these bytes")
}

fn field<'m>(message: &'m DynamicMessage, name: &str) -> std::borrow::Cow<'m, Value> {
    message.get_field_by_name(name).expect("a field of the message")
}

/// Returns the name of an enum field's value.
fn enum_name(message: &DynamicMessage, name: &str) -> String {
    let number = field(message, name).as_enum_number().expect("an enum");
    let descriptor = message.descriptor().get_field_by_name(name).expect("a field of the message");
    let Kind::Enum(descriptor) = descriptor.kind() else { unreachable!("the field has an enum") };
    descriptor.get_value(number).map_or_else(|| UNKNOWN.to_string(), |value| value.name().to_string())
}

/// Appends the tokens of a ScanResult.
pub fn append_tokens(bytes: &[u8], builders: &mut BoxedBuilders) {
    let result = decode("pg_query.ScanResult", bytes);
    for token in field(&result, "tokens").as_list().expect("a list") {
        let token = token.as_message().expect("a message");
        for (column, name) in TOKEN_FIELDS.into_iter().enumerate() {
            let number = field(token, name).as_i32().expect("a number");
            builders.append_number(Table::Tokens, column, Some(number.into()));
        }
        builders.append_text(Table::Tokens, 2, Some(&enum_name(token, "token")));
        builders.append_text(Table::Tokens, 3, Some(&enum_name(token, "keyword_kind")));
    }
}

/// Appends the nodes of a ParseResult.
pub fn append_nodes(bytes: &[u8], builders: &mut BoxedBuilders) {
    builders.next_node = 0;
    let result = decode("pg_query.ParseResult", bytes);
    for statement in field(&result, "stmts").as_list().expect("a list") {
        let statement = statement.as_message().expect("a message");
        append_value(&field(statement, "stmt"), "stmt", None, builders);
    }
}

/// Appends the nodes of a message, or of a list of messages.
fn append_value(value: &Value, field: &str, parent: Option<i64>, builders: &mut BoxedBuilders) {
    match value {
        Value::Message(message) => append_message(message, field, parent, builders),
        Value::List(values) => values.iter().for_each(|value| append_value(value, field, parent, builders)),
        _ => {}
    }
}

fn append_message(message: &DynamicMessage, field_name: &str, parent: Option<i64>, builders: &mut BoxedBuilders) {
    let descriptor = message.descriptor();
    if descriptor.name() == "Node" {
        if let Some((_, node)) = message.fields().next() {
            append_value(node, field_name, parent, builders);
        }
        return;
    }
    let number = builders.next_node as i64;
    builders.next_node += 1;
    let location = message.get_field_by_name("location").and_then(|value| value.as_i32());
    let mut name = None;
    for descriptor in descriptor.fields() {
        if name.is_none() && descriptor.kind() == Kind::String && is_name(descriptor.name()) {
            let text = field(message, descriptor.name()).as_str().unwrap_or_default().to_string();
            name = Some(text).filter(|text| !text.is_empty());
        }
    }
    append_row(builders, number, parent, field_name, descriptor.name(), location, name.as_deref());
    for descriptor in descriptor.fields() {
        if message.has_field_by_name(descriptor.name()) {
            let value = field(message, descriptor.name());
            append_value(&value, descriptor.json_name(), Some(number), builders);
        }
    }
}

/// Whether a string field can contain the name of its node.
pub fn is_name(name: &str) -> bool {
    !QUALIFIERS.contains(&name) && !CHARACTERS.contains(&name)
}

/// Appends the row of a node.
pub fn append_row(
    builders: &mut BoxedBuilders,
    number: i64,
    parent: Option<i64>,
    field: &str,
    node_type: &str,
    location: Option<i32>,
    name: Option<&str>,
) {
    builders.append_number(Table::Nodes, 0, Some(number));
    builders.append_number(Table::Nodes, 1, parent);
    builders.append_text(Table::Nodes, 2, Some(field));
    builders.append_text(Table::Nodes, 3, Some(node_type));
    let location = location.filter(|location| *location >= 0);
    builders.append_number(Table::Nodes, 4, location.map(i64::from));
    builders.append_text(Table::Nodes, 5, name);
}
