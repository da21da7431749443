//! The fields of each node type as data: their offsets and kinds. Other modules use this table for tree walks that need
//! not be fast. Such walks need no generated code for each node type.

use std::mem::{MaybeUninit, offset_of};

use super::nodes::nodes;
use super::row;
use crate::sys::bindings as pg;

const WORD: usize = size_of::<usize>();

/// A node type. In C, some node types share a struct.
pub(crate) struct NodeFields {
    pub tag: pg::NodeTag,
    /// The name in C and in JSON, such as `SelectStmt`.
    pub name: &'static str,
    /// The size of the C struct in bytes.
    pub size: usize,
    /// The fields that contain pointers, locations or an ObjectType, in the order of the C struct.
    /// The fields of an embedded struct are fields of the node itself. The cells of a list and the
    /// C union in an `A_Const` are absent, because they are not fields with a fixed type.
    pub fields: &'static [TableField],
    /// The fields that contain nodes or lists.
    pub children: &'static [TableField],
    /// The machine words of the struct that no field of the table of nodes (nodes.rs) uses, as a bit set. Bit n is set
    /// if word n contains no such field. Raw parse trees do not use these words.
    other_words: u64,
    /// The node's own location, if it has one.
    pub location: Option<TableField>,
}

impl NodeFields {
    /// Returns the offsets of the struct's machine words that contain no field of the table of nodes (nodes.rs).
    pub(super) fn other_offsets(&self) -> impl Iterator<Item = usize> {
        let mut rest = self.other_words;
        std::iter::from_fn(move || {
            let word = rest.trailing_zeros() as usize;
            rest &= rest.checked_sub(1)?;
            Some(word * WORD)
        })
    }
}

#[derive(Clone, Copy)]
pub(crate) struct TableField {
    /// The field's name in JSON.
    pub key: &'static str,
    pub kind: FieldKind,
    /// Offset in the node's struct, in bytes.
    offset: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// Any node, or NULL.
    Node,
    /// A node of one type, or NULL.
    Typed,
    List,
    String,
    BitSet,
    Location,
    ObjectType,
}

impl TableField {
    /// Returns the address of the field in the node `c`.
    #[inline(always)]
    pub(crate) fn in_node<T>(&self, c: *mut pg::Node) -> *mut T {
        c.wrapping_byte_add(self.offset as usize).cast()
    }

    /// Returns a field with offset 0.
    pub(crate) const fn named(key: &'static str, kind: FieldKind) -> Self {
        Self { key, kind, offset: 0 }
    }

    const fn is_child(self) -> bool {
        matches!(self.kind, FieldKind::Node | FieldKind::Typed | FieldKind::List)
    }
}

/// The offset of an embedded struct in its node, and the struct's fields. For the node's own fields, the offset is 0.
type Part = (usize, &'static [TableField]);

const NO_FIELD: TableField = TableField::named("", FieldKind::Location);

const fn count(parts: &[Part], only_children: bool) -> usize {
    let (mut count, mut part) = (0, 0);
    while part < parts.len() {
        let fields = parts[part].1;
        let mut index = 0;
        while index < fields.len() {
            count += (!only_children || fields[index].is_child()) as usize;
            index += 1;
        }
        part += 1;
    }
    count
}

const fn flatten<const N: usize>(parts: &[Part], only_children: bool) -> [TableField; N] {
    let mut fields = [NO_FIELD; N];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let (base, from) = parts[part];
        let mut index = 0;
        while index < from.len() {
            if !only_children || from[index].is_child() {
                fields[at] = TableField { offset: from[index].offset + base as u32, ..from[index] };
                at += 1;
            }
            index += 1;
        }
        part += 1;
    }
    fields
}

/// Returns the unused machine words of a struct as a bit set. Bit n is set if word n contains no part of the struct's
/// tag or of one of `fields`. `fields` has the offset and the size of each field in bytes.
const fn other_words(size: usize, fields: &[(usize, usize)]) -> u64 {
    let mut covered: u64 = 1; // the tag
    let mut index = 0;
    while index < fields.len() {
        let (start, length) = fields[index];
        let mut byte = start;
        while byte < start + length {
            covered |= 1 << (byte / WORD);
            byte += 1;
        }
        index += 1;
    }
    let words = size / WORD;
    assert!(words < u64::BITS as usize);
    !covered & ((1 << words) - 1)
}

const fn pointee_size<T>(_: *const T) -> usize {
    size_of::<T>()
}

/// The fields of a struct. `M` is the node type (see row.rs). It is a parameter because some node types share a C
/// struct.
trait Fields<M> {
    const ALL: &'static [TableField];
    const CHILDREN: &'static [TableField];
    const OTHER_WORDS: u64;
}

macro_rules! part {
    (node, $key:literal, $offset:expr) => {
        part!(@ Node, $key, $offset)
    };
    (message, $key:literal, $offset:expr, $ty:ident) => {
        part!(@ Typed, $key, $offset)
    };
    (list, $key:literal, $offset:expr) => {
        part!(@ List, $key, $offset)
    };
    (string, $key:literal, $offset:expr) => {
        part!(@ String, $key, $offset)
    };
    (bitmapset, $key:literal, $offset:expr) => {
        part!(@ BitSet, $key, $offset)
    };
    (location, $key:literal, $offset:expr) => {
        part!(@ Location, $key, $offset)
    };
    (enum_, $key:literal, $offset:expr, ObjectType) => {
        part!(@ ObjectType, $key, $offset)
    };
    (embed, $key:literal, $offset:expr, $ty:ident) => {
        ($offset, <pg::$ty as Fields<row::$ty>>::ALL)
    };
    (@ $kind:ident, $key:literal, $offset:expr) => {
        (0, &[TableField { key: $key, kind: FieldKind::$kind, offset: $offset as u32 }])
    };
    ($plain:ident, $key:literal, $offset:expr $(, $ty:ident)?) => {
        (0, &[])
    };
}

