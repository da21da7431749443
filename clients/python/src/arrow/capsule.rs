//! Converts Arrow's C structs from and to Python capsules. No other file has `unsafe` code for them.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatchReader, make_array};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &std::ffi::CStr = c"arrow_schema";
const ARRAY: &std::ffi::CStr = c"arrow_array";
const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// Returns the arrays of a column, which is one array or a stream of arrays. Copies nothing.
pub fn arrays(column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if column.hasattr("__arrow_c_stream__")? {
        let capsule = column.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        let pointer = capsule.pointer_checked(Some(STREAM))?.as_ptr().cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of this name contains a stream that is valid until the capsule is dropped, and the capsule
        // is alive here. The stream is moved out and its old position marked as released, so the capsule's destructor
        // does nothing.
        let reader = unsafe { ArrayStreamReader::from_raw(pointer) }.map_err(refused)?;
        return reader.collect::<Result<_, _>>().map_err(refused);
    }
    if column.hasattr("__arrow_c_array__")? {
        let pair = column.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
        let schema = pair.get_item(0)?.cast_into::<PyCapsule>()?;
        let array = pair.get_item(1)?.cast_into::<PyCapsule>()?;
        let schema_pointer = schema.pointer_checked(Some(SCHEMA))?.as_ptr().cast::<FFI_ArrowSchema>();
        let array_pointer = array.pointer_checked(Some(ARRAY))?.as_ptr().cast::<FFI_ArrowArray>();
        // SAFETY: both capsules are alive. The array is moved out and its old position marked as released, so the
        // destructor of its capsule does nothing. The schema is only read. The interface guarantees that the array has
        // the layout of its schema.
        let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array_pointer), &*schema_pointer) };
        return Ok(vec![make_array(data.map_err(refused)?)]);
    }
    let name = column.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{name} is not an Arrow column: it has neither __arrow_c_stream__ nor __arrow_c_array__"
    )))
}

/// Returns the two capsules of an array: schema and array.
pub fn array_capsules<'py>(
    py: Python<'py>,
    array: &dyn Array,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(refused)?;
    // A capsule releases its struct when it is dropped, unless a consumer has moved the struct out.
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}

pub fn schema_capsule<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(array.data_type()).map_err(refused)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

pub fn stream_capsule<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

fn refused(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
