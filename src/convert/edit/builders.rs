//! Typed setters. For each node type, there is a struct that creates or edits a node of this type.

use std::ffi::c_char;
use std::ptr::null_mut;

use super::child::{Any, Attached, Child, Children, New, attach_list};
use super::target::{EditTree, Editable};
use crate::convert::arena;
use crate::convert::nodes::nodes;
use crate::convert::problem::Problem;
use crate::convert::view::{self, enums};
use crate::sys::bindings as pg;

/// PostgreSQL's FRAMEOPTION_DEFAULTS (nodes/parsenodes.h).
const FRAME_OPTIONS: i32 = 1058;

/// Copies a string to the tree's arena.
fn text(tree: &EditTree, field: &'static str, text: Option<&str>) -> *mut c_char {
    let Some(text) = text else { return null_mut() };
    if memchr::memchr(0, text.as_bytes()).is_some() {
        tree.fail(Problem::NulInString { field });
        return null_mut();
    }
    arena::text(tree.arena(), text)
}

fn letter(tree: &EditTree, field: &'static str, letter: Option<char>) -> c_char {
    match letter {
        None => 0,
        Some(letter) if letter.is_ascii() && letter != '\0' => letter as u8 as c_char,
        Some(_) => {
            tree.fail(Problem::OutOfRange { field });
            0
        }
    }
}

fn set_of(tree: &EditTree, field: &'static str, members: impl IntoIterator<Item = u64>) -> *mut pg::Bitmapset {
    let members: Vec<u64> = members.into_iter().collect();
    arena::bitmapset(tree.arena(), &members).unwrap_or_else(|| {
        tree.fail(Problem::OutOfRange { field });
        null_mut()
    })
}

