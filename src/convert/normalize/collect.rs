//! Collects the constants of a C tree: their locations in the SQL and their parameter numbers.
//!
//! Nodes are visited in libpg_query's order, because this order determines the numbers. As in libpg_query
//! (const_record_walker in pg_query_normalize.c), some node types have dedicated code. For all other node types, the
//! table [`children`] lists the children in order.

use super::children_table::children;
use super::constants::{CollectedConstants, ConstantSite};
use crate::convert::problem::Problem;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{NumberedConstant, Subject, bindings as pg, c_bytes, cells, sort_by_location};

/// Returns the constants of a tree or a statement, sorted by location. A location in the tree is an offset in the SQL
/// plus `base`. With `utility_only`, skips queries, like `pg_query_normalize_utility`.
#[inline]
pub(crate) fn collect_constants(
    subject: Subject<'_>,
    base: usize,
    utility_only: bool,
) -> Result<CollectedConstants, Problem> {
    let mut walk = ConstantCollector {
        found: Vec::new(),
        sites: Vec::new(),
        site: None,
        query: true,
        takes_parameters: true,
        refuses_parameters: false,
        next: 1,
        highest_param: 0,
        seen: None,
        utility_only,
        base: base as i32,
        stack_guard: StackGuard::new(),
        problem: None,
    };
    // SAFETY: the subject's tree is valid.
    unsafe { walk.node(subject.start().0) };
    if walk.stack_guard.take_exceeded() {
        return Err(Problem::TooDeep);
    }
    if let Some(problem) = walk.problem {
        return Err(problem);
    }
    sort_by_location(&mut walk.found);
    walk.sites.sort_unstable();
    Ok(CollectedConstants {
        constants: walk.found,
        sites: walk.sites,
        highest_param: i64::from(walk.highest_param),
        in_query: walk.query,
        takes_parameters: walk.takes_parameters,
        refuses_parameters: walk.refuses_parameters,
    })
}

pub(super) struct ConstantCollector {
    pub(super) found: Vec<NumberedConstant>,
    /// The locations of constants that are not plain expressions, and their sites (syntactic positions).
    sites: Vec<(i32, ConstantSite)>,
    /// The site (syntactic position) of the constants that are visited next; `None` for plain expressions.
    site: Option<ConstantSite>,
    /// Whether all statements so far are queries. Constants in queries are expressions.
    query: bool,
    /// Whether the grammar accepts parameters in every statement so far; see [`CollectedConstants::takes_parameters`].
    takes_parameters: bool,
    refuses_parameters: bool,
    /// The number of the next constant, from 1.
    pub(super) next: i32,
    /// The maximum n of `$n` in the SQL.
    highest_param: i32,
    /// Numbers of the parameters that replace constants of the current result column. `None` outside of a result
    /// column, and for a SELECT without GROUP BY.
    pub(super) seen: Option<Vec<i32>>,
    utility_only: bool,
    base: i32,
    stack_guard: StackGuard,
    pub(super) problem: Option<Problem>,
}

impl HasStackGuard for ConstantCollector {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

impl ConstantCollector {
    /// Records a constant, unless its location is unknown (negative).
    fn found(&mut self, location: i32) {
        if location >= 0 {
            // With a `base` other than 0, the SQL starts at location `base`, so no constant is really at location 0. A
            // location of 0 then means "not set". It stays 0, as in libpg_query.
            let location = if location == 0 { 0 } else { location - self.base };
            let param = -self.next;
            self.next += 1;
            self.found.push(NumberedConstant { location, param });
            if let Some(site) = self.site {
                self.sites.push((location, site));
            }
            if let Some(seen) = &mut self.seen {
                seen.push(param);
            }
        }
    }

    /// Records a constant at a position where the grammar accepts only a literal. Does nothing if the location is 0
    /// ("not set").
    fn literal(&mut self, location: i32) {
        if location > 0 {
            let outer = self.site.replace(ConstantSite::Literal);
            self.found(location);
            self.site = outer;
        }
    }

    /// Records the site (syntactic position) of the constant at `location`. The constant itself is visited later.
    pub(super) fn note(&mut self, location: i32, site: ConstantSite) {
        if location > 0 {
            self.sites.push((location - self.base, site));
        }
    }

