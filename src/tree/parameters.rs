//! Constants of queries to parameters, and back.

use std::collections::HashMap;

use super::literal::LiteralValue;
use crate::convert::edit::EditTree;
use crate::convert::view::Visit;
use crate::convert::view::enums::{CoercionForm, ObjectType, XmlExprOp};
use crate::convert::view::{AConst, Constant, FuncCall, List, Node, ParamRef, SelectStmt, TypeName};
use crate::error::Error;

/// A parameter that stands for constants, from [`EditTree::parameterize`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its number: 1 for `$1`.
    pub number: i32,
    /// The value of the constants.
    pub value: LiteralValue,
}

impl Parameter {
    /// Creates a value for a parameter, to [put back](EditTree::put_back).
    #[must_use]
    pub fn new(number: i32, value: LiteralValue) -> Self {
        Self { number, value }
    }
}

impl EditTree {
    /// Puts parameters in place of the constants of queries, and gives their values in the order of their
    /// numbers, which follow the highest that the tree has already.
    ///
    /// Each constant gets a parameter of its own, except that equal constants share one where PostgreSQL
    /// compares expressions: `SELECT a + 1 FROM t GROUP BY a + 1`. Constants stay where no parameter may
    /// stand (lengths of types, fields of EXTRACT) or where it would mean something else (`ORDER BY 1`, `interval '1' year`),
    /// and outside of SELECT, INSERT, UPDATE, DELETE and MERGE, alone or in EXPLAIN, DECLARE and CREATE TABLE
    /// AS. PostgreSQL may take a parameter for another type than its constant: `SELECT $1` gives text.
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
    /// None that trees of SQL give.
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

    /// Puts constants in place of the parameters that have these numbers: those of
    /// [`EditTree::parameterize`], or other values for them. Other parameters stay. Gives the number of
    /// parameters that were replaced.
    ///
    /// # Errors
    /// A parameter that stands where no constant may.
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

/// Returns whether a statement is a query, or a utility statement whose query takes parameters.
fn is_query(statement: Node<'_>) -> bool {
    use Node::{
        CreateTableAsStmt, DeclareCursorStmt, DeleteStmt, ExplainStmt, InsertStmt, MergeStmt, SelectStmt, UpdateStmt,
    };
    match statement {
        SelectStmt(_) | InsertStmt(_) | UpdateStmt(_) | DeleteStmt(_) | MergeStmt(_) | DeclareCursorStmt(_) => true,
        // EXPLAIN EXECUTE and CREATE TABLE AS EXECUTE hold no query.
        ExplainStmt(explain) => explain.query().is_some_and(is_query),
        // A materialized view keeps its query.
        CreateTableAsStmt(create) if create.objtype() == ObjectType::OBJECT_MATVIEW => false,
        CreateTableAsStmt(create) => create.query().is_some_and(is_query),
        _ => false,
    }
}

/// The constants of a statement that parameters may replace.
#[derive(Default)]
struct Constants<'t> {
    /// In the order of the text.
    found: Vec<(Visit<'t>, AConst<'t>)>,
    /// Those of which equals must have the same parameter, by address, with the number of their query.
    shared: HashMap<usize, usize>,
}

impl<'t> Constants<'t> {
    fn of(statement: Node<'t>) -> Self {
        let (mut constants, mut queries) = (Self::default(), 0);
        let mut walk = statement.walk().each_once().in_text_order();
        while let Some(visit) = walk.next() {
            match visit.node {
                Node::AConst(constant) if is_replaceable(constant, visit) => constants.found.push((visit, constant)),
                // Types have lengths, JSON functions take constants as defaults, and an index is found by the
                // constants in its expressions.
                Node::TypeName(_)
                | Node::JsonTablePathSpec(_)
                | Node::JsonBehavior(_)
                | Node::CteCycleClause(_)
                | Node::InferClause(_) => walk.skip_children(),
                Node::SelectStmt(select) => {
                    queries += 1;
                    for constant in compared(select) {
                        // Of an inner and an outer query, the inner one: it compares the whole expression.
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

/// Returns the constants of a query that are parts of expressions which PostgreSQL compares with each other.
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

/// Returns the constants in the members of a list.
fn inside<'t>(list: List<'t>) -> Vec<AConst<'t>> {
    list.nodes().flat_map(|node| node.find::<AConst<'t>>()).collect()
}

/// Returns whether a parameter may stand in place of a constant, with the same meaning.
fn is_replaceable(constant: AConst<'_>, visit: Visit<'_>) -> bool {
    match (visit.parent, visit.field) {
        // A column by its number; of GROUP BY also in GROUPING SETS.
        (Some(Node::SortBy(_)), _) | (Some(Node::GroupingSet(_)), _) => false,
        (Some(Node::SelectStmt(_)), "groupClause" | "distinctClause") => false,
        // LIMIT ALL
        (Some(Node::SelectStmt(_)), "limitCount") => constant.value() != Constant::Null,
        // `interval '1' year` reads the text by its fields.
        (Some(Node::TypeCast(cast)), "arg") => !cast.type_name().is_some_and(is_interval_of_fields),
        (Some(Node::FuncCall(call)), "args") => !is_keyword(call),
        (Some(Node::XmlExpr(xml)), "args") => !matches!(xml.op(), XmlExprOp::IS_XMLROOT | XmlExprOp::IS_XMLPARSE),
        _ => true,
    }
}

fn is_interval_of_fields(name: TypeName<'_>) -> bool {
    !name.typmods().is_empty() && name.names().strings().last() == Some("interval")
}

/// Returns whether constants in a call are written as keywords: `EXTRACT(year FROM a)`, `NORMALIZE(a, NFC)`.
fn is_keyword(call: FuncCall<'_>) -> bool {
    call.funcformat() == CoercionForm::COERCE_SQL_SYNTAX
        && call
            .funcname()
            .strings()
            .last()
            .is_some_and(|name| matches!(name, "extract" | "normalize" | "is_normalized"))
}
