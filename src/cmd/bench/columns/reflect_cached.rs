//! Decodes Protobuf by reflection. Looks up the field descriptors only once per message type.

use std::collections::HashMap;

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value};

use super::boxed::BoxedBuilders;
use super::reflect::{append_row, is_name};
use super::{DESCRIPTORS, Table, UNKNOWN};

/// The field descriptors of all message types, looked up in advance.
pub struct Plans {
    scan_result: MessageDescriptor,
    parse_result: MessageDescriptor,
    token: TokenPlan,
    nodes: HashMap<String, NodePlan>,
}

struct TokenPlan {
    tokens: FieldDescriptor,
    start: FieldDescriptor,
    end: FieldDescriptor,
    /// The field `token`, which is an enum, and the names of the enum's values.
    token: (FieldDescriptor, HashMap<i32, String>),
    keyword: (FieldDescriptor, HashMap<i32, String>),
}

struct NodePlan {
    is_wrapper: bool,
    location: Option<FieldDescriptor>,
    names: Vec<FieldDescriptor>,
    children: Vec<FieldDescriptor>,
}

fn field(message: &MessageDescriptor, name: &str) -> FieldDescriptor {
    message.get_field_by_name(name).expect("a field of the message")
}

fn with_names(field: FieldDescriptor) -> (FieldDescriptor, HashMap<i32, String>) {
    let Kind::Enum(descriptor) = field.kind() else { unreachable!("the field has an enum") };
    let names = descriptor.values().map(|value| (value.number(), value.name().to_string())).collect();
    (field, names)
}

impl Plans {
    pub fn new() -> Self {
        let message = |name| DESCRIPTORS.get_message_by_name(name).expect("a message of pg_query.proto");
        let (scan_result, token) = (message("pg_query.ScanResult"), message("pg_query.ScanToken"));
        let token = TokenPlan {
            tokens: field(&scan_result, "tokens"),
            start: field(&token, "start"),
            end: field(&token, "end"),
            token: with_names(field(&token, "token")),
            keyword: with_names(field(&token, "keyword_kind")),
        };
        let nodes =
            DESCRIPTORS.all_messages().map(|message| (message.full_name().to_string(), NodePlan::new(&message)));
        Self { scan_result, parse_result: message("pg_query.ParseResult"), token, nodes: nodes.collect() }
    }

    /// Appends the tokens of a ScanResult.
    pub fn append_tokens(&self, bytes: &[u8], builders: &mut BoxedBuilders) {
        let result = DynamicMessage::decode(self.scan_result.clone(), bytes).expect("libpg_query wrote these bytes");
        let plan = &self.token;
        for token in result.get_field(&plan.tokens).as_list().expect("a list") {
            let token = token.as_message().expect("a message");
            for (column, field) in [&plan.start, &plan.end].into_iter().enumerate() {
                let number = token.get_field(field).as_i32().expect("a number");
                builders.append_number(Table::Tokens, column, Some(number.into()));
            }
            for (column, (field, names)) in [(2, &plan.token), (3, &plan.keyword)] {
                let number = token.get_field(field).as_enum_number().expect("an enum");
                builders.append_text(Table::Tokens, column, Some(names.get(&number).map_or(UNKNOWN, String::as_str)));
            }
        }
    }

    /// Appends the nodes of a ParseResult.
    pub fn append_nodes(&self, bytes: &[u8], builders: &mut BoxedBuilders) {
        builders.next_node = 0;
        let result = DynamicMessage::decode(self.parse_result.clone(), bytes).expect("libpg_query wrote these bytes");
        for (_, statements) in result.fields().filter(|(_, value)| value.as_list().is_some()) {
            for statement in statements.as_list().unwrap_or_default() {
                let statement = statement.as_message().expect("a message");
                let node = statement.fields().find(|(_, value)| value.as_message().is_some());
                if let Some((_, node)) = node {
                    self.append_value(node, "stmt", None, builders);
                }
            }
        }
    }

    fn append_value(&self, value: &Value, field: &str, parent: Option<i64>, builders: &mut BoxedBuilders) {
        match value {
            Value::Message(message) => self.append_message(message, field, parent, builders),
            Value::List(values) => {
                values.iter().for_each(|value| self.append_value(value, field, parent, builders));
            }
            _ => {}
        }
    }

    fn append_message(&self, message: &DynamicMessage, field: &str, parent: Option<i64>, builders: &mut BoxedBuilders) {
        let descriptor = message.descriptor();
        let plan = &self.nodes[descriptor.full_name()];
        if plan.is_wrapper {
            if let Some((_, node)) = message.fields().next() {
                self.append_value(node, field, parent, builders);
            }
            return;
        }
        let number = builders.next_node as i64;
        builders.next_node += 1;
        let location = plan.location.as_ref().and_then(|location| message.get_field(location).as_i32());
        let name = plan.names.iter().map(|name| message.get_field(name)).find(|text| text.as_str() != Some(""));
        let name = name.as_ref().and_then(|name| name.as_str());
        append_row(builders, number, parent, field, descriptor.name(), location, name);
        for child in plan.children.iter().filter(|child| message.has_field(child)) {
            self.append_value(&message.get_field(child), child.json_name(), Some(number), builders);
        }
    }
}

impl NodePlan {
    fn new(message: &MessageDescriptor) -> Self {
        let is_text = |field: &FieldDescriptor| field.kind() == Kind::String && !field.is_list();
        Self {
            is_wrapper: message.name() == "Node",
            location: message.get_field_by_name("location"),
            names: message.fields().filter(|field| is_text(field) && is_name(field.name())).collect(),
            children: message.fields().filter(|field| matches!(field.kind(), Kind::Message(_))).collect(),
        }
    }
}
