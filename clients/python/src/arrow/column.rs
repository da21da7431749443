//! The column that a function returns, and access to the strings of its argument.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use super::capsule;
use crate::batch::Text;

/// Effect of an invalid statement.
#[derive(Clone, Copy)]
pub enum Errors {
    /// Ends the call with an exception.
    Raise,
    /// Makes the row NULL, and adds the error to `Column.errors`.
    Null,
}

impl Errors {
    /// Parses the argument `errors`.
    pub fn parse(text: &str) -> PyResult<Self> {
        match text {
            "raise" => Ok(Self::Raise),
            "null" => Ok(Self::Null),
            _ => Err(PyValueError::new_err("errors must be \"raise\" or \"null\"")),
        }
    }
}

/// An Arrow array of results. polars, pandas, pyarrow and DuckDB read its capsules.
#[pyclass(frozen, module = "pgquill")]
pub struct Column {
    array: ArrayRef,
    errors: Py<PyDict>,
}

impl Column {
    pub fn new(array: ArrayRef, errors: Py<PyDict>) -> Self {
        Self { array, errors }
    }
}

#[pymethods]
impl Column {
    /// The errors by row, if the function was called with `errors="null"`.
    #[getter]
    fn errors(&self, py: Python<'_>) -> Py<PyDict> {
        self.errors.clone_ref(py)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let errors = self.errors.bind(py).len();
        format!("Column({}, rows={}, errors={errors})", self.array.data_type(), self.array.len())
    }

    /// Returns the values as Python objects.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        python_list(py, &self.array)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema; // the interface lets the producer ignore it
        capsule::array_capsules(py, &self.array)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::schema_capsule(py, &self.array)
    }
}

fn python_list<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    if let Some(lists) = array.as_list_opt::<i32>() {
        for row in lists.iter() {
            match row {
                Some(row) => list.append(python_list(py, &row)?)?,
                None => list.append(py.None())?,
            }
        }
    } else {
        let mut texts = Vec::new();
        push_texts(array, &mut texts)?;
        for text in texts {
            list.append(text)?;
        }
    }
    Ok(list)
}

/// Returns the strings of arrays, without copies.
pub fn input_texts(arrays: &[ArrayRef]) -> PyResult<Vec<Text<'_>>> {
    let mut texts = Vec::with_capacity(arrays.iter().map(Array::len).sum());
    for array in arrays {
        push_texts(array, &mut texts)?;
    }
    Ok(texts)
}

fn push_texts<'a>(array: &'a ArrayRef, texts: &mut Vec<Text<'a>>) -> PyResult<()> {
    match array.data_type() {
        DataType::Utf8 => texts.extend(array.as_string::<i32>()),
        DataType::LargeUtf8 => texts.extend(array.as_string::<i64>()),
        DataType::Utf8View => texts.extend(array.as_string_view()),
        DataType::Null => texts.extend(std::iter::repeat_n(None, array.len())),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let mut values = Vec::new();
            push_texts(dictionary.values(), &mut values)?;
            let keys = dictionary.normalized_keys();
            texts
                .extend(keys.iter().enumerate().map(|(row, key)| if array.is_null(row) { None } else { values[*key] }));
        }
        // A table of one column, such as a relation of DuckDB.
        DataType::Struct(fields) if fields.len() == 1 && array.null_count() == 0 => {
            push_texts(array.as_struct().column(0), texts)?;
        }
        other => return Err(PyTypeError::new_err(format!("expected a column of strings, got {other}"))),
    }
    Ok(())
}
