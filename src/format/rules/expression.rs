//! Rules for expressions. A line may break before each operator of a chain, and before each WHEN of CASE.

use super::super::writer::Writer;
use super::parts;
use crate::syntax::{SyntaxNode, symbol};

/// Writes an expression without additional indentation, because its line is already indented.
pub(super) fn unindented<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    match chain(only(node)) {
        Some(chain) => write_chain(writer, &chain),
        None => writer.node(node),
    }
}

/// Writes an expression with an operator.
pub(super) fn operator<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    match chain(node) {
        // A chain of operators in parentheses is already indented.
        Some(chain) if is_in_parentheses(node) => write_chain(writer, &chain),
        Some(chain) => writer.indented(|writer| write_chain(writer, &chain)),
        None => parts(writer, node),
    }
}

fn is_in_parentheses(mut node: SyntaxNode<'_>) -> bool {
    while let Some(parent) = node.parent() {
        match parent.symbol() {
            symbol::a_expr | symbol::b_expr if parent.children().count() == 1 => node = parent,
            symbol::c_expr => return parent.children().next().is_some_and(|first| first.text() == "("),
            _ => return false,
        }
    }
    false
}

/// Descends from a node as long as the current node has exactly one child and this child is not a token. Returns the
/// last node.
pub(super) fn only(mut node: SyntaxNode<'_>) -> SyntaxNode<'_> {
    loop {
        let mut children = node.children();
        match (children.next(), children.next()) {
            (Some(child), None) if !child.is_token() => node = child,
            _ => return node,
        }
    }
}

/// Precedence classes of operators. Operators of one class form a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Or,
    And,
    Sum,
    Product,
    Other,
}

/// Returns the parts of a chain from left to right: operand, operator, operand, and so on.
fn chain(node: SyntaxNode<'_>) -> Option<Vec<SyntaxNode<'_>>> {
    let (kind, ..) = binary(node)?;
    let mut reversed = Vec::new();
    let mut rest = node;
    while let Some((of, left, operator, right)) = binary(rest).filter(|(of, ..)| *of == kind) {
        debug_assert!(of == kind);
        reversed.extend([right, operator]);
        rest = left;
    }
    reversed.push(rest);
    reversed.reverse();
    Some(reversed)
}

/// Returns the class, left operand, operator and right operand of a binary expression.
fn binary(node: SyntaxNode<'_>) -> Option<(Kind, SyntaxNode<'_>, SyntaxNode<'_>, SyntaxNode<'_>)> {
    let mut children = node.children();
    let (left, operator, right) = (children.next()?, children.next()?, children.next()?);
    let is_expression = |node: SyntaxNode<'_>| matches!(node.symbol(), symbol::a_expr | symbol::b_expr);
    if children.next().is_some() || !is_expression(left) || !is_expression(right) {
        return None;
    }
    let kind = match operator.symbol() {
        symbol::OR => Kind::Or,
        symbol::AND => Kind::And,
        symbol::qual_Op => Kind::Other,
        _ => match operator.text() {
            "+" | "-" => Kind::Sum,
            "*" | "/" | "%" => Kind::Product,
            _ => return None,
        },
    };
    Some((kind, left, operator, right))
}

/// Writes a chain of operands and operators. If the chain is too long for one line, each operand of AND or OR goes on a
/// separate line. Chains of other operators are filled: each line has as many operands as fit.
fn write_chain<'t>(writer: &mut Writer<'t>, chain: &[SyntaxNode<'t>]) {
    match chain.get(1).is_some_and(|operator| matches!(operator.symbol(), symbol::AND | symbol::OR)) {
        true => writer.document.begin_group(),
        false => writer.document.begin_fill(),
    }
    operands(writer, chain);
    writer.document.end_group();
}

fn operands<'t>(writer: &mut Writer<'t>, chain: &[SyntaxNode<'t>]) {
    for (index, part) in chain.iter().enumerate() {
        if index % 2 == 1 {
            // Comments before the operator go at the end of the previous line.
            writer.comments_before(*part);
            writer.break_line();
        }
        writer.node(*part);
    }
}

/// Writes `CASE … END`, one branch per line.
pub(super) fn case<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.group(|writer| {
        writer.document.indent();
        for child in node.children() {
            match child.symbol() {
                symbol::when_clause_list => {
                    for branch in child.children() {
                        writer.break_line();
                        writer.node(branch);
                    }
                }
                symbol::case_default => {
                    writer.break_line();
                    writer.node(child);
                }
                symbol::END_P => {
                    writer.comments_before(child);
                    writer.document.dedent();
                    writer.break_line();
                    writer.token(child);
                }
                _ => writer.node(child),
            }
        }
    });
}

/// Writes `WHEN condition THEN result`.
pub(super) fn when<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.group(|writer| {
        writer.document.indent();
        for child in node.children() {
            if child.symbol() == symbol::THEN {
                writer.break_line();
            }
            match child.is_token() {
                true => writer.token(child),
                false => unindented(writer, child),
            }
        }
        writer.document.dedent();
    });
}
