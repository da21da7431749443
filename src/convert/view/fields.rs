//! Accesses the fields of a node by name, using the accessors of its view.

use super::constant::Constant;
use super::enums::Enum;
use super::node::*;
use super::{BitSet, List};
use crate::convert::nodes::nodes;

/// A field of a node, from [`Node::for_each_field`].
#[derive(Clone, Copy)]
pub struct Field<'t> {
    /// The name in PostgreSQL's sources and in JSON, such as `targetList`.
    pub name: &'static str,
    /// The value of the field.
    pub value: FieldValue<'t>,
}

/// The value of a [`Field`]. Each kind of field has a variant.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum FieldValue<'t> {
    /// Any node.
    Node(Option<Node<'t>>),
    /// A node in a field that accepts only one node type. JSON omits this type.
    Typed(Option<Node<'t>>),
    /// A node whose C struct is embedded at the start of its parent's C struct. JSON omits the type of the embedded
    /// node, as for [`FieldValue::Typed`].
    Embedded(Node<'t>),
    /// A list of nodes.
    List(List<'t>),
    /// A string.
    Text(Option<&'t str>),
    /// A letter of PostgreSQL's catalogs.
    Char(Option<char>),
    /// A flag.
    Bool(bool),
    /// An integer of up to 32 bits, or a signed integer of 64 bits.
    Int(i64),
    /// An unsigned 64-bit integer.
    Uint64(u64),
    /// A floating-point number.
    Float(f64),
    /// PostgreSQL's name of an enum's constant.
    Enum(&'static str),
    /// A set of non-negative integers.
    BitSet(BitSet<'t>),
    /// A byte offset in the parsed SQL.
    Location(Option<usize>),
    /// The value of a constant.
    Constant(Constant<'t>),
}

macro_rules! value {
    (node $value:expr) => {
        FieldValue::Node($value)
    };
    (message $value:expr) => {
        FieldValue::Typed($value.map(Node::from))
    };
    (embed $value:expr) => {
        FieldValue::Embedded($value.into())
    };
    (list $value:expr) => {
        FieldValue::List($value)
    };
    (string $value:expr) => {
        FieldValue::Text($value)
    };
    (char $value:expr) => {
        FieldValue::Char($value)
    };
    (bool $value:expr) => {
        FieldValue::Bool($value)
    };
    (enum_ $value:expr) => {
        FieldValue::Enum($value.name())
    };
    (bitmapset $value:expr) => {
        FieldValue::BitSet($value)
    };
    (location $value:expr) => {
        FieldValue::Location($value)
    };
    (float $value:expr) => {
        FieldValue::Float($value)
    };
    (uint64 $value:expr) => {
        FieldValue::Uint64($value)
    };
    ($number:ident $value:expr) => {
        FieldValue::Int(i64::from($value))
    };
}

macro_rules! each {
    (absent $view:tt $field:ident $key:literal $f:ident) => {};
    ($kind:ident $view:tt $field:ident $key:literal $f:ident) => {
        $f(Field { name: $key, value: value!($kind $view.$field()) })
    };
}

trait VisitFields<'t> {
    fn visit(self, f: &mut dyn FnMut(Field<'t>));
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl<'t> VisitFields<'t> for $rust<'t> {
            #[inline(never)] // keeps the frames of a deep walk small
            fn visit(self, f: &mut dyn FnMut(Field<'t>)) {
                let _ = &f;
                $(each!($kind self $field $key f);)*
            }
        })*

        impl<'t> Node<'t> {
            /// Calls `f` with every field of the node, in PostgreSQL's order. A value node has one field, its value. A
            /// list has one field, its members.
            pub fn for_each_field(self, mut f: impl FnMut(Field<'t>)) {
                self.visit_fields(&mut f);
            }

            fn visit_fields(self, f: &mut dyn FnMut(Field<'t>)) {
                match self {
                    $(Self::$rust(view) => view.visit(f),)*
                    Self::AConst(view) => {
                        f(Field { name: "val", value: FieldValue::Constant(view.value()) });
                        f(Field { name: "location", value: FieldValue::Location(view.location()) });
                    }
                    Self::Integer(view) => f(Field { name: "ival", value: FieldValue::Int(i64::from(view.ival())) }),
                    Self::Float(view) => f(Field { name: "fval", value: FieldValue::Text(Some(view.fval())) }),
                    Self::Boolean(view) => f(Field { name: "boolval", value: FieldValue::Bool(view.boolval()) }),
                    Self::String(view) => f(Field { name: "sval", value: FieldValue::Text(Some(view.sval())) }),
                    Self::BitString(view) => f(Field { name: "bsval", value: FieldValue::Text(Some(view.bsval())) }),
                    Self::List(list) => f(Field { name: "items", value: FieldValue::List(list) }),
                }
            }
        }
    };
}
nodes!(walk);
