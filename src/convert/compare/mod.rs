//! Compares two C trees and reports the path to the first difference.
//!
//! Ignores all positions, including `stmt_len`, which the table of nodes represents as a plain number. Compares
//! everything else: for example, a different name, an additional NULL member of a list, or an empty string instead of
//! an absent one (NULL) is a difference.

mod fields;
mod path;

use std::ffi::c_char;

use super::enums::{TreeEnum, kinds};
use super::nodes::nodes;
use super::problem::Problem;
use crate::convert::row;
use crate::sys::stack::{HasStackGuard, StackGuard, recurse};
use crate::sys::{StatementRef, bindings as pg, c_bytes, cells, members};
use fields::field;
use path::{PathStep, path};

/// How to compare an empty string with an absent (NULL) string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyStrings {
    /// An empty string differs from an absent string.
    Distinct,
    /// An absent string on the left equals an empty string on the right, because structs and libpg_query's JSON do not
    /// distinguish the two.
    MatchAbsent,
}

/// The first difference between two trees, with both values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The path to the difference, such as `SelectStmt.targetList[2].ResTarget.name`. Empty if the root nodes differ.
    pub path: String,
    pub left: String,
    pub right: String,
}

/// Returns the first difference between two statements.
pub(crate) fn difference(
    left: StatementRef<'_>,
    right: StatementRef<'_>,
    strings: EmptyStrings,
) -> Result<Option<Difference>, Problem> {
    let mut walk =
        Comparison { stack_guard: StackGuard::new(), strings, problem: None, path: Vec::new(), values: None };
    // SAFETY: both are valid trees.
    if unsafe { walk.node(left.node(), right.node()) } {
        return Ok(None);
    }
    if walk.stack_guard.take_exceeded() {
        return Err(Problem::TooDeep);
    }
    if let Some(problem) = walk.problem {
        return Err(problem);
    }
    let (left, right) = walk.values.unwrap_or_default();
    Ok(Some(Difference { path: path(&walk.path), left, right }))
}

/// Returns the name of a statement's node type in C and in JSON, such as `SelectStmt`.
pub(crate) fn statement_kind(statement: StatementRef<'_>) -> &'static str {
    // SAFETY: the statement's node is valid.
    unsafe { name(statement.node()) }
}

/// A comparison of two trees up to the first difference. Each method returns whether its two arguments are equal. If a
/// method returns false, its caller adds one step (a field or an index) to the path and also returns false.
struct Comparison {
    stack_guard: StackGuard,
    strings: EmptyStrings,
    problem: Option<Problem>,
    /// The path to the difference, innermost step first.
    path: Vec<PathStep>,
    values: Option<(String, String)>,
}

impl HasStackGuard for Comparison {
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.stack_guard
    }
}

/// A C struct whose fields can be compared. In C, some node types share a struct. The type parameter `Message`
/// distinguishes them.
trait CompareFields<Message> {
    /// # Safety
    /// `self` and `other` must be valid nodes with valid children.
    unsafe fn same(&self, other: &Self, walk: &mut Comparison) -> bool;
}

/// `String` is the only value node that needs an implementation, because some nodes have fields of the type `String`.
/// No field has the type `Integer`, `Float`, `Boolean` or `BitString`.
impl CompareFields<row::String> for pg::String {
    unsafe fn same(&self, other: &Self, walk: &mut Comparison) -> bool {
        // SAFETY: the caller guarantees that both are valid.
        unsafe { walk.string(self.sval, other.sval) }
    }
}

/// Maximum number of characters of a string in a message.
const SHOWN: usize = 40;

fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{:?}…", &text[..cut]),
        None => format!("{text:?}"),
    }
}

const NONE: &str = "none";

impl Comparison {
    #[cold]
    #[inline(never)]
    fn differ(&mut self, left: impl Into<String>, right: impl Into<String>) -> bool {
        self.values = Some((left.into(), right.into()));
        false
    }

    #[cold]
    #[inline(never)]
    fn at(&mut self, step: PathStep) -> bool {
        self.path.push(step);
        false
    }

