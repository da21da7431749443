//! The views of nodes. For each node type, there is a struct and a variant of [`Node`].

use super::constant::{AConst, BitString, Boolean, Float, Integer, String};
use super::list_members::members;
use super::pages::page;
use super::pointer::Pointer;
use super::values::{self, Sealed};
use super::{BitSet, List, NodeType, enums, node_or_null};
use crate::convert::field_table::{self, NODES, NodeFields};
use crate::convert::nodes::nodes;
use crate::sys::bindings as pg;

/// Generates an accessor for each kind of field. Fields of kind `absent` do not exist in C.
macro_rules! accessor {
    ($rust:ident absent $field:ident $key:literal $cfield:ident) => {};
    ($rust:ident node $field:ident $key:literal $cfield:ident) => {
        accessor!(@ self $field $key "any node."; Option<Node<'t>>, node_or_null((*self.0.c()).$cfield.cast(), self.0.padding()));
    };
    ($rust:ident message $field:ident $key:literal $cfield:ident $ty:ident) => {
        accessor!(@ self $field $key "a node of one type."; Option<$ty<'t>>, self.0.child((*self.0.c()).$cfield.cast()).map($ty));
    };
    ($rust:ident embed $field:ident $key:literal $cfield:ident $ty:ident) => {
        accessor!(@ self $field $key "the embedded node at the start of this node."; $ty<'t>, {
            $ty(Pointer::new(&raw const (*self.0.c()).$cfield, self.0.padding()))
        });
    };
    ($rust:ident list $field:ident $key:literal $cfield:ident) => {
        accessor!(@ self $field $key members!($rust $key); List<'t>, List::from_c((*self.0.c()).$cfield, self.0.padding()));
    };
    ($rust:ident string $field:ident $key:literal $cfield:ident) => {
        accessor!(@ self $field $key "a string; `None` if it is absent. An empty string is not absent."; Option<&'t str>, values::string((*self.0.c()).$cfield));
    };
    ($rust:ident char $field:ident $key:literal $cfield:ident) => {
        accessor!(@ self $field $key "a letter of PostgreSQL's catalogs."; Option<char>, values::char((*self.0.c()).$cfield));
    };
    ($rust:ident enum_ $field:ident $key:literal $cfield:ident $ty:ident) => {
        accessor!(@ self $field $key "a constant of an enum. Panics if the enum has no constant for the stored number. Neither the parser nor a builder stores such a number."; enums::$ty, enums::$ty::from_c((*self.0.c()).$cfield));
    };
    ($rust:ident bitmapset $field:ident $key:literal $cfield:ident) => {
        accessor!(@ self $field $key "a set of numbers."; BitSet<'t>, BitSet::from_c((*self.0.c()).$cfield));
    };
    ($rust:ident location $field:ident $key:literal $cfield:ident) => {
        accessor!(@ self $field $key "a byte offset in the parsed SQL; `None` if it is unknown. If PostgreSQL has not set the location, the result may also be 0."; Option<usize>, self.0.offset((*self.0.c()).$cfield));
    };
    ($rust:ident bool $field:ident $key:literal $cfield:ident) => { accessor!(@ self $field $key "a flag."; bool, (*self.0.c()).$cfield); };
    ($rust:ident int $field:ident $key:literal $cfield:ident) => { accessor!(@ self $field $key "a number."; i32, (*self.0.c()).$cfield as _); };
    ($rust:ident uint $field:ident $key:literal $cfield:ident) => { accessor!(@ self $field $key "a number."; u32, (*self.0.c()).$cfield as _); };
    ($rust:ident uint64 $field:ident $key:literal $cfield:ident) => { accessor!(@ self $field $key "a number."; u64, (*self.0.c()).$cfield as _); };
    ($rust:ident long $field:ident $key:literal $cfield:ident) => { accessor!(@ self $field $key "a number."; i64, (*self.0.c()).$cfield as _); };
    ($rust:ident float $field:ident $key:literal $cfield:ident) => { accessor!(@ self $field $key "a number."; f64, (*self.0.c()).$cfield as _); };
    (@ $self:ident $field:ident $key:literal $what:expr; $ty:ty, $read:expr) => {
        #[doc = concat!("`", $key, "`: ", $what)]
        #[inline]
        #[must_use]
        pub fn $field($self) -> $ty {
            // SAFETY: the node is valid for 't, and so are its children.
            unsafe { $read }
        }
    };
}

macro_rules! views {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        /// A node of a parse tree, as a view of its type. Views are `Copy` and cannot outlive their tree. Two views are
        /// equal if they are views of the same node.
        ///
        /// ```
        /// use pgq::nodes::Node;
        ///
        /// let tree = pgq::Tree::parse("SELECT name FROM shop.users AS u", &Default::default())?;
        /// let Some(Node::SelectStmt(select)) = tree.statement(0).node() else { panic!() };
        /// let Some(Node::RangeVar(table)) = select.from_clause().first() else { panic!() };
        /// assert_eq!((table.schemaname(), table.relname()), (Some("shop"), Some("users")));
        /// assert_eq!(table.alias().and_then(|alias| alias.aliasname()), Some("u"));
        /// assert_eq!(table.location(), Some(17));
        /// # Ok::<(), pgq::Error>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(C, u16)] // same layout as `RawNode`
        pub enum Node<'t> {
            $(#[doc = concat!("`", $json, "`")] $rust($rust<'t>),)*
            /// `A_Const`
            AConst(AConst<'t>),
            /// `Integer`
            Integer(Integer<'t>),
            /// `Float`
            Float(Float<'t>),
            /// `Boolean`
            Boolean(Boolean<'t>),
            /// `String`
            String(String<'t>),
            /// `BitString`
            BitString(BitString<'t>),
            /// `List`: a list within a list
            List(List<'t>),
        }

        $(
            #[doc = concat!("PostgreSQL's node `", $json, "`", page!($rust), ".")]
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(transparent)]
            pub struct $rust<'t>(pub(crate) Pointer<'t, pg::$c>);

            impl<'t> $rust<'t> {
                $(accessor!($rust $kind $field $key $cfield $($ty)?);)*
            }
        )*

        impl<'t> Node<'t> {
            /// # Safety
            /// `c` must be a node that is valid for `'t` and has a correct tag.
            #[inline]
            pub(crate) unsafe fn from_c(c: *const pg::Node, padding: i32) -> Self {
                // SAFETY: the caller meets this function's requirements.
                let tag = unsafe { (*c).type_ };
                let variant = field_table::index_of(tag);
                if variant == field_table::UNKNOWN {
                    // The tag is unknown or belongs to a list of numbers. Raw parse trees never
                    // contain such nodes.
                    unknown(tag);
                }
                // SAFETY: `Node` has the layout of `RawNode`, and the variant belongs to the node's tag.
                unsafe { std::mem::transmute::<RawNode, Self>(RawNode { variant, c, padding }) }
            }

        }

        $(
            impl_debug!($rust);
            impl_node_type!($rust $json);
        )*
    };
}

/// The layout of every variant of [`Node`]: a variant number, a pointer and the number of spaces
/// before the SQL. This layout allows a view to be created from a variant number without a branch
/// for each type.
#[repr(C)]
struct RawNode {
    variant: u16,
    c: *const pg::Node,
    padding: i32,
}

const _: () = assert!(size_of::<RawNode>() == size_of::<Node<'_>>() && align_of::<RawNode>() == align_of::<Node<'_>>());

impl Node<'_> {
    /// Returns the fields of the view's node type.
    #[inline(always)]
    pub(crate) fn table_row(self) -> &'static NodeFields {
        // SAFETY: `Node` has the layout of `RawNode`.
        let variant = unsafe { std::mem::transmute::<Self, RawNode>(self) }.variant;
        &NODES[usize::from(variant)]
    }

    /// Returns the name of the node type in PostgreSQL's sources and in JSON, such as `SelectStmt` or `A_Expr`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.table_row().name
    }

    /// Returns the location as stored in C. -1 means "unknown". 0 means "not set". If no spaces precede the SQL in the
    /// parser's input, 0 may also be the start of the SQL.
    pub(crate) fn raw_location(self) -> i32 {
        let location = self.table_row().location;
        // SAFETY: a view's node is valid, and has a number at the offset of its location.
        location.map_or(-1, |location| unsafe { *location.in_node::<i32>(self.c().cast_mut()) })
    }

    /// Returns the C node. If this is the view of an embedded struct, the C node has the tag of the containing node.
    #[inline(always)]
    pub(crate) fn c(self) -> *const pg::Node {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<Self, RawNode>(self) }.c
    }

    /// Returns the number of spaces before the SQL in the parser's input.
    #[inline(always)]
    pub(crate) fn padding(self) -> i32 {
        // SAFETY: as above.
        unsafe { std::mem::transmute::<Self, RawNode>(self) }.padding
    }
}

macro_rules! impl_debug {
    ($rust:ident) => {
        impl std::fmt::Debug for $rust<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                Node::from(*self).fmt(f)
            }
        }
    };
}

macro_rules! impl_node_type {
    ($rust:ident $json:literal) => {
        impl Sealed for $rust<'_> {}
        impl<'t> From<$rust<'t>> for Node<'t> {
            fn from(view: $rust<'t>) -> Self {
                Self::$rust(view)
            }
        }
        impl<'t> NodeType<'t> for $rust<'t> {
            const NAME: &'static str = $json;
            fn from_node(node: Node<'t>) -> Option<Self> {
                if let Node::$rust(view) = node { Some(view) } else { None }
            }
        }
    };
}
nodes!(views);