    /// # Safety
    /// `node` must be NULL or a valid node whose tag matches its type.
    pub(super) unsafe fn node(&mut self, node: *const pg::Node) {
        if !node.is_null() {
            // SAFETY: the caller guarantees that `node` is valid if it is not NULL.
            recurse(self, |walk| unsafe { walk.by_tag(node) });
        }
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    pub(super) unsafe fn list(&mut self, list: *const pg::List) {
        // SAFETY: the caller guarantees that the list and its members are valid.
        unsafe { cells(list).iter().for_each(|cell| self.node(cell.ptr_value.cast())) };
    }

    /// # Safety
    /// `node` must be a valid node whose tag matches its type.
    unsafe fn by_tag(&mut self, node: *const pg::Node) {
        /// Casts the node to the struct that its tag names.
        macro_rules! of {
            ($c:ident) => {
                *node.cast::<pg::$c>()
            };
        }
        let queries = !self.utility_only;
        // SAFETY: the node is valid, and each arm casts to the struct that its tag names.
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
                    self.literal(of!(DefElem).arg_location);
                    self.node(of!(DefElem).arg);
                }
                pg::T_CreateSubscriptionStmt => {
                    if !of!(CreateSubscriptionStmt).conninfo.is_null() {
                        self.literal(of!(CreateSubscriptionStmt).conninfo_location);
                    }
                }
                pg::T_AlterSubscriptionStmt => {
                    if !of!(AlterSubscriptionStmt).conninfo.is_null() {
                        self.literal(of!(AlterSubscriptionStmt).conninfo_location);
                    }
                }
                pg::T_NotifyStmt => {
                    if !of!(NotifyStmt).payload.is_null() {
                        self.literal(of!(NotifyStmt).payload_location);
                    }
                }
                pg::T_RawStmt => self.statement(of!(RawStmt).stmt),
                pg::T_ExplainStmt => self.node(of!(ExplainStmt).query),
                pg::T_CreateRoleStmt => self.list(of!(CreateRoleStmt).options),
                pg::T_AlterRoleStmt => self.list(of!(AlterRoleStmt).options),
                pg::T_CreateUserMappingStmt => self.list(of!(CreateUserMappingStmt).options),
                pg::T_AlterUserMappingStmt => self.list(of!(AlterUserMappingStmt).options),
                pg::T_VariableSetStmt if queries => {
                    let set = &of!(VariableSetStmt);
                    let site = if takes_parameters(set) { ConstantSite::Setting } else { ConstantSite::Literal };
                    let outer = self.site.replace(site);
                    self.list(set.args);
                    self.site = outer;
                }
                pg::T_CopyStmt if queries => self.node(of!(CopyStmt).query),
                pg::T_CallStmt if queries => self.node(of!(CallStmt).funccall.cast()),
                pg::T_DeclareCursorStmt if queries => self.node(of!(DeclareCursorStmt).query),
                pg::T_CreateFunctionStmt if queries => self.function(of!(CreateFunctionStmt).options),
                pg::T_DoStmt if queries => self.function(of!(DoStmt).args),
                pg::T_SelectStmt if queries => self.select(&of!(SelectStmt)),
                pg::T_InsertStmt | pg::T_UpdateStmt | pg::T_DeleteStmt | pg::T_MergeStmt if queries => {
                    self.children(node);
                }
                // Type lengths and array bounds are not treated as constants.
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
                pg::T_TypeCast => {
                    self.cast(&of!(TypeCast));
                    self.children(node);
                }
                pg::T_JsonTable => {
                    let path = of!(JsonTable).pathspec;
                    if !path.is_null() && is_constant((*path).string) {
                        self.note((*(*path).string.cast::<pg::A_Const>()).location, ConstantSite::Literal);
                    }
                    self.children(node);
                }
                _ => self.children(node),
            }
        }
    }

    /// # Safety
    /// `stmt` must be NULL or valid.
    unsafe fn statement(&mut self, stmt: *const pg::Node) {
        if stmt.is_null() {
            return;
        }
        // SAFETY: the caller meets this function's requirements; each arm casts to the struct that the tag names.
        unsafe {
            self.query &= is_query(stmt);
            self.takes_parameters &= match (*stmt).type_ {
                pg::T_ExplainStmt => is_query((*stmt.cast::<pg::ExplainStmt>()).query),
                pg::T_DeclareCursorStmt => is_query((*stmt.cast::<pg::DeclareCursorStmt>()).query),
                pg::T_CopyStmt => is_query((*stmt.cast::<pg::CopyStmt>()).query),
                pg::T_VariableSetStmt => true, // a value that cannot be a parameter has the site `Literal`
                _ => is_query(stmt),
            };
            self.node(stmt);
        }
    }

    /// Visits the options of CREATE FUNCTION or DO. If they contain a body, sets `refuses_parameters`, because the
    /// grammar accepts only a string as the body (gram.y: func_as, dostmt_opt_item).
    ///
    /// # Safety
    /// `options` must be NULL or a valid list of DefElem.
    unsafe fn function(&mut self, options: *const pg::List) {
        // SAFETY: the caller meets this function's requirements; names are C strings.
        let is_body = |option: &pg::ListCell| unsafe {
            let option = &*option.ptr_value.cast::<pg::DefElem>();
            option.arg_location > 0 && c_bytes(option.defname) == b"as"
        };
        // SAFETY: the caller meets this function's requirements.
        unsafe {
            self.refuses_parameters |= cells(options).iter().any(is_body);
            self.list(options);
        }
    }

    /// If the cast is a literal after a type name, as in `date '2020-01-01'`, records the location of the type name.
    /// The parser sets no location for such a cast, but it sets one for `'2020-01-01'::date` (gram.y: AexprConst).
    ///
    /// # Safety
    /// `cast` must be valid.
    unsafe fn cast(&mut self, cast: &pg::TypeCast) {
        // SAFETY: the cast is valid, and so are its children.
        unsafe {
            if cast.location < 0 && is_constant(cast.arg) && !cast.typeName.is_null() {
                let (place, name) = ((*cast.arg.cast::<pg::A_Const>()).location, (*cast.typeName).location);
                if (0..place).contains(&name) {
                    let name = name - self.base;
                    self.note(
                        place,
                        match unlimited_name(&*cast.typeName) {
                            Some(unlimited) => ConstantSite::Unlimited(name, unlimited),
                            None => ConstantSite::Typed(name),
                        },
                    );
                }
            }
        }
    }
}