    /// # Safety
    /// Each argument must be NULL or a valid node whose tag matches its type.
    unsafe fn node(&mut self, left: *const pg::Node, right: *const pg::Node) -> bool {
        if left.is_null() || right.is_null() {
            // SAFETY: `name` takes NULL and valid nodes.
            return left == right || unsafe { self.differ(name(left), name(right)) };
        }
        // SAFETY: the caller guarantees that each node is valid if it is not NULL.
        recurse(self, |walk| unsafe { walk.by_tag(left, right) }).unwrap_or(false)
    }

    /// # Safety
    /// Each argument must be NULL or a valid list of node pointers.
    unsafe fn list(&mut self, left: *const pg::List, right: *const pg::List) -> bool {
        // SAFETY: the caller guarantees that the lists and their members are valid.
        let (left, right) = unsafe { (cells(left), cells(right)) };
        for (i, (left, right)) in left.iter().zip(right).enumerate() {
            // SAFETY: as above.
            if !unsafe { self.node(left.ptr_value.cast(), right.ptr_value.cast()) } {
                return self.at(PathStep::Item(i));
            }
        }
        let items = |count: usize| format!("a list of {count}");
        left.len() == right.len() || self.differ(items(left.len()), items(right.len()))
    }

    /// # Safety
    /// Each argument must be NULL or a NUL-terminated string.
    #[inline]
    unsafe fn string(&mut self, left: *const c_char, right: *const c_char) -> bool {
        // SAFETY: the caller meets this function's requirements.
        if unsafe { is_same_string(left, right) } {
            return true;
        }
        // SAFETY: as above.
        let (left, right) = unsafe { (text(left), text(right)) };
        if self.strings == EmptyStrings::MatchAbsent && left.is_none() && right.is_some_and(<[u8]>::is_empty) {
            return true;
        }
        let told = |text: Option<&[u8]>| text.map_or(NONE.to_string(), shown);
        self.differ(told(left), told(right))
    }

    /// # Safety
    /// Each argument must be NULL or a valid Bitmapset.
    unsafe fn bitmapset(&mut self, left: *const pg::Bitmapset, right: *const pg::Bitmapset) -> bool {
        // SAFETY: the caller guarantees that both are valid.
        let (left, right): (Vec<u64>, Vec<u64>) = unsafe { (members(left).collect(), members(right).collect()) };
        left == right || self.differ(format!("{left:?}"), format!("{right:?}"))
    }

    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn enum_value<E: TreeEnum<C: PartialEq>>(&mut self, left: E::C, right: E::C) -> bool {
        left == right || {
            let told = |value: E::C| E::name(value).map_or_else(|| value.into().to_string(), str::to_string);
            self.differ(told(left), told(right))
        }
    }

    #[cfg_attr(not(pgq_large_frames), inline(always))]
    fn plain<T: PartialEq + std::fmt::Display>(&mut self, left: T, right: T) -> bool {
        left == right || self.differ(left.to_string(), right.to_string())
    }

    /// # Safety
    /// Both must be valid A_Const nodes.
    unsafe fn constant(&mut self, left: &pg::A_Const, right: &pg::A_Const) -> bool {
        if left.isnull || right.isnull {
            let told = |c: &pg::A_Const| if c.isnull { "NULL" } else { "a value" };
            return left.isnull == right.isnull || self.differ(told(left), told(right));
        }
        let (a, b) = ((&raw const left.val).cast::<pg::Node>(), (&raw const right.val).cast::<pg::Node>());
        // SAFETY: every member of the union is a node and begins with its tag.
        unsafe { self.by_tag(a, b) }
    }
}

/// Returns whether the two strings are equal, or both are NULL. Compares byte by byte, because most strings are names,
/// for which a call of strlen would cost more than the comparison.
///
/// # Safety
/// Each argument must be NULL or a NUL-terminated string.
#[cfg_attr(not(pgq_large_frames), inline(always))]
unsafe fn is_same_string(mut left: *const c_char, mut right: *const c_char) -> bool {
    if left.is_null() || right.is_null() || left == right {
        return left == right;
    }
    // SAFETY: neither is NULL. Each is read up to its NUL or to the first difference.
    unsafe {
        while *left == *right {
            if *left == 0 {
                return true;
            }
            (left, right) = (left.add(1), right.add(1));
        }
    }
    false
}

