//! The direct-binding converter layer: walks over one table of nodes.
//!
//! [`nodes`] is the table, generated from libpg_query's own. Each walk beside it says what
//! to do per kind of field and never names a node, but for the few whose C structs hold
//! unions or cells (constants and lists). A walk does not return early: what goes wrong is
//! noted once in its [`Problem`] and the walk ends with empty values.

mod arena;
mod children_table;
mod constants;
mod fingerprint;
mod fingerprint_table;
mod from_json;
mod json;
mod nodes;
mod normalize;
mod relocate;
mod replace;
mod same;
#[cfg(test)]
mod tests;
mod to_c;
mod to_rust;
mod tree;
mod verify;

pub(crate) use fingerprint::fingerprint;
pub(crate) use from_json::{JsonProblem, from_json};
pub(crate) use replace::{Constant, is_word};
pub use replace::{Departure, Normalized};
pub use tree::{Document, Fingerprinted, JsonTree, Parsed, Tree};
pub(crate) use tree::{c_comments, comment_texts, deparse_structs, verify_structs};

use to_c::to_c;
use to_rust::to_rust;

use crate::sys::bindings as pg;
use nodes::{enums, nodes};

/// Why a tree could not be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A node tag that the table does not hold.
    UnknownNode(u32),
    /// A value that an enum of the table does not hold.
    UnknownEnum { name: &'static str, value: i64 },
    /// The tree is deeper than the stack limit allows.
    TooDeep,
    /// A string with a NUL byte inside, which C cannot hold.
    NulInString { field: &'static str },
    /// A `Node` of a kind that the C deparser has no struct for.
    Unsupported { node: &'static str },
    /// A value out of the range of its C field.
    OutOfRange { field: &'static str },
}

/// The positions in a tree, moved to where they belong.
///
/// Trees come from text parsed in larger pieces; their locations are byte offsets into
/// the piece. Adding `shift` makes them offsets into the statement or the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shift(pub i64);

impl Shift {
    /// -1 is "unknown" and 0 "not set" (with shifted trees no token stands at 0): both stay.
    #[inline(always)]
    fn apply(self, location: i32) -> i64 {
        let location = i64::from(location);
        if location > 0 { location + self.0 } else { location }
    }
}

/// A C enum of the table: its constants, their names and their Protobuf numbers.
pub(crate) trait TreeEnum {
    /// What the C compiler made of it.
    type C: Copy + Default + Into<i64>;
    const NAME: &'static str;
    /// The Protobuf number of a C value.
    fn to_protobuf(c: Self::C) -> Option<i32>;
    /// The C value of a Protobuf number; 0 ("undefined") gives the first constant.
    fn to_c(protobuf: i32) -> Option<Self::C>;
    /// The name of a C value, as in C and in JSON.
    fn name(c: Self::C) -> Option<&'static str>;
    /// The Protobuf number of a name.
    fn from_name(name: &str) -> Option<i32>;
}

/// One empty type per enum, to hang [`TreeEnum`] on.
pub(crate) mod kinds {
    #![allow(non_camel_case_types)]
    macro_rules! declare {
        ($($name:ident { $($constant:ident = $number:literal;)* })*) => { $(pub(crate) struct $name;)* };
    }
    super::enums!(declare);
}

macro_rules! implement {
    ($($name:ident { $($constant:ident = $number:literal;)* })*) => { $(
        impl TreeEnum for kinds::$name {
            type C = pg::$name;
            const NAME: &'static str = stringify!($name);
            #[inline]
            fn to_protobuf(c: pg::$name) -> Option<i32> {
                match c { $(pg::$constant => Some($number),)* _ => None }
            }
            #[inline]
            fn to_c(protobuf: i32) -> Option<pg::$name> {
                match protobuf { $($number => Some(pg::$constant),)* 0 => Some([$(pg::$constant),*][0]), _ => None }
            }
            #[inline]
            fn name(c: pg::$name) -> Option<&'static str> {
                match c { $(pg::$constant => Some(stringify!($constant)),)* _ => None }
            }
            fn from_name(name: &str) -> Option<i32> {
                match name { $(stringify!($constant) => Some($number),)* _ => None }
            }
        }
    )* };
}
enums!(implement);

/// How prost holds a message field: boxed where types are recursive, plain elsewhere.
pub(crate) trait Slot<T> {
    fn get(&self) -> Option<&T>;
}

impl<T> Slot<T> for Option<Box<T>> {
    #[inline(always)]
    fn get(&self) -> Option<&T> {
        self.as_deref()
    }
}

impl<T> Slot<T> for Option<T> {
    #[inline(always)]
    fn get(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// The members of a C bit set, in order.
///
/// # Safety
/// `set` must be NULL or a valid Bitmapset that outlives `'a`.
pub(crate) unsafe fn members<'a>(set: *const pg::Bitmapset) -> impl Iterator<Item = u64> + 'a {
    // SAFETY: the caller vouches for the set; `nwords` words follow its header.
    let words = unsafe {
        match set.as_ref() {
            Some(header) => std::slice::from_raw_parts((&raw const (*set).words).cast::<u64>(), header.nwords as usize),
            None => &[],
        }
    };
    (0u64..)
        .zip(words)
        .flat_map(|(i, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i * 64 + bit))
}

/// The cells of a C list of pointers.
///
/// # Safety
/// `list` must be NULL or a valid List of pointers that outlives `'a`.
#[inline(always)]
pub(crate) unsafe fn cells<'a>(list: *const pg::List) -> &'a [pg::ListCell] {
    // SAFETY: the caller vouches for the list; a List's `elements` hold `length` cells,
    // and a non-NULL List has at least one (pg_list.h).
    unsafe {
        match list.as_ref() {
            Some(list) => std::slice::from_raw_parts(list.elements, list.length as usize),
            None => &[],
        }
    }
}
