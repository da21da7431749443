//! Rules for lists and parentheses.

use super::super::writer::Writer;
use crate::syntax::{SyntaxNode, symbol};

/// Minimum number of items in a filled list ([`is_filled`]).
const FILLED: usize = 4;

/// Returns whether a node's parts are separated by commas.
pub(super) fn is_list(node: SyntaxNode<'_>) -> bool {
    node.children().any(|child| is_comma(child))
        && !node.children().any(|child| child.is_token() && child.text() == "(")
}

pub(super) fn is_comma(node: SyntaxNode<'_>) -> bool {
    node.is_token() && node.text() == ","
}

/// Writes a list on one line. If the list does not fit, fills each line ([`is_filled`]) or writes one item per line.
pub(super) fn items<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let breaks_with_parent = matches!(
        node.symbol(),
        symbol::target_list
            | symbol::set_clause_list
            | symbol::cte_list
            | symbol::alter_table_cmds
            | symbol::TableElementList
            | symbol::TypedTableElementList
            | symbol::func_args_with_defaults_list
            | symbol::table_func_column_list
    );
    let fills = !breaks_with_parent && is_filled(node);
    match fills {
        true => writer.document.begin_fill(),
        false if !breaks_with_parent => writer.document.begin_group(),
        false => {}
    }
    for child in node.children() {
        if !is_comma(child) {
            writer.node(child);
            continue;
        }
        // The comma starts a line in two cases: a line comment precedes it, or `comma_first` is set and the list has
        // one item per line.
        if writer.begins_with_comma(child) && !(fills && writer.comma_first) {
            writer.comments_before(child);
            writer.break_line();
            writer.token(child);
        } else {
            writer.token(child);
            writer.break_line();
        }
    }
    if !breaks_with_parent {
        writer.document.end_group();
    }
}

/// Returns whether to fill lines with as many items as fit. Returns true for a list of at least [`FILLED`] items that
/// are all short.
fn is_filled(node: SyntaxNode<'_>) -> bool {
    let is_clause = matches!(node.symbol(), symbol::from_list | symbol::sortby_list);
    let is_short = |item: SyntaxNode<'_>| {
        let range = item.leaf_range();
        range.len() <= 2 && item.range().len() <= 40
    };
    !is_clause && node.children().filter(|child| !is_comma(*child)).count() >= FILLED && node.children().all(is_short)
}

/// Writes the parts of a node. Some parts may be parentheses. A line may break after an opening and before a closing
/// parenthesis. Calls `before` ahead of each part that is not in parentheses, and ahead of each outermost opening
/// parenthesis. `before` receives the part's index and the part.
pub(super) fn bracketed<'t>(
    writer: &mut Writer<'t>,
    children: impl Iterator<Item = SyntaxNode<'t>>,
    mut before: impl FnMut(&mut Writer<'t>, (usize, SyntaxNode<'t>)),
) {
    let mut depth = 0;
    for (index, child) in children.enumerate() {
        match bracket(child) {
            Some(true) => {
                if depth == 0 {
                    before(writer, (index, child));
                }
                open(writer, child);
                depth += 1;
            }
            Some(false) if depth > 0 => {
                close(writer, child);
                depth -= 1;
            }
            _ => {
                if depth == 0 {
                    before(writer, (index, child));
                } else if is_separate(child) {
                    writer.break_line();
                }
                writer.node(child);
                if is_comma(child) {
                    writer.break_line();
                }
            }
        }
    }
}

/// If the content of parentheses does not fit on one line, some clauses inside start a new line. Returns whether `node`
/// is such a clause.
fn is_separate(node: SyntaxNode<'_>) -> bool {
    let is_of_window = || node.parent().is_some_and(|parent| parent.symbol() == symbol::window_specification);
    matches!(node.symbol(), symbol::sort_clause | symbol::opt_sort_clause) || is_of_window()
}

/// Returns `true` for an opening parenthesis or array bracket, `false` for a closing one, and `None` for other nodes.
fn bracket(node: SyntaxNode<'_>) -> Option<bool> {
    if !node.is_token() {
        return None;
    }
    let is_array = || node.parent().is_some_and(|parent| parent.symbol() == symbol::array_expr);
    match node.text() {
        "(" => Some(true),
        ")" => Some(false),
        "[" if is_array() => Some(true),
        "]" if is_array() => Some(false),
        _ => None,
    }
}

pub(super) fn open<'t>(writer: &mut Writer<'t>, token: SyntaxNode<'t>) {
    writer.comments_before(token);
    writer.document.begin_group();
    writer.token(token);
    writer.document.anchor();
    writer.document.indent();
    writer.break_line();
}

pub(super) fn close<'t>(writer: &mut Writer<'t>, token: SyntaxNode<'t>) {
    // The comments before the closing parenthesis belong to the content of the parentheses.
    writer.comments_before(token);
    writer.document.dedent();
    writer.break_line();
    writer.document.dedent();
    writer.token(token);
    writer.document.end_group();
}

/// Returns whether a node is a list of similar parts without commas, such as the options of a sequence.
pub(super) fn is_option_list(node: SyntaxNode<'_>) -> bool {
    let name = node.symbol().name();
    let mut children = node.children();
    let first = children.next().map(SyntaxNode::symbol);
    (name.ends_with("list") || name.ends_with("List"))
        && !node.children().any(SyntaxNode::is_token)
        && children.all(|child| Some(child.symbol()) == first)
}

/// Writes a list that has no commas. If it does not fit on one line, each part goes on a separate line.
pub(super) fn options<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.group(|writer| {
        for (index, child) in node.children().enumerate() {
            if index > 0 {
                writer.break_line();
            }
            writer.node(child);
        }
    });
}
