//! Layout rules by grammar symbol. If a symbol has no rule, its parts are written one after another, and lines break
//! only in parentheses and lists.

mod definition;
mod expression;
mod list;
mod query;
mod statement;

use super::writer::Writer;
use crate::syntax::{SyntaxNode, symbol};

/// Writes a node that is not a token.
pub(super) fn write<'t>(writer: &mut Writer<'t>, mut node: SyntaxNode<'t>) {
    // Skip nodes with a single part.
    loop {
        let mut children = node.children();
        match (children.next(), children.next()) {
            (Some(only), None) if only.is_token() => return writer.token(only),
            (Some(only), None) => node = only,
            _ => break,
        }
    }
    match node.symbol() {
        symbol::select_no_parens | symbol::simple_select | symbol::values_clause => {
            writer.group(|writer| query::select(writer, node));
        }
        symbol::from_clause
        | symbol::using_clause
        | symbol::where_clause
        | symbol::where_or_current_clause
        | symbol::OptWhereClause
        | symbol::having_clause
        | symbol::group_clause
        | symbol::sort_clause
        | symbol::window_clause
        | symbol::opt_partition_clause
        | symbol::returning_clause => query::clause(writer, node),
        symbol::select_limit => query::lines(writer, node),
        symbol::joined_table => query::join(writer, node),
        symbol::InsertStmt
        | symbol::UpdateStmt
        | symbol::DeleteStmt
        | symbol::MergeStmt
        | symbol::opt_on_conflict
        | symbol::merge_update => {
            writer.group(|writer| query::modify(writer, node));
        }
        symbol::insert_rest => query::insert_rest(writer, node),
        symbol::merge_when_clause => query::merge_when(writer, node),
        symbol::merge_insert => query::lines(writer, node),

        symbol::a_expr | symbol::b_expr => expression::operator(writer, node),
        symbol::case_expr => expression::case(writer, node),
        symbol::when_clause => expression::when(writer, node),

        symbol::CreateStmt | symbol::CreateForeignTableStmt => definition::table(writer, node),
        symbol::columnDef | symbol::TableConstraint | symbol::columnOptions => definition::column(writer, node),
        symbol::ColConstraint | symbol::ConstraintElem => definition::constraint(writer, node),
        symbol::CreateFunctionStmt | symbol::AlterFunctionStmt => definition::function(writer, node),
        symbol::createfunc_opt_list | symbol::alterfunc_opt_list => definition::attributes(writer, node),
        // No line breaks are added to `DO $$ … $$ LANGUAGE x` outside of the body.
        symbol::DoStmt | symbol::dostmt_opt_list => parts(writer, node),
        symbol::opt_routine_body => definition::routine_body(writer, node),
        symbol::routine_body_stmt_list => definition::body_statements(writer, node),
        symbol::CreateTrigStmt => definition::trigger(writer, node),
        symbol::RuleStmt => definition::rule(writer, node),
        symbol::AlterTableStmt => definition::alter_table(writer, node),

        symbol::ViewStmt
        | symbol::CreateAsStmt
        | symbol::CreateMatViewStmt
        | symbol::PrepareStmt
        | symbol::ExplainStmt
        | symbol::DeclareCursorStmt => statement::with_query(writer, node),
        _ if is_statement(node) => statement::clauses(writer, node),
        _ if list::is_list(node) => list::items(writer, node),
        _ if list::is_option_list(node) => list::options(writer, node),
        _ => parts(writer, node),
    }
}

/// Writes the parts of a node one after the other. Lines may break inside parentheses.
pub(super) fn parts<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    list::bracketed(writer, node.children(), |_, _| {});
}

/// Returns whether a node's symbol is a statement. In gram.y, the names of these symbols end in `Stmt`.
fn is_statement(node: SyntaxNode<'_>) -> bool {
    node.symbol().name().ends_with("Stmt")
}
