//! Rules for statements that have no dedicated rules. If a statement does not fit on one line, each clause gets its own
//! line.

use super::super::writer::Writer;
use super::list;
use crate::syntax::{SyntaxNode, symbol};

/// Words that begin a clause, unless they are one of the first two parts of a statement.
const CLAUSE_WORDS: [&str; 20] = [
    "AS",
    "CHECK",
    "EXECUTE",
    "FOR",
    "FROM",
    "IN",
    "IS",
    "ON",
    "OPTIONS",
    "OWNER",
    "REFERENCES",
    "RENAME",
    "SERVER",
    "SET",
    "TO",
    "USING",
    "WHEN",
    "WHERE",
    "WITH",
    "VALUES",
];

/// Writes a statement with indented clauses.
pub(super) fn clauses<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    if node.symbol() == symbol::DefineStmt {
        return super::parts(writer, node); // `CREATE TYPE a AS ENUM (…)`
    }
    let (mut index, mut behind_word) = (0, false);
    broken_before(writer, node, |child| {
        index += 1;
        // A part directly after a clause word, such as `TO` after `OWNER`, does not begin another clause.
        !std::mem::replace(&mut behind_word, is_clause_word(child)) && index > 2 && begins_clause(child)
    });
}

fn is_clause_word(node: SyntaxNode<'_>) -> bool {
    node.is_token() && CLAUSE_WORDS.iter().any(|word| word.eq_ignore_ascii_case(node.text()))
}

fn begins_clause(node: SyntaxNode<'_>) -> bool {
    if node.is_token() {
        return is_clause_word(node);
    }
    if list::is_option_list(super::expression::only(node)) {
        return true;
    }
    let first = node.descendants().find(|node| node.is_token());
    let is_word = first.is_some_and(|first| first.text().starts_with(|c: char| c.is_ascii_alphabetic()));
    is_word && node.leaf_range().len() > 1 && begins_with_keyword(node)
}

/// Returns whether the first token of a node is a keyword. A keyword that is used as a name does not count.
fn begins_with_keyword(node: SyntaxNode<'_>) -> bool {
    let start = node.range().start;
    let on_the_left = || node.descendants().take_while(move |node| node.range().start == start);
    !on_the_left().any(|node| {
        super::super::spacing::is_name(node.symbol())
            || matches!(
                node.symbol(),
                symbol::ColId | symbol::IDENT | symbol::ColLabel | symbol::Typename | symbol::a_expr
            )
    })
}

/// Writes a statement. If the statement does not fit on one line, starts a new, indented line at each part for which
/// `begins` returns true.
pub(super) fn broken_before<'t>(
    writer: &mut Writer<'t>,
    node: SyntaxNode<'t>,
    mut begins: impl FnMut(SyntaxNode<'t>) -> bool,
) {
    writer.group(|writer| {
        writer.document.indent();
        list::bracketed(writer, node.children(), |writer, (index, child)| {
            if begins(child) && index > 0 {
                writer.break_line();
            }
        });
        writer.document.dedent();
    });
}

/// Writes a statement that contains a query. If the statement does not fit on one line, the query starts a new line.
pub(super) fn with_query<'t>(writer: &mut Writer<'t>, node: SyntaxNode<'t>) {
    writer.group(|writer| {
        list::bracketed(writer, node.children(), |writer, (_, child)| {
            let begins = matches!(
                child.symbol(),
                symbol::SelectStmt
                    | symbol::PreparableStmt
                    | symbol::ExplainableStmt
                    | symbol::opt_with_data
                    | symbol::opt_check_option
            );
            if begins {
                writer.break_line();
            }
        });
    });
}
