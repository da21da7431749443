//! Collects the references of a statement: relations, functions, filter columns and WITH queries.
//!
//! Visits every field of every node, using the table of nodes ([`nodes`](super::nodes)), so that no reference is
//! missed. Hand-written code adds the information that the table lacks: whether a relation is read or changed, the
//! scope of WITH queries, and the order of pg_query_summary.

mod access;
mod fields;
mod names;
mod object;
mod record;
mod scope;
mod values;

use object::Object;
use scope::CteScope;

pub use values::{Access, Context, FilterColumn, Function, Relation, RelationKind, Summary, TableAlias};

use super::problem::Problem;
use super::view::{RangeVar, range_var_of};
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{StatementRef, bindings as pg, c_bytes, cells};

/// Returns the references of a statement. A location in the statement is an offset in the SQL plus `padding`.
pub(crate) fn summarize(statement: StatementRef<'_>, padding: usize) -> Result<Summary, Problem> {
    Ok(walked(statement, padding)?.summary)
}

/// Returns the nodes of the relations that [`summarize`] lists, in the same order. Excludes relations without a node.
/// For example, DROP names its relations by lists of strings.
pub(crate) fn relation_nodes<'t>(
    statements: impl Iterator<Item = StatementRef<'t>>,
    padding: usize,
) -> Result<Vec<RangeVar<'t>>, Problem> {
    let mut nodes = Vec::new();
    for statement in statements {
        let walk = walked(statement, padding)?;
        // SAFETY: these nodes belong to the statement's tree.
        nodes.extend(walk.nodes.into_iter().map(|node| unsafe { range_var_of(node, padding) }));
    }
    Ok(nodes)
}

fn walked<'t>(statement: StatementRef<'t>, padding: usize) -> Result<Summarizer<'t>, Problem> {
    let mut walk = Summarizer {
        summary: Summary::default(),
        nodes: Vec::new(),
        scope: CteScope::default(),
        object: Object::Other,
        access: Access::Name,
        subject: (std::ptr::null(), Access::Name),
        recorded: false,
        only_columns: false,
        padding,
        stack_guard: StackGuard::new(),
        problem: None,
    };
    // SAFETY: the statement's tree is valid.
    unsafe { walk.node(statement.node()) };
    if walk.stack_guard.take_exceeded() {
        return Err(Problem::TooDeep);
    }
    match walk.problem.take() {
        Some(problem) => Err(problem),
        None => Ok(walk),
    }
}

struct Summarizer<'t> {
    summary: Summary,
    /// The nodes of the relations.
    nodes: Vec<*const pg::RangeVar>,
    scope: CteScope<'t>,
    /// The kind of objects that the current utility statement names.
    object: Object,
    /// The current utility statement's access to relations.
    access: Access,
    /// The main relation of the current utility statement, and the access to it. For example,
    /// `CREATE TABLE t (a int REFERENCES u)` creates `t`, but only names `u`.
    subject: (*const pg::RangeVar, Access),
    /// Whether to skip each RangeVar in the current node's fields and in the operands of its joins. For example, the
    /// relations in FROM are already recorded when the fields of a SELECT are visited. The RangeVars of FOR UPDATE OF
    /// and of SET CONSTRAINTS are skipped because they name FROM items and constraints instead of relations.
    recorded: bool,
    /// Whether only the columns of a WHERE clause are collected.
    only_columns: bool,
    padding: usize,
    stack_guard: StackGuard,
    problem: Option<Problem>,
}

impl HasStackGuard for Summarizer<'_> {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// Casts the node to the struct that its tag names.
macro_rules! of {
    ($node:ident, $c:ident) => {
        &*$node.cast::<pg::$c>()
    };
}