macro_rules! value_types {
    ($($rust:ident $json:literal,)*) => { $(
        impl_debug!($rust);
        impl_node_type!($rust $json);
    )* };
}
value_types!(AConst "A_Const", Integer "Integer", Float "Float", Boolean "Boolean", String "String", BitString "BitString",);
// `Debug` for `List` is in src/tree/debug.rs.
impl_node_type!(List "List");

impl<'t> Node<'t> {
    /// Returns the node's byte offset in the parsed SQL. For an operator, this is the offset of the operator. For a
    /// name or constant, it is the offset of the first byte. Returns `None` if PostgreSQL does not store a location for
    /// this node or its type.
    #[must_use]
    pub fn location(self) -> Option<usize> {
        usize::try_from(self.raw_location().checked_sub(self.padding())?).ok()
    }

    /// Returns the string of a `String` node, such as a part of a name; `None` for other nodes.
    #[must_use]
    pub fn as_str(self) -> Option<&'t str> {
        if let Self::String(text) = self { Some(text.sval()) } else { None }
    }

    /// Converts the node to a view of type `T`. Returns `None` if the node has a different type.
    #[must_use]
    pub fn downcast<T: NodeType<'t>>(self) -> Option<T> {
        T::from_node(self)
    }
}

/// Panics because of an unknown tag. This cannot happen, because the generator puts every tag of libpg_query into the
/// table of nodes.
#[cold]
fn unknown(tag: pg::NodeTag) -> ! {
    panic!("node tag {tag} is not in the table of nodes")
}
