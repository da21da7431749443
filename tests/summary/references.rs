//! Collects the references in libpg_query's JSON of a statement: every RangeVar, call and column, with its path and
//! the names of the WITH queries in scope. Does not use the library's own walk.

use std::collections::BTreeSet;

use pgq::{ParseOptions, reference};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Path of keys from the statement to a node: node types and field names.
pub type Path = Vec<String>;

/// A RangeVar.
pub struct Range {
    pub path: Path,
    pub location: i64,
    pub name: String,
    /// Whether the name is that of a WITH query in scope.
    pub is_cte: bool,
}

/// A FuncCall or a ColumnRef.
pub struct Place {
    pub path: Path,
    pub location: i64,
    /// The WHERE clause of the innermost query that contains the node. `None` if the node is in another part of this
    /// query, such as the list after SELECT.
    pub filter: Option<Filter>,
}

/// A WHERE clause.
#[derive(Clone)]
pub struct Filter {
    /// Whether the clause belongs to a SELECT.
    pub select: bool,
    /// Whether the clause contains a subquery.
    pub subquery: bool,
}

/// All references of the SQL.
#[derive(Default)]
pub struct References {
    pub ranges: Vec<Range>,
    pub calls: Vec<Place>,
    pub columns: Vec<Place>,
    /// WITH queries: the path of the WITH clause, and the name.
    pub ctes: Vec<(Path, String)>,
    /// The path of each statement. The last part of a path is the node type of the statement.
    pub statements: Vec<Path>,
}

/// Fields that contain a statement without its node type. The JSON is `"action": {…}` instead of the usual `"action":
/// {"GrantStmt": {…}}`. Each entry has the field and the node type.
const UNWRAPPED: [(&str, &str); 2] = [("setstmt", "VariableSetStmt"), ("action", "GrantStmt")];

/// The state of a walk.
#[derive(Clone, Default)]
struct Scope {
    ctes: BTreeSet<String>,
    filter: Option<Filter>,
}

impl References {
    /// Returns the references of SQL that parses.
    pub fn of(sql: &str) -> Self {
        let json = reference::parse_to_json(sql, &ParseOptions::default()).expect("it parsed before");
        let mut reader = serde_json::Deserializer::from_str(&json);
        reader.disable_recursion_limit();
        let document = Value::deserialize(&mut reader).unwrap();
        let mut references = Self::default();
        for statement in document["stmts"].as_array().into_iter().flatten() {
            references.value(&statement["stmt"], &mut Path::new(), &Scope::default());
        }
        references
    }

    fn value(&mut self, value: &Value, path: &mut Path, scope: &Scope) {
        match value {
            Value::Array(members) => members.iter().for_each(|member| self.value(member, path, scope)),
            Value::Object(object) => self.object(object, path, scope),
            _ => {}
        }
    }

    fn object(&mut self, object: &Map<String, Value>, path: &mut Path, scope: &Scope) {
        let mut scope = scope.clone();
        // In JSON, the fields `larg` and `rarg` contain a SelectStmt directly, without an object that names its node
        // type.
        let node = path.last().cloned().unwrap_or_default();
        let node = node.as_str();
        let is_select = ["SelectStmt", "larg", "rarg"].contains(&node);
        if is_select && object.contains_key("op") {
            scope.filter = None;
        }
        for (field, kind) in UNWRAPPED {
            if node == field {
                self.statements.push([path.as_slice(), &[kind.to_string()]].concat());
            }
        }
        if node.ends_with("Stmt") && node.starts_with(|c: char| c.is_ascii_uppercase()) {
            self.statements.push(path.clone());
        }
        let location = object.get("location").and_then(Value::as_i64).unwrap_or(0);
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        // Ignore the RangeVars of SET CONSTRAINTS, because they contain the names of constraints.
        let is_relation = !path.iter().any(|key| key == "ConstraintsSetStmt");
        if object.contains_key("relname") && object.contains_key("relpersistence") && is_relation {
            let is_cte = is_from_item(path) && text("schemaname").is_empty() && scope.ctes.contains(text("relname"));
            self.ranges.push(Range { path: path.clone(), location, name: text("relname").to_string(), is_cte });
        }
        if object.contains_key("funcname") && object.contains_key("funcformat") {
            self.calls.push(Place { path: path.clone(), location, filter: scope.filter.clone() });
        }
        let is_star =
            || object["fields"].as_array().and_then(|fields| fields.last()).is_some_and(|f| f.get("A_Star").is_some());
        if node == "ColumnRef" && !is_star() {
            self.columns.push(Place { path: path.clone(), location, filter: scope.filter.clone() });
        }
        let with = object.get("withClause");
        let outer = scope.clone();
        for cte in with.and_then(|with| with["ctes"].as_array()).into_iter().flatten() {
            let name = cte["CommonTableExpr"]["ctename"].as_str().unwrap_or_default().to_string();
            self.ctes.push((path.clone(), name.clone()));
            scope.ctes.insert(name);
        }
        for (key, value) in object {
            path.push(key.clone());
            if key == "withClause" {
                self.with_clause(value, path, &outer, &scope);
            } else if key == "whereClause" && filters_rows(node) {
                let filter = Filter { select: is_select, subquery: contains(value, "SelectStmt") };
                self.value(value, path, &Scope { filter: Some(filter), ..scope.clone() });
            } else {
                self.value(value, path, &scope);
            }
            path.pop();
        }
    }

    /// Visits a WITH clause. With RECURSIVE, each query of the clause sees all queries of the
    /// clause, otherwise only the earlier queries.
    fn with_clause(&mut self, with: &Value, path: &mut Path, outer: &Scope, inner: &Scope) {
        let recursive = with["recursive"].as_bool() == Some(true);
        let mut scope = if recursive { inner.clone() } else { outer.clone() };
        scope.filter = None;
        for cte in with["ctes"].as_array().into_iter().flatten() {
            path.push("ctes".to_string());
            self.value(cte, path, &scope);
            path.pop();
            scope.ctes.insert(cte["CommonTableExpr"]["ctename"].as_str().unwrap_or_default().to_string());
        }
    }
}

/// Whether the node at the path is an item of FROM, an item of USING in DELETE, or the source of MERGE.
pub fn is_from_item(path: &[String]) -> bool {
    const INSIDE: [&str; 6] = ["RangeVar", "JoinExpr", "larg", "rarg", "RangeTableSample", "relation"];
    let parent = path.iter().rev().find(|key| !INSIDE.contains(&key.as_str()));
    parent.is_some_and(|key| ["fromClause", "usingClause", "sourceRelation"].contains(&key.as_str()))
}

/// Whether the WHERE clause of a node selects the rows that are read or changed.
fn filters_rows(node: &str) -> bool {
    ["SelectStmt", "larg", "rarg", "UpdateStmt", "DeleteStmt", "CopyStmt", "onConflictClause"].contains(&node)
}

fn contains(value: &Value, key: &str) -> bool {
    match value {
        Value::Array(members) => members.iter().any(|member| contains(member, key)),
        Value::Object(object) => object.contains_key(key) || object.values().any(|value| contains(value, key)),
        _ => false,
    }
}
