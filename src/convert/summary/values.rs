//! The references of a statement as plain values: tables, functions, WITH queries, filter columns and so on. The other
//! modules of this directory collect the references.

/// The references of a statement, from [`crate::Statement::summary`].
///
/// Every list has one entry per reference. A table that is joined with itself has two entries. The order is the same as
/// in `pg_query_summary`: the tables of a query precede the tables of its subqueries and of its WITH queries.
///
/// ```
/// let sql = "WITH recent AS (SELECT * FROM shop.orders WHERE placed > now())
///            SELECT sum(total) FROM recent JOIN users u USING (user_id) WHERE u.active";
/// let tree = pgq::Tree::parse(sql, &Default::default())?;
/// let summary = tree.statement(0).summary()?;
/// let tables: Vec<_> = summary.tables.iter().map(|table| table.name.as_str()).collect();
/// assert_eq!(tables, ["users", "shop.orders"]);
/// assert_eq!(summary.ctes, ["recent"]);
/// assert_eq!((&*summary.aliases[0].alias, &*summary.aliases[0].name), ("u", "users"));
/// assert_eq!(summary.functions[0].name, "sum");
/// assert_eq!(summary.filter_columns[0].column, "active");
/// assert_eq!(summary.statement_kinds, ["SelectStmt"]);
/// # Ok::<(), pgq::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Tables, and relations that look like tables in the syntax, such as views and foreign tables. Excludes names of
    /// WITH queries in scope.
    pub tables: Vec<Relation>,
    /// Relations other than tables: indexes, sequences, composite types.
    pub other_relations: Vec<Relation>,
    /// Aliases of tables and of WITH queries, such as `t` in `FROM orders AS t`.
    pub aliases: Vec<TableAlias>,
    /// Names of WITH queries.
    pub ctes: Vec<String>,
    /// Functions that the statement calls, creates, alters or drops, functions in GRANT and REVOKE, and functions of
    /// triggers, such as `f` in `CREATE TRIGGER … EXECUTE FUNCTION f()`.
    pub functions: Vec<Function>,
    /// Columns in the WHERE clauses of SELECT, UPDATE, DELETE, COPY and ON CONFLICT DO UPDATE.
    pub filter_columns: Vec<FilterColumn>,
    /// The node types of the statement and of the statements inside it, without duplicates. Examples: `ExplainStmt`,
    /// `InsertStmt`, `SelectStmt`.
    pub statement_kinds: Vec<&'static str>,
    /// Whether a function runs SQL that this summary does not cover. This is the case if the function's language is
    /// neither SQL nor PL/pgSQL, if the function composes SQL at run time, or if bodies of functions are nested more
    /// than eight levels deep. Only [`crate::Statement::summary_with_bodies`] sets this field.
    pub has_hidden_sql: bool,
}

/// A reference to a table or another relation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Relation {
    /// The name as SQL, with its schema if specified: `shop.orders`, `"Orders"`.
    pub name: String,
    /// The catalog (the database), unquoted. [`Relation::name`] omits the catalog.
    pub catalog: Option<String>,
    /// The schema, unquoted.
    pub schema: Option<String>,
    /// The name without the schema, unquoted.
    pub relation: String,
    /// The alias, unquoted.
    pub alias: Option<String>,
    /// The kind of reference.
    pub context: Context,
    /// The effect of the statement on the relation.
    pub access: Access,
    /// The kind of the relation.
    pub kind: RelationKind,
    /// Byte offset of the name in [`crate::Tree::sql`]; `None` if PostgreSQL does not store the offset, as in DROP.
    pub location: Option<usize>,
}

/// The kind of a reference to a table or a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Context {
    /// The statement reads the table, for example in FROM or USING. As in libpg_query, the table of COPY also has this
    /// context, even in `COPY … FROM`.
    Select,
    /// The relation is the target of an INSERT, UPDATE, DELETE or MERGE.
    Dml,
    /// Any other mention of the relation or function, as in CREATE, ALTER, DROP, VACUUM, GRANT, `SELECT INTO` or a
    /// foreign key.
    Ddl,
    /// The statement calls the function.
    Call,
}