/// Generates a setter for each kind of field. Locations have no setter, because new nodes are not in the SQL.
macro_rules! setter {
    (absent $field:ident $key:literal $cfield:ident) => {};
    (location $field:ident $key:literal $cfield:ident) => {};
    (node limit_count $key:literal $cfield:ident) => { setter!(limit limit_count $key $cfield); };
    (node limit_offset $key:literal $cfield:ident) => { setter!(limit limit_offset $key $cfield); };
    // LIMIT and OFFSET together determine `limitOption`.
    (limit $field:ident $key:literal $cfield:ident) => {
        #[doc = concat!("Sets `", $key, "`: any node, or `None`. Also updates `limitOption`.")]
        pub fn $field(self, value: impl Child<'a, Any>) -> Self {
            use enums::LimitOption::{LIMIT_OPTION_COUNT as COUNT, LIMIT_OPTION_DEFAULT as NEITHER};
            let value = value.attach(self.tree).0;
            // SAFETY: the node is valid, and nothing has a reference to it.
            unsafe {
                (*self.c).$cfield = value;
                let has_none = (*self.c).limitCount.is_null() && (*self.c).limitOffset.is_null();
                let option = &raw mut (*self.c).limitOption;
                if has_none {
                    option.write(NEITHER.to_c());
                } else if option.read() == NEITHER.to_c() {
                    option.write(COUNT.to_c());
                }
            }
            self
        }
    };
    (node $field:ident $key:literal $cfield:ident) => {
        setter!(@ self $field $key "any node, or `None`." $cfield, impl Child<'a, Any>, |value| value.attach(self.tree).0.cast());
    };
    (message $field:ident $key:literal $cfield:ident $ty:ident) => {
        setter!(@ self $field $key "a node of one type, or `None`." $cfield, impl Child<'a, view::$ty<'static>>, |value| {
            value.attach(self.tree).0.cast()
        });
    };
    (embed $field:ident $key:literal $cfield:ident $ty:ident) => {
        #[doc = concat!("Sets `", $key, "`: the embedded node at the start of this node.")]
        pub fn $field(self, value: impl Child<'a, view::$ty<'static>>) -> Self {
            let Attached(inner) = value.attach(self.tree);
            if !inner.is_null() {
                // SAFETY: `inner` and the field are valid structs of the same type; the tag of the node is unchanged.
                unsafe {
                    let tag = *self.c.cast::<pg::NodeTag>();
                    (&raw mut (*self.c).$cfield).write(inner.cast::<pg::$ty>().read());
                    self.c.cast::<pg::NodeTag>().write(tag);
                }
            }
            self
        }
    };
    (list $field:ident $key:literal $cfield:ident) => {
        setter!(@ self $field $key "a list of nodes." $cfield, impl Children<'a>, |value| attach_list(self.tree, value));
    };
    (string $field:ident $key:literal $cfield:ident) => {
        #[doc = concat!("Sets `", $key, "`: a string, or `None`.")]
        pub fn $field<'s>(self, value: impl Into<Option<&'s str>>) -> Self {
            // SAFETY: the node is valid, and nothing has a reference to it.
            unsafe { (*self.c).$cfield = text(self.tree, $key, value.into()) };
            self
        }
    };
    (char $field:ident $key:literal $cfield:ident) => {
        setter!(@ self $field $key "a letter of PostgreSQL's catalogs, or `None`." $cfield, impl Into<Option<char>>, |value| {
            letter(self.tree, $key, value.into())
        });
    };
    (enum_ $field:ident $key:literal $cfield:ident $ty:ident) => {
        setter!(@ self $field $key "a constant of an enum." $cfield, enums::$ty, |value| value.to_c());
    };
    (bitmapset $field:ident $key:literal $cfield:ident) => {
        setter!(@ self $field $key "a set of numbers." $cfield, impl IntoIterator<Item = u64>, |value| set_of(self.tree, $key, value));
    };
    (bool $field:ident $key:literal $cfield:ident) => { setter!(@ self $field $key "a flag." $cfield, bool, |value| value); };
    (int $field:ident $key:literal $cfield:ident) => { setter!(@ self $field $key "a number." $cfield, i32, |value| value as _); };
    (uint $field:ident $key:literal $cfield:ident) => { setter!(@ self $field $key "a number." $cfield, u32, |value| value as _); };
    (uint64 $field:ident $key:literal $cfield:ident) => { setter!(@ self $field $key "a number." $cfield, u64, |value| value as _); };
    (long $field:ident $key:literal $cfield:ident) => { setter!(@ self $field $key "a number." $cfield, i64, |value| value as _); };
    (float $field:ident $key:literal $cfield:ident) => { setter!(@ self $field $key "a number." $cfield, f64, |value| value as _); };
    (@ $self:ident $field:ident $key:literal $what:literal $cfield:ident, $ty:ty, |$value:ident| $write:expr) => {
        #[doc = concat!("Sets `", $key, "`: ", $what)]
        pub fn $field($self, $value: $ty) -> Self {
            let written = $write;
            // SAFETY: the node is valid, and nothing has a reference to it.
            unsafe { (*$self.c).$cfield = written };
            $self
        }
    };
}

/// Sets the initial value of a field of a new node, if this value is not zero. A location is -1, an enum has its first
/// constant, and some other fields have the parser's default. `$tag` is the tag of the node.
macro_rules! initial {
    ($tag:ident int $c:ident typemod) => {
        (*$c).typemod = -1
    };
    ($tag:ident int $c:ident frameOptions) => {
        (*$c).frameOptions = FRAME_OPTIONS
    };
    (T_ColumnDef bool $c:ident is_local) => {
        (*$c).is_local = true
    };
    ($tag:ident location $c:ident $cfield:ident) => {
        (*$c).$cfield = -1
    };
    ($tag:ident enum_ $c:ident $cfield:ident $ty:ident) => {
        (*$c).$cfield = <enums::$ty as enums::Enum>::all()[0].to_c()
    };
    ($tag:ident $kind:ident $c:ident $cfield:ident $($ty:ident)?) => {};
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => { $(
        #[doc = concat!("Setters for PostgreSQL's node `", $json, "`. The node is new, or it is already in a tree.")]
        pub struct $rust<'a> {
            tree: &'a EditTree,
            c: *mut pg::$c,
            /// Whether the node is already in a tree.
            attached: bool,
        }

        impl<'a> $rust<'a> {
            /// Creates a node for use in `tree`. A type has no modifier, a window has the default frame, and `is_local`
            /// is true (a column: not inherited; SET: SET LOCAL). Each enum has its first constant. All other
            /// fields, including locations, are unset.
            #[must_use]
            #[allow(unused_unsafe)] // some nodes have only fields that start as zero
            pub fn new(tree: &'a EditTree) -> Self {
                let c: *mut pg::$c = tree.new_node(size_of::<pg::$c>(), pg::$tag).cast();
                // SAFETY: the node is new, and valid except for its enums, which are set here.
                unsafe { $(initial!($tag $kind c $cfield $($ty)?);)* }
                Self { tree, c, attached: false }
            }

            $(setter!($kind $field $key $cfield $($ty)?);)*
        }

        impl<'a> Child<'a, Any> for $rust<'a> {
            fn attach(self, tree: &'a EditTree) -> Attached {
                New::from(self).into_tree(tree)
            }
        }

        impl<'a> Child<'a, view::$rust<'static>> for $rust<'a> {
            fn attach(self, tree: &'a EditTree) -> Attached {
                New::from(self).into_tree(tree)
            }
        }

        impl<'a> From<$rust<'a>> for New<'a> {
            /// Returns the node that the setters edit. If this node is already part of a tree, returns a copy of the
            /// node.
            fn from(editor: $rust<'a>) -> Self {
                // SAFETY: the node is valid while its tree is borrowed.
                let view = view::$rust(unsafe { view::Pointer::new(editor.c, 0) });
                New::of(editor.tree, view::Node::from(view), editor.attached)
            }
        }

        impl<'t> Editable<'t> for view::$rust<'t> {
            type Editor<'a> = $rust<'a>;
            unsafe fn editor(c: *mut pg::Node, tree: &EditTree) -> $rust<'_> {
                $rust { tree, c: c.cast(), attached: true }
            }
        }
    )* };
}
nodes!(walk);
