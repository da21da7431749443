//! How the values of each kind are packed.

use super::packed::{Coded, DifferentLists, DifferentTexts, Numbers, PackedColumn};
use crate::kinds::{BigInt, Bool, Double, Kind, Text, TextItems, Time};
use crate::text_list::TextList;

/// Columns whose values hardly repeat: a dictionary would only cost time.
const DIFFERENT: [&str; 2] = ["sql", "params"];

/// A kind of values, packed.
pub trait PackedKind: Kind {
    type Packed;

    /// An empty column of this name.
    fn packed(name: &str) -> Self::Packed;
    fn push(packed: &mut Self::Packed, value: Option<Self::Value<'_>>);
    /// The values so far; the column is empty afterwards.
    fn take(packed: &mut Self::Packed) -> PackedColumn;

    /// The bytes of a value's texts.
    fn text_size(_value: Self::Value<'_>) -> usize {
        0
    }
}

/// Texts or lists of them.
pub enum TextColumn<T> {
    Coded(Coded),
    Different(T),
}

impl<T: Default> TextColumn<T> {
    fn new(name: &str) -> Self {
        if DIFFERENT.contains(&name) { Self::Different(T::default()) } else { Self::Coded(Coded::default()) }
    }
}

/// Numbers are packed alike.
macro_rules! numbers {
    ($kind:ident, $value:ty, $column:ident) => {
        impl PackedKind for $kind {
            type Packed = Numbers<$value>;

            fn packed(_: &str) -> Self::Packed {
                Numbers::default()
            }

            #[inline]
            fn push(packed: &mut Self::Packed, value: Option<$value>) {
                packed.push(value);
            }

            fn take(packed: &mut Self::Packed) -> PackedColumn {
                PackedColumn::$column(packed.take())
            }
        }
    };
}

numbers!(Time, i64, Numbers);
numbers!(BigInt, i64, Numbers);
numbers!(Double, f64, Doubles);
numbers!(Bool, bool, Bools);

impl PackedKind for Text {
    type Packed = TextColumn<DifferentTexts>;

    fn packed(name: &str) -> Self::Packed {
        TextColumn::new(name)
    }

    #[inline]
    fn push(packed: &mut Self::Packed, value: Option<&str>) {
        match packed {
            TextColumn::Coded(coded) => coded.push(value.map(str::as_bytes)),
            TextColumn::Different(texts) => texts.push(value.map(str::as_bytes)),
        }
    }

    fn take(packed: &mut Self::Packed) -> PackedColumn {
        match packed {
            TextColumn::Coded(coded) => PackedColumn::Coded(coded.take()),
            TextColumn::Different(texts) => PackedColumn::Texts(texts.take()),
        }
    }

    fn text_size(value: &str) -> usize {
        value.len()
    }
}

impl PackedKind for TextItems {
    type Packed = TextColumn<DifferentLists>;

    fn packed(name: &str) -> Self::Packed {
        TextColumn::new(name)
    }

    #[inline]
    fn push(packed: &mut Self::Packed, value: Option<TextList<'_>>) {
        match packed {
            TextColumn::Coded(coded) => coded.push(value.map(TextList::as_bytes)),
            TextColumn::Different(lists) => lists.push(value),
        }
    }

    fn take(packed: &mut Self::Packed) -> PackedColumn {
        match packed {
            TextColumn::Coded(coded) => PackedColumn::Coded(coded.take()),
            TextColumn::Different(lists) => PackedColumn::Lists(lists.take()),
        }
    }

    fn text_size(value: TextList<'_>) -> usize {
        value.size()
    }
}
