//! Rules for queries, and for statements that change rows. Each clause has its own line.

use super::super::writer::Writer;
use super::{expression, list, parts};
use crate::syntax::{SyntaxNode, symbol};

/// Writes a query. If the surrounding group does not fit on one line, each clause starts a new line.
pub(super) fn select<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    match node.symbol() {
        symbol::simple_select if set_operation(node) => set_operands(writer, node),
        symbol::simple_select => select_clauses(writer, node),
        symbol::values_clause => values(writer, node),
        // Nodes with these symbols may contain WITH, ORDER BY, LIMIT or FOR UPDATE.
        symbol::select_no_parens | symbol::select_clause | symbol::SelectStmt => {
            for (index, child) in node.children().enumerate() {
                if index > 0 {
                    writer.break_line();
                }
                select(writer, child);
            }
        }
        _ => writer.node(node),
    }
}

fn set_operation(node: SyntaxNode<'_>) -> bool {
    node.children().next().is_some_and(|first| first.symbol() == symbol::select_clause)
}

/// Writes `SELECT … UNION ALL SELECT …`. Each query is a group. Each operator is on its own line, between two queries.
/// The tree nests to the left: the innermost node has the first two queries.
fn set_operands<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let mut chain = vec![node];
    while let Some(left) = chain.last().and_then(|last| left_operation(*last)) {
        chain.push(left);
    }
    for (index, operation) in chain.iter().rev().enumerate() {
        for (part, child) in operation.children().enumerate() {
            match part {
                0 if index > 0 => {} // written already
                0 => writer.group(|writer| select(writer, child)),
                1 => {
                    writer.break_line();
                    writer.node(child);
                }
                _ if child.symbol() == symbol::select_clause => {
                    writer.break_line();
                    writer.group(|writer| select(writer, child));
                }
                _ => writer.node(child), // ALL
            }
        }
    }
}

/// Returns the left operand of a set operation, if that operand is also a set operation.
fn left_operation(node: SyntaxNode<'_>) -> Option<SyntaxNode<'_>> {
    let left = node.children().next()?.children().next()?;
    (left.symbol() == symbol::simple_select && set_operation(left)).then_some(left)
}

/// Writes `SELECT`, the target list, and the clauses.
fn select_clauses<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let mut children = node.children().peekable();
    writer.document.begin_group();
    while let Some(child) = children.next_if(|child| !is_clause(*child)) {
        match child.symbol() {
            // A single target stays on the line of `SELECT`.
            symbol::opt_target_list | symbol::target_list if list::is_list(expression::only(child)) => {
                writer.document.indent();
                writer.break_line();
                writer.node(child);
                writer.document.dedent();
            }
            _ => writer.node(child),
        }
    }
    writer.document.end_group();
    for clause in children {
        writer.break_line();
        writer.node(clause);
    }
}

fn is_clause(node: SyntaxNode<'_>) -> bool {
    matches!(
        node.symbol(),
        symbol::into_clause
            | symbol::from_clause
            | symbol::where_clause
            | symbol::group_clause
            | symbol::having_clause
            | symbol::window_clause
    )
}

/// Writes `VALUES (1, 2), (3, 4)`. If there are several rows, each has its own line.
fn values<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let many = node.children().any(list::is_comma);
    writer.document.indent();
    let mut begins = many;
    list::bracketed(writer, node.children(), |writer, (_, child)| match child.text() {
        "(" if child.is_token() && std::mem::take(&mut begins) => writer.break_line(),
        "," if child.is_token() => {
            let comma_first = writer.begins_with_comma(child);
            begins = !comma_first;
            if comma_first {
                writer.break_line();
            }
        }
        _ => {}
    });
    writer.document.dedent();
}

/// Writes a keyword and its operand. If the operand does not fit, it goes on a new line and is indented.
pub(super) fn clause<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let body = node.children().filter(|child| !child.is_token()).last();
    let write = |writer: &mut Writer<'t>| {
        for child in node.children() {
            match body.filter(|body| body.range() == child.range() && !child.is_token()) {
                Some(body) => writer.indented(|writer| {
                    writer.break_line();
                    expression::unindented(writer, body);
                }),
                None => writer.node(child),
            }
        }
    };
    match has_joins(node) {
        true => write(writer), // if the query breaks, the clause breaks
        false => writer.group(write),
    }
}

fn has_joins(node: SyntaxNode<'_>) -> bool {
    node.symbol() == symbol::from_clause
        && node.descendants().take(512).any(|node| node.symbol() == symbol::joined_table)
}

/// Writes the parts of a node. If the surrounding group does not fit on one line, each part goes on
/// a separate line.
pub(super) fn lines<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    list::bracketed(writer, node.children(), |writer, (index, child)| {
        if index > 0 && !child.is_token() {
            writer.break_line();
        }
    });
}

/// Writes `left JOIN right ON …`. If the query does not fit on one line, each join starts a new line.
pub(super) fn join<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let mut children = node.children();
    let Some(first) = children.next() else { return };
    if first.is_token() {
        return parts(writer, node); // the join is in parentheses
    }
    writer.node(first);
    writer.break_line();
    writer.group(|writer| {
        for child in children {
            match child.symbol() {
                symbol::join_qual if child.children().next().is_some_and(|word| word.symbol() == symbol::ON) => {
                    writer.indented(|writer| {
                        writer.break_line();
                        child.children().for_each(|part| expression::unindented(writer, part));
                    });
                }
                _ => writer.node(child),
            }
        }
    });
}

/// Writes INSERT, UPDATE, DELETE and MERGE, and the actions of ON CONFLICT and MERGE, one clause per line.
pub(super) fn modify<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    let is_statement = node.symbol().name().ends_with("Stmt");
    let mut sets = false;
    for (index, child) in node.children().enumerate() {
        let begins = match child.symbol() {
            symbol::INSERT | symbol::UPDATE | symbol::DELETE_P | symbol::MERGE => is_statement, // after WITH
            symbol::SET | symbol::USING | symbol::ON => is_statement,
            symbol::where_clause | symbol::where_or_current_clause | symbol::from_clause | symbol::using_clause => true,
            symbol::opt_on_conflict | symbol::merge_when_clause | symbol::returning_clause => true,
            _ => false,
        };
        if index > 0 && begins {
            writer.break_line();
        }
        if child.symbol() == symbol::SET {
            writer.document.begin_group();
            sets = true;
        }
        match child.symbol() {
            symbol::merge_when_list => child.children().for_each(|clause| {
                writer.break_line();
                writer.node(clause);
            }),
            _ if sets && !child.is_token() => {
                sets = false;
                writer.indented(|writer| {
                    writer.break_line();
                    writer.node(child);
                });
                writer.document.end_group();
            }
            _ => writer.node(child),
        }
    }
}

/// Writes `(columns) SELECT …` or `(columns) VALUES …`.
pub(super) fn insert_rest<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    list::bracketed(writer, node.children(), |writer, (_, child)| {
        if child.symbol() == symbol::SelectStmt {
            writer.break_line();
        }
    });
}

/// Writes `WHEN MATCHED … THEN` and its action.
pub(super) fn merge_when<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.group(|writer| {
        writer.document.indent();
        let mut behind = false;
        for child in node.children() {
            if std::mem::replace(&mut behind, child.symbol() == symbol::THEN) {
                writer.break_line();
            }
            writer.node(child);
        }
        writer.document.dedent();
    });
}
