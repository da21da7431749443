//! Converts the summary of a statement (its tables, functions and filter columns) to JSON, with the
//! keys that docs/protocol.md describes.

use pgq::{Context, FilterColumn, Function, Relation, RelationKind, Summary, TableAlias};
use serde_json::{Value, json};

pub fn json(summary: &Summary) -> Value {
    json!({
        "statement_kinds": summary.statement_kinds,
        "tables": summary.tables.iter().map(relation).collect::<Vec<_>>(),
        "other_relations": summary.other_relations.iter().map(relation).collect::<Vec<_>>(),
        "aliases": summary.aliases.iter().map(alias).collect::<Vec<_>>(),
        "ctes": summary.ctes,
        "functions": summary.functions.iter().map(function).collect::<Vec<_>>(),
        "filter_columns": summary.filter_columns.iter().map(column).collect::<Vec<_>>(),
    })
}

fn relation(relation: &Relation) -> Value {
    let kind = match relation.kind {
        RelationKind::Table => "table",
        RelationKind::Index => "index",
        RelationKind::Sequence => "sequence",
        RelationKind::Type => "type",
        _ => "other",
    };
    json!({
        "name": relation.name,
        "schema": relation.schema,
        "relation": relation.relation,
        "alias": relation.alias,
        "context": context(relation.context),
        "kind": kind,
        "location": relation.location,
    })
}

fn alias(alias: &TableAlias) -> Value {
    json!({"alias": alias.alias, "name": alias.name, "location": alias.location})
}

fn function(function: &Function) -> Value {
    json!({
        "name": function.name,
        "schema": function.schema,
        "function": function.function,
        "context": context(function.context),
        "location": function.location,
    })
}

fn column(column: &FilterColumn) -> Value {
    json!({"schema": column.schema, "table": column.table, "column": column.column, "location": column.location})
}

fn context(context: Context) -> &'static str {
    match context {
        Context::Select => "select",
        Context::Dml => "dml",
        Context::Ddl => "ddl",
        Context::Call => "call",
        _ => "other",
    }
}
