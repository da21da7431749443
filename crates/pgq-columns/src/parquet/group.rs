//! A column of a row group: takes the packed rows of chunks, and becomes pages.

use std::ops::Range;

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::Result;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;

use super::GROUP_ROWS;
use super::dictionary::Dictionary;
use super::encode::{write_bits, write_levels, write_text};
use super::packed::{Coded, NULL, Numbers, PackedColumn, list_levels};
use super::page::Page;
use super::pages::{ChunkFacts, ColumnPages, PageCompressor};
use crate::text_list::TextList;

/// A dictionary of more bytes is not written: the values are, as they are.
const DICTIONARY_BYTES: usize = 1 << 20;

/// Longer texts are not bounds of a column, in bytes.
const BOUND_BYTES: usize = 64;

/// A column of the row group that is being written.
pub struct GroupColumn {
    pages: ColumnPages,
    values: Values,
    rows: u64,
    nulls: u64,
}

enum Values {
    Numbers(Numbers<i64>),
    Doubles(Numbers<f64>),
    Bools(Numbers<bool>),
    Texts(Coding),
    Lists(Coding),
    DifferentTexts(Page),
    DifferentLists(Page),
}

/// Values by their numbers in a dictionary.
struct Coding {
    dictionary: Dictionary,
    numbers: Vec<u32>,
}

impl GroupColumn {
    /// An empty column for such rows. `is_list`: the texts are bytes of lists.
    pub fn new(column: ColumnDescPtr, like: &PackedColumn, is_list: bool) -> Self {
        let values = match like {
            PackedColumn::Numbers(_) => Values::Numbers(Numbers::with_capacity(GROUP_ROWS)),
            PackedColumn::Doubles(_) => Values::Doubles(Numbers::with_capacity(GROUP_ROWS)),
            PackedColumn::Bools(_) => Values::Bools(Numbers::with_capacity(GROUP_ROWS)),
            PackedColumn::Coded(_) if is_list => Values::Lists(Coding::new()),
            PackedColumn::Coded(_) => Values::Texts(Coding::new()),
            PackedColumn::Texts(_) => Values::DifferentTexts(Page::with_room()),
            PackedColumn::Lists(_) => Values::DifferentLists(Page::with_room()),
        };
        Self { pages: ColumnPages::new(column), values, rows: 0, nulls: 0 }
    }

    /// Adds some of the rows of a chunk.
    ///
    /// # Errors
    /// A page beyond 2 GiB.
    pub fn append(&mut self, column: &PackedColumn, rows: Range<usize>, compressor: &mut PageCompressor) -> Result<()> {
        self.rows += rows.len() as u64;
        match (&mut self.values, column) {
            (Values::Numbers(all), PackedColumn::Numbers(more)) => append_numbers(all, more, rows),
            (Values::Doubles(all), PackedColumn::Doubles(more)) => append_numbers(all, more, rows),
            (Values::Bools(all), PackedColumn::Bools(more)) => append_numbers(all, more, rows),
            (Values::Texts(all) | Values::Lists(all), PackedColumn::Coded(more)) => all.append(more, rows),
            (Values::DifferentTexts(page), PackedColumn::Texts(more)) => {
                let append = |page: &mut Page, rows| page.append_texts(more, rows);
                self.nulls += page.append_rows(&more.ends, rows, append, false, &mut self.pages, compressor)?;
            }
            (Values::DifferentLists(page), PackedColumn::Lists(more)) => {
                let append = |page: &mut Page, rows| page.append_lists(more, rows);
                page.append_rows(&more.items.ends, rows, append, true, &mut self.pages, compressor)?;
            }
            _ => unreachable!("the rows of a table have its columns"),
        }
        Ok(())
    }

    /// The bytes of the column, and what the file says of it. Afterwards it is empty.
    ///
    /// # Errors
    /// A page beyond 2 GiB.
    pub fn finish(&mut self, compressor: &mut PageCompressor) -> Result<(Bytes, ColumnCloseResult)> {
        let Self { pages, values, rows, nulls } = self;
        let statistics = match values {
            Values::Numbers(numbers) => {
                let nulls = write_numbers(numbers, write_fixed(i64::to_le_bytes), pages, compressor)?;
                let (min, max) = (numbers.iter().min(), numbers.iter().max());
                Some(Statistics::int64(min, max, None, nulls, false))
            }
            Values::Doubles(numbers) => {
                let nulls = write_numbers(numbers, write_fixed(f64::to_le_bytes), pages, compressor)?;
                Some(Statistics::double(None, None, None, nulls, false))
            }
            Values::Bools(numbers) => {
                let nulls = write_numbers(numbers, |values, out| write_bits(values, out), pages, compressor)?;
                let (min, max) = (numbers.iter().min(), numbers.iter().max());
                Some(Statistics::boolean(min, max, None, nulls, false))
            }
            Values::Texts(coding) => {
                let nulls = coding.numbers.iter().filter(|number| **number == NULL).count() as u64;
                coding.write_texts(pages, compressor)?;
                let bounds = (coding.dictionary.iter().min(), coding.dictionary.iter().max());
                let bound = |text: Option<&[u8]>| text.map(|text| ByteArray::from(text.to_vec()));
                let is_short = |text: Option<&[u8]>| text.is_none_or(|text| text.len() <= BOUND_BYTES);
                let known = is_short(bounds.0) && is_short(bounds.1);
                let (min, max) = if known { (bound(bounds.0), bound(bounds.1)) } else { (None, None) };
                Some(Statistics::byte_array(min, max, None, Some(nulls), false))
            }
            Values::Lists(coding) => {
                coding.write_lists(pages, compressor)?;
                None
            }
            Values::DifferentTexts(page) => {
                let more = page.write(false, pages, compressor)?;
                Some(Statistics::byte_array(None, None, None, Some(*nulls + more), false))
            }
            Values::DifferentLists(page) => {
                page.write(true, pages, compressor)?;
                None
            }
        };
        values.clear();
        let facts = ChunkFacts { rows: std::mem::take(rows), statistics };
        *nulls = 0;
        pages.finish(facts, compressor)
    }
}

