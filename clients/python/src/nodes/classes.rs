//! The classes of pgquill.nodes, by the library's names of nodes and constants.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};

/// All classes and constants.
pub struct Classes {
    by_name: HashMap<&'static str, Class, BuildHasherDefault<NameHasher>>,
    by_type: HashMap<usize, &'static str>,
    constants: HashMap<&'static str, Py<PyAny>, BuildHasherDefault<NameHasher>>,
    /// The base class.
    pub node: Py<PyType>,
}

/// A node class.
pub struct Class {
    pub class: Py<PyType>,
    /// Name of the class and of the node in the JSON.
    pub name: &'static str,
    /// Fields in the order of `Node::for_each_field`.
    pub fields: Vec<Field>,
}

/// A field of a class.
pub struct Field {
    pub attribute: Py<PyString>,
    /// Key in the JSON.
    pub key: String,
    /// Kind of the field: a letter that pgq-codegen's `python.rs` defines.
    pub kind: u8,
    /// Class of the field's node, if only one is possible.
    pub class: Option<String>,
    /// Value of an unset field.
    pub default: Py<PyAny>,
    /// Name of the default constant. Empty if the field is not an enum.
    pub default_name: String,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

impl Classes {
    /// Returns the classes. The first call imports pgquill.nodes.
    pub fn get(py: Python<'_>) -> PyResult<&Self> {
        CLASSES.get_or_try_init(py, || Self::load(py))
    }

    /// Returns the class of a node by its name.
    pub fn named(&self, name: &str) -> PyResult<&Class> {
        self.by_name.get(name).ok_or_else(|| unknown(name))
    }

    /// Returns the class of an object by its exact type.
    pub fn of(&self, object: &Bound<'_, PyAny>) -> Option<&Class> {
        self.by_type.get(&(object.get_type_ptr() as usize)).and_then(|name| self.by_name.get(name))
    }

    /// Returns the enum member with this name.
    pub fn constant(&self, name: &str) -> PyResult<&Py<PyAny>> {
        self.constants.get(name).ok_or_else(|| unknown(name))
    }

    fn load(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("pgquill.nodes")?;
        let node = module.getattr("Node")?.cast_into::<PyType>()?;
        let base_enum = module.getattr("Enum")?.cast_into::<PyType>()?;
        let mut classes = Self {
            by_name: HashMap::default(),
            by_type: HashMap::new(),
            constants: HashMap::default(),
            node: node.clone().unbind(),
        };
        for value in module.dict().values() {
            let Ok(class) = value.cast_into::<PyType>() else { continue };
            if class.is(&node) || class.is(&base_enum) {
                continue;
            }
            if class.is_subclass(&node)? {
                let class = Class::load(&class)?;
                classes.by_type.insert(class.class.as_ptr() as usize, class.name);
                classes.by_name.insert(class.name, class);
            } else if class.is_subclass(&base_enum)? {
                for member in class.try_iter()? {
                    let member = member?;
                    let name: String = member.getattr("name")?.extract()?;
                    classes.constants.insert(name.leak(), member.unbind());
                }
            }
        }
        Ok(classes)
    }
}

impl Class {
    fn load(class: &Bound<'_, PyType>) -> PyResult<Self> {
        let py = class.py();
        let name: String = class.getattr("__name__")?.extract()?;
        let kinds: String = class.getattr("_kinds")?.extract()?;
        let types = class.getattr("_types")?.cast_into::<PyDict>()?;
        let mut fields = Vec::new();
        for (attribute, kind) in class.getattr("_fields")?.cast_into::<PyTuple>()?.iter().zip(kinds.bytes()) {
            let attribute = attribute.cast_into::<PyString>()?;
            let text = attribute.to_string();
            let default = class.getattr(&attribute)?;
            fields.push(Field {
                key: text.trim_end_matches('_').to_string(),
                kind,
                class: types.get_item(&attribute)?.map(|class| class.extract()).transpose()?,
                default_name: if kind == b'e' { default.extract()? } else { String::new() },
                default: default.unbind(),
                attribute: PyString::intern(py, &text).unbind(),
            });
        }
        // Leaks each name once, because classes are needed until the interpreter ends.
        Ok(Self { class: class.clone().unbind(), name: name.leak(), fields })
    }
}

fn unknown(name: &str) -> PyErr {
    pyo3::exceptions::PySystemError::new_err(format!("pgquill.nodes has no {name}: it is of another version"))
}

/// FNV-1a over the last eight bytes and the length. It suffices for a few hundred short names.
#[derive(Default)]
struct NameHasher(u64);

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut word = [0; 16];
        let len = bytes.len().min(16);
        word[..len].copy_from_slice(&bytes[bytes.len() - len..]);
        let (low, high) = word.split_at(8);
        let number = |half: &[u8]| half.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let mixed = (number(low) ^ (bytes.len() as u64) << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32 ^ number(high)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= mixed ^ mixed >> 29;
    }

    fn write_u8(&mut self, _: u8) {} // `str` writes this byte at its end
}
