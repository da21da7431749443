//! Lists the nodes of a tree of prost structs. `src/tree/node_list.rs` does the same for C trees. `pgq bench` compares
//! the speed of the two modules.

use super::from_prost::MessageSlot;
use crate::convert::nodes::nodes;
use crate::convert::problem::Problem;
use crate::convert::view::node_info::NodeInfo;
use crate::proto::{self, Node, a_const, node};
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};

type Visitor<'v> = &'v mut dyn FnMut(&NodeInfo<'_>);

/// The position of a node in the tree: the name of the parent's field that contains the node, and the parent's number
/// in the order of visits.
#[derive(Debug, Clone, Copy)]
struct Place {
    field: &'static str,
    parent: Option<usize>,
}

impl Place {
    /// The position of a statement.
    const ROOT: Self = Self { field: "stmt", parent: None };
}

/// Calls `visit` for each node of the statements.
pub(crate) fn list_prost_nodes(tree: &proto::ParseResult, visit: Visitor<'_>) -> Result<(), Problem> {
    let mut walk = ProstLister { visit, next: 0, stack_guard: StackGuard::new() };
    for statement in &tree.stmts {
        if let Some(node) = &statement.stmt {
            walk.node(node, Place::ROOT);
        }
    }
    if walk.stack_guard.take_exceeded() { Err(Problem::TooDeep) } else { Ok(()) }
}

struct ProstLister<'v> {
    visit: Visitor<'v>,
    next: usize,
    stack_guard: StackGuard,
}

impl HasStackGuard for ProstLister<'_> {
    #[inline(always)]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// A Protobuf message whose node type is in the table of nodes (nodes.rs), or a `String`.
trait ListMessage {
    const NAME: &'static str;
    /// Returns the node's location (-1 if unknown), and its name if it has one.
    fn own(&self) -> (i32, Option<&str>);
    fn children(&self, number: usize, walk: &mut ProstLister<'_>);
}

impl ProstLister<'_> {
    fn visit(&mut self, node_type: &'static str, place: Place, location: i32, name: Option<&str>) -> usize {
        let number = self.next;
        self.next += 1;
        let location = usize::try_from(location).ok();
        (self.visit)(&NodeInfo { number, parent: place.parent, field: place.field, node_type, location, name });
        number
    }

    fn node(&mut self, node: &Node, place: Place) {
        if let Some(node) = &node.node {
            recurse(self, |walk| walk.by_variant(node, place));
        }
    }

    fn list(&mut self, items: &[Node], place: Place) {
        items.iter().for_each(|item| self.node(item, place));
    }

    fn message<M: ListMessage>(&mut self, message: &M, place: Place) {
        let (location, name) = message.own();
        let number = self.visit(M::NAME, place, location, name);
        message.children(number, self);
    }

    fn value(&mut self, node_type: &'static str, place: Place, text: &str) {
        self.visit(node_type, place, -1, Some(text).filter(|text| !text.is_empty()));
    }

    fn constant(&mut self, constant: &proto::AConst, place: Place) {
        let parent = Some(self.visit("A_Const", place, constant.location, None));
        let place = |field| Place { field, parent };
        match &constant.val {
            None => {}
            Some(a_const::Val::Ival(_)) => self.value("Integer", place("ival"), ""),
            Some(a_const::Val::Fval(value)) => self.value("Float", place("fval"), &value.fval),
            Some(a_const::Val::Boolval(_)) => self.value("Boolean", place("boolval"), ""),
            Some(a_const::Val::Sval(value)) => self.value("String", place("sval"), &value.sval),
            Some(a_const::Val::Bsval(value)) => self.value("BitString", place("bsval"), &value.bsval),
        }
    }
}

impl ListMessage for proto::String {
    const NAME: &'static str = "String";

    fn own(&self) -> (i32, Option<&str>) {
        (-1, Some(self.sval.as_str()).filter(|text| !text.is_empty()))
    }

    fn children(&self, _: usize, _: &mut ProstLister<'_>) {}
}

macro_rules! own {
    (string catalogname, $location:ident, $name:ident, $value:expr) => {};
    (string schemaname, $location:ident, $name:ident, $value:expr) => {};
    (string defnamespace, $location:ident, $name:ident, $value:expr) => {};
    (string $field:ident, $location:ident, $name:ident, $value:expr) => {
        if $name.is_none() && !$value.is_empty() {
            $name = Some($value.as_str());
        }
    };
    (location location, $location:ident, $name:ident, $value:expr) => {
        $location = $value;
    };
    ($other:ident $field:ident, $location:ident, $name:ident, $value:expr) => {};
}

macro_rules! child {
    (node, $walk:ident, $place:expr, $value:expr) => {
        if let Some(node) = &$value {
            $walk.node(node, $place);
        }
    };
    (message, $walk:ident, $place:expr, $value:expr, $ty:ident) => {
        if let Some(message) = MessageSlot::get(&$value) {
            recurse($walk, |walk| walk.message::<proto::$ty>(message, $place));
        }
    };
    (embed, $walk:ident, $place:expr, $value:expr, $ty:ident) => {
        child!(message, $walk, $place, $value, $ty)
    };
    (list, $walk:ident, $place:expr, $value:expr) => {
        $walk.list(&$value, $place)
    };
    ($plain:ident, $walk:ident, $place:expr, $value:expr $(, $ty:ident)?) => {};
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(
            impl ListMessage for proto::$rust {
                const NAME: &'static str = $json;

                #[inline]
                #[allow(unused_mut, unused_assignments, reason = "some nodes have neither")]
                fn own(&self) -> (i32, Option<&str>) {
                    let (mut location, mut name) = (-1, None);
                    $(own!($kind $field, location, name, self.$field);)*
                    (location, name)
                }

                #[inline(never)] // keeps the frames of a deep walk small
                #[allow(unused_variables, reason = "some nodes have no children")]
                fn children(&self, number: usize, walk: &mut ProstLister<'_>) {
                    $(child!($kind, walk, Place { field: $key, parent: Some(number) }, self.$field $(, $ty)?);)*
                }
            }
        )*

        impl ProstLister<'_> {
            fn by_variant(&mut self, node: &node::Node, place: Place) {
                match node {
                    $(node::Node::$variant(message) => self.message::<proto::$rust>(message, place),)*
                    node::Node::AConst(constant) => self.constant(constant, place),
                    node::Node::List(list) => {
                        let number = self.visit("List", place, -1, None);
                        self.list(&list.items, Place { field: "items", parent: Some(number) });
                    }
                    node::Node::Integer(_) => self.value("Integer", place, ""),
                    node::Node::Float(value) => self.value("Float", place, &value.fval),
                    node::Node::Boolean(_) => self.value("Boolean", place, ""),
                    node::Node::String(value) => self.value("String", place, &value.sval),
                    node::Node::BitString(value) => self.value("BitString", place, &value.bsval),
                    // Raw parse trees never contain a list of numbers.
                    node::Node::IntList(_) | node::Node::OidList(_) => {}
                }
            }
        }
    };
}
nodes!(walk);
