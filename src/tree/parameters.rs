//! Replaces constants of queries with parameters, and parameters with constants.

use std::collections::HashMap;

use super::literal::LiteralValue;
use crate::convert::edit::EditTree;
use crate::convert::view::Visit;
use crate::convert::view::enums::{CoercionForm, ObjectType, XmlExprOp};
use crate::convert::view::{AConst, Constant, FuncCall, List, Node, ParamRef, SelectStmt, TypeName};
use crate::error::Error;

/// A parameter that replaces constants, from [`EditTree::parameterize`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Number of the parameter: 1 for `$1`.
    pub number: i32,
    /// Value of the constants.
    pub value: LiteralValue,
}

impl Parameter {
    /// Creates a parameter for [`EditTree::put_back`].
    #[must_use]
    pub fn new(number: i32, value: LiteralValue) -> Self {
        Self { number, value }
    }
}

impl EditTree {
    /// Replaces the constants of queries with parameters. Returns their values in the order of the parameters. The
    /// numbers start after the highest parameter number in the tree.
    ///
    /// Replaces only constants of SELECT, INSERT, UPDATE, DELETE and MERGE. Such a query may be inside EXPLAIN, DECLARE
    /// or CREATE TABLE AS. A constant remains if the grammar accepts no parameter in its place (lengths of types,
    /// fields of EXTRACT), or if a parameter would have a different meaning (`ORDER BY 1`, `interval '1' year`).
    ///
    /// Usually each constant gets its own parameter. Equal constants share a parameter if PostgreSQL compares the
    /// expressions that contain them. For example, `SELECT a + 1 FROM t GROUP BY a + 1` is valid only if both
    /// expressions stay equal. PostgreSQL may infer a different type for a parameter than for the constant. For
    /// example, `SELECT $1` returns text.
    ///
    /// ```
    /// use pgq::{EditTree, LiteralValue};
    ///
    /// let tree = EditTree::parse("SELECT * FROM t WHERE a = 7 AND b IN ('x', 'y') LIMIT 5", &Default::default())?;
    /// let parameters = tree.parameterize()?;
    /// let sql = tree.deparse(&Default::default())?;
    /// assert_eq!(sql, "SELECT * FROM t WHERE a = $1 AND b IN ($2, $3) LIMIT $4");
    /// assert_eq!(parameters[1].value, LiteralValue::String("x".into()));
    ///
    /// tree.put_back(&parameters)?;
    /// let sql = tree.deparse(&Default::default())?;
    /// assert_eq!(sql, "SELECT * FROM t WHERE a = 7 AND b IN ('x', 'y') LIMIT 5");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if PostgreSQL's parser never produces such a tree.
    pub fn parameterize(&self) -> Result<Vec<Parameter>, Error> {
        let next = self.walk().filter_map(|visit| visit.node.downcast::<ParamRef<'_>>());
        let mut next = next.map(|parameter| parameter.number()).max().unwrap_or(0);
        let mut parameters = Vec::new();
        for statement in self.statements().filter(|statement| is_query(*statement)) {
            let Constants { found, shared } = Constants::of(statement);
            let mut known: HashMap<usize, Vec<(LiteralValue, i32)>> = HashMap::new();
            for (visit, constant) in found {
                let value = LiteralValue::from(constant.value());
                let group = shared.get(&address(constant)).map(|group| known.entry(*group).or_default());
                let same = group.as_ref().and_then(|known| known.iter().find(|(other, _)| *other == value));
                let number = match same {
                    Some((_, number)) => *number,
                    None => {
                        next += 1;
                        if let Some(known) = group {
                            known.push((value.clone(), next));
                        }
                        parameters.push(Parameter { number: next, value });
                        next
                    }
                };
                self.replace(visit, self.parameter_at(number, constant))?;
            }
        }
        Ok(parameters)
    }

    /// Replaces each parameter whose number is in `parameters` with a constant. The values may be different from the
    /// values that [`EditTree::parameterize`] returned. Other parameters remain. Returns the number of replaced
    /// parameters.
    ///
    /// # Errors
    /// Returns an error if a parameter is at a position where no constant is allowed.
    pub fn put_back(&self, parameters: &[Parameter]) -> Result<usize, Error> {
        let values: HashMap<i32, &LiteralValue> = parameters.iter().map(|p| (p.number, &p.value)).collect();
        let found: Vec<(Visit<'_>, ParamRef<'_>, &LiteralValue)> = self
            .walk()
            .filter_map(|visit| {
                let Node::ParamRef(parameter) = visit.node else { return None };
                Some((visit, parameter, *values.get(&parameter.number())?))
            })
            .collect();
        let count = found.len();
        for (visit, parameter, value) in found {
            self.replace(visit, self.constant_at(value.as_constant(), parameter))?;
        }
        Ok(count)
    }
}

/// Returns whether a statement is a query, or a utility statement whose query accepts parameters.
fn is_query(statement: Node<'_>) -> bool {
    use Node::{
        CreateTableAsStmt, DeclareCursorStmt, DeleteStmt, ExplainStmt, InsertStmt, MergeStmt, SelectStmt, UpdateStmt,
    };
    match statement {
        SelectStmt(_) | InsertStmt(_) | UpdateStmt(_) | DeleteStmt(_) | MergeStmt(_) | DeclareCursorStmt(_) => true,
        // EXPLAIN EXECUTE and CREATE TABLE AS EXECUTE contain no query.
        ExplainStmt(explain) => explain.query().is_some_and(is_query),
        // A materialized view stores its query, which must not have parameters.
        CreateTableAsStmt(create) if create.objtype() == ObjectType::OBJECT_MATVIEW => false,
        CreateTableAsStmt(create) => create.query().is_some_and(is_query),
        _ => false,
    }
}

/// Constants of a statement that can be replaced with parameters.
#[derive(Default)]
struct Constants<'t> {
    /// Sorted by position in the SQL.
    found: Vec<(Visit<'t>, AConst<'t>)>,
    /// Constants that share a parameter if they are equal. Maps the address of each constant to the number of its
    /// query.
    shared: HashMap<usize, usize>,
}

