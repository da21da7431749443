//! C tree and its text -> the text with `$n` for its constants. Equals `pg_query_normalize`
//! and `pg_query_normalize_utility`.
//!
//! One walk notes where constants stand, in libpg_query's order, which gives the numbers;
//! the text is then copied around them. What C decides node by node in a switch of its own
//! is decided here, by name; children and their order are [`children`]'s table.

use std::ops::Range;

use super::children_table::children;
use super::constants::constant_end;
use super::{Problem, cells, fingerprint};
use crate::sys::bindings as pg;
use crate::sys::stack::{Depth, Walk, deeper};
use crate::sys::{FingerprintFlags, Located, sort_by_location};

/// A text without its constants, or why there is none.
pub(crate) enum Normalized {
    Text(Vec<u8>),
    /// A constant stands where this module knows no token: C must be asked.
    Unsure,
}

/// How a tree's constants become parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    /// Leave queries alone: only utility statements hold secrets.
    pub utility_only: bool,
    /// Backslashes escape in plain literals.
    pub backslash_escapes: bool,
}

/// `text` with parameters for the constants of `node`, whose locations count from `base`
/// bytes before the text.
///
/// # Safety
/// `node` must be NULL or a valid tree, for the length of the call.
pub(crate) unsafe fn normalize(
    node: *const pg::Node,
    text: &[u8],
    base: usize,
    how: How,
) -> Result<Normalized, Problem> {
    // SAFETY: the caller vouches for the tree.
    let walk = unsafe { walked(node, base, how)? };
    let mut out = Vec::with_capacity(text.len() + 2 * walk.found.len());
    let mut done = 0;
    let all = walk.each(text, how, |Constant { range, number }| {
        out.extend_from_slice(&text[done..range.start]);
        out.push(b'$');
        out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        done = range.end;
    });
    out.extend_from_slice(&text[done..]);
    Ok(all.map_or(Normalized::Unsure, |()| Normalized::Text(out)))
}

/// A constant in a text, and the number of the parameter that takes its place.
pub(crate) struct Constant {
    pub range: Range<usize>,
    pub number: u32,
}

/// What [`normalize`] replaces, in the text's order; `None` where it is not certain that these
/// are all constants of expressions, whose values matter to nothing else.
///
/// # Safety
/// As for [`normalize`].
pub(crate) unsafe fn constants(
    node: *const pg::Node,
    text: &[u8],
    base: usize,
    how: How,
) -> Result<Option<Vec<Constant>>, Problem> {
    // SAFETY: the caller vouches for the tree.
    let walk = unsafe { walked(node, base, how)? };
    let mut found = Vec::with_capacity(walk.found.len());
    let all = walk.each(text, how, |constant| found.push(constant));
    Ok(all.filter(|()| walk.only_constants).map(|()| found))
}

/// The constants of a tree, in the order of their locations.
///
/// # Safety
/// As for [`normalize`].
unsafe fn walked(node: *const pg::Node, base: usize, how: How) -> Result<Constants, Problem> {
    let mut walk = Constants {
        found: Vec::new(),
        next: 1,
        highest_param: 0,
        seen: None,
        only_constants: true,
        utility_only: how.utility_only,
        base: base as i32,
        depth: Depth::new(),
        problem: None,
    };
    // SAFETY: the caller vouches for the tree.
    unsafe { walk.node(node) };
    if walk.depth.take_exceeded() {
        return Err(Problem::TooDeep);
    }
    if let Some(problem) = walk.problem.take() {
        return Err(problem);
    }
    sort_by_location(&mut walk.found);
    Ok(walk)
}

struct Constants {
    found: Vec<Located>,
    /// The number that the next constant gets, counted from 1.
    next: i32,
    /// The highest parameter in the text itself.
    highest_param: i32,
    /// Parameters seen or given out, while a result of a SELECT with GROUP BY is walked.
    seen: Option<Vec<i32>>,
    /// Nothing else was found than the constants of expressions.
    only_constants: bool,
    utility_only: bool,
    base: i32,
    depth: Depth,
    problem: Option<Problem>,
}

impl Walk for Constants {
    #[inline(always)]
    fn depth(&mut self) -> &mut Depth {
        &mut self.depth
    }
}

/// A result column: its fingerprint and its parameters, for GROUP BY to find again.
struct Column {
    fingerprint: u64,
    params: Vec<i32>,
}

