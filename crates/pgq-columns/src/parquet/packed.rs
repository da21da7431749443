//! The rows of a chunk, packed for Parquet: numbers as they are, and texts that repeat as numbers of a
//! dictionary, so that a text is copied once for a chunk and not once for a row.

use super::dictionary::Dictionary;
use super::encode::write_text;
use crate::TableColumn;
use crate::table::PackedBuilders;
use crate::text_list::TextList;

/// The number of a value that is NULL.
pub const NULL: u32 = u32::MAX;

/// Some rows, with the size of each.
#[derive(Debug)]
pub struct PackedRows {
    pub(super) columns: Vec<PackedColumn>,
    /// Bytes of the texts of each row.
    pub(super) sizes: Vec<u32>,
}

impl PackedRows {
    /// Size in memory, in bytes.
    #[must_use]
    pub fn memory_size(&self) -> usize {
        let columns: usize = self.columns.iter().map(PackedColumn::memory_size).sum();
        columns + self.sizes.capacity() * size_of::<u32>()
    }
}

/// Packs rows.
pub struct PackedRowBuilder<C: TableColumn> {
    columns: Vec<C>,
    builders: C::Packed,
    sizes: Vec<u32>,
}

impl<C: TableColumn> PackedRowBuilder<C> {
    /// A builder of `columns`.
    #[must_use]
    pub fn new(columns: &[C]) -> Self {
        Self { columns: columns.to_vec(), builders: C::Packed::new(columns), sizes: Vec::new() }
    }

    /// Appends a row.
    pub fn append(&mut self, row: &C::Row<'_>) {
        let size = self.builders.append(row);
        self.sizes.push(u32::try_from(size).unwrap_or(u32::MAX));
    }

    /// The rows so far; `None` if there are none.
    pub fn finish(&mut self) -> Option<PackedRows> {
        if self.sizes.is_empty() {
            return None;
        }
        let columns = self.columns.iter().map(|column| self.builders.finish(*column)).collect();
        Some(PackedRows { columns, sizes: std::mem::take(&mut self.sizes) })
    }
}

/// The values of a column in some rows.
#[derive(Debug)]
pub enum PackedColumn {
    Numbers(Numbers<i64>),
    Doubles(Numbers<f64>),
    Bools(Numbers<bool>),
    /// Texts, or lists of texts as bytes, by their numbers.
    Coded(Coded),
    Texts(DifferentTexts),
    Lists(DifferentLists),
}

impl PackedColumn {
    fn memory_size(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.values.capacity() * 9,
            Self::Doubles(numbers) => numbers.values.capacity() * 9,
            Self::Bools(numbers) => numbers.values.capacity() * 2,
            Self::Coded(coded) => coded.dictionary.memory_size() + coded.numbers.capacity() * size_of::<u32>(),
            Self::Texts(texts) => texts.memory_size(),
            Self::Lists(lists) => lists.items.memory_size() + lists.levels.capacity() + lists.level_ends.capacity() * 8,
        }
    }
}

/// Values with a default in place of NULL.
#[derive(Debug, Default)]
pub struct Numbers<T> {
    pub values: Vec<T>,
    pub present: Vec<bool>,
}

impl<T> Numbers<T> {
    pub fn with_capacity(rows: usize) -> Self {
        Self { values: Vec::with_capacity(rows), present: Vec::with_capacity(rows) }
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.present.clear();
    }
}

impl<T: Copy> Numbers<T> {
    /// The values that are not NULL.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.values.iter().zip(&self.present).filter(|(_, present)| **present).map(|(value, _)| *value)
    }
}

impl<T: Default> Numbers<T> {
    #[inline]
    pub fn push(&mut self, value: Option<T>) {
        self.present.push(value.is_some());
        self.values.push(value.unwrap_or_default());
    }

    /// The values; room for as many is left.
    pub fn take(&mut self) -> Self {
        let next =
            Self { values: Vec::with_capacity(self.values.len()), present: Vec::with_capacity(self.values.len()) };
        std::mem::replace(self, next)
    }
}

/// Values by their numbers in a dictionary, [`NULL`] for NULL.
#[derive(Debug, Default)]
pub struct Coded {
    pub dictionary: Dictionary,
    pub numbers: Vec<u32>,
    /// The last number that is not NULL: the next row often has the same value.
    last: Option<u32>,
}

impl Coded {
    #[inline]
    pub fn push(&mut self, value: Option<&[u8]>) {
        let Some(value) = value else { return self.numbers.push(NULL) };
        let number = match self.last {
            Some(last) if self.dictionary.text(last) == value => last,
            _ => self.dictionary.number(value),
        };
        self.last = Some(number);
        self.numbers.push(number);
    }

    pub fn take(&mut self) -> Self {
        let next = Self { numbers: Vec::with_capacity(self.numbers.len()), ..Self::default() };
        std::mem::replace(self, next)
    }
}

/// Texts, one behind the other, each behind its length.
#[derive(Debug, Default)]
pub struct DifferentTexts {
    pub bytes: Vec<u8>,
    /// Where each row ends in the bytes; NULL has none.
    pub ends: Vec<usize>,
}

impl DifferentTexts {
    #[inline]
    pub fn push(&mut self, value: Option<&[u8]>) {
        if let Some(value) = value {
            write_text(value, &mut self.bytes);
        }
        self.ends.push(self.bytes.len());
    }

    pub fn take(&mut self) -> Self {
        let (bytes, ends) = (Vec::with_capacity(self.bytes.len()), Vec::with_capacity(self.ends.len()));
        std::mem::replace(self, Self { bytes, ends })
    }

    fn memory_size(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()
    }
}

/// Lists of texts: the items of each row, and the levels that say where lists begin and what is NULL.
#[derive(Debug, Default)]
pub struct DifferentLists {
    pub items: DifferentTexts,
    /// As [`list_levels`] gives them.
    pub levels: Vec<u8>,
    /// Where each row ends in the levels.
    pub level_ends: Vec<usize>,
}

impl DifferentLists {
    pub fn push(&mut self, value: Option<TextList<'_>>) {
        list_levels(value, &mut self.levels);
        for item in value.into_iter().flat_map(TextList::iter).flatten() {
            write_text(item.as_bytes(), &mut self.items.bytes);
        }
        self.items.ends.push(self.items.bytes.len());
        self.level_ends.push(self.levels.len());
    }

    pub fn take(&mut self) -> Self {
        let level_ends = Vec::with_capacity(self.level_ends.len());
        let levels = Vec::with_capacity(self.levels.len());
        let items = self.items.take();
        Self {
            items,
            levels: std::mem::replace(&mut self.levels, levels),
            level_ends: std::mem::replace(&mut self.level_ends, level_ends),
        }
    }
}

/// The definition level of an item that is there; one below is an item that is NULL, two below an empty list,
/// three below a list that is NULL.
pub const ITEM: u8 = 3;

/// Set in the level of an item that is not the first of its list.
pub const REPEATED: u8 = 1 << 2;

/// Appends the levels of a list.
pub fn list_levels(list: Option<TextList<'_>>, out: &mut Vec<u8>) {
    let Some(list) = list else { return out.push(ITEM - 3) };
    let start = out.len();
    out.extend(list.iter().map(|item| (ITEM - u8::from(item.is_none())) | REPEATED));
    match out.get_mut(start) {
        Some(first) => *first &= !REPEATED,
        None => out.push(ITEM - 2),
    }
}