impl<'t> Constants<'t> {
    fn of(statement: Node<'t>) -> Self {
        let (mut constants, mut queries) = (Self::default(), 0);
        let mut walk = statement.walk().each_once().in_text_order();
        while let Some(visit) = walk.next() {
            match visit.node {
                Node::AConst(constant) if is_replaceable(constant, visit) => constants.found.push((visit, constant)),
                // Skip nodes that contain lengths of types, defaults in JSON functions, or expressions that must match
                // an index.
                Node::TypeName(_)
                | Node::JsonTablePathSpec(_)
                | Node::JsonBehavior(_)
                | Node::CteCycleClause(_)
                | Node::InferClause(_) => walk.skip_children(),
                Node::SelectStmt(select) => {
                    queries += 1;
                    for constant in compared(select) {
                        // The walk visits an outer query before the queries inside it, and a later number replaces an
                        // earlier one. Therefore a constant gets the number of the innermost query around it. This is
                        // the query in which PostgreSQL compares the expression around the constant with others, such
                        // as those of GROUP BY.
                        constants.shared.insert(address(constant), queries);
                    }
                }
                _ => {}
            }
        }
        constants
    }
}

fn address(constant: AConst<'_>) -> usize {
    Node::AConst(constant).c() as usize
}

/// Returns the constants in expressions that PostgreSQL compares with each other (GROUP BY, DISTINCT).
fn compared(select: SelectStmt<'_>) -> Vec<AConst<'_>> {
    let (group, distinct) = (select.group_clause(), select.distinct_clause());
    if group.is_empty() && distinct.is_empty() {
        return Vec::new();
    }
    let (sort, targets) = (inside(select.sort_clause()), inside(select.target_list()));
    let mut keys = [inside(group), inside(distinct)].concat();
    if !distinct.is_empty() {
        keys.extend_from_slice(&sort);
    }
    let values: Vec<Constant<'_>> = keys.iter().map(|key| key.value()).collect();
    let having = select.having_clause().into_iter().flat_map(|having| having.find::<AConst<'_>>());
    let mut all: Vec<AConst<'_>> = [keys, targets, sort].concat();
    all.extend(having);
    all.retain(|constant| values.contains(&constant.value()));
    all
}

fn inside<'t>(list: List<'t>) -> Vec<AConst<'t>> {
    list.nodes().flat_map(|node| node.find::<AConst<'t>>()).collect()
}

/// Returns whether a parameter may replace a constant without changing the meaning.
fn is_replaceable(constant: AConst<'_>, visit: Visit<'_>) -> bool {
    match (visit.parent, visit.field) {
        // The constant may be the number of a result column, as in `ORDER BY 1`. In GROUP BY it may
        // be inside GROUPING SETS.
        (Some(Node::SortBy(_)), _) | (Some(Node::GroupingSet(_)), _) => false,
        (Some(Node::SelectStmt(_)), "groupClause" | "distinctClause") => false,
        // In the tree, LIMIT ALL is a NULL constant.
        (Some(Node::SelectStmt(_)), "limitCount") => constant.value() != Constant::Null,
        // The meaning of the string in `interval '1' year` depends on the field, here `year`.
        (Some(Node::TypeCast(cast)), "arg") => !cast.type_name().is_some_and(is_interval_of_fields),
        (Some(Node::FuncCall(call)), "args") => !is_keyword(call),
        (Some(Node::XmlExpr(xml)), "args") => !matches!(xml.op(), XmlExprOp::IS_XMLROOT | XmlExprOp::IS_XMLPARSE),
        _ => true,
    }
}

fn is_interval_of_fields(name: TypeName<'_>) -> bool {
    !name.typmods().is_empty() && name.names().strings().last() == Some("interval")
}

/// Returns whether a call's constants are keywords in SQL, as in `EXTRACT(year FROM a)` and `NORMALIZE(a, NFC)`.
fn is_keyword(call: FuncCall<'_>) -> bool {
    call.funcformat() == CoercionForm::COERCE_SQL_SYNTAX
        && call
            .funcname()
            .strings()
            .last()
            .is_some_and(|name| matches!(name, "extract" | "normalize" | "is_normalized"))
}