impl Summarizer<'_> {
    /// # Safety
    /// `node` must be NULL or a valid node whose tag matches its type.
    unsafe fn node(&mut self, node: *const pg::Node) {
        if !node.is_null() {
            // SAFETY: the caller guarantees that `node` is valid if it is not NULL.
            recurse(self, |walk| unsafe { walk.by_tag(node) });
        }
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    unsafe fn list(&mut self, list: *const pg::List) {
        // SAFETY: the caller guarantees that the list and its members are valid.
        unsafe { cells(list).iter().for_each(|cell| self.node(cell.ptr_value.cast())) };
    }

    /// # Safety
    /// `node` must be a valid node whose tag matches its type.
    unsafe fn by_tag(&mut self, node: *const pg::Node) {
        // SAFETY: the node is valid, and each arm casts to the struct that its tag names.
        unsafe {
            match (*node).type_ {
                pg::T_List => self.list(node.cast()),
                pg::T_ColumnRef if self.only_columns => self.filter_column(of!(node, ColumnRef)),
                // Skip a subquery, because its columns do not belong to this WHERE clause.
                pg::T_SelectStmt if self.only_columns => {}
                _ if self.only_columns => self.fields(node),
                pg::T_RangeVar if self.recorded => {}
                pg::T_RangeVar => self.relation(node.cast(), Context::Ddl),
                pg::T_WithClause => self.with_clause(of!(node, WithClause)),
                // In `SET (a, b) = (…)` all columns share one expression, which is visited with the first column.
                pg::T_MultiAssignRef if (of!(node, MultiAssignRef)).colno > 1 => {}
                _ => {
                    let outer = (self.object, self.recorded, self.access);
                    self.recorded &= matches!((*node).type_, pg::T_JoinExpr | pg::T_RangeTableSample);
                    self.enter(node);
                    self.fields(node);
                    self.leave(node);
                    (self.object, self.recorded, self.access) = outer;
                }
            }
        }
    }

    /// Records the references that pg_query_summary lists before the references in the node's
    /// fields.
    ///
    /// # Safety
    /// Same as for [`Summarizer::by_tag`].
    unsafe fn enter(&mut self, node: *const pg::Node) {
        // SAFETY: the node is valid, and each arm casts to the struct that its tag names.
        unsafe {
            self.find_subject(node);
            self.open_with(with_clause_of(node));
            match (*node).type_ {
                pg::T_SelectStmt => {
                    let select = of!(node, SelectStmt);
                    self.recorded = true;
                    self.record_from(select.fromClause);
                    self.record_into(select.intoClause);
                    self.filter(select.whereClause);
                }
                pg::T_InsertStmt => self.target((of!(node, InsertStmt)).relation),
                pg::T_UpdateStmt => {
                    let update = of!(node, UpdateStmt);
                    self.target(update.relation);
                    self.record_from(update.fromClause);
                    self.filter(update.whereClause);
                }
                pg::T_DeleteStmt => {
                    let delete = of!(node, DeleteStmt);
                    self.target(delete.relation);
                    self.record_from(delete.usingClause);
                    self.filter(delete.whereClause);
                }
                pg::T_MergeStmt => {
                    let merge = of!(node, MergeStmt);
                    self.target(merge.relation);
                    self.record_from_item(merge.sourceRelation);
                }
                pg::T_CopyStmt => {
                    let copy = of!(node, CopyStmt);
                    self.recorded = true;
                    self.subject = (copy.relation, if copy.is_from { Access::Write } else { Access::Read });
                    self.relation(copy.relation, Context::Select);
                    self.filter(copy.whereClause);
                }
                pg::T_OnConflictClause => self.filter((of!(node, OnConflictClause)).whereClause),
                pg::T_CreateTableAsStmt => self.record_into((of!(node, CreateTableAsStmt)).into),
                // The relations of an IntoClause are recorded with the statement. A LockingClause names FROM items, and
                // a ConstraintsSetStmt names constraints: neither names relations.
                pg::T_IntoClause | pg::T_LockingClause | pg::T_ConstraintsSetStmt => self.recorded = true,
                pg::T_FuncCall => {
                    let call = of!(node, FuncCall);
                    self.function(names::strings(call.funcname), Context::Call, call.location);
                }
                pg::T_CreateFunctionStmt => self.ddl_function((of!(node, CreateFunctionStmt)).funcname),
                pg::T_CreateTrigStmt => self.ddl_function((of!(node, CreateTrigStmt)).funcname),
                pg::T_CreateEventTrigStmt => self.ddl_function((of!(node, CreateEventTrigStmt)).funcname),
                pg::T_DefineStmt if (of!(node, DefineStmt)).kind == pg::OBJECT_AGGREGATE => {
                    self.ddl_function((of!(node, DefineStmt)).defnames);
                }
                pg::T_ObjectWithArgs if self.object == Object::Function => {
                    self.ddl_function((of!(node, ObjectWithArgs)).objname);
                }
                pg::T_CreateCastStmt => self.object = Object::Function,
                pg::T_CreateSeqStmt => self.sequence((of!(node, CreateSeqStmt)).options),
                pg::T_AlterSeqStmt => self.sequence((of!(node, AlterSeqStmt)).options),
                pg::T_CompositeTypeStmt => self.object = Object::Relation(RelationKind::Type),
                pg::T_ReindexStmt if (of!(node, ReindexStmt)).kind == pg::REINDEX_OBJECT_INDEX => {
                    self.object = Object::Relation(RelationKind::Index);
                }
                _ => {}
            }
        }
    }

    /// Records the references that pg_query_summary lists after the references in the node's
    /// fields, and ends the scope of the node's WITH queries.
    ///
    /// # Safety
    /// Same as for [`Summarizer::by_tag`].
    unsafe fn leave(&mut self, node: *const pg::Node) {
        // SAFETY: same as in `enter`.
        unsafe {
            if (*node).type_ == pg::T_RenameStmt {
                self.new_name(of!(node, RenameStmt));
            }
            for name in cte_names(with_clause_of(node)) {
                self.scope.remove(name);
            }
        }
    }

    /// Records the names of WITH queries and adds them to the scope.
    ///
    /// # Safety
    /// `with` must be NULL or valid.
    unsafe fn open_with(&mut self, with: *const pg::WithClause) {
        // SAFETY: the caller meets this function's requirements.
        for name in unsafe { cte_names(with) } {
            self.summary.ctes.push(String::from_utf8_lossy(name).into_owned());
            self.scope.add(name);
        }
    }

    /// Visits the WITH queries. Without RECURSIVE, each query can refer only to earlier queries.
    ///
    /// # Safety
    /// `with` must be valid and its names in scope.
    unsafe fn with_clause(&mut self, with: &pg::WithClause) {
        // SAFETY: the caller meets this function's requirements; each `cte` is a member of the list.
        unsafe {
            if with.recursive {
                return self.list(with.ctes);
            }
            for name in cte_names(with) {
                self.scope.remove(name);
            }
            for cte in cells(with.ctes) {
                self.node(cte.ptr_value.cast());
                if let Some(name) = cte_name(cte) {
                    self.scope.add(name);
                }
            }
        }
    }
}

