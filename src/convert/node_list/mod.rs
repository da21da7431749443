//! Lists the nodes of a tree in order, each with its parent, field, location and name: of the C
//! tree here, of prost structs in `prost.rs`. Keeps no node and converts none.

mod fields;
#[cfg(feature = "reference")]
mod prost;

use std::ffi::c_char;

use self::fields::ListFields;
#[cfg(feature = "reference")]
pub(crate) use self::prost::list_prost_nodes;
use super::json::LocationShift;
use super::problem::Problem;
use crate::node_info::NodeInfo;
use crate::proto;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{StatementRef, bindings as pg, c_bytes, cells};

/// A function that is called for each node.
type Visitor<'v> = &'v mut dyn FnMut(&NodeInfo<'_>);

/// Where a node is: its field in the node around it, and that node's number.
#[derive(Debug, Clone, Copy)]
struct Place {
    field: &'static str,
    parent: Option<usize>,
}

impl Place {
    /// The place of a statement.
    const ROOT: Self = Self { field: "stmt", parent: None };
}

/// Calls `visit` for each node of a statement, a node before those inside it. `first` is the number
/// of the first. Returns the number behind the last.
pub(crate) fn list_nodes(
    statement: StatementRef<'_>,
    first: usize,
    shift: LocationShift,
    visit: Visitor<'_>,
) -> Result<usize, Problem> {
    let mut walk = NodeLister { visit, next: first, shift, stack_guard: StackGuard::new(), problem: None };
    // SAFETY: the statement's tree is valid.
    unsafe { walk.node(statement.node(), Place::ROOT) };
    if walk.stack_guard.take_exceeded() {
        return Err(Problem::TooDeep);
    }
    walk.problem.map_or(Ok(walk.next), Err)
}

struct NodeLister<'v> {
    visit: Visitor<'v>,
    next: usize,
    shift: LocationShift,
    stack_guard: StackGuard,
    problem: Option<Problem>,
}

impl HasStackGuard for NodeLister<'_> {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// What a node's own fields say.
#[derive(Clone, Copy)]
struct OwnFields {
    /// -1 is "unknown".
    location: i32,
    /// NULL if there is none.
    name: *const c_char,
}

impl OwnFields {
    /// Those of a node without a location and a name.
    const NONE: Self = Self { location: -1, name: std::ptr::null() };
}

/// The types of the members of A_Const's union, which are nodes themselves.
macro_rules! value_nodes {
    ($walk:ident, $node:ident, $place:expr, {$($tag:ident $c:ident $json:literal $($name:ident)?;)*}) => {
        match (*$node).type_ {
            $(pg::$tag => {
                let own = OwnFields::NONE;
                $(let own = OwnFields { name: (*$node.cast::<pg::$c>()).$name, ..own };)?
                $walk.visit($json, $place, own);
            })*
            tag => $walk.fail(Problem::UnknownNode(tag)),
        }
    };
}

impl NodeLister<'_> {
    #[cold]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    /// Visits a node itself. Returns its number.
    ///
    /// # Safety
    /// The name must be NULL or a NUL-terminated string.
    #[inline]
    unsafe fn visit(&mut self, node_type: &'static str, place: Place, own: OwnFields) -> usize {
        let number = self.next;
        self.next += 1;
        let location = self.shift.apply(own.location);
        // SAFETY: the caller vouches for the name.
        let bytes = (!own.name.is_null()).then(|| unsafe { c_bytes(own.name) });
        let name = bytes.filter(|bytes| !bytes.is_empty()).map(String::from_utf8_lossy);
        (self.visit)(&NodeInfo {
            number,
            parent: place.parent,
            field: place.field,
            node_type,
            location: usize::try_from(location).ok(),
            name: name.as_deref(),
        });
        number
    }

    /// # Safety
    /// `node` must be NULL or a valid node whose tag says its type.
    unsafe fn node(&mut self, node: *const pg::Node, place: Place) {
        if !node.is_null() {
            // SAFETY: not NULL, so valid.
            recurse(self, |walk| unsafe { walk.by_tag(node, place) });
        }
    }

    /// # Safety
    /// `list` must be NULL or a valid list of node pointers.
    unsafe fn list(&mut self, list: *const pg::List, place: Place) {
        // SAFETY: the caller vouches for the list and its members.
        unsafe { cells(list).iter().for_each(|cell| self.node(cell.ptr_value.cast(), place)) };
    }

    /// A node of a known type, and what is inside it.
    ///
    /// # Safety
    /// `c` must be a valid node of its type with valid children.
    unsafe fn message<M: ListFields>(&mut self, c: *const M::C, place: Place) {
        // SAFETY: the caller's promise.
        unsafe {
            let number = self.visit(M::NAME, place, M::own(c));
            M::children(c, number, self);
        }
    }

    /// # Safety
    /// `node` must be a valid node that is not in the table, and whose tag says its type.
    unsafe fn untabled(&mut self, node: *const pg::Node, place: Place) {
        // SAFETY: the node is valid, and its tag names the struct that each arm casts to.
        unsafe {
            match (*node).type_ {
                pg::T_A_Const => self.constant(node.cast(), place),
                pg::T_List => {
                    let number = self.visit("List", place, OwnFields::NONE);
                    self.list(node.cast(), Place { field: "items", parent: Some(number) });
                }
                _ => self.value(node, place),
            }
        }
    }

    /// # Safety
    /// `node` must be a valid node whose tag says its type.
    unsafe fn value(&mut self, node: *const pg::Node, place: Place) {
        // SAFETY: the tag names the struct that each arm casts to.
        unsafe {
            value_nodes!(self, node, place, {
                T_Integer Integer "Integer";
                T_Float Float "Float" fval;
                T_Boolean Boolean "Boolean";
                T_String String "String" sval;
                T_BitString BitString "BitString" bsval;
            });
        }
    }

    /// # Safety
    /// `c` must be a valid A_Const.
    unsafe fn constant(&mut self, c: *const pg::A_Const, place: Place) {
        // SAFETY: c is valid; the tag inside the union says which member is set.
        unsafe {
            let own = OwnFields { location: (*c).location, ..OwnFields::NONE };
            let number = self.visit("A_Const", place, own);
            if (*c).isnull {
                return;
            }
            let value = &raw const (*c).val.node;
            let field = match (*value).type_ {
                pg::T_Integer => "ival",
                pg::T_Float => "fval",
                pg::T_Boolean => "boolval",
                pg::T_String => "sval",
                _ => "bsval",
            };
            self.value(value, Place { field, parent: Some(number) });
        }
    }
}

/// The one value node that is also the declared type of a field.
impl ListFields for proto::String {
    type C = pg::String;
    const NAME: &'static str = "String";

    unsafe fn own(c: *const pg::String) -> OwnFields {
        // SAFETY: the caller vouches for the node.
        OwnFields { name: unsafe { (*c).sval }, ..OwnFields::NONE }
    }

    unsafe fn children(_: *const pg::String, _: usize, _: &mut NodeLister<'_>) {}
}
