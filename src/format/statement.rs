//! Formats one statement and checks the result.

use super::bodies::Bodies;
use super::layout::Style;
use super::writer::Writer;
use super::{FormatOptions, KeptReason, KeywordCase, check, keywords, line_ends, mask};
use crate::error::Error;
use crate::syntax::SyntaxTree;

/// A formatted statement.
pub(super) struct FormattedStatement {
    pub(super) text: String,
    /// Whether the body of a function stays as written although it should be formatted.
    pub(super) keeps_body: bool,
}

/// Formats a statement. `text` must start with the statement's first token. `sql` is `text` with its templates masked
/// ([`mask`]).
///
/// # Errors
/// Returns the reason why the statement must stay as written.
pub(super) fn format(
    text: &str,
    sql: &str,
    options: &FormatOptions,
    line_end: &str,
) -> Result<FormattedStatement, KeptReason> {
    match SyntaxTree::parse(sql) {
        Ok(tree) => of_tree(text, &tree, options, line_end),
        Err(error) => with_placeholders(text, sql, options, line_end).unwrap_or(Err(KeptReason::Invalid(error))),
    }
}

/// Formats a statement with masked placeholders. Returns `None` if the statement has no placeholder, or if no masked
/// version of it parses.
fn with_placeholders(
    text: &str,
    sql: &str,
    options: &FormatOptions,
    line_end: &str,
) -> Option<Result<FormattedStatement, KeptReason>> {
    let masked = mask::placeholders(sql)?;
    let parse = |sql: &str| -> Result<Result<FormattedStatement, KeptReason>, Error> {
        SyntaxTree::parse(sql).map(|tree| of_tree(text, &tree, options, line_end))
    };
    masked.iter().find_map(|sql| parse(sql).ok())
}

fn of_tree(
    text: &str,
    tree: &SyntaxTree<'_>,
    options: &FormatOptions,
    line_end: &str,
) -> Result<FormattedStatement, KeptReason> {
    let style = Style { width: options.width, indent: options.indent };
    let cased;
    let display = match options.keyword_case {
        KeywordCase::Keep => text,
        case => {
            cased = keywords::in_case(tree, text, case);
            &cased
        }
    };
    let bodies = if options.bodies { Bodies::of(tree, text, options, line_end) } else { Bodies::default() };
    let mut writer = Writer::new(tree, display, &bodies, options);
    writer.node(tree.root());
    let printed = writer.finish().print(&style);
    let formatted = printed.trim_ascii_end();
    let difference = if tree.sql() == text && bodies.formatted.is_empty() {
        check::difference(text, formatted, options.keyword_case)
    } else {
        // This comparison parses the original and the formatted statement. Mask the placeholders in `formatted` again,
        // because PostgreSQL cannot parse them. The function bodies were compared before. Therefore put the formatted
        // bodies into the original statement, too, so that only the other tokens can differ.
        match mask::again(tree, display, &bodies, formatted) {
            Some(masked) => check::difference(&bodies.in_text(tree), &masked, options.keyword_case),
            None => Some("its tokens would change"),
        }
    };
    match difference {
        None => Ok(FormattedStatement {
            text: line_ends::replace(formatted.to_string(), line_end),
            keeps_body: bodies.kept,
        }),
        Some(problem) => Err(KeptReason::Unsafe(problem)),
    }
}