impl Constants {
    /// Hands out each constant and its parameter in the text's order; `None` where one is no
    /// token that a constant may be.
    fn each(&self, text: &[u8], how: How, mut give: impl FnMut(Constant)) -> Option<()> {
        let (mut done, mut last) = (0, -1);
        for &Located { location, param } in &self.found {
            // One constant that the tree holds more than once is replaced once.
            if location == last {
                continue;
            }
            last = location;
            let start = usize::try_from(location).ok().filter(|start| (done..=text.len()).contains(start))?;
            done = constant_end(text, start, how.backslash_escapes)?;
            // Numbers below 0 are the walk's own, to follow those that the text has.
            let number = if param < 0 { self.highest_param as u32 + param.unsigned_abs() } else { param as u32 };
            give(Constant { range: start..done, number });
        }
        Some(())
    }

    /// What is no constant of an expression, but replaced like one.
    fn found_other(&mut self, location: i32) {
        self.only_constants = false;
        self.found(location);
    }

    /// A constant at `location`; below 0, nobody knows where.
    fn found(&mut self, location: i32) {
        if location >= 0 {
            // 0 is "not set" in a tree whose text starts later, and stays what it is in C.
            let location = if location == 0 { 0 } else { location - self.base };
            let param = -self.next;
            self.next += 1;
            self.found.push(Located { location, param });
            if let Some(seen) = &mut self.seen {
                seen.push(param);
            }
        }
    }

    /// # Safety
    /// `node` must be NULL or a valid node whose tag says its type.
    unsafe fn node(&mut self, node: *const pg::Node) {
        if !node.is_null() {
            // SAFETY: not NULL, so valid.
            deeper(self, |walk| unsafe { walk.by_tag(node) });
        }
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    unsafe fn list(&mut self, list: *const pg::List) {
        // SAFETY: the caller vouches for the list and its members.
        unsafe { cells(list).iter().for_each(|cell| self.node(cell.ptr_value.cast())) };
    }

    /// # Safety
    /// `node` must be a valid node whose tag says its type.
    unsafe fn by_tag(&mut self, node: *const pg::Node) {
        /// The node as what its tag says it is.
        macro_rules! of {
            ($c:ident) => {
                *node.cast::<pg::$c>()
            };
        }
        let queries = !self.utility_only;
        // SAFETY: the node is valid, and its tag names the struct that each arm casts to.
        unsafe {
            match (*node).type_ {
                pg::T_A_Const => self.found(of!(A_Const).location),
                pg::T_ParamRef => {
                    let number = of!(ParamRef).number;
                    self.highest_param = self.highest_param.max(number);
                    if let Some(seen) = &mut self.seen {
                        seen.push(number);
                    }
                }
                pg::T_DefElem => {
                    self.found_other(of!(DefElem).arg_location);
                    self.node(of!(DefElem).arg);
                }
                pg::T_CreateSubscriptionStmt => {
                    if !of!(CreateSubscriptionStmt).conninfo.is_null() {
                        self.found_other(of!(CreateSubscriptionStmt).conninfo_location);
                    }
                }
                pg::T_AlterSubscriptionStmt => {
                    if !of!(AlterSubscriptionStmt).conninfo.is_null() {
                        self.found_other(of!(AlterSubscriptionStmt).conninfo_location);
                    }
                }
                pg::T_NotifyStmt => {
                    if !of!(NotifyStmt).payload.is_null() {
                        self.found_other(of!(NotifyStmt).payload_location);
                    }
                }
                pg::T_RawStmt => self.node(of!(RawStmt).stmt),
                pg::T_ExplainStmt => self.node(of!(ExplainStmt).query),
                pg::T_CreateRoleStmt => self.list(of!(CreateRoleStmt).options),
                pg::T_AlterRoleStmt => self.list(of!(AlterRoleStmt).options),
                pg::T_CreateUserMappingStmt => self.list(of!(CreateUserMappingStmt).options),
                pg::T_AlterUserMappingStmt => self.list(of!(AlterUserMappingStmt).options),
                pg::T_VariableSetStmt if queries => self.list(of!(VariableSetStmt).args),
                pg::T_CopyStmt if queries => self.node(of!(CopyStmt).query),
                pg::T_CallStmt if queries => self.node(of!(CallStmt).funccall.cast()),
                pg::T_DeclareCursorStmt if queries => self.node(of!(DeclareCursorStmt).query),
                pg::T_CreateFunctionStmt if queries => self.list(of!(CreateFunctionStmt).options),
                pg::T_DoStmt if queries => self.list(of!(DoStmt).args),
                pg::T_SelectStmt if queries => self.select(&of!(SelectStmt)),
                pg::T_InsertStmt | pg::T_UpdateStmt | pg::T_DeleteStmt | pg::T_MergeStmt if queries => {
                    self.children(node);
                }
                // Lengths of types and bounds of arrays are no constants.
                pg::T_TypeName => {}
                pg::T_VariableSetStmt
                | pg::T_CopyStmt
                | pg::T_CallStmt
                | pg::T_DeclareCursorStmt
                | pg::T_CreateFunctionStmt
                | pg::T_DoStmt
                | pg::T_SelectStmt
                | pg::T_InsertStmt
                | pg::T_UpdateStmt
                | pg::T_DeleteStmt
                | pg::T_MergeStmt => {}
                pg::T_List => self.list(node.cast()),
                _ => self.children(node),
            }
        }
    }

    /// # Safety
    /// `stmt` must be valid.
    unsafe fn select(&mut self, stmt: &pg::SelectStmt) {
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
                // ORDER BY 1 names a column, as in GROUP BY.
                if (*item).type_ != pg::T_SortBy || !is_integer((*item.cast::<pg::SortBy>()).node) {
                    self.node(item);
                }
            }
            self.node(stmt.havingClause);
            self.list(stmt.windowClause);
            self.list(stmt.valuesLists);
            self.node(stmt.limitOffset);
            self.node(stmt.limitCount);
            self.list(stmt.lockingClause);
            self.node(stmt.withClause.cast());
            self.node(stmt.larg.cast());
            self.node(stmt.rarg.cast());
        }
    }

    /// Walks the results of a SELECT; gives what GROUP BY, if there is one, can refer to.
    ///
    /// # Safety
    /// `stmt` must be valid.
    unsafe fn columns(&mut self, stmt: &pg::SelectStmt) -> Vec<Column> {
        let grouped = !stmt.groupClause.is_null();
        let mut columns = Vec::new();
        // SAFETY: the statement is valid; a target list holds ResTargets.
        unsafe {
            for target in cells(stmt.targetList) {
                self.seen = grouped.then(Vec::new);
                let target = target.ptr_value.cast::<pg::ResTarget>();
                self.node(target.cast());
                if grouped {
                    let fingerprint = self.fingerprint((*target).val);
                    // Gone after a SELECT inside this result: it ends the recording.
                    columns.push(Column { fingerprint, params: self.seen.take().unwrap_or_default() });
                }
                self.seen = None;
            }
        }
        columns
    }

    /// A GROUP BY item: the parameters of the result that it repeats, or new ones.
    ///
    /// # Safety
    /// `item` must be NULL or valid.
    unsafe fn group_item(&mut self, item: *const pg::Node, columns: &mut Vec<Column>) {
        // SAFETY: the caller's promise.
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
        // SAFETY: the caller's promise.
        match unsafe { fingerprint(node, 0, FingerprintFlags::default()) } {
            Ok(fingerprint) => fingerprint,
            Err(problem) => {
                self.problem.get_or_insert(problem);
                0
            }
        }
    }
}

