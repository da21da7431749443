//! Layout rules for CREATE TABLE, CREATE FUNCTION, CREATE TRIGGER, CREATE RULE and ALTER TABLE.

use super::super::writer::Writer;
use super::{list, statement};
use crate::syntax::{SyntaxNode, symbol};

/// Writes a table, one column or constraint per line.
pub(super) fn table<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let has_columns = |child: SyntaxNode<'t>| {
        matches!(
            child.symbol(),
            symbol::OptTableElementList
                | symbol::OptTypedTableElementList
                | symbol::TableElementList
                | symbol::TypedTableElementList
        )
    };
    if !node.descendants().take(64).any(has_columns) {
        return statement::clauses(writer, node);
    }
    let mut behind = false;
    for child in node.children() {
        if child.is_token() && child.text() == "(" && !behind {
            list::open(writer, child);
            writer.document.break_groups();
            behind = true;
        } else if child.is_token() && child.text() == ")" {
            list::close(writer, child);
            writer.document.begin_group();
        } else {
            // Allow a line break before the options that follow the columns.
            if behind && !has_columns(child) && !child.is_token() {
                writer.break_line();
            }
            writer.node(child);
        }
    }
    if behind {
        writer.document.end_group();
    }
}

/// Writes a column. Constraints that do not fit go on new lines.
pub(super) fn column<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.group(|writer| {
        writer.document.indent();
        for (index, child) in node.children().enumerate() {
            if index == 1 && writer.align_types && node.symbol() == symbol::columnDef {
                writer.padding = type_padding(writer, node);
            }
            match child.symbol() {
                symbol::ColQualList => child.children().for_each(|constraint| {
                    writer.break_line();
                    writer.node(constraint);
                }),
                symbol::ConstraintElem => {
                    writer.break_line();
                    writer.node(child);
                }
                _ => writer.node(child),
            }
        }
        writer.document.dedent();
    });
}

/// Returns the number of spaces that align a column's type with the types of the table's other columns.
fn type_padding(writer: &mut Writer<'_>, column: SyntaxNode<'_>) -> usize {
    let width = |column: SyntaxNode<'_>| column.children().next().map_or(0, |name| name.text().chars().count());
    let ancestors = std::iter::successors(column.parent(), |node| node.parent());
    let Some(list) = ancestors.take(3).find(|node| node.symbol() == symbol::TableElementList) else { return 0 };
    let columns = list.children().filter_map(|element| {
        std::iter::successors(Some(element), |node| node.children().next())
            .take(3)
            .find(|node| node.symbol() == symbol::columnDef)
    });
    let first = list.leaf_range().start;
    let longest = match writer.longest_name {
        Some((known, longest)) if known == first => longest,
        _ => columns.map(width).max().unwrap_or(0),
    };
    writer.longest_name = Some((first, longest));
    longest.saturating_sub(width(column))
}

/// Writes a constraint. A line may break before `REFERENCES` and before `ON DELETE` or `ON UPDATE`.
pub(super) fn constraint<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    statement::broken_before(writer, node, |child| {
        matches!(child.symbol(), symbol::REFERENCES | symbol::ColConstraintElem | symbol::key_actions)
    });
}

/// Writes a function, one attribute per line.
pub(super) fn function<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.group(|writer| {
        list::bracketed(writer, node.children(), |writer, (_, child)| {
            if matches!(child.symbol(), symbol::RETURNS | symbol::opt_createfunc_opt_list)
                || matches!(child.symbol(), symbol::alterfunc_opt_list | symbol::opt_routine_body)
            {
                writer.break_line();
            }
        });
    });
}

/// Writes the attributes of a function. If the statement does not fit on one line, each attribute gets its own line.
pub(super) fn attributes<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    for (index, item) in node.children().enumerate() {
        if index > 0 {
            writer.break_line();
        }
        if writer.has_long_tokens(item) {
            writer.document.break_groups();
        }
        writer.node(item);
    }
}

/// Writes `BEGIN ATOMIC … END` or `RETURN …`.
pub(super) fn routine_body<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.document.break_groups();
    for child in node.children() {
        match child.symbol() {
            symbol::routine_body_stmt_list => writer.indented(|writer| writer.node(child)),
            symbol::END_P => {
                writer.document.hard_break();
                writer.token(child);
            }
            _ => writer.node(child),
        }
    }
}

pub(super) fn body_statements<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    for child in node.children() {
        if !(child.is_token() && child.text() == ";") {
            writer.document.hard_break();
        }
        writer.node(child);
    }
}

/// Writes CREATE TRIGGER. A line may break before the event, before the conditions and before the
/// function.
pub(super) fn trigger<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    statement::broken_before(writer, node, |child| {
        matches!(
            child.symbol(),
            symbol::TriggerActionTime
                | symbol::TriggerReferencing
                | symbol::TriggerForSpec
                | symbol::TriggerWhen
                | symbol::ConstraintAttributeSpec
                | symbol::AFTER
                | symbol::EXECUTE
        )
    });
}

/// Writes CREATE RULE. A line may break before `ON`, before `WHERE` and before `DO`.
pub(super) fn rule<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    statement::broken_before(writer, node, |child| {
        matches!(child.symbol(), symbol::ON | symbol::DO | symbol::where_clause)
    });
}

/// Writes ALTER TABLE. If the actions do not fit on one line, each action gets its own line.
pub(super) fn alter_table<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    statement::broken_before(writer, node, |child| {
        matches!(child.symbol(), symbol::alter_table_cmds | symbol::partition_cmd | symbol::index_partition_cmd)
    });
}
