//! Records relations, functions and filter columns as plain values.

use super::object::Object;
use super::{Summarizer, names};
use crate::convert::summary::values::{Access, Context, FilterColumn, Function, Relation, RelationKind, TableAlias};
use crate::sys::stack::recurse;
use crate::sys::{bindings as pg, c_bytes, cells};

impl Summarizer<'_> {
    /// Converts a location to an offset in the SQL. Returns `None` if the location is unknown (negative) or not set. A
    /// location of 0 means "not set" if spaces precede the SQL in the parser's input (padding).
    fn location(&self, location: i32) -> Option<usize> {
        usize::try_from(location).ok()?.checked_sub(self.padding)
    }

    /// Records a relation and its alias. If a WITH query in scope has the same name, records only the alias.
    ///
    /// # Safety
    /// `relation` must be NULL or valid.
    pub(super) unsafe fn relation(&mut self, relation: *const pg::RangeVar, context: Context) {
        // SAFETY: the caller guarantees that `relation` is NULL or valid. In a valid RangeVar, the names and the alias
        // are NULL or valid, too.
        unsafe {
            let Some(range) = relation.as_ref() else { return };
            if range.relname.is_null() {
                return;
            }
            let (catalog, schema) = (names::text(range.catalogname), names::text(range.schemaname));
            let is_cte = context == Context::Select && schema.is_none() && self.scope.contains(c_bytes(range.relname));
            let name = String::from_utf8_lossy(c_bytes(range.relname)).into_owned();
            let alias = range.alias.as_ref().and_then(|alias| names::text(alias.aliasname));
            let location = self.location(range.location);
            if let Some(alias) = &alias {
                let name = names::qualified(schema.as_deref(), &name);
                self.summary.aliases.push(TableAlias { alias: alias.clone(), name, location });
            }
            if !is_cte {
                let access = self.access_to(range, context);
                self.nodes.push(relation);
                self.push_relation((catalog, schema, name), alias, (context, access), location);
            }
        }
    }

    /// Records a relation from the parts of its name: catalog, schema and relation.
    fn push_relation(
        &mut self,
        (catalog, schema, relation): (Option<String>, Option<String>, String),
        alias: Option<String>,
        (context, access): (Context, Access),
        location: Option<usize>,
    ) {
        let kind = if context == Context::Ddl { self.object.relation_kind() } else { RelationKind::Table };
        let name = names::qualified(schema.as_deref(), &relation);
        let list = match kind {
            RelationKind::Table => &mut self.summary.tables,
            _ => &mut self.summary.other_relations,
        };
        list.push(Relation { name, catalog, schema, relation, alias, context, access, kind, location });
    }

    /// Records the target of INSERT, UPDATE, DELETE or MERGE.
    ///
    /// # Safety
    /// `relation` must be NULL or valid.
    pub(super) unsafe fn target(&mut self, relation: *const pg::RangeVar) {
        self.recorded = true;
        // SAFETY: the caller meets this function's requirements.
        unsafe { self.relation(relation, Context::Dml) };
    }

    /// Records the new table of SELECT INTO or CREATE TABLE AS.
    ///
    /// # Safety
    /// `into` must be NULL or valid.
    pub(super) unsafe fn record_into(&mut self, into: *const pg::IntoClause) {
        // SAFETY: `into` is valid if it is not NULL.
        unsafe {
            if let Some(into) = into.as_ref() {
                self.subject = (into.rel, Access::Create);
                self.relation(into.rel, Context::Ddl);
            }
        }
    }

    /// # Safety
    /// `items` must be NULL or a valid list of node pointers.
    pub(super) unsafe fn record_from(&mut self, items: *const pg::List) {
        // SAFETY: the caller meets this function's requirements.
        unsafe { cells(items).iter().for_each(|item| self.record_from_item(item.ptr_value.cast())) };
    }

    /// Records the relations of a FROM item, including the operands of joins. Subqueries and functions are visited
    /// later.
    ///
    /// # Safety
    /// `item` must be NULL or a valid node whose tag matches its type.
    pub(super) unsafe fn record_from_item(&mut self, item: *const pg::Node) {
        if item.is_null() {
            return;
        }
        // SAFETY: the caller guarantees that `item` is valid if it is not NULL. Each arm casts to the struct that the
        // tag names.
        recurse(self, |walk| unsafe {
            match (*item).type_ {
                pg::T_RangeVar => walk.relation(item.cast(), Context::Select),
                pg::T_JoinExpr => {
                    let join = item.cast::<pg::JoinExpr>();
                    walk.record_from_item((*join).larg);
                    walk.record_from_item((*join).rarg);
                }
                pg::T_RangeTableSample => walk.record_from_item((*item.cast::<pg::RangeTableSample>()).relation),
                _ => {}
            }
        });
    }

    /// Records the columns of a WHERE clause.
    ///
    /// # Safety
    /// `clause` must be NULL or a valid node whose tag matches its type.
    pub(super) unsafe fn filter(&mut self, clause: *const pg::Node) {
        self.only_columns = true;
        // SAFETY: the caller meets this function's requirements.
        unsafe { self.node(clause) };
        self.only_columns = false;
    }

    /// Records a column, unless it is `t.*`.
    ///
    /// # Safety
    /// `column` must be valid.
    pub(super) unsafe fn filter_column(&mut self, column: &pg::ColumnRef) {
        // SAFETY: the column's fields are a list of node pointers.
        let (mut parts, count) = unsafe { (names::strings(column.fields), cells(column.fields).len()) };
        if parts.len() == count
            && let Some(name) = parts.pop()
        {
            let (table, schema) = (parts.pop(), parts.pop());
            let location = self.location(column.location);
            self.summary.filter_columns.push(FilterColumn { schema, table, column: name, location });
        }
    }

    /// Records a function that a utility statement names.
    ///
    /// # Safety
    /// `name` must be NULL or a valid list of node pointers.
    pub(super) unsafe fn ddl_function(&mut self, name: *const pg::List) {
        // SAFETY: the caller meets this function's requirements.
        self.function(unsafe { names::strings(name) }, Context::Ddl, -1);
    }

    /// Records a function from the parts of its name.
    pub(super) fn function(&mut self, mut parts: Vec<String>, context: Context, location: i32) {
        let name = parts.join(".");
        let location = self.location(location);
        if let Some(function) = parts.pop() {
            self.summary.functions.push(Function { name, schema: parts.pop(), function, context, location });
        }
    }

    /// Visits the object of a utility statement. The object is a list of name parts or another node. Ignores type
    /// names, because most types are not relations.
    ///
    /// # Safety
    /// `object` must be NULL or a valid node whose tag matches its type.
    pub(super) unsafe fn object(&mut self, object: *const pg::Node) {
        // SAFETY: the caller meets this function's requirements; the tag decides the cast.
        unsafe {
            let is_list = !object.is_null() && (*object).type_ == pg::T_List;
            if !is_list
                || matches!(self.object, Object::Function | Object::Other | Object::Relation(RelationKind::Type))
            {
                return self.node(object);
            }
            let mut parts = names::strings(object.cast());
            let mut access = self.access;
            if self.object == Object::PartOfTable {
                parts.pop();
                if access == Access::Drop {
                    access = Access::Alter; // a part of the table is dropped
                }
            }
            self.relation_by_name(parts, (Context::Ddl, access));
        }
    }

    /// Records a relation from the parts of its name. The last part is the relation's own name. Does nothing if there
    /// are no parts.
    fn relation_by_name(&mut self, mut parts: Vec<String>, what: (Context, Access)) {
        if let Some(relation) = parts.pop() {
            let (schema, catalog) = (parts.pop(), parts.pop());
            self.push_relation((catalog, schema, relation), None, what, None);
        }
    }

    /// Records the table in a sequence's option `OWNED BY table.column`. All other relations in the statement are
    /// sequences.
    ///
    /// # Safety
    /// `options` must be NULL or a valid list of node pointers.
    pub(super) unsafe fn sequence(&mut self, options: *const pg::List) {
        self.object = Object::Other;
        // SAFETY: the caller meets this function's requirements; tags decide the casts.
        unsafe {
            for cell in cells(options) {
                let option = cell.ptr_value.cast::<pg::DefElem>();
                if option.is_null() || (*option).type_ != pg::T_DefElem || (*option).arg.is_null() {
                    continue;
                }
                let (name, value) = (names::text((*option).defname), (*option).arg);
                if name.as_deref() == Some("owned_by") && (*value).type_ == pg::T_List {
                    let mut parts = names::strings(value.cast());
                    parts.pop(); // the column name; for `OWNED BY NONE`, no part remains
                    self.relation_by_name(parts, (Context::Ddl, Access::Name));
                }
            }
        }
        self.object = Object::Relation(RelationKind::Sequence);
    }

    /// Records the new name of a relation or a function. The object stays in its schema, so
    /// `ALTER TABLE s.a RENAME TO b` records `s.b`.
    ///
    /// # Safety
    /// `rename` must be valid.
    pub(super) unsafe fn new_name(&mut self, rename: &pg::RenameStmt) {
        // SAFETY: the statement is valid; the tag decides the cast.
        unsafe {
            let Some(new_name) = names::text(rename.newname) else { return };
            match self.object {
                Object::Relation(RelationKind::Type) => {} // the new name is an attribute
                Object::Relation(_) => {
                    let schema = rename.relation.as_ref().and_then(|old| names::text(old.schemaname));
                    self.push_relation((None, schema, new_name), None, (Context::Ddl, Access::Alter), None);
                }
                Object::Function if !rename.object.is_null() && (*rename.object).type_ == pg::T_ObjectWithArgs => {
                    let mut parts = names::strings((*rename.object.cast::<pg::ObjectWithArgs>()).objname);
                    parts.pop();
                    parts.push(new_name);
                    self.function(parts, Context::Ddl, -1);
                }
                _ => {}
            }
        }
    }
}
