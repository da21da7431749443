//! Functions for columns that have Arrow's C interface as Python capsules (`__arrow_c_array__`, `__arrow_c_stream__`).
//! Strings are read from the memory of polars, pandas, pyarrow or DuckDB.

mod capsule;
mod column;

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, LargeStringArray, StringArray};
use pgq::cache::{FingerprintCache, NormalizeCache};
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub use capsule::stream_capsule;
pub use column::Column;
use column::{Errors, input_texts};

use crate::batch::{Answer, Text, for_each, tables_of};
use crate::cache::ThreadState;
use crate::errors;

/// Calls `answer` for each string of a column. `build` creates the array of results, in which an error is NULL.
fn answer_column<S: ThreadState, T: Send + Sync>(
    column: &Bound<'_, PyAny>,
    on_error: &str,
    jobs: Option<usize>,
    answer: impl Fn(&mut S, &str) -> Result<T, pgq::Error> + Sync,
    build: impl Fn(&[Answer<T>]) -> ArrayRef + Sync,
) -> PyResult<Column> {
    let py = column.py();
    let errors = Errors::parse(on_error)?;
    let input = capsule::arrays(column)?;
    let texts: Vec<Text<'_>> = input_texts(&input)?;
    let answers = py.detach(|| for_each(&texts, jobs, &answer));
    let failures = PyDict::new(py);
    for (row, answer) in answers.iter().enumerate() {
        if let Some(Err(error)) = answer {
            if matches!(errors, Errors::Raise) {
                let exception = errors::to_exception(py, error);
                let note = format!("in row {row} of the column; errors=\"null\" gives NULL and goes on");
                // Python 3.10 has no `add_note`.
                let _ = exception.value(py).call_method1("add_note", (note,));
                return Err(exception);
            }
            failures.set_item(row, errors::to_object(py, error)?)?;
        }
    }
    let array = py.detach(|| build(&answers));
    Ok(Column::new(array, failures.unbind()))
}

/// Returns a column of fingerprints, 16 digits each.
#[pyfunction]
#[pyo3(signature = (column, *, errors = "raise", jobs = None))]
pub fn fingerprint_column(column: &Bound<'_, PyAny>, errors: &str, jobs: Option<usize>) -> PyResult<Column> {
    answer_column(column, errors, jobs, FingerprintCache::fingerprint, |answers| {
        let mut builder = StringBuilder::with_capacity(answers.len(), answers.len() * 16);
        for answer in answers {
            let digits = answer.as_ref().and_then(|answer| Some(answer.as_ref().ok()?.digits()));
            builder.append_option(digits.as_ref().map(|digits| std::str::from_utf8(digits).unwrap_or_default()));
        }
        Arc::new(builder.finish())
    })
}

/// Returns a column of normalized SQL.
#[pyfunction]
#[pyo3(signature = (column, *, errors = "raise", jobs = None))]
pub fn normalize_column(column: &Bound<'_, PyAny>, errors: &str, jobs: Option<usize>) -> PyResult<Column> {
    answer_column(column, errors, jobs, NormalizeCache::normalize, |answers| {
        let texts = || answers.iter().map(|answer| answer.as_ref()?.as_ref().ok().map(String::as_str));
        // 32-bit offsets are limited to 2 GiB.
        let bytes: usize = texts().flatten().map(str::len).sum();
        if bytes < i32::MAX as usize {
            Arc::new(texts().collect::<StringArray>())
        } else {
            Arc::new(texts().collect::<LargeStringArray>())
        }
    })
}

/// Returns a column of lists of table names.
#[pyfunction]
#[pyo3(signature = (column, *, errors = "raise", jobs = None))]
pub fn tables_column(column: &Bound<'_, PyAny>, errors: &str, jobs: Option<usize>) -> PyResult<Column> {
    answer_column(column, errors, jobs, tables_of, |answers| {
        let mut builder = ListBuilder::new(StringBuilder::new());
        for answer in answers {
            let names = answer.as_ref().and_then(|answer| answer.as_ref().ok());
            for name in names.into_iter().flatten() {
                builder.values().append_value(name);
            }
            builder.append(names.is_some());
        }
        Arc::new(builder.finish())
    })
}
