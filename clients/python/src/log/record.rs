//! `Record`: a logged statement as a Python object.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::rows::{Row, TEXTS};

/// A logged statement. A field that is not in the log is None.
#[pyclass(frozen, module = "pgquill")]
pub struct Record {
    texts: [Option<Py<PyAny>>; TEXTS.len()],
    utc_micros: Option<i64>,
    pid: u32,
    severity: &'static str,
    duration_ms: Option<f64>,
    truncated: bool,
    params: Box<[u8]>,
}

impl Record {
    pub fn new(py: Python<'_>, row: &Row) -> PyResult<Self> {
        let mut texts = [const { None }; TEXTS.len()];
        for (slot, text) in texts.iter_mut().zip(&row.texts).filter(|(_, text)| !text.is_empty()) {
            *slot = Some(python_text(py, text)?);
        }
        let params =
            TEXTS.iter().position(|(name, _)| *name == "params").map_or_else(Box::default, |at| row.texts[at].clone());
        let (pid, severity, duration_ms, truncated) = (row.pid, row.severity, row.duration_ms, row.truncated);
        Ok(Self { texts, utc_micros: row.utc_micros(), pid, severity, duration_ms, truncated, params })
    }
}

/// Converts bytes to a string. Bytes that are not UTF-8 become surrogate escapes.
fn python_text(py: Python<'_>, text: &[u8]) -> PyResult<Py<PyAny>> {
    match std::str::from_utf8(text) {
        Ok(text) => Ok(PyString::new(py, text).into_any().unbind()),
        Err(_) => Ok(PyBytes::new(py, text).call_method1("decode", ("utf-8", "surrogateescape"))?.unbind()),
    }
}

#[pymethods]
impl Record {
    /// Returns a text column.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<PyAny>>> {
        let at = TEXTS.iter().position(|(text, _)| *text == name);
        let at = at.ok_or_else(|| pyo3::exceptions::PyAttributeError::new_err(format!("Record has no {name}")))?;
        Ok(self.texts[at].as_ref().map(|text| text.clone_ref(py)))
    }

    /// The time in UTC, or None if the log's zone is unknown.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(micros) = self.utc_micros else { return Ok(None) };
        let datetime = py.import("datetime")?;
        let utc = datetime.getattr("timezone")?.getattr("utc")?;
        let epoch = datetime.getattr("datetime")?.call1((1970, 1, 1, 0, 0, 0, 0, utc))?;
        Ok(Some(epoch.add(datetime.getattr("timedelta")?.call1((0, 0, micros))?)?))
    }

    #[getter]
    fn pid(&self) -> Option<u32> {
        (self.pid > 0).then_some(self.pid)
    }

    #[getter]
    fn severity(&self) -> &'static str {
        self.severity
    }

    #[getter]
    fn duration_ms(&self) -> Option<f64> {
        self.duration_ms
    }

    #[getter]
    fn truncated(&self) -> bool {
        self.truncated
    }

    /// The values of the parameters, or None if there are no parameters or the log has truncated them.
    #[getter]
    fn parameters(&self, py: Python<'_>) -> PyResult<Option<Vec<Option<Py<PyAny>>>>> {
        let Some(values) = pgq_log::parameter_values(&self.params).filter(|_| !self.params.is_empty()) else {
            return Ok(None);
        };
        let value = |value: Option<Vec<u8>>| value.map(|value| python_text(py, &value)).transpose();
        values.into_iter().map(value).collect::<PyResult<_>>().map(Some)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let sql = self.__getattr__(py, "sql")?;
        let sql = sql.map(|sql| sql.bind(py).repr().map(|text| text.to_string())).transpose()?;
        let none = || "None".to_string();
        let duration = self.duration_ms.map_or_else(none, |duration| duration.to_string());
        Ok(format!("Record(sql={}, duration_ms={duration})", sql.unwrap_or_else(none)))
    }
}
