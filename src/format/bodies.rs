//! Formats the bodies of functions and of DO statements: literals in dollar quotes that contain SQL or PL/pgSQL.

use std::collections::HashMap;

use super::{FormatOptions, KeptReason, line_ends, plpgsql};
use crate::syntax::{SyntaxNode, SyntaxTree, symbol};

/// The formatted bodies of a statement.
#[derive(Default)]
pub(super) struct Bodies {
    /// The formatted bodies, as literals with quotes. The key is the index of the body's leaf (token) in the syntax
    /// tree.
    pub(super) formatted: HashMap<usize, String>,
    /// Whether a body in SQL or PL/pgSQL could not be formatted, and stays as written.
    pub(super) kept: bool,
}

impl Bodies {
    /// Formats the bodies of a statement. Their lines end in `line_end`.
    pub(super) fn of(tree: &SyntaxTree<'_>, text: &str, options: &FormatOptions, line_end: &str) -> Self {
        let mut bodies = Self::default();
        for node in tree.root().descendants() {
            let is_do = node.symbol() == symbol::DoStmt;
            if !is_do && node.symbol() != symbol::CreateFunctionStmt {
                continue;
            }
            // The function may set how backslashes in its body are read.
            let may_escape = text.to_ascii_lowercase().contains("standard_conforming_strings");
            let language = language(node).unwrap_or_else(|| if is_do { "plpgsql".into() } else { String::new() });
            for body in node.descendants().filter(|node| is_body(*node)) {
                // Skip a body that contains a template, such as `{{ name }}`. A mask replaces the template in the
                // tree's SQL, but not in `text`. Therefore the body in the tree differs from the body in `text`.
                let literal = Some(body.text()).filter(|literal| *literal == &text[body.range()]);
                let literal = literal.filter(|literal| !may_escape || !literal.contains('\\'));
                match literal.and_then(|literal| format(literal, &language, options, line_end)) {
                    Some(text) if text == body.text() => {}
                    Some(text) => _ = bodies.formatted.insert(body.leaf_range().start, text),
                    None => bodies.kept |= matches!(language.as_str(), "sql" | "plpgsql"),
                }
            }
        }
        bodies
    }

    /// Returns the SQL of the tree with the formatted function bodies in it. The caller compares this SQL with the
    /// formatted statement.
    pub(super) fn in_text(&self, tree: &SyntaxTree<'_>) -> String {
        let mut text = tree.sql().to_string();
        let mut leaves: Vec<_> =
            tree.leaves().enumerate().filter(|(index, _)| self.formatted.contains_key(index)).collect();
        leaves.reverse();
        for (index, leaf) in leaves {
            text.replace_range(leaf.range(), &self.formatted[&index]);
        }
        text
    }
}

/// Returns the name after LANGUAGE, in lower case.
fn language(node: SyntaxNode<'_>) -> Option<String> {
    let tokens: Vec<_> = node.descendants().filter(|node| node.is_token()).collect();
    let name = tokens.windows(2).find(|two| two[0].symbol() == symbol::LANGUAGE).map(|two| two[1])?;
    Some(name.text().trim_matches(['\'', '"']).to_ascii_lowercase())
}

fn is_body(node: SyntaxNode<'_>) -> bool {
    node.is_token()
        && node.symbol() == symbol::SCONST
        && node.text().starts_with('$')
        && std::iter::successors(node.parent(), |node| node.parent())
            .take(6)
            .any(|node| matches!(node.symbol(), symbol::func_as | symbol::dostmt_opt_item))
}

fn format(literal: &str, language: &str, options: &FormatOptions, line_end: &str) -> Option<String> {
    let delimiter = &literal[..literal[1..].find('$')? + 2];
    let body = literal.strip_prefix(delimiter)?.strip_suffix(delimiter)?;
    if body.trim().is_empty() {
        return Some(literal.to_string());
    }
    // Bodies inside of bodies stay as written. Otherwise the time would be cubic in the depth.
    let options = &FormatOptions { bodies: false, ..options.clone() };
    let formatted = match language {
        "sql" => {
            let formatted = super::format_lines(body.trim_matches([' ', '\t', '\n', '\r']), options, line_end);
            // Keep the whole body unchanged if one of its statements is invalid SQL, or if a check of the formatted SQL
            // fails. Otherwise, format the body except the statements that stay as written for another reason, such as
            // backslashes that may be escapes.
            if formatted.kept.iter().any(|kept| matches!(kept.reason, KeptReason::Invalid(_) | KeptReason::Unsafe(_))) {
                return None;
            }
            format!("{line_end}{}{line_end}", formatted.text.trim_ascii_end())
        }
        "plpgsql" => line_ends::replace(plpgsql::format(body, options)?, line_end),
        _ => return None,
    };
    Some(format!("{delimiter}{formatted}{delimiter}"))
}
