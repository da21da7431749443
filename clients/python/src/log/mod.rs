//! Reads PostgreSQL logs as an iterator of records or a stream of Arrow batches.

mod batches;
mod reader;
mod record;
mod rows;
mod source;

use std::sync::{Mutex, MutexGuard};

use pgq_log::{LogKind, RecordSelection};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::stream_capsule;
use reader::Reader;
pub use record::Record;
use source::Source;

/// Reads a log from a path, bytes, or a file object in binary mode.
#[pyfunction]
#[pyo3(signature = (source, *, format = "auto", line_prefix = None, errors = false, events = false))]
pub fn read_log(
    source: Bound<'_, PyAny>,
    format: &str,
    line_prefix: Option<String>,
    errors: bool,
    events: bool,
) -> PyResult<LogReader> {
    let py = source.py();
    let kind = match format {
        "auto" => None,
        "stderr" => Some(LogKind::Stderr),
        "csvlog" => Some(LogKind::Csvlog),
        "jsonlog" => Some(LogKind::Jsonlog),
        _ => return Err(PyValueError::new_err("format must be \"auto\", \"stderr\", \"csvlog\" or \"jsonlog\"")),
    };
    let mut selection = RecordSelection::default();
    (selection.errors, selection.events, selection.session_fields) = (errors, events, true);
    let log = Log { source: source.unbind(), kind, line_prefix, selection };
    let (reader, notice) = log.open(py)?;
    Ok(LogReader { log, notice, reader: Mutex::new(Some(reader)) })
}

/// A log with its options.
struct Log {
    source: Py<PyAny>,
    kind: Option<LogKind>,
    line_prefix: Option<String>,
    selection: RecordSelection,
}

impl Log {
    fn open(&self, py: Python<'_>) -> PyResult<(Reader, Option<String>)> {
        let (name, source) = Source::open(self.source.bind(py))?;
        let (kind, selection) = (self.kind, self.selection);
        let opened = py.detach(|| Reader::open(&name, source, kind, self.line_prefix.as_deref(), selection));
        opened.map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => PyValueError::new_err(error.to_string()),
            _ => PyOSError::new_err(error.to_string()),
        })
    }
}

/// The records of a log. Iterate over it once, or read it as a stream of Arrow batches.
#[pyclass(frozen, module = "pgquill")]
pub struct LogReader {
    log: Log,
    notice: Option<String>,
    /// `None` after it was taken as a stream.
    reader: Mutex<Option<Reader>>,
}

impl LogReader {
    /// Locks the reader. Waits without the global interpreter lock.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Option<Reader>> {
        loop {
            if let Ok(guard) = self.reader.try_lock() {
                return guard;
            }
            py.detach(|| std::thread::sleep(std::time::Duration::from_millis(1)));
        }
    }
}

#[pymethods]
impl LogReader {
    /// A message about the detected format.
    #[getter]
    fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// A message about the lines and messages that were lost so far, or None.
    #[getter]
    fn losses(&self, py: Python<'_>) -> Option<String> {
        self.lock(py).as_ref().and_then(|reader| reader.stats().losses())
    }

    /// A message with the counts of lines, messages and records so far.
    #[getter]
    fn counts(&self, py: Python<'_>) -> Option<String> {
        self.lock(py).as_ref().map(|reader| reader.stats().summary())
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Record>> {
        let mut guard = self.lock(py);
        let Some(reader) = guard.as_mut() else {
            return Err(PyValueError::new_err("the log was taken as Arrow batches"));
        };
        if reader.needs_chunk() {
            py.detach(|| reader.next_rows()).map_err(|error| PyOSError::new_err(error.to_string()))?;
        }
        reader.pop().map(|row| Record::new(py, &row)).transpose()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // the interface lets the producer ignore it
        let taken = self.lock(py).take();
        let reader = match taken {
            Some(reader) => reader,
            // DuckDB requests the stream twice: once for the schema and once for the rows.
            None if !self.log.source.bind(py).hasattr("read")? => self.log.open(py)?.0,
            None => return Err(PyValueError::new_err("a file object can be read as Arrow batches only once: pass a path instead")),
        };
        stream_capsule(py, Box::new(batches::Batches::new(reader)))
    }
}
