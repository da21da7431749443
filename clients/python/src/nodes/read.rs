//! Converts C trees to Python objects. Omits fields with default values, because the class has the defaults.

use std::ffi::c_void;

use pgq::Tree;
use pgq::nodes::{Constant, FieldValue, List, Node};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyTuple};

use super::classes::{Class, Classes, Field};

/// Stack bytes that the conversion of one node needs, without its children. If fewer bytes are free, the conversion
/// continues on a new stack segment of `MORE_STACK` bytes.
const RED_ZONE: usize = 64 << 10;
const MORE_STACK: usize = 4 << 20;

/// Returns the statements of a tree, each a `RawStmt`.
pub fn statements<'py>(py: Python<'py>, tree: &Tree) -> PyResult<Bound<'py, PyList>> {
    let reader = Reader { py, classes: Classes::get(py)?, new: object_new(py)?, no_arguments: PyTuple::empty(py) };
    let list = PyList::empty(py);
    for statement in tree.statements() {
        list.append(reader.node(statement.raw_node().into())?)?;
    }
    Ok(list)
}

struct Reader<'py> {
    py: Python<'py>,
    classes: &'py Classes,
    /// `object.__new__`.
    new: ffi::newfunc,
    no_arguments: Bound<'py, PyTuple>,
}

/// Returns `object.__new__`. In CPython 3.11 and 3.12, an instance has a dictionary for its attributes unless
/// `object.__new__` creates it. Instances without dictionaries are created in two thirds of the time.
fn object_new(py: Python<'_>) -> PyResult<ffi::newfunc> {
    let object = py.get_type::<PyAny>();
    // SAFETY: `object` is a type. The function only reads the slot.
    let slot = unsafe { ffi::PyType_GetSlot(object.as_type_ptr(), ffi::Py_tp_new) };
    // SAFETY: the slot contains NULL or a function of this type.
    let new = unsafe { std::mem::transmute::<*mut c_void, Option<ffi::newfunc>>(slot) };
    new.ok_or_else(|| pyo3::exceptions::PySystemError::new_err("object has no __new__"))
}

impl<'py> Reader<'py> {
    fn node(&self, node: Node<'_>) -> PyResult<Bound<'py, PyAny>> {
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || {
            let class = self.classes.named(node.name())?;
            let object = self.new_object(class)?;
            let mut fields = class.fields.iter();
            let mut result = Ok(());
            node.for_each_field(|field| {
                if result.is_ok()
                    && let Some(slot) = fields.next()
                {
                    result = self.value(field.value, slot).and_then(|value| match value {
                        Some(value) => set(&object, slot.attribute.bind(self.py), &value),
                        None => Ok(()),
                    });
                }
            });
            result.map(|()| object)
        })
    }

    /// Creates an instance without attributes. Does not call `__init__`, which is Python code.
    fn new_object(&self, class: &Class) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the class and its base class `Node` are written in Python, and the base of `Node` is `object`, so
        // `object.__new__` may create instances. If the result is NULL, an exception is set.
        unsafe {
            let object = (self.new)(class.class.as_ptr().cast(), self.no_arguments.as_ptr(), std::ptr::null_mut());
            Bound::from_owned_ptr_or_err(self.py, object)
        }
    }

    /// Converts the value of a field. Returns `None` for default values: absent, zero, false and empty ones.
    fn value(&self, value: FieldValue<'_>, slot: &Field) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = self.py;
        Ok(match value {
            FieldValue::Node(node) | FieldValue::Typed(node) => node.map(|node| self.node(node)).transpose()?,
            FieldValue::Embedded(node) => Some(self.node(node)?),
            FieldValue::List(list) if list.is_empty() => None,
            FieldValue::List(list) => Some(self.list(list)?),
            FieldValue::Text(text) => text.map(|text| self.text(text)),
            FieldValue::Char(letter) => letter.map(|letter| self.text(letter.encode_utf8(&mut [0; 4]))),
            FieldValue::Bool(value) => value.then(|| PyBool::new(py, true).to_owned().into_any()),
            FieldValue::Int(value) => (value != 0).then(|| PyInt::new(py, value).into_any()),
            FieldValue::Uint64(value) => (value != 0).then(|| PyInt::new(py, value).into_any()),
            FieldValue::Float(value) => (value != 0.0).then(|| PyFloat::new(py, value).into_any()),
            FieldValue::Enum(name) if name == slot.default_name => None,
            FieldValue::Enum(name) => Some(self.classes.constant(name)?.bind(py).clone()),
            FieldValue::BitSet(set) if set.is_empty() => None,
            FieldValue::BitSet(set) => Some(PyList::new(py, set.iter().collect::<Vec<_>>())?.into_any()),
            FieldValue::Location(location) => location.map(|location| PyInt::new(py, location).into_any()),
            FieldValue::Constant(constant) => self.constant(constant)?,
            _ => return Err(pyo3::exceptions::PySystemError::new_err("a kind of field that is not known")),
        })
    }

    fn list(&self, list: List<'_>) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the function has no requirements. If the result is NULL, an exception is set.
        let items = unsafe { Bound::from_owned_ptr_or_err(self.py, ffi::PyList_New(list.len() as isize))? };
        for (index, member) in list.into_iter().enumerate() {
            let member = member.map_or_else(|| Ok(self.py.None().into_bound(self.py)), |node| self.node(node))?;
            // SAFETY: `items` is a list with room for `index`, and the function takes the reference to `member`. If an
            // error leaves unset items in the list, the list can still be freed.
            unsafe { ffi::PyList_SetItem(items.as_ptr(), index as isize, member.into_ptr()) };
        }
        Ok(items)
    }

    fn constant(&self, constant: Constant<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (name, value) = match constant {
            Constant::Null => return Ok(None),
            Constant::Integer(value) => ("Integer", PyInt::new(self.py, value).into_any()),
            Constant::Float(text) => ("Float", self.text(text)),
            Constant::Boolean(value) => ("Boolean", PyBool::new(self.py, value).to_owned().into_any()),
            Constant::String(text) => ("String", self.text(text)),
            Constant::BitString(text) => ("BitString", self.text(text)),
        };
        let class = self.classes.named(name)?;
        let object = self.new_object(class)?;
        set(&object, class.fields[0].attribute.bind(self.py), &value)?;
        Ok(Some(object))
    }

    fn text(&self, text: &str) -> Bound<'py, PyAny> {
        PyString::new(self.py, text).into_any()
    }
}

/// Sets an attribute without `Node.__setattr__`, which is Python code and checks names.
fn set(object: &Bound<'_, PyAny>, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: the three objects are alive, and the function creates its own references. If it returns -1, an exception
    // is set.
    let status = unsafe { ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if status == 0 { Ok(()) } else { Err(PyErr::fetch(object.py())) }
}
