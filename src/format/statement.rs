//! One statement: its tree, its layout, and the check of the result.

use pgq_layout::Style;

use super::bodies::Bodies;
use super::writer::Writer;
use super::{FormatOptions, KeptReason, KeywordCase, check, keywords, mask};
use crate::error::Error;
use crate::syntax::SyntaxTree;

/// A formatted statement.
pub(super) struct FormattedStatement {
    pub(super) text: String,
    /// The body of a function stays as written, although the options ask for more.
    pub(super) keeps_body: bool,
}

/// Formats a statement that begins with its first token. `text` is as written; `sql` is the same with other bytes where
/// templates stand, as [`mask`] writes it.
///
/// # Errors
/// Why the statement has to stay as written.
pub(super) fn format(text: &str, sql: &str, options: &FormatOptions) -> Result<FormattedStatement, KeptReason> {
    match SyntaxTree::parse(sql) {
        Ok(tree) => of_tree(text, &tree, options),
        Err(error) => with_placeholders(text, sql, options).unwrap_or(Err(KeptReason::Invalid(error))),
    }
}

/// As [`format`], where the statement has placeholders that PostgreSQL does not know.
fn with_placeholders(text: &str, sql: &str, options: &FormatOptions) -> Option<Result<FormattedStatement, KeptReason>> {
    let masked = mask::placeholders(sql)?;
    let parse = |sql: &str| -> Result<Result<FormattedStatement, KeptReason>, Error> {
        SyntaxTree::parse(sql).map(|tree| of_tree(text, &tree, options))
    };
    masked.iter().find_map(|sql| parse(sql).ok())
}

fn of_tree(text: &str, tree: &SyntaxTree<'_>, options: &FormatOptions) -> Result<FormattedStatement, KeptReason> {
    let style = Style { width: options.width, indent: options.indent };
    let cased;
    let display = match options.keyword_case {
        KeywordCase::Keep => text,
        case => {
            cased = keywords::in_case(tree, text, case);
            &cased
        }
    };
    let bodies = if options.bodies { Bodies::of(tree, text, options) } else { Bodies::default() };
    let mut writer = Writer::new(tree, display, &bodies, options);
    writer.node(tree.root());
    let printed = writer.finish().print(&style);
    let formatted = printed.trim_ascii_end();
    let difference = if tree.sql() == text && bodies.formatted.is_empty() {
        check::difference(text, formatted, options.keyword_case)
    } else {
        // What PostgreSQL does not know is masked again, and bodies have been compared.
        match mask::again(tree, display, &bodies, formatted) {
            Some(masked) => check::difference(&bodies.in_text(tree), &masked, options.keyword_case),
            None => Some("its tokens would change"),
        }
    };
    match difference {
        None => Ok(FormattedStatement { text: formatted.to_string(), keeps_body: bodies.kept }),
        Some(problem) => Err(KeptReason::Unsafe(problem)),
    }
}