/// The offset and the size of a field. Both are 0 for a field of kind `absent`, which does not exist in C.
macro_rules! range {
    (absent $c:ident $cfield:ident) => {
        (0, 0)
    };
    (embed $c:ident $cfield:ident $ty:ident) => {{
        assert!(<pg::$ty as Fields<row::$ty>>::OTHER_WORDS == 0);
        (offset_of!(pg::$c, $cfield), size_of::<pg::$ty>())
    }};
    ($kind:ident $c:ident $cfield:ident $($ty:ident)?) => {{
        let node = MaybeUninit::<pg::$c>::uninit();
        // SAFETY: the struct is allocated. Only the address of a field is taken; nothing is read.
        (offset_of!(pg::$c, $cfield), pointee_size(unsafe { &raw const (*node.as_ptr()).$cfield }))
    }};
}

macro_rules! tables {
    ($($tag:ident $c:ident $rust:ident $variant:ident $json:literal {
        $($kind:ident $field:ident $key:literal $cfield:ident $(: $ty:ident)?;)*
    })*) => {
        $(impl Fields<row::$rust> for pg::$c {
            const ALL: &'static [TableField] = {
                const PARTS: &[Part] = &[$(part!($kind, $key, offset_of!(pg::$c, $cfield) $(, $ty)?),)*];
                const FIELDS: [TableField; count(PARTS, false)] = flatten(PARTS, false);
                &FIELDS
            };
            const CHILDREN: &'static [TableField] = {
                const PARTS: &[Part] = &[(0, <pg::$c as Fields<row::$rust>>::ALL)];
                const FIELDS: [TableField; count(PARTS, true)] = flatten(PARTS, true);
                &FIELDS
            };
            const OTHER_WORDS: u64 = other_words(size_of::<pg::$c>(), &[$(range!($kind $c $cfield $($ty)?),)*]);
        })*

        /// The node types in the order of the variants of `Node`.
        pub(crate) static NODES: &[NodeFields] = &[
            $(of::<row::$rust, pg::$c>(pg::$tag, $json),)*
            value::<pg::A_Const>(pg::T_A_Const, "A_Const", &[location(offset_of!(pg::A_Const, location))]),
            value::<pg::Integer>(pg::T_Integer, "Integer", &[]),
            value::<pg::Float>(pg::T_Float, "Float", &[string("fval", offset_of!(pg::Float, fval))]),
            value::<pg::Boolean>(pg::T_Boolean, "Boolean", &[]),
            value::<pg::String>(pg::T_String, "String", &[string("sval", offset_of!(pg::String, sval))]),
            value::<pg::BitString>(pg::T_BitString, "BitString", &[string("bsval", offset_of!(pg::BitString, bsval))]),
            value::<pg::List>(pg::T_List, "List", &[]),
        ];
    };
}

const fn of<M, C: Fields<M>>(tag: pg::NodeTag, name: &'static str) -> NodeFields {
    NodeFields {
        tag,
        name,
        size: size_of::<C>(),
        fields: C::ALL,
        children: C::CHILDREN,
        other_words: C::OTHER_WORDS,
        location: own_location(C::ALL),
    }
}

const fn value<C>(tag: pg::NodeTag, name: &'static str, fields: &'static [TableField]) -> NodeFields {
    let location = own_location(fields);
    NodeFields { tag, name, size: size_of::<C>(), fields, children: &[], other_words: 0, location }
}

/// Returns the field `location`.
const fn own_location(fields: &[TableField]) -> Option<TableField> {
    let mut index = 0;
    while index < fields.len() {
        if matches!(fields[index].kind, FieldKind::Location) && matches!(fields[index].key.as_bytes(), b"location") {
            return Some(fields[index]);
        }
        index += 1;
    }
    None
}

const fn string(key: &'static str, offset: usize) -> TableField {
    TableField { key, kind: FieldKind::String, offset: offset as u32 }
}

const fn location(offset: usize) -> TableField {
    TableField { key: "location", kind: FieldKind::Location, offset: offset as u32 }
}

nodes!(tables);

/// Upper bound of the tags.
const TAGS: usize = 512;
/// The index of an unknown tag.
pub(super) const UNKNOWN: u16 = u16::MAX;

/// The index in [`NODES`] of each tag.
static INDEX_OF: [u16; TAGS] = {
    let mut indexes = [UNKNOWN; TAGS];
    let mut at = 0;
    while at < NODES.len() {
        indexes[NODES[at].tag as usize] = at as u16;
        at += 1;
    }
    indexes
};

/// Returns the index in [`NODES`] of the node type with this tag, or [`UNKNOWN`].
#[inline(always)]
pub(super) fn index_of(tag: pg::NodeTag) -> u16 {
    INDEX_OF.get(tag as usize).copied().unwrap_or(UNKNOWN)
}

/// Returns the node type with this tag.
#[inline]
pub(super) fn fields_of(tag: pg::NodeTag) -> Option<&'static NodeFields> {
    NODES.get(usize::from(index_of(tag)))
}
