//! Decides whether a space separates two tokens on a line.

use crate::syntax::{Symbol, SyntaxNode, symbol};

/// Returns whether a space separates two tokens. Each token is given with the symbol of its parent. `touch` is true if
/// the original has no white space between the tokens.
pub(super) fn has_space(last: (SyntaxNode<'_>, Symbol), next: (SyntaxNode<'_>, Symbol), touch: bool) -> bool {
    let ((last, last_in), (next, next_in)) = (last, next);
    match (last.text(), next.text()) {
        (",", "[") => true,
        ("-" | "+", "(") if is_sign(last, last_in) => false,
        (_, text) if touch && may_begin_placeholder(last, text) => false,
        (_, "," | ";" | ")" | "]" | "." | "::" | "[") | ("(" | "[" | "." | "::", _) => false,
        // `N'…'` has two tokens: `N` and the literal.
        ("N" | "n", literal) if last.symbol() == symbol::NCHAR && literal.starts_with('\'') => false,
        ("OPERATOR" | "operator", "(") if last_in == symbol::qual_Op => false,
        (_, "(") => opens_after_space(last, last_in, next_in),
        // Keep the original spacing, because psql reads a variable in `[1:b]`, but not in `[1 : b]`.
        (":", _) | (_, ":") => !touch,
        ("%", _) | (_, "%") if last_in == symbol::func_type || next_in == symbol::func_type => false,
        // A `_` begins the mask of a template or placeholder, whose value may be negative: `- -5` must not become
        // `--5`.
        ("-" | "+", text) if is_sign(last, last_in) => begins_with_operator(next) || (!touch && text.starts_with('_')),
        (operator, _) if is_prefix(last) => {
            // Keep the original spacing, because `@` is an operator in `@ x`, but `@x` may be a placeholder.
            !touch || begins_with_operator(next) || operator.len() > 1
        }
        _ => true,
    }
}

/// Returns whether a space precedes an opening parenthesis, as in `IN (` but not in `f(`.
fn opens_after_space(last: SyntaxNode<'_>, last_in: Symbol, next_in: Symbol) -> bool {
    match next_in {
        symbol::func_application
        | symbol::func_args
        | symbol::func_args_with_defaults
        | symbol::aggr_args
        | symbol::oper_argtypes
        | symbol::alias_clause
        | symbol::func_alias_clause
        | symbol::opt_alias_clause_for_join_using
        | symbol::opt_type_modifiers
        | symbol::SimpleTypename
        | symbol::ConstTypename
        | symbol::opt_float
        | symbol::BitWithLength
        | symbol::CharacterWithLength
        | symbol::Numeric
        | symbol::ConstDatetime
        | symbol::ConstInterval
        | symbol::interval_second
        | symbol::prep_type_clause
        | symbol::execute_param_clause
        | symbol::json_aggregate_func
        | symbol::xml_attributes
        | symbol::tablesample_clause
        | symbol::AexprConst
        | symbol::xmltable
        | symbol::json_table
        | symbol::extract_list
        | symbol::merge_values_clause
        | symbol::explicit_row
        | symbol::row
        | symbol::grouping_sets_clause
        | symbol::cube_clause
        | symbol::rollup_clause
        | symbol::func_expr_common_subexpr => next_in == symbol::merge_values_clause,
        symbol::CreateTrigStmt | symbol::CreateEventTrigStmt => last_in == symbol::CreateTrigStmt,
        symbol::c_expr => last.symbol() != symbol::GROUPING,
        symbol::select_with_parens => last.symbol() != symbol::ARRAY,
        _ => true,
    }
}

/// Returns whether the last character of an operator and the next token may be a driver's placeholder. For example,
/// PostgreSQL reads `id=%s` as `id`, the operator `=%` and the column `s`, but a driver reads `%s`. An operator that is
/// only `%` begins a placeholder in `a %s` and `a %(name)s`, but not in `a %2`. The caller must check that no white
/// space separates the operator and the next token.
pub(super) fn may_begin_placeholder(token: SyntaxNode<'_>, next: &str) -> bool {
    match token.text() {
        "%" => next.starts_with(|first: char| first == '(' || first.is_alphabetic()),
        text => matches!(token.symbol(), symbol::Op) && text.ends_with(['%', '@', '?']),
    }
}

/// Returns whether a token is a unary `+` or `-`.
fn is_sign(token: SyntaxNode<'_>, of: Symbol) -> bool {
    match of {
        symbol::a_expr | symbol::b_expr => is_first(token),
        symbol::SignedIconst | symbol::NumericOnly => true,
        _ => false,
    }
}

/// Returns whether a token is a prefix operator.
fn is_prefix(token: SyntaxNode<'_>) -> bool {
    matches!(token.symbol(), symbol::Op)
        && token.parent().is_some_and(|parent| match parent.symbol() {
            symbol::qual_Op => is_first(parent),
            _ => false,
        })
}

fn is_first(node: SyntaxNode<'_>) -> bool {
    let of_expression = |parent: &SyntaxNode<'_>| matches!(parent.symbol(), symbol::a_expr | symbol::b_expr);
    node.parent().filter(of_expression).is_some_and(|parent| parent.range().start == node.range().start)
}

fn begins_with_operator(token: SyntaxNode<'_>) -> bool {
    token.text().starts_with(['+', '-', '~', '!', '@', '#', '^', '&', '|', '`', '?', '*', '/', '%', '<', '>', '='])
}

/// Returns whether a symbol of the grammar, such as `unreserved_keyword`, allows keywords as names.
pub(super) fn is_name(symbol: Symbol) -> bool {
    matches!(
        symbol,
        symbol::unreserved_keyword
            | symbol::col_name_keyword
            | symbol::type_func_name_keyword
            | symbol::reserved_keyword
            | symbol::bare_label_keyword
    )
}