/// The effect of a statement on a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Access {
    /// The statement reads rows of the relation: the relation is in FROM or USING, or it is the source of `COPY … TO`.
    Read,
    /// The statement changes rows of the relation: the relation is the target of INSERT, UPDATE, DELETE, MERGE,
    /// TRUNCATE, `COPY … FROM` or `REFRESH MATERIALIZED VIEW`.
    Write,
    /// The statement creates the relation, for example with CREATE TABLE, `CREATE TABLE AS` or `SELECT INTO`.
    Create,
    /// The statement alters or renames the relation, or drops a part of it.
    Alter,
    /// The statement drops the relation.
    Drop,
    /// The statement refers to the relation in another way: in a foreign key, GRANT, VACUUM, LOCK, COMMENT or CREATE
    /// INDEX.
    Name,
}

/// The kind of a [`Relation`]. It is `Table` if the syntax does not determine the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RelationKind {
    /// A table, or a relation that is used like a table, such as a view.
    Table,
    /// An index: `REINDEX INDEX i`.
    Index,
    /// A sequence: `CREATE SEQUENCE s`.
    Sequence,
    /// A composite type: `CREATE TYPE t AS (a int)`.
    Type,
}

/// An alias of a table or of a WITH query.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableAlias {
    /// The alias, unquoted.
    pub alias: String,
    /// The name of the relation; see [`Relation::name`].
    pub name: String,
    /// Byte offset of the name in [`crate::Tree::sql`].
    pub location: Option<usize>,
}

/// A reference to a function, procedure or aggregate.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function {
    /// The parts of the name, unquoted and separated by dots.
    pub name: String,
    /// The schema.
    pub schema: Option<String>,
    /// The name without the schema.
    pub function: String,
    /// [`Context::Call`] or [`Context::Ddl`].
    pub context: Context,
    /// Byte offset of a call in [`crate::Tree::sql`].
    pub location: Option<usize>,
}

/// A column in a WHERE clause.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterColumn {
    /// The schema, if written.
    pub schema: Option<String>,
    /// The table or alias, if written.
    pub table: Option<String>,
    /// The column.
    pub column: String,
    /// Byte offset of the reference in [`crate::Tree::sql`].
    pub location: Option<usize>,
}

impl Summary {
    /// Returns the tables with this kind of access, in the order of [`Summary::tables`].
    ///
    /// ```
    /// use pgq::Access;
    ///
    /// let tree = pgq::Tree::parse("INSERT INTO log SELECT * FROM orders", &Default::default())?;
    /// let summary = tree.statement(0).summary()?;
    /// assert_eq!(summary.tables_with(Access::Write).next().unwrap().name, "log");
    /// assert_eq!(summary.tables_with(Access::Read).next().unwrap().name, "orders");
    /// # Ok::<(), pgq::Error>(())
    /// ```
    pub fn tables_with(&self, access: Access) -> impl Iterator<Item = &Relation> {
        self.tables.iter().filter(move |table| table.access == access)
    }

    /// Appends the references of a statement in a function's body, without their locations. Omits filter columns that
    /// are variables of the function (`variables`).
    pub(crate) fn append_body(&mut self, body: Self, variables: &[String]) {
        let is_variable = |column: &FilterColumn| match (&column.schema, &column.table) {
            (None, None) => variables.contains(&column.column),
            (_, Some(table)) => variables.contains(table),
            _ => false,
        };
        self.tables.extend(body.tables.into_iter().map(|table| Relation { location: None, ..table }));
        self.other_relations.extend(body.other_relations.into_iter().map(|other| Relation { location: None, ..other }));
        self.aliases.extend(body.aliases.into_iter().map(|alias| TableAlias { location: None, ..alias }));
        self.ctes.extend(body.ctes);
        self.functions.extend(body.functions.into_iter().map(|function| Function { location: None, ..function }));
        let columns = body.filter_columns.into_iter().filter(|column| !is_variable(column));
        self.filter_columns.extend(columns.map(|column| FilterColumn { location: None, ..column }));
        for kind in body.statement_kinds {
            if !self.statement_kinds.contains(&kind) {
                self.statement_kinds.push(kind);
            }
        }
        self.has_hidden_sql |= body.has_hidden_sql;
    }

    /// Returns the names of [`Summary::tables`], sorted and without duplicates.
    #[must_use]
    pub fn table_names(&self) -> Vec<String> {
        sorted(self.tables.iter().map(|table| &table.name))
    }

    /// Returns the names of [`Summary::functions`], sorted and without duplicates.
    #[must_use]
    pub fn function_names(&self) -> Vec<String> {
        sorted(self.functions.iter().map(|function| &function.name))
    }
}

fn sorted<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut names: Vec<String> = names.cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}
