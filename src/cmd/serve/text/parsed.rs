//! Operations that always parse: trees, reformatted SQL, summaries and warnings.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pgq::{Document, Error, Tree};
use pgq_frames::{Operation, flag};
use serde_json::json;

use super::super::options::TextOptions;
use super::{Form, key, protobuf, summary, write_sql};
use crate::run::report::quote;

/// Appends the answer of an operation on the tree of `text`.
pub fn answer(
    operation: Operation,
    form: Form,
    text: &[u8],
    options: &TextOptions,
    out: &mut Vec<u8>,
) -> Result<u8, Error> {
    let sql = pgq::check_utf8(text)?;
    let replaced = options.placeholders.map(|style| pgq::placeholders(sql, style));
    let parsed = replaced.as_ref().map_or(sql, |replaced| &replaced.sql);
    let answered = Tree::parse(parsed, &options.parse).and_then(|mut tree| {
        let flags = if tree.warnings().is_empty() { flag::NONE } else { flag::WARNINGS };
        // Reformatting needs no locations. The answers of all other operations contain locations,
        // which must refer to the original text.
        if operation != Operation::Reformat
            && let Some(replaced) = &replaced
        {
            replaced.relocate(&mut tree)?;
        }
        write(operation, form, &tree, options, out)?;
        Ok(flags)
    });
    answered.map_err(|error| match &replaced {
        Some(replaced) => replaced.error(error),
        None => error,
    })
}

fn write(operation: Operation, form: Form, tree: &Tree, options: &TextOptions, out: &mut Vec<u8>) -> Result<(), Error> {
    match operation {
        Operation::Tree => {
            key("tree", form, out);
            Document::open(out);
            Document::statements(options.json, tree, 0, out)?;
            Document::close(out);
        }
        Operation::TreeProtobuf => {
            let bytes = protobuf::encode(tree)?;
            key("protobuf", form, out);
            match form {
                Form::Binary => out.extend_from_slice(&bytes),
                Form::Json => quote(&STANDARD.encode(bytes), out),
            }
        }
        Operation::Reformat => write_sql(&tree.deparse(&options.deparse)?, form, out),
        Operation::Summary => {
            let statements = tree.statements().map(|statement| Ok(summary::json(&statement.summary()?)));
            let statements: Vec<_> = statements.collect::<Result<_, Error>>()?;
            key("statements", form, out);
            out.extend_from_slice(serde_json::Value::from(statements).to_string().as_bytes());
        }
        _ => {
            key("warnings", form, out);
            out.extend_from_slice(serde_json::Value::from(warnings(tree)).to_string().as_bytes());
        }
    }
    Ok(())
}

fn warnings(tree: &Tree) -> Vec<serde_json::Value> {
    let warning = |warning: &pgq::Warning| {
        let position = warning.position.unwrap_or_else(|| pgq::Position::at(tree.sql(), 0));
        json!({
            "severity": warning.severity,
            "message": warning.message,
            "hint": warning.hint,
            "sqlstate": warning.sqlstate.as_ref().map(pgq::SqlState::as_str),
            "line": position.line,
            "column": position.column,
            "offset": position.offset,
        })
    };
    tree.warnings().iter().map(warning).collect()
}
