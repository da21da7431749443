//! The children of a node, by the table: what a walk visits next. In the order of the fields; the walk
//! puts them into the order of the text.

use super::node::Node;
use crate::convert::nodes::nodes;
use crate::proto;
use crate::sys::bindings as pg;

/// A node inside of a node.
#[derive(Clone, Copy)]
pub(crate) struct Child<'t> {
    pub node: Node<'t>,
    /// The name in JSON of the field that holds it.
    pub field: &'static str,
    /// Its index, if the field is a list.
    pub index: Option<u32>,
}

/// The children of nodes.
pub(crate) trait Children<'t> {
    /// Appends the children of `self`.
    fn children(self, out: &mut Vec<Child<'t>>);
}

/// How the children in a struct are found. `M` tells apart the C structs that are one type under
/// several names.
trait FieldChildren<M> {
    /// # Safety
    /// `self` must be valid for `'t`, with valid children.
    unsafe fn push<'t>(c: *const Self, padding: i32, out: &mut Vec<Child<'t>>);
}

/// # Safety
/// `c` must be NULL or a valid node for `'t` whose tag says its type.
#[inline(always)]
unsafe fn one<'t>(c: *const pg::Node, field: &'static str, padding: i32, out: &mut Vec<Child<'t>>) {
    if !c.is_null() {
        // SAFETY: not NULL, so valid.
        out.push(Child { node: unsafe { Node::from_c(c, padding) }, field, index: None });
    }
}

/// # Safety
/// `list` must be NULL or a valid list of nodes for `'t`.
#[inline]
unsafe fn many<'t>(list: *const pg::List, field: &'static str, padding: i32, out: &mut Vec<Child<'t>>) {
    if list.is_null() {
        return;
    }
    // SAFETY: a valid list, and an index within it.
    unsafe {
        for index in 0..(*list).length {
            let c = (*(*list).elements.add(index as usize)).ptr_value.cast_const().cast::<pg::Node>();
            if !c.is_null() {
                out.push(Child { node: Node::from_c(c, padding), field, index: Some(index as u32) });
            }
        }
    }
}

macro_rules! push {
    (node, $key:literal, $c:expr, $padding:ident, $out:ident) => {
        one($c.cast(), $key, $padding, $out)
    };
    (message, $key:literal, $c:expr, $padding:ident, $out:ident, $ty:ident) => {
        one($c.cast(), $key, $padding, $out)
    };
    (list, $key:literal, $c:expr, $padding:ident, $out:ident) => {
        many($c, $key, $padding, $out)
    };
    // Its fields are the node's own.
    (embed, $key:literal, $c:expr, $padding:ident, $out:ident, $ty:ident) => {
        FieldChildren::<proto::$ty>::push(&raw const $c, $padding, $out)
    };
    ($plain:ident, $key:literal, $c:expr, $padding:ident, $out:ident $(, $ty:ident)?) => {};
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl FieldChildren<proto::$rust> for pg::$c {
            #[allow(unused_unsafe)] // some nodes have no fields
            unsafe fn push<'t>(c: *const Self, padding: i32, out: &mut Vec<Child<'t>>) {
                let _ = (c, padding, &out);
                // SAFETY: the node is valid, says the caller, and so are its children.
                unsafe { $(push!($kind, $key, (*c).$cfield, padding, out $(, $ty)?);)* }
            }
        })*

        impl<'t> Children<'t> for Node<'t> {
            fn children(self, out: &mut Vec<Child<'t>>) {
                let padding = self.padding();
                // SAFETY: a view's node is valid for 't.
                unsafe {
                    match self {
                        $(Self::$rust(view) => FieldChildren::<proto::$rust>::push(view.0.c().cast_const(), padding, out),)*
                        Self::List(list) => many(list.c(), "items", padding, out),
                        Self::AConst(_) | Self::Integer(_) | Self::Float(_) | Self::Boolean(_) | Self::String(_)
                        | Self::BitString(_) => {}
                    }
                }
            }
        }
    };
}
nodes!(walk);
