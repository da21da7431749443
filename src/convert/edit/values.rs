//! Creates and changes constants and value nodes. The table of nodes (nodes.rs) does not contain them, so this code is
//! written by hand.

use pgq_lexer::{Lexer, kinds};

use super::child::{Any, Child, Children, New, StringNode};
use super::target::EditTree;
use crate::convert::arena;
use crate::convert::problem::Problem;
use crate::convert::view::enums::BoolExprType;
use crate::convert::view::{AConst, Constant, Node, ParamRef};
use crate::sys::bindings as pg;

impl EditTree {
    fn text(&self, field: &'static str, text: &str) -> *mut std::ffi::c_char {
        if memchr::memchr(0, text.as_bytes()).is_some() {
            self.fail(Problem::NulInString { field });
            return arena::text(self.arena(), "");
        }
        arena::text(self.arena(), text)
    }

    /// Allocates a new node with the contents of a struct.
    fn place<T>(&self, value: T) -> New<'_> {
        self.deepen(1);
        // SAFETY: every caller passes a struct that has the tag of its node, and whose pointers point into the arena.
        unsafe { New::from_c(self, arena::place(self.arena(), value)) }
    }

    /// Sets the value of a constant of this tree, and keeps its location. Records an error for a constant of another
    /// tree, like [`EditTree::edit`].
    pub fn set_constant(&self, constant: AConst<'_>, value: Constant<'_>) {
        let c = constant.0.c();
        if !self.holds(c.cast_const().cast()) {
            return self.fail(Problem::OtherTree);
        }
        // SAFETY: `c` is a constant of this tree, and no reference to it exists.
        unsafe { self.write_constant(c, value) };
    }

    /// Creates a parameter with the location of a constant of this tree.
    pub(crate) fn parameter_at(&self, number: i32, constant: AConst<'_>) -> New<'_> {
        // SAFETY: the view's node is valid; only a number is read from it.
        let location = unsafe { (*constant.0.c()).location };
        self.place(pg::ParamRef { type_: pg::T_ParamRef, number, location })
    }

    /// Creates a constant with the location of a parameter of this tree.
    pub(crate) fn constant_at(&self, value: Constant<'_>, parameter: ParamRef<'_>) -> New<'_> {
        let new = self.constant(value);
        // SAFETY: the view's node is valid, and `new` is a new constant that nothing else points to.
        unsafe { (*new.c.cast::<pg::A_Const>()).location = (*parameter.0.c()).location };
        new
    }

    /// Creates a constant (`A_Const`). The next [`EditTree::deparse`] fails if a `Constant::Float` is not a number, or
    /// if a `Constant::BitString` does not start with `b` or `x`.
    pub fn constant(&self, value: Constant<'_>) -> New<'_> {
        let c: *mut pg::A_Const = self.new_node(size_of::<pg::A_Const>(), pg::T_A_Const).cast();
        // SAFETY: `c` is a new node of this type.
        unsafe {
            (*c).location = -1;
            self.write_constant(c, value);
            New::from_c(self, c.cast())
        }
    }

    /// # Safety
    /// `c` must be a constant of this tree, and there must be no reference to it.
    unsafe fn write_constant(&self, c: *mut pg::A_Const, value: Constant<'_>) {
        if let Constant::Float(text) = value {
            self.check_number(text);
        }
        // SAFETY: the caller meets this function's requirements.
        if let Err(problem) = unsafe { arena::set_constant(self.arena(), c, value) } {
            self.fail(problem);
        }
    }

    /// Records an error if the text is not a number. The deparser writes the text verbatim, so any other text could
    /// change the meaning of the SQL.
    fn check_number(&self, text: &str) {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let mut tokens = Lexer::new(digits.as_bytes());
        let is_number = tokens.next().is_some_and(|token| {
            matches!(token.kind, kinds::FCONST | kinds::ICONST)
                && (token.start, token.end as usize) == (0, digits.len())
        });
        if !is_number {
            self.fail(Problem::Malformed { field: "fval", what: "a number" });
        }
    }

    /// Returns the operands of an AND or OR. If the first operand is itself a node with the operator `op`, it is
    /// replaced by its operands. PostgreSQL's grammar does the same: `a AND b AND c` is one node with three operands.
    pub(crate) fn conditions<'a>(&'a self, op: BoolExprType, conditions: impl Children<'a>) -> Vec<New<'a>> {
        let attached = conditions.into_iter().map(|member| member.attach(self).0);
        let mut members: Vec<*mut pg::Node> = attached.filter(|member| !member.is_null()).collect();
        if members.is_empty() {
            self.fail(Problem::NoCondition);
        }
        let first = members.first().copied().filter(|_| members.len() > 1);
        if let Some(first) = first {
            // SAFETY: `first` is a valid node in this arena.
            if let Node::BoolExpr(inner) = unsafe { Node::from_c(first, 0) }
                && inner.boolop() == op
            {
                members.splice(..1, inner.args().nodes().map(|member| member.c().cast_mut()));
            }
        }
        // SAFETY: all members are nodes of this arena, because they were moved or copied into it. Nothing else points
        // to them now.
        members.into_iter().map(|member| unsafe { New::from_c(self, member) }).collect()
    }

    /// Copies a node of any tree into a new node.
    ///
    /// If the node is deeper than the stack limit allows, the result is a NULL constant, and the next
    /// [`EditTree::deparse`] fails.
    pub fn copied(&self, node: Node<'_>) -> New<'_> {
        let copy = Child::<Any>::attach(node, self).0;
        if copy.is_null() {
            return self.constant(Constant::Null);
        }
        // SAFETY: the copy is in this arena, and nothing points to it.
        unsafe { New::from_c(self, copy) }
    }

    /// Creates a `String` node, which represents a part of a name.
    pub fn name(&self, text: &str) -> StringNode<'_> {
        StringNode(self.place(pg::String { type_: pg::T_String, sval: self.text("sval", text) }))
    }

    /// Creates the value node of a number, boolean or string. The values of options are such nodes. Returns `None` for
    /// NULL, because NULL has no value node.
    pub fn value(&self, value: Constant<'_>) -> Option<New<'_>> {
        Some(match value {
            Constant::Null => return None,
            Constant::Integer(ival) => self.place(pg::Integer { type_: pg::T_Integer, ival }),
            Constant::Boolean(boolval) => self.place(pg::Boolean { type_: pg::T_Boolean, boolval }),
            Constant::Float(text) => {
                self.check_number(text);
                self.place(pg::Float { type_: pg::T_Float, fval: self.text("fval", text) })
            }
            Constant::String(text) => self.name(text).into(),
            Constant::BitString(text) => {
                self.place(pg::BitString { type_: pg::T_BitString, bsval: self.text("bsval", text) })
            }
        })
    }

    /// Creates a list that is a member of another list. Returns `None` if there are no members,
    /// because PostgreSQL has no empty lists.
    pub fn list<'a>(&'a self, members: impl Children<'a>) -> Option<New<'a>> {
        self.deepen(1);
        let list = super::child::attach_list(self, members);
        // SAFETY: the list is new, and its nodes are in this arena.
        (!list.is_null()).then(|| unsafe { New::from_c(self, list.cast()) })
    }
}