/// Returns whether a statement is a query. NULL is treated as a query without constants.
///
/// # Safety
/// `stmt` must be NULL or valid.
unsafe fn is_query(stmt: *const pg::Node) -> bool {
    // SAFETY: the caller meets this function's requirements.
    let tag = unsafe { stmt.as_ref() }.map(|stmt| stmt.type_);
    matches!(
        tag,
        None | Some(pg::T_SelectStmt | pg::T_InsertStmt | pg::T_UpdateStmt | pg::T_DeleteStmt | pg::T_MergeStmt)
    )
}

/// Returns whether the grammar accepts parameters for all values of a setting (gram.y: var_value, zone_value, and
/// libpg_query's addition to set_rest_more). The grammar rejects parameters in SET NAMES, SET XML OPTION, transaction
/// modes and intervals.
///
/// # Safety
/// The values must be a list of valid nodes.
unsafe fn takes_parameters(set: &pg::VariableSetStmt) -> bool {
    // SAFETY: the caller meets this function's requirements. A setting with a value has a name, which is a C string.
    unsafe {
        set.kind == pg::VAR_SET_VALUE
            && !matches!(c_bytes(set.name), b"client_encoding" | b"xmloption")
            && cells(set.args).iter().all(|value| is_constant(value.ptr_value.cast()))
    }
}

/// Returns the type that a cast must use instead of `char` or `bit` to keep the whole string. The cast `'xy'::char`
/// limits the length to 1 and returns `x`, but the literal `char 'xy'` is `xy`. Therefore the result is a similar type
/// without a limit: `pg_catalog.bpchar` or `pg_catalog.bit`. The literals `N'x'` and `bit '1'` also have these types
/// (gram.y: ConstCharacter, ConstBit). Returns `None` for all other types.
///
/// # Safety
/// `name` must be valid.
unsafe fn unlimited_name(name: &pg::TypeName) -> Option<&'static str> {
    // SAFETY: the names are a list of String nodes.
    let names = unsafe { cells(name.names) };
    let [schema, name_cell] = names else { return None };
    let is = |cell: &pg::ListCell, text: &[u8]| {
        // SAFETY: the cell is a member of the list of names, and its string is NULL or ends in a NUL.
        unsafe {
            let string = cell.ptr_value.cast::<pg::String>();
            !(*string).sval.is_null() && c_bytes((*string).sval) == text
        }
    };
    if !name.typmods.is_null() || !is(schema, b"pg_catalog") {
        return None;
    }
    match () {
        () if is(name_cell, b"bpchar") => Some("pg_catalog.bpchar"),
        () if is(name_cell, b"bit") => Some("pg_catalog.bit"),
        () => None,
    }
}

/// Returns whether the node is a constant.
///
/// # Safety
/// `node` must be NULL or a valid node.
pub(super) unsafe fn is_constant(node: *const pg::Node) -> bool {
    // SAFETY: `node` is valid if it is not NULL.
    unsafe { !node.is_null() && (*node).type_ == pg::T_A_Const }
}

macro_rules! visit {
    ($walk:ident, $c:expr, { $field:ident; $($rest:tt)* }) => {
        $walk.node((*$c).$field.cast());
        visit!($walk, $c, { $($rest)* });
    };
    // As in libpg_query, the members are cast to the declared type without a check of their tags.
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
        impl ConstantCollector {
            /// # Safety
            /// `node` must be a valid node whose tag matches its type.
            unsafe fn children(&mut self, node: *const pg::Node) {
                // SAFETY: the node is valid, and each arm casts to the struct that its tag names.
                unsafe {
                    match (*node).type_ {
                        $(pg::$tag => {
                            let c = node.cast::<pg::$c>();
                            visit!(self, c, { $($fields)* });
                        })*
                        // PostgreSQL's walker raises an error here. libpg_query ignores the error:
                        // it skips the node's children and continues with the node's siblings.
                        _ => {}
                    }
                }
            }
        }
    };
}
children!(walk);
