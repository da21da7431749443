//! What the walk over C structs does for each kind of field, for every node of the table.

use super::{NodeLister, OwnFields, Place};
use crate::convert::nodes::nodes;
use crate::proto;
use crate::sys::bindings as pg;

/// A message of the table, and the C struct that it is.
pub(super) trait ListFields {
    type C;
    /// The node's type, as in the JSON tree.
    const NAME: &'static str;
    /// # Safety
    /// `c` must be a valid node of its type.
    unsafe fn own(c: *const Self::C) -> OwnFields;
    /// # Safety
    /// `c` must be a valid node of its type with valid children.
    unsafe fn children(c: *const Self::C, number: usize, walk: &mut NodeLister<'_>);
}

/// Reads the location, and the first text that is not empty. Qualifiers do not name the node.
macro_rules! own {
    (string catalogname, $own:ident, $c:expr) => {};
    (string schemaname, $own:ident, $c:expr) => {};
    (string defnamespace, $own:ident, $c:expr) => {};
    (string $field:ident, $own:ident, $c:expr) => {
        if $own.name.is_null() && !$c.is_null() && *$c != 0 {
            $own.name = $c;
        }
    };
    (location location, $own:ident, $c:expr) => {
        $own.location = $c;
    };
    ($other:ident $field:ident, $own:ident, $c:expr) => {};
}

macro_rules! child {
    (node, $walk:ident, $place:expr, $c:expr) => {
        $walk.node($c.cast(), $place)
    };
    (message, $walk:ident, $place:expr, $c:expr, $ty:ident) => {
        $walk.node($c.cast(), $place)
    };
    (embed, $walk:ident, $place:expr, $c:expr, $ty:ident) => {
        $walk.message::<proto::$ty>(&raw const $c, $place)
    };
    (list, $walk:ident, $place:expr, $c:expr) => {
        $walk.list($c, $place)
    };
    ($plain:ident, $walk:ident, $place:expr, $c:expr $(, $ty:ident)?) => {};
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(
            impl ListFields for proto::$rust {
                type C = pg::$c;
                const NAME: &'static str = $json;

                #[inline]
                #[allow(unused_mut, unused_unsafe, unused_variables, reason = "some nodes have neither")]
                unsafe fn own(c: *const pg::$c) -> OwnFields {
                    let mut own = OwnFields::NONE;
                    // SAFETY: the caller vouches for this node; its texts are NULL or NUL-terminated.
                    unsafe { $(own!($kind $field, own, (*c).$cfield);)* }
                    own
                }

                #[inline(never)] // keeps the frames of a deep walk small
                #[allow(unused_unsafe, unused_variables, reason = "some nodes have no children")]
                unsafe fn children(c: *const pg::$c, number: usize, walk: &mut NodeLister<'_>) {
                    // SAFETY: the caller vouches for this node and its children.
                    unsafe {
                        $(child!($kind, walk, Place { field: $key, parent: Some(number) }, (*c).$cfield $(, $ty)?);)*
                    }
                }
            }
        )*

        impl NodeLister<'_> {
            /// # Safety
            /// `node` must be a valid node whose tag says its type.
            pub(super) unsafe fn by_tag(&mut self, node: *const pg::Node, place: Place) {
                // SAFETY: the node is valid and its tag names the struct that each arm casts to.
                unsafe {
                    match (*node).type_ {
                        $(pg::$tag => self.message::<proto::$rust>(node.cast(), place),)*
                        _ => self.untabled(node, place),
                    }
                }
            }
        }
    };
}
nodes!(walk);
