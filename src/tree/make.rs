//! Builders for the most frequent nodes: constants, columns, tables, conditions. Every other node has a builder in
//! [`crate::edit`].

use crate::convert::edit::{self, Any, Child, EditTree, New};
use crate::convert::view::enums::{A_Expr_Kind, BoolExprType, CoercionForm};
use crate::convert::view::{Constant, SelectStmt};

/// Type names that SQL's grammar defines, and the names of these types in `pg_catalog`
/// (SystemTypeName in PostgreSQL's gram.y).
const SYNTAX_TYPES: [(&str, &str); 18] = [
    ("bigint", "int8"),
    ("bit varying", "varbit"),
    ("boolean", "bool"),
    ("char varying", "varchar"),
    ("character varying", "varchar"),
    ("dec", "numeric"),
    ("decimal", "numeric"),
    ("double precision", "float8"),
    ("float", "float8"),
    ("int", "int4"),
    ("integer", "int4"),
    ("interval", "interval"),
    ("numeric", "numeric"),
    ("real", "float4"),
    ("smallint", "int2"),
    ("time", "time"),
    ("timestamp", "timestamp"),
    ("varchar", "varchar"),
];

impl EditTree {
    /// Creates a number, such as `1`. A number that does not fit in 32 bits becomes a
    /// [`Constant::Float`], as in PostgreSQL.
    pub fn integer(&self, value: impl Into<i64>) -> New<'_> {
        let value = value.into();
        match i32::try_from(value) {
            Ok(value) => self.constant(Constant::Integer(value)),
            Err(_) => self.constant(Constant::Float(&value.to_string())),
        }
    }

    /// Creates `'text'`.
    pub fn string(&self, text: &str) -> New<'_> {
        self.constant(Constant::String(text))
    }

    /// Creates `TRUE` or `FALSE`.
    pub fn boolean(&self, value: bool) -> New<'_> {
        self.constant(Constant::Boolean(value))
    }

    /// Creates `NULL`.
    pub fn null(&self) -> New<'_> {
        self.constant(Constant::Null)
    }

    /// Creates a parameter, such as `$1`.
    pub fn parameter(&self, number: i32) -> New<'_> {
        edit::ParamRef::new(self).number(number).into()
    }

    /// Creates the parts of a name as `String` nodes, for fields such as `funcname`.
    pub fn names<'s>(&self, parts: impl IntoIterator<Item = &'s str>) -> Vec<edit::StringNode<'_>> {
        parts.into_iter().map(|part| self.name(part)).collect()
    }

    /// Creates a column from the parts of its name. `column(["t", "a"])` creates `t.a`.
    pub fn column<'s>(&self, parts: impl IntoIterator<Item = &'s str>) -> New<'_> {
        edit::ColumnRef::new(self).fields(self.names(parts)).into()
    }

    /// Creates `*`.
    pub fn star(&self) -> New<'_> {
        edit::ColumnRef::new(self).fields([edit::AStar::new(self)]).into()
    }

    /// Creates a table for FROM. `table(None, "t")` creates `t`.
    pub fn table<'s>(&self, schema: impl Into<Option<&'s str>>, name: &str) -> edit::RangeVar<'_> {
        edit::RangeVar::new(self).schemaname(schema).relname(name).inh(true).relpersistence('p')
    }

    /// Creates a result column without a name.
    pub fn target<'a>(&'a self, value: impl Child<'a, Any>) -> New<'a> {
        edit::ResTarget::new(self).val(value).into()
    }

    /// Creates a function call from the parts of the function's name.
    pub fn call<'a, 's>(&'a self, name: impl IntoIterator<Item = &'s str>, args: impl edit::Children<'a>) -> New<'a> {
        edit::FuncCall::new(self)
            .funcname(self.names(name))
            .args(args)
            .funcformat(CoercionForm::COERCE_EXPLICIT_CALL)
            .into()
    }

    /// Creates `value::type` from the parts of the type's name. A single name that is a keyword of SQL's syntax
    /// (`bigint`, `double precision`) becomes the type in `pg_catalog`, as in parsed SQL.
    ///
    /// ```
    /// let tree = pgq::EditTree::parse("SELECT a", &Default::default())?;
    /// let column = tree.walk().find(|visit| matches!(visit.node, pgq::nodes::Node::ColumnRef(_))).unwrap();
    /// tree.replace(column, tree.cast(tree.column(["b"]), ["bigint"]))?;
    /// assert_eq!(tree.deparse(&Default::default())?, "SELECT b::bigint");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    pub fn cast<'a, 's>(&'a self, value: impl Child<'a, Any>, name: impl IntoIterator<Item = &'s str>) -> New<'a> {
        let mut parts: Vec<&str> = name.into_iter().collect();
        if let [name] = parts[..]
            && let Some((_, internal)) = SYNTAX_TYPES.iter().find(|(syntax, _)| syntax.eq_ignore_ascii_case(name))
        {
            parts = vec!["pg_catalog", internal];
        }
        let name = edit::TypeName::new(self).names(self.names(parts)).typemod(-1);
        edit::TypeCast::new(self).arg(value).type_name(name).into()
    }

    /// Creates `left operator right`.
    pub fn operator<'a>(&'a self, left: impl Child<'a, Any>, operator: &str, right: impl Child<'a, Any>) -> New<'a> {
        let expression = edit::AExpr::new(self).kind(A_Expr_Kind::AEXPR_OP).name([self.name(operator)]);
        expression.lexpr(left).rexpr(right).into()
    }

    /// Creates `left = right`.
    pub fn equals<'a>(&'a self, left: impl Child<'a, Any>, right: impl Child<'a, Any>) -> New<'a> {
        self.operator(left, "=", right)
    }

    /// Creates `a AND b AND …`. If the first condition is an AND, its operands become operands of
    /// the new node, as in PostgreSQL's trees. A single condition is returned unchanged. If there
    /// are no conditions, the next [`EditTree::deparse`] fails.
    pub fn and<'a>(&'a self, conditions: impl edit::Children<'a>) -> New<'a> {
        self.bool_expr(BoolExprType::AND_EXPR, conditions)
    }

    /// Creates `a OR b OR …`, with the same rules as [`EditTree::and`].
    pub fn or<'a>(&'a self, conditions: impl edit::Children<'a>) -> New<'a> {
        self.bool_expr(BoolExprType::OR_EXPR, conditions)
    }

    /// Creates `NOT a`.
    pub fn not<'a>(&'a self, condition: impl Child<'a, Any>) -> New<'a> {
        edit::BoolExpr::new(self).boolop(BoolExprType::NOT_EXPR).args([condition]).into()
    }

    fn bool_expr<'a>(&'a self, op: BoolExprType, conditions: impl edit::Children<'a>) -> New<'a> {
        let mut conditions = self.conditions(op, conditions);
        match conditions.len() {
            0 => self.null(), // conditions() has recorded an error
            1 => conditions.remove(0),
            _ => edit::BoolExpr::new(self).boolop(op).args(conditions).into(),
        }
    }

    /// Sets the LIMIT of a query of this tree to a number or an expression, or removes it with `None::<i32>`.
    pub fn limit<'a>(&'a self, select: SelectStmt<'_>, rows: impl Child<'a, Any>) {
        self.edit(select).limit_count(rows);
    }

    /// Sets the OFFSET of a query of this tree; see [`EditTree::limit`].
    pub fn offset<'a>(&'a self, select: SelectStmt<'_>, rows: impl Child<'a, Any>) {
        self.edit(select).limit_offset(rows);
    }
}
