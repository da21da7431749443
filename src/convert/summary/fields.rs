//! Visits the fields of nodes. The macro has one arm per kind of field.

use super::Summarizer;
use super::object::Object;
use crate::convert::nodes::nodes;
use crate::convert::problem::Problem;
use crate::convert::row;
use crate::sys::{bindings as pg, cells};

/// A message of the table whose references can be collected.
trait SummarizeFields {
    type C;
    /// # Safety
    /// `c` must be a valid node of its type with valid children.
    unsafe fn visit(c: *const Self::C, walk: &mut Summarizer<'_>);
}

/// Determines the object type of a utility statement. Of RenameStmt's two object types, the first that is not `Other`
/// is used.
macro_rules! object_type {
    (enum_, $object:ident, $value:expr, ObjectType) => {
        if matches!($object, None | Some(Object::Other)) {
            $object = Some(Object::of($value));
        }
    };
    ($kind:ident, $object:ident, $value:expr $(, $ty:ident)?) => {};
}

macro_rules! visit {
    (node object, $walk:ident, $c:expr) => {
        $walk.object($c)
    };
    (list objects, $walk:ident, $c:expr) => {
        for cell in cells($c) {
            $walk.object(cell.ptr_value.cast());
        }
    };
    (node $name:ident, $walk:ident, $c:expr) => {
        $walk.node($c.cast())
    };
    (message $name:ident, $walk:ident, $c:expr, $ty:ident) => {
        $walk.node($c.cast())
    };
    (list $name:ident, $walk:ident, $c:expr) => {
        $walk.list($c)
    };
    (embed $name:ident, $walk:ident, $c:expr, $ty:ident) => {
        <row::$ty as SummarizeFields>::visit(&raw const $c, $walk)
    };
    // Other kinds of fields contain no references.
    ($plain:ident $name:ident, $walk:ident, $c:expr $(, $ty:ident)?) => {};
}

/// Returns whether a node is a statement, judged by its name. RawStmt only wraps a statement.
const fn is_statement(name: &str) -> bool {
    let name = name.as_bytes();
    !matches!(name, b"RawStmt") && matches!(name, [.., b'S', b't', b'm', b't'])
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl SummarizeFields for row::$rust {
            type C = pg::$c;
            #[inline(never)] // keeps the frames of a deep walk small
            #[allow(unused_unsafe, unused_mut, unused_variables)] // some nodes have no fields
            unsafe fn visit(c: *const pg::$c, walk: &mut Summarizer<'_>) {
                let mut object: Option<Object> = None;
                // SAFETY: the caller guarantees that the node and its children are valid.
                unsafe {
                    $(object_type!($kind, object, (*c).$cfield $(, $ty)?);)*
                    if let Some(object) = object {
                        walk.object = object;
                    }
                    $(visit!($kind $cfield, walk, (*c).$cfield $(, $ty)?);)*
                }
            }
        })*

        impl Summarizer<'_> {
            /// Visits all fields of a node.
            ///
            /// # Safety
            /// `node` must be a valid node whose tag matches its type.
            pub(super) unsafe fn fields(&mut self, node: *const pg::Node) {
                // SAFETY: the node is valid, and each arm casts to the struct that its tag names.
                unsafe {
                    match (*node).type_ {
                        $(pg::$tag => {
                            if const { is_statement($json) } {
                                self.statement_kind($json);
                            }
                            <row::$rust as SummarizeFields>::visit(node.cast(), self);
                        })*
                        pg::T_A_Const
                        | pg::T_Integer
                        | pg::T_Float
                        | pg::T_Boolean
                        | pg::T_String
                        | pg::T_BitString => {}
                        tag => self.problem = Some(Problem::UnknownNode(tag)),
                    }
                }
            }
        }
    };
}
nodes!(walk);

impl Summarizer<'_> {
    fn statement_kind(&mut self, name: &'static str) {
        if !self.summary.statement_kinds.contains(&name) {
            self.summary.statement_kinds.push(name);
        }
    }
}
