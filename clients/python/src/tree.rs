//! `Tree`: parsed SQL. The first access to the nodes creates them as Python objects. From then on, the tree is read
//! from these objects, because the program may change them.

use std::sync::Arc;

use pgq::DeparseOptions;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyList, PyTuple};

use crate::errors;
use crate::nodes::{self, Classes};
use crate::summary::Summary;

pub fn pretty_options(pretty: bool, verify: bool) -> DeparseOptions {
    let mut options = DeparseOptions::default();
    (options.pretty, options.verify) = (pretty, verify);
    options
}

/// Returns the tables of all statements, sorted, without duplicates.
fn tables_of(tree: &pgq::Tree) -> Result<Vec<String>, pgq::Error> {
    let mut names = Vec::new();
    for statement in tree.statements() {
        names.extend(statement.summary()?.tables.into_iter().map(|table| table.name));
    }
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// A parse tree.
#[pyclass(frozen, module = "pgquill", weakref)]
pub struct Tree {
    sql: String,
    warnings: Vec<String>,
    parsed: Option<Arc<pgq::Tree>>,
    statements: PyOnceLock<Py<PyList>>,
}

impl Tree {
    /// Parses without Python's lock.
    pub fn parse(py: Python<'_>, sql: &str) -> PyResult<Self> {
        let parsed = py.detach(|| pgq::Tree::parse_shared(sql)).map_err(|error| errors::to_exception(py, &error))?;
        let warnings = parsed.warnings().iter().map(|warning| warning.message.clone()).collect();
        Ok(Self { sql: sql.to_string(), warnings, parsed: Some(parsed), statements: PyOnceLock::new() })
    }

    pub fn of(parsed: pgq::Tree) -> Self {
        let parsed = Some(Arc::new(parsed));
        Self { sql: String::new(), warnings: Vec::new(), parsed, statements: PyOnceLock::new() }
    }

    /// Calls `f` with the current tree, without the global interpreter lock. If Python nodes exist, the tree is built
    /// from them. Otherwise it is the parsed tree.
    fn with<T: Send>(&self, py: Python<'_>, f: impl FnOnce(&pgq::Tree) -> Result<T, pgq::Error> + Send) -> PyResult<T> {
        let changed;
        let tree = match (self.statements.get(py), &self.parsed) {
            (None, Some(parsed)) => parsed.as_ref(),
            _ => {
                changed = nodes::tree_of(self.stmts(py)?.iter(), py)?;
                &changed
            }
        };
        py.detach(|| f(tree)).map_err(|error| errors::to_exception(py, &error))
    }
}

#[pymethods]
impl Tree {
    #[new]
    #[pyo3(signature = (stmts, sql = String::new()))]
    fn new(py: Python<'_>, stmts: &Bound<'_, PyAny>, sql: String) -> PyResult<Self> {
        let list = PyList::empty(py);
        let classes = Classes::get(py)?;
        let raw = &classes.named("RawStmt")?.class;
        for statement in stmts.try_iter()? {
            let statement = statement?;
            if statement.is_instance(raw.bind(py))? || !statement.is_instance(classes.node.bind(py))? {
                list.append(statement)?;
            } else {
                let around = raw.call0(py)?;
                around.setattr(py, "stmt", statement)?;
                around.setattr(py, "stmt_location", 0)?;
                list.append(around)?;
            }
        }
        let statements = PyOnceLock::new();
        let _ = statements.set(py, list.unbind());
        Ok(Self { sql, warnings: Vec::new(), parsed: None, statements })
    }

    #[getter]
    fn sql(&self) -> &str {
        &self.sql
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[getter]
    fn stmts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let statements = self.statements.get_or_try_init(py, || match &self.parsed {
            Some(parsed) => nodes::statements(py, parsed).map(Bound::unbind),
            None => Ok(PyList::empty(py).unbind()),
        })?;
        Ok(statements.bind(py).clone())
    }

    fn walk<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let walk = py.import("pgquill._base")?.getattr("walk_all")?;
        walk.call1((self.stmts(py)?,))?.try_iter()
    }

    fn json(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, pgq::Tree::to_json)
    }

    #[pyo3(signature = (*, pretty = false, verify = true))]
    pub fn deparse(&self, py: Python<'_>, pretty: bool, verify: bool) -> PyResult<String> {
        let options: DeparseOptions = pretty_options(pretty, verify);
        self.with(py, |tree| tree.deparse(&options))
    }

    fn fingerprint(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |tree| Ok(tree.fingerprint(&Default::default())?.fingerprint.to_string()))
    }

    fn normalize(&self, py: Python<'_>) -> PyResult<String> {
        let text = if self.statements.get(py).is_some() || self.sql.is_empty() {
            self.deparse(py, false, false)?
        } else {
            self.sql.clone()
        };
        py.detach(|| pgq::normalize(&text)).map_err(|error| errors::to_exception(py, &error))
    }

    fn tables(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, tables_of)
    }

    fn summaries(&self, py: Python<'_>) -> PyResult<Vec<Summary>> {
        self.with(py, |tree| tree.statements().map(|statement| statement.summary().map(Summary)).collect())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        match (self.statements.get(py), &self.parsed) {
            (Some(statements), _) => statements.bind(py).len(),
            (None, parsed) => parsed.as_ref().map_or(0, |tree| tree.len()),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.stmts(py)?.try_iter()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Tree({})", self.stmts(py)?.repr()?))
    }

    /// Pickles a tree as its SQL. If the nodes exist as Python objects, pickles these objects, because the program may
    /// have changed them. Also pickles the nodes of a tree without SQL.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, tree) = (slf.py(), slf.get());
        if tree.statements.get(py).is_none() && !tree.sql.is_empty() {
            let parse = py.import("pgquill")?.getattr("parse")?;
            return (parse, (&tree.sql,)).into_pyobject(py);
        }
        (slf.get_type(), (tree.stmts(py)?, &tree.sql)).into_pyobject(py)
    }
}
