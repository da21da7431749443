//! The children of a node, by the table: what a walk visits next, in the order of PostgreSQL's structs.

use super::node::Node;
use crate::convert::nodes::nodes;
use crate::convert::row;
use crate::sys::bindings as pg;

/// A node inside a node, which no view was made of yet.
#[derive(Clone, Copy)]
pub(super) struct Child {
    /// Valid as long as its parent is, and never NULL.
    pub c: *const pg::Node,
    /// The name in JSON of the field that contains it. A reference is half as large as the text.
    pub field: &'static &'static str,
    /// Its index, if the field is a list; else [`Child::NO_INDEX`].
    pub index: u32,
}

impl Child {
    pub const NO_INDEX: u32 = u32::MAX;
}

/// How the children in a struct are found. `M` tells apart the C structs that are one type under
/// several names.
trait FieldChildren<M> {
    /// # Safety
    /// `c` must be valid, with valid children.
    unsafe fn push(c: *const Self, out: &mut Vec<Child>);
}

#[inline(always)]
fn one(c: *const pg::Node, field: &'static &'static str, out: &mut Vec<Child>) {
    if !c.is_null() {
        out.push(Child { c, field, index: Child::NO_INDEX });
    }
}

/// # Safety
/// `list` must be NULL or a valid list of nodes.
#[inline(always)]
unsafe fn many(list: *const pg::List, field: &'static &'static str, out: &mut Vec<Child>) {
    if !list.is_null() {
        // SAFETY: not NULL, so valid.
        unsafe { members(list, field, out) };
    }
}

/// # Safety
/// `list` must be a valid list of nodes.
unsafe fn members(list: *const pg::List, field: &'static &'static str, out: &mut Vec<Child>) {
    // SAFETY: a valid list, and an index within it.
    unsafe {
        let length = (*list).length as usize;
        out.reserve(length);
        for index in 0..length {
            let c = (*(*list).elements.add(index)).ptr_value.cast_const().cast::<pg::Node>();
            if !c.is_null() {
                out.push(Child { c, field, index: index as u32 });
            }
        }
    }
}

macro_rules! push {
    (node, $key:literal, $c:expr, $out:ident) => {
        one($c.cast(), &$key, $out)
    };
    (message, $key:literal, $c:expr, $out:ident, $ty:ident) => {
        one($c.cast(), &$key, $out)
    };
    (list, $key:literal, $c:expr, $out:ident) => {
        many($c, &$key, $out)
    };
    // Its fields are the node's own.
    (embed, $key:literal, $c:expr, $out:ident, $ty:ident) => {
        FieldChildren::<row::$ty>::push(&raw const $c, $out)
    };
    ($plain:ident, $key:literal, $c:expr, $out:ident $(, $ty:ident)?) => {};
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl FieldChildren<row::$rust> for pg::$c {
            #[allow(unused_unsafe)] // some nodes have no fields
            #[inline]
            unsafe fn push(c: *const Self, out: &mut Vec<Child>) {
                let _ = (c, &out);
                // SAFETY: the node is valid, says the caller, and so are its children.
                unsafe { $(push!($kind, $key, (*c).$cfield, out $(, $ty)?);)* }
            }
        })*

        impl Node<'_> {
            /// Appends the children.
            pub(super) fn push_children(self, out: &mut Vec<Child>) {
                // SAFETY: a view's node is valid.
                unsafe {
                    match self {
                        $(Self::$rust(view) => FieldChildren::<row::$rust>::push(view.0.c().cast_const(), out),)*
                        Self::List(list) => many(list.c(), &"items", out),
                        Self::AConst(_) | Self::Integer(_) | Self::Float(_) | Self::Boolean(_) | Self::String(_)
                        | Self::BitString(_) => {}
                    }
                }
            }
        }
    };
}
nodes!(walk);
