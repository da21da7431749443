//! Collects the constants of a SELECT. If a GROUP BY item repeats a result column, the item's constants have the same
//! parameters as the column's constants.

use super::collect::{ConstantCollector, is_constant};
use super::constants::ConstantSite;
use crate::convert::fingerprint::fingerprint_node;
use crate::sys::{FingerprintFlags, bindings as pg, cells};

/// A result column of a SELECT. GROUP BY may contain the same expression.
struct Column {
    fingerprint: u64,
    params: Vec<i32>,
}

impl ConstantCollector {
    /// # Safety
    /// `stmt` must be valid.
    pub(super) unsafe fn select(&mut self, stmt: &pg::SelectStmt) {
        // SAFETY: the statement is valid, and so are its children.
        unsafe {
            self.list(stmt.distinctClause);
            self.node(stmt.intoClause.cast());
            let mut columns = self.columns(stmt);
            self.list(stmt.fromClause);
            self.node(stmt.whereClause);
            for item in cells(stmt.groupClause) {
                let item = item.ptr_value.cast::<pg::Node>();
                if !is_integer(item) {
                    self.group_item(item, &mut columns);
                }
            }
            for item in cells(stmt.sortClause) {
                let item = item.ptr_value.cast::<pg::Node>();
                // Skip an integer, as in `ORDER BY 1`, because it refers to a column.
                if (*item).type_ != pg::T_SortBy || !is_integer((*item.cast::<pg::SortBy>()).node) {
                    self.node(item);
                }
            }
            self.node(stmt.havingClause);
            self.list(stmt.windowClause);
            self.list(stmt.valuesLists);
            self.row_count(stmt.limitOffset);
            self.row_count(stmt.limitCount);
            self.list(stmt.lockingClause);
            self.node(stmt.withClause.cast());
            self.node(stmt.larg.cast());
            self.node(stmt.rarg.cast());
        }
    }

    /// Visits the row count of LIMIT, OFFSET or FETCH.
    ///
    /// # Safety
    /// `node` must be NULL or valid.
    unsafe fn row_count(&mut self, node: *const pg::Node) {
        // SAFETY: the node is valid if it is not NULL, and so are its children.
        unsafe {
            if !node.is_null() && (*node).type_ == pg::T_A_Expr {
                let expression = &*node.cast::<pg::A_Expr>();
                if expression.lexpr.is_null() && is_constant(expression.rexpr) {
                    self.note((*expression.rexpr.cast::<pg::A_Const>()).location, ConstantSite::RowCount);
                }
            }
            self.node(node);
        }
    }

    /// Visits the result columns of a SELECT. Returns the columns that its GROUP BY may repeat.
    ///
    /// # Safety
    /// `stmt` must be valid.
    unsafe fn columns(&mut self, stmt: &pg::SelectStmt) -> Vec<Column> {
        let grouped = !stmt.groupClause.is_null();
        let mut columns = Vec::new();
        // SAFETY: the statement is valid; a target list consists of ResTargets.
        unsafe {
            for target in cells(stmt.targetList) {
                self.seen = grouped.then(Vec::new);
                let target = target.ptr_value.cast::<pg::ResTarget>();
                self.node(target.cast());
                if grouped {
                    let fingerprint = self.fingerprint((*target).val);
                    // `seen` is `None` if the column contains a SELECT, because that SELECT used `seen` for its own
                    // columns.
                    columns.push(Column { fingerprint, params: self.seen.take().unwrap_or_default() });
                }
                self.seen = None;
            }
        }
        columns
    }

    /// Numbers the constants of a GROUP BY item. If the item repeats a column, the item's constants get the parameters
    /// of the column. Otherwise the constants get new parameters.
    ///
    /// # Safety
    /// `item` must be NULL or valid.
    unsafe fn group_item(&mut self, item: *const pg::Node, columns: &mut Vec<Column>) {
        // SAFETY: the caller meets this function's requirements.
        let fingerprint = unsafe { self.fingerprint(item) };
        let same = columns.iter().position(|column| column.fingerprint == fingerprint);
        let same = same.map(|at| columns.remove(at).params);
        let before = self.found.len();
        // SAFETY: as above.
        unsafe { self.node(item) };
        if let Some(params) = same.filter(|params| params.len() == self.found.len() - before) {
            self.found[before..].iter_mut().zip(&params).for_each(|(constant, param)| constant.param = *param);
            self.next -= params.len() as i32;
        }
    }

    /// # Safety
    /// `node` must be NULL or valid.
    unsafe fn fingerprint(&mut self, node: *const pg::Node) -> u64 {
        // SAFETY: the caller meets this function's requirements.
        match unsafe { fingerprint_node(node, 0, FingerprintFlags::default(), false) } {
            Ok(made) => made.hash,
            Err(problem) => {
                self.problem.get_or_insert(problem);
                0
            }
        }
    }
}

/// Returns whether the node is an integer constant. In GROUP BY and ORDER BY, an integer constant refers to a column.
///
/// # Safety
/// `node` must be NULL or a valid node whose tag matches its type.
unsafe fn is_integer(node: *const pg::Node) -> bool {
    // SAFETY: `node` is valid if it is not NULL. Every member of the union begins with a tag, so the tag is always
    // readable.
    unsafe {
        !node.is_null()
            && (*node).type_ == pg::T_A_Const
            && (*node.cast::<pg::A_Const>()).val.node.type_ == pg::T_Integer
    }
}
