//! The module `pgquill._native`: pgq's library for Python.
//!
//! Rust runs the expensive work without the global interpreter lock. The names, defaults and documentation for users
//! are in pgquill/*.py and *.pyi. No file here parses SQL or names a node type.

mod arrow;
mod batch;
mod cache;
mod errors;
mod functions;
mod log;
mod nodes;
mod summary;
mod tree;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::arrow::{Column, fingerprint_column, normalize_column, tables_column};
    #[pymodule_export]
    use super::batch::{fingerprint_all, normalize_all, tables_all};
    #[pymodule_export]
    use super::functions::{
        Token, deparse, fingerprint, format, from_json, is_valid, normalize, parse, parse_json, parse_plpgsql,
        replace_placeholders, scan, split, tables,
    };
    #[pymodule_export]
    use super::log::{LogReader, Record, read_log};
    #[pymodule_export]
    use super::summary::Summary;
    #[pymodule_export]
    use super::tree::Tree;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("postgres_version", pgq::POSTGRES_VERSION)?;
        errors::add_to(module)
    }
}
