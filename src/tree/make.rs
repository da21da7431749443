//! Builders for what programs make most: constants, columns, tables, conditions. Every other node has
//! a builder in [`crate::edit`].

use crate::convert::edit::{self, Any, Child, EditTree, New};
use crate::convert::view::enums::{A_Expr_Kind, BoolExprType, CoercionForm};
use crate::convert::view::{Constant, SelectStmt};

impl EditTree {
    /// `1`
    pub fn integer(&self, value: i32) -> New<'_> {
        self.constant(Constant::Integer(value))
    }

    /// `'text'`
    pub fn string(&self, text: &str) -> New<'_> {
        self.constant(Constant::String(text))
    }

    /// `TRUE` or `FALSE`
    pub fn boolean(&self, value: bool) -> New<'_> {
        self.constant(Constant::Boolean(value))
    }

    /// `NULL`
    pub fn null(&self) -> New<'_> {
        self.constant(Constant::Null)
    }

    /// `$1`
    pub fn parameter(&self, number: i32) -> New<'_> {
        edit::ParamRef::new(self).number(number).into()
    }

    /// Returns the parts of a name, as `String` nodes: for fields such as `funcname`.
    pub fn names<'s>(&self, parts: impl IntoIterator<Item = &'s str>) -> Vec<edit::StringNode<'_>> {
        parts.into_iter().map(|part| self.name(part)).collect()
    }

    /// Returns a column by the parts of its name: `column(["t", "a"])` is `t.a`.
    pub fn column<'s>(&self, parts: impl IntoIterator<Item = &'s str>) -> New<'_> {
        edit::ColumnRef::new(self).fields(self.names(parts)).into()
    }

    /// `*`
    pub fn star(&self) -> New<'_> {
        edit::ColumnRef::new(self).fields([edit::AStar::new(self)]).into()
    }

    /// Returns a table, as FROM has it: `None` and `"t"` is `t`.
    pub fn table<'s>(&self, schema: impl Into<Option<&'s str>>, name: &str) -> edit::RangeVar<'_> {
        edit::RangeVar::new(self).schemaname(schema).relname(name).inh(true).relpersistence('p')
    }

    /// Returns a column of the result: an expression without a name.
    pub fn target<'a>(&'a self, value: impl Child<'a, Any>) -> New<'a> {
        edit::ResTarget::new(self).val(value).into()
    }

    /// Returns a call of a function by the parts of its name.
    pub fn call<'a, 's>(&'a self, name: impl IntoIterator<Item = &'s str>, args: impl edit::Children<'a>) -> New<'a> {
        edit::FuncCall::new(self)
            .funcname(self.names(name))
            .args(args)
            .funcformat(CoercionForm::COERCE_EXPLICIT_CALL)
            .into()
    }

    /// `value::type`, by the parts of the type's name: `cast(value, ["pg_catalog", "int4"])`. The types that SQL has
    /// names for are in `pg_catalog`.
    pub fn cast<'a, 's>(&'a self, value: impl Child<'a, Any>, name: impl IntoIterator<Item = &'s str>) -> New<'a> {
        let name = edit::TypeName::new(self).names(self.names(name));
        edit::TypeCast::new(self).arg(value).type_name(name).into()
    }

    /// `left operator right`
    pub fn operator<'a>(&'a self, left: impl Child<'a, Any>, operator: &str, right: impl Child<'a, Any>) -> New<'a> {
        let expression = edit::AExpr::new(self).kind(A_Expr_Kind::AEXPR_OP).name([self.name(operator)]);
        expression.lexpr(left).rexpr(right).into()
    }

    /// `left = right`
    pub fn equals<'a>(&'a self, left: impl Child<'a, Any>, right: impl Child<'a, Any>) -> New<'a> {
        self.operator(left, "=", right)
    }

    /// `a AND b AND …`. Where the first condition is an AND, its members come first, as in PostgreSQL's trees;
    /// one condition is itself. None at all is the error of the next [`EditTree::deparse`].
    pub fn and<'a>(&'a self, conditions: impl edit::Children<'a>) -> New<'a> {
        self.bool_expr(BoolExprType::AND_EXPR, conditions)
    }

    /// `a OR b OR …`, for which the same holds.
    pub fn or<'a>(&'a self, conditions: impl edit::Children<'a>) -> New<'a> {
        self.bool_expr(BoolExprType::OR_EXPR, conditions)
    }

    /// `NOT a`
    pub fn not<'a>(&'a self, condition: impl Child<'a, Any>) -> New<'a> {
        edit::BoolExpr::new(self).boolop(BoolExprType::NOT_EXPR).args([condition]).into()
    }

    fn bool_expr<'a>(&'a self, op: BoolExprType, conditions: impl edit::Children<'a>) -> New<'a> {
        let mut conditions = self.conditions(op, conditions);
        match conditions.len() {
            0 => self.null(), // which is an error already
            1 => conditions.remove(0),
            _ => edit::BoolExpr::new(self).boolop(op).args(conditions).into(),
        }
    }

    /// Sets the LIMIT of a query of this tree, in place of the one that it may have: a number, an expression,
    /// or `None::<i32>` to take it away.
    pub fn limit<'a>(&'a self, select: SelectStmt<'_>, rows: impl Child<'a, Any>) {
        self.edit(select).limit_count(rows);
    }

    /// Sets the OFFSET of a query of this tree, as [`EditTree::limit`] sets its LIMIT.
    pub fn offset<'a>(&'a self, select: SelectStmt<'_>, rows: impl Child<'a, Any>) {
        self.edit(select).limit_offset(rows);
    }
}
