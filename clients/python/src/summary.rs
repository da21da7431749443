//! `Summary`: the tables, functions and columns of a statement.

use pgq::{Access, FilterColumn};
use pyo3::prelude::*;

/// The tables, functions and columns of a statement.
#[pyclass(frozen, module = "pgquill")]
pub struct Summary(pub pgq::Summary);

fn names(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}

impl Summary {
    fn with(&self, access: Access) -> Vec<String> {
        names(self.0.tables_with(access).map(|table| table.name.clone()).collect())
    }
}

#[pymethods]
impl Summary {
    #[getter]
    fn tables(&self) -> Vec<String> {
        names(self.0.tables.iter().map(|table| table.name.clone()).collect())
    }

    #[getter]
    fn tables_read(&self) -> Vec<String> {
        self.with(Access::Read)
    }

    #[getter]
    fn tables_written(&self) -> Vec<String> {
        self.with(Access::Write)
    }

    #[getter]
    fn ctes(&self) -> Vec<String> {
        names(self.0.ctes.clone())
    }

    #[getter]
    fn functions(&self) -> Vec<String> {
        names(self.0.functions.iter().map(|function| function.name.clone()).collect())
    }

    #[getter]
    fn filter_columns(&self) -> Vec<String> {
        let name = |column: &FilterColumn| {
            let parts = [column.schema.as_deref(), column.table.as_deref(), Some(column.column.as_str())];
            parts.into_iter().flatten().collect::<Vec<_>>().join(".")
        };
        names(self.0.filter_columns.iter().map(name).collect())
    }

    #[getter]
    fn statement_kinds(&self) -> Vec<&'static str> {
        self.0.statement_kinds.clone()
    }

    fn __repr__(&self) -> String {
        format!("Summary(statement_kinds={:?}, tables={:?})", self.0.statement_kinds, self.tables())
    }
}