/// Returns the WITH clause of a statement, or NULL.
///
/// # Safety
/// `node` must be a valid node whose tag matches its type.
unsafe fn with_clause_of(node: *const pg::Node) -> *const pg::WithClause {
    // SAFETY: each arm casts to the struct that the tag names.
    unsafe {
        match (*node).type_ {
            pg::T_SelectStmt => (of!(node, SelectStmt)).withClause,
            pg::T_InsertStmt => (of!(node, InsertStmt)).withClause,
            pg::T_UpdateStmt => (of!(node, UpdateStmt)).withClause,
            pg::T_DeleteStmt => (of!(node, DeleteStmt)).withClause,
            pg::T_MergeStmt => (of!(node, MergeStmt)).withClause,
            _ => std::ptr::null(),
        }
    }
}

/// Returns the names of WITH queries.
///
/// # Safety
/// `with` must be NULL or valid for `'t`.
unsafe fn cte_names<'t>(with: *const pg::WithClause) -> impl Iterator<Item = &'t [u8]> {
    // SAFETY: `with` is NULL or valid. The list of a valid clause is valid.
    let ctes = unsafe { with.as_ref().map_or(&[][..], |with| cells(with.ctes)) };
    // SAFETY: `cte` is a member of that list.
    ctes.iter().filter_map(|cte| unsafe { cte_name(cte) })
}

/// Returns the name of a WITH query.
///
/// # Safety
/// `cell` must be a member of a list of nodes that is valid for `'t`.
unsafe fn cte_name<'t>(cell: &pg::ListCell) -> Option<&'t [u8]> {
    // SAFETY: the tag determines the cast; the name is NULL or a NUL-terminated string.
    unsafe {
        let node = cell.ptr_value.cast::<pg::CommonTableExpr>();
        let is_cte = !node.is_null() && (*node).type_ == pg::T_CommonTableExpr && !(*node).ctename.is_null();
        is_cte.then(|| c_bytes((*node).ctename))
    }
}