fn append_numbers<T: Copy>(all: &mut Numbers<T>, more: &Numbers<T>, rows: Range<usize>) {
    all.values.extend_from_slice(&more.values[rows.clone()]);
    all.present.extend_from_slice(&more.present[rows]);
}

/// Writes numbers as one page. How many are NULL.
fn write_numbers<T: Copy>(
    numbers: &Numbers<T>,
    write: impl Fn(&mut dyn Iterator<Item = T>, &mut Vec<u8>),
    pages: &mut ColumnPages,
    compressor: &mut PageCompressor,
) -> Result<Option<u64>> {
    let mut page = compressor.take_buffer();
    write_levels(numbers.present.iter().map(|present| u8::from(*present)), 1, &mut page);
    write(&mut numbers.iter(), &mut page);
    pages.write_data(&page, numbers.present.len(), Encoding::PLAIN, compressor)?;
    compressor.give_back(page);
    Ok(Some(numbers.present.iter().filter(|present| !**present).count() as u64))
}

/// Writes values of eight bytes one behind the other.
fn write_fixed<T>(to_bytes: fn(T) -> [u8; 8]) -> impl Fn(&mut dyn Iterator<Item = T>, &mut Vec<u8>) {
    move |values, out| values.for_each(|value| out.extend_from_slice(&to_bytes(value)))
}

impl Values {
    /// Removes all values; the memory is kept for the next row group.
    fn clear(&mut self) {
        match self {
            Self::Numbers(numbers) => numbers.clear(),
            Self::Doubles(numbers) => numbers.clear(),
            Self::Bools(numbers) => numbers.clear(),
            Self::Texts(coding) | Self::Lists(coding) => {
                coding.dictionary.clear();
                coding.numbers.clear();
            }
            Self::DifferentTexts(_) | Self::DifferentLists(_) => {} // written pages are empty
        }
    }
}

impl Coding {
    fn new() -> Self {
        Self { dictionary: Dictionary::default(), numbers: Vec::with_capacity(GROUP_ROWS) }
    }

    fn append(&mut self, more: &Coded, rows: Range<usize>) {
        // A part of a chunk may not have all of its values.
        let mut known = vec![NULL; more.dictionary.len()];
        let dictionary = &mut self.dictionary;
        self.numbers.extend(more.numbers[rows].iter().map(|number| match known.get_mut(*number as usize) {
            None => NULL,
            Some(known) => {
                if *known == NULL {
                    *known = dictionary.number(more.dictionary.text(*number));
                }
                *known
            }
        }));
    }

    fn write_texts(&self, pages: &mut ColumnPages, compressor: &mut PageCompressor) -> Result<()> {
        let mut page = Page::default();
        if self.dictionary.bytes() > DICTIONARY_BYTES {
            for number in &self.numbers {
                page.levels.push(u8::from(*number != NULL));
                if *number != NULL {
                    write_text(self.dictionary.text(*number), &mut page.values);
                }
                page.write_full(false, pages, compressor)?;
            }
            return page.write(false, pages, compressor).map(drop);
        }
        write_dictionary(&self.dictionary, pages, compressor)?;
        page.levels.extend(self.numbers.iter().map(|number| u8::from(*number != NULL)));
        let numbers: Vec<u32> = self.numbers.iter().copied().filter(|number| *number != NULL).collect();
        page.write_numbers(&numbers, self.dictionary.len(), false, pages, compressor)
    }

    fn write_lists(&self, pages: &mut ColumnPages, compressor: &mut PageCompressor) -> Result<()> {
        let mut page = Page::default();
        let mut items = Dictionary::default();
        // Of each list, where its levels and its items are.
        let (mut levels, mut numbers, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for list in self.dictionary.iter().map(TextList::from_bytes) {
            let (level, number) = (levels.len(), numbers.len());
            list_levels(Some(list), &mut levels);
            numbers.extend(list.iter().flatten().map(|item| items.number(item.as_bytes())));
            places.push((level..levels.len(), number..numbers.len()));
        }
        let is_small = items.bytes() <= DICTIONARY_BYTES;
        if is_small {
            write_dictionary(&items, pages, compressor)?;
        }
        let mut all = Vec::new();
        for number in &self.numbers {
            let Some((its_levels, its_items)) = places.get(*number as usize) else {
                list_levels(None, &mut page.levels);
                continue;
            };
            page.levels.extend_from_slice(&levels[its_levels.clone()]);
            let its_items = &numbers[its_items.clone()];
            if is_small {
                all.extend_from_slice(its_items);
            } else {
                its_items.iter().for_each(|item| write_text(items.text(*item), &mut page.values));
                page.write_full(true, pages, compressor)?;
            }
        }
        if is_small {
            return page.write_numbers(&all, items.len(), true, pages, compressor);
        }
        page.write(true, pages, compressor).map(drop)
    }
}

fn write_dictionary(dictionary: &Dictionary, pages: &mut ColumnPages, compressor: &mut PageCompressor) -> Result<()> {
    let mut values = Vec::with_capacity(dictionary.bytes() + 4 * dictionary.len());
    dictionary.iter().for_each(|text| write_text(text, &mut values));
    pages.write_dictionary(&values, dictionary.len(), compressor)
}