/// # Safety
/// `pointer` must be NULL or a NUL-terminated string that outlives `'a`.
#[cfg_attr(not(pgq_large_frames), inline(always))]
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: the call is evaluated only if the pointer is not NULL.
    (!pointer.is_null()).then(|| unsafe { c_bytes(pointer) })
}

macro_rules! walk {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:tt $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(
            impl CompareFields<row::$rust> for pg::$c {
                #[inline(never)] // keeps the frames of a deep walk small
                #[allow(unused_unsafe)] // some nodes have no fields
                unsafe fn same(&self, other: &Self, walk: &mut Comparison) -> bool {
                    let _ = (other, &walk);
                    // SAFETY: the caller guarantees that both nodes and their children are valid.
                    unsafe {
                        $(if !field!($kind, walk, $key, self.$cfield, other.$cfield $(, $ty)?) {
                            return walk.at(PathStep::Field($key));
                        })*
                    }
                    true
                }
            }
        )*

        impl Comparison {
            /// # Safety
            /// `left` and `right` must be valid nodes whose tags match their types.
            unsafe fn by_tag(&mut self, left: *const pg::Node, right: *const pg::Node) -> bool {
                // SAFETY: both nodes are valid. They are compared only if they have the same tag, and each arm casts to
                // the struct that this tag names.
                let (same, name) = unsafe {
                    if (*left).type_ != (*right).type_ {
                        return self.differ(name(left), name(right));
                    }
                    match (*left).type_ {
                        $(pg::$tag => {
                            let (a, b) = (&*left.cast::<pg::$c>(), &*right.cast::<pg::$c>());
                            (CompareFields::<row::$rust>::same(a, b, self), $json)
                        })*
                        pg::T_A_Const => {
                            (self.constant(&*left.cast::<pg::A_Const>(), &*right.cast::<pg::A_Const>()), "A_Const")
                        }
                        pg::T_String => {
                            let (a, b) = (left.cast::<pg::String>(), right.cast::<pg::String>());
                            (self.string((*a).sval, (*b).sval), "String")
                        }
                        pg::T_Integer => {
                            let (a, b) = (left.cast::<pg::Integer>(), right.cast::<pg::Integer>());
                            (self.plain((*a).ival, (*b).ival), "Integer")
                        }
                        pg::T_Float => {
                            let (a, b) = (left.cast::<pg::Float>(), right.cast::<pg::Float>());
                            (self.string((*a).fval, (*b).fval), "Float")
                        }
                        pg::T_Boolean => {
                            let (a, b) = (left.cast::<pg::Boolean>(), right.cast::<pg::Boolean>());
                            (self.plain((*a).boolval, (*b).boolval), "Boolean")
                        }
                        pg::T_BitString => {
                            let (a, b) = (left.cast::<pg::BitString>(), right.cast::<pg::BitString>());
                            (self.string((*a).bsval, (*b).bsval), "BitString")
                        }
                        pg::T_List => (self.list(left.cast(), right.cast()), "List"),
                        // This arm also covers lists of numbers, which raw parse trees never contain.
                        tag => {
                            self.problem.get_or_insert(Problem::UnknownNode(tag));
                            return false;
                        }
                    }
                };
                same || self.at(PathStep::Field(name))
            }
        }

        /// Returns the name of a node's type, for a message.
        ///
        /// # Safety
        /// `node` must be NULL or valid.
        unsafe fn name(node: *const pg::Node) -> &'static str {
            if node.is_null() {
                return NONE;
            }
            // SAFETY: the caller guarantees that `node` is valid if it is not NULL.
            match unsafe { (*node).type_ } {
                $(pg::$tag => $json,)*
                pg::T_A_Const => "A_Const",
                pg::T_String => "String",
                pg::T_Integer => "Integer",
                pg::T_Float => "Float",
                pg::T_Boolean => "Boolean",
                pg::T_BitString => "BitString",
                pg::T_List => "List",
                _ => "another node",
            }
        }
    };
}
nodes!(walk);
