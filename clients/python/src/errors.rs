//! Converts the library's errors to Python exceptions, whose classes are in pgquill/_errors.py.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static PARSE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Adds the exception classes of pgquill._errors to `module`, so that both modules have the same classes.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let errors = module.py().import("pgquill._errors")?;
    for name in ["PgqError", "ParseError"] {
        module.add(name, errors.getattr(name)?)?;
    }
    Ok(())
}

/// Returns the exception object for an error.
pub fn to_object<'py>(py: Python<'py>, error: &pgq::Error) -> PyResult<Bound<'py, PyAny>> {
    let class = PARSE_ERROR.import(py, "pgquill._errors", "ParseError")?;
    let position = error.position.map(|at| (at.offset, at.character, at.line, at.column));
    let sqlstate = error.sqlstate.map(|state| state.to_string());
    class.call1((&error.message, position, sqlstate, &error.detail, &error.hint))
}

/// Returns the exception for a statement that cannot be formatted.
pub fn of_kept(py: Python<'_>, kept: &pgq::Kept) -> PyErr {
    let make = || {
        if let pgq::KeptReason::Invalid(error) = &kept.reason {
            return to_object(py, error);
        }
        let at = kept.position;
        let position = Some((at.offset, at.character, at.line, at.column));
        let message = format!("the statement cannot be formatted: {}", kept.reason);
        let nothing = None::<&str>;
        let hint = "With errors=\"keep\", such statements stay as written.";
        PARSE_ERROR.import(py, "pgquill._errors", "ParseError")?.call1((message, position, nothing, nothing, hint))
    };
    make().map_or_else(|failed| failed, PyErr::from_value)
}

/// Returns the exception for an error, to be raised.
pub fn to_exception(py: Python<'_>, error: &pgq::Error) -> PyErr {
    to_object(py, error).map_or_else(|failed| failed, PyErr::from_value)
}
