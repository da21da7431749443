//! Categories of the references that `pg_query_summary` misses. The position of a reference in the tree determines its
//! category. docs/summary.md lists the same categories.

use std::fmt;

use pgq::RelationKind;

/// Kind of reference in a difference.
pub enum Finding {
    Table,
    Alias,
    Function,
    FilterColumn,
    Cte,
    StatementKind,
    /// A reference that libpg_query lists although the SQL does not contain it.
    Wrong,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Table => "tables only here",
            Self::Alias => "aliases only here",
            Self::Function => "functions only here",
            Self::FilterColumn => "filter columns only here",
            Self::Cte => "WITH queries only here",
            Self::StatementKind => "statement kinds only here",
            Self::Wrong => "wrong in libpg_query",
        })
    }
}

/// The name of a category, and for each node type the fields that libpg_query's summary does not visit.
type Category = (&'static str, &'static [(&'static str, &'static [&'static str])]);

const CATEGORIES: &[Category] = &[
    (
        "RETURNING",
        &[
            ("InsertStmt", &["returningClause"]),
            ("UpdateStmt", &["returningClause"]),
            ("DeleteStmt", &["returningClause"]),
            ("MergeStmt", &["returningClause"]),
        ],
    ),
    ("the query of DECLARE", &[("DeclareCursorStmt", &["query"])]),
    ("arguments of EXECUTE", &[("ExecuteStmt", &["params"])]),
    (
        "columns, constraints, parents and partitions of tables",
        &[
            ("CreateStmt", &["inhRelations", "tableElts", "partbound", "partspec"]),
            ("CreateForeignTableStmt", &["base"]),
            ("AlterTableStmt", &["cmds"]),
        ],
    ),
    ("statements of CREATE SCHEMA", &[("CreateSchemaStmt", &["schemaElts"])]),
    ("actions and conditions of rules", &[("RuleStmt", &["actions", "whereClause"])]),
    ("conditions and second tables of triggers", &[("CreateTrigStmt", &["whenClause", "constrrel"])]),
    ("bodies and parameters of functions", &[("CreateFunctionStmt", &["sql_body", "parameters"])]),
    (
        "policies",
        &[
            ("CreatePolicyStmt", &["table", "qual", "with_check"]),
            ("AlterPolicyStmt", &["table", "qual", "with_check"]),
        ],
    ),
    ("publications", &[("CreatePublicationStmt", &["pubobjects"]), ("AlterPublicationStmt", &["pubobjects"])]),
    ("extended statistics", &[("CreateStatsStmt", &["relations", "exprs"])]),
    ("constraints of domains", &[("CreateDomainStmt", &["constraints"]), ("AlterDomainStmt", &["def"])]),
    (
        "CLUSTER, REINDEX, IMPORT FOREIGN SCHEMA",
        &[("ClusterStmt", &["relation"]), ("ReindexStmt", &["relation"]), ("ImportForeignSchemaStmt", &["table_list"])],
    ),
    (
        "SET SCHEMA and DEPENDS ON EXTENSION",
        &[("AlterObjectSchemaStmt", &["relation"]), ("AlterObjectDependsStmt", &["relation"])],
    ),
];

/// Fields that contain a nested statement. libpg_query's summary contains the names in this statement, but not the
/// statement's kind.
const KINDS: &[Category] = &[(
    "statements in COPY, SET of functions, roles and databases, and ALTER DEFAULT PRIVILEGES",
    &[
        ("CopyStmt", &["query"]),
        ("CreateFunctionStmt", &["options"]),
        ("AlterFunctionStmt", &["actions"]),
        ("AlterRoleSetStmt", &["setstmt"]),
        ("AlterDatabaseSetStmt", &["setstmt"]),
        ("AlterDefaultPrivilegesStmt", &["action"]),
    ],
)];

fn find(categories: &[Category], path: &[String]) -> Option<&'static str> {
    let has = |(node, fields): &(&str, &[&str])| {
        path.windows(2).any(|pair| pair[0] == *node && fields.contains(&pair[1].as_str()))
    };
    categories.iter().find(|(_, places)| places.iter().any(has)).map(|(name, _)| *name)
}

/// Returns the category of a reference at `path`, if libpg_query's summary misses it.
pub fn category(path: &[String]) -> Option<&'static str> {
    find(CATEGORIES, path)
}

/// Returns the category (see docs/summary.md) of the relation at `path`, or `None` if libpg_query's summary should
/// contain it. `listed` is true if that summary contains an equal entry.
pub fn of_relation(path: &[String], kind: RelationKind, listed: bool) -> Option<&'static str> {
    const INSIDE: [&str; 6] = ["RangeVar", "JoinExpr", "larg", "rarg", "RangeTableSample", "relation"];
    let parent = path.iter().rev().find(|key| !INSIDE.contains(&key.as_str()));
    if parent.is_some_and(|key| key == "sourceRelation") {
        return Some("the table in USING of MERGE");
    }
    category(path)
        .or_else(|| (path == ["RenameStmt", "relation"] && !listed).then_some("RENAME of anything but tables"))
        .or_else(|| (kind != RelationKind::Table && !listed).then_some("indexes, sequences, composite types"))
}

/// Returns the category (see docs/summary.md) of a relation that a statement of this type names without a RangeVar, or
/// `None` if libpg_query's summary should contain it.
pub fn of_name(statement: &str) -> Option<&'static str> {
    match statement {
        "DropStmt" => Some("DROP of anything but tables, rules and triggers"),
        "RenameStmt" => Some("RENAME of anything but tables"),
        "CommentStmt" | "SecLabelStmt" => Some("COMMENT, SECURITY LABEL"),
        "AlterExtensionContentsStmt" => Some("members of extensions"),
        "CreateSeqStmt" | "AlterSeqStmt" => Some("tables that own sequences"),
        _ => None,
    }
}

/// Returns the category (see docs/summary.md) of a function that a utility statement names, or `None` if libpg_query's
/// summary should contain the function.
pub fn of_function(statement: &str) -> Option<&'static str> {
    match statement {
        "CreateTrigStmt" | "CreateEventTrigStmt" => Some("functions of triggers"),
        "CreateSchemaStmt" => Some("statements of CREATE SCHEMA"),
        "DefineStmt" | "CreateCastStmt" => Some("CREATE AGGREGATE, CREATE CAST"),
        "AlterFunctionStmt" | "AlterObjectSchemaStmt" | "AlterOwnerStmt" | "AlterObjectDependsStmt" => {
            Some("ALTER FUNCTION")
        }
        "DropStmt" => Some("DROP FUNCTION behind the first name, DROP PROCEDURE, ROUTINE and AGGREGATE"),
        "RenameStmt" => Some("RENAME of aggregates"),
        "CommentStmt" | "SecLabelStmt" => Some("COMMENT, SECURITY LABEL"),
        "AlterExtensionContentsStmt" => Some("members of extensions"),
        _ => None,
    }
}

/// Returns the category (see docs/summary.md) of the statement at `path`, or `None` if libpg_query's summary should
/// contain its kind.
pub fn of_statement(path: &[String]) -> Option<&'static str> {
    let refreshes = path.last().is_some_and(|kind| kind == "AlterDatabaseRefreshCollStmt");
    find(CATEGORIES, path)
        .or_else(|| find(KINDS, path))
        .or_else(|| refreshes.then_some("ALTER DATABASE REFRESH COLLATION VERSION"))
}