/// Whether the node is an integer constant, which in GROUP BY and ORDER BY names a column.
///
/// # Safety
/// `node` must be NULL or a valid node whose tag says its type.
unsafe fn is_integer(node: *const pg::Node) -> bool {
    // SAFETY: valid where not NULL; the tag inside the union may be read of any member.
    unsafe {
        !node.is_null()
            && (*node).type_ == pg::T_A_Const
            && (*node.cast::<pg::A_Const>()).val.node.type_ == pg::T_Integer
    }
}

macro_rules! visit {
    ($walk:ident, $c:expr, { $field:ident; $($rest:tt)* }) => {
        $walk.node((*$c).$field.cast());
        visit!($walk, $c, { $($rest)* });
    };
    // C reads the members as what the list is declared to hold, whatever their tags say.
    ($walk:ident, $c:expr, { each $field:ident $member:ident { $($inner:tt)* }; $($rest:tt)* }) => {
        for member in cells((*$c).$field) {
            let member = member.ptr_value.cast::<pg::$member>();
            visit!($walk, member, { $($inner)* });
        }
        visit!($walk, $c, { $($rest)* });
    };
    ($walk:ident, $c:expr, { }) => {
        let _ = $c;
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident { $($fields:tt)* })*) => {
        impl Constants {
            /// # Safety
            /// `node` must be a valid node whose tag says its type.
            unsafe fn children(&mut self, node: *const pg::Node) {
                // SAFETY: the node is valid and its tag names the struct of each arm.
                unsafe {
                    match (*node).type_ {
                        $(pg::$tag => {
                            let c = node.cast::<pg::$c>();
                            visit!(self, c, { $($fields)* });
                        })*
                        // PostgreSQL's walker raises an error, libpg_query ignores it: the
                        // node's children are not visited, its siblings are.
                        _ => {}
                    }
                }
            }
        }
    };
}
children!(walk);
