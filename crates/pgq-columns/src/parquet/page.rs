//! A data page: its levels and values, while they are collected, and as bytes.

use std::ops::Range;

use parquet::basic::Encoding;
use parquet::errors::Result;

use super::GROUP_ROWS;
use super::encode::{bit_width, write_hybrid, write_levels};
use super::packed::{DifferentLists, DifferentTexts, ITEM, REPEATED};
use super::pages::{ColumnPages, PageCompressor};

/// A page of texts ends with the row that brings it to this many bytes.
const PAGE_BYTES: usize = 1 << 20;

/// Levels and values of a page.
#[derive(Default)]
pub struct Page {
    pub levels: Vec<u8>,
    pub values: Vec<u8>,
}

impl Page {
    /// A page that need not grow, unless a row is large.
    pub fn with_room() -> Self {
        Self { levels: Vec::with_capacity(GROUP_ROWS), values: Vec::with_capacity(PAGE_BYTES + PAGE_BYTES / 4) }
    }

    /// The end of those of some rows that the page has room for; the last one may be larger. `ends` are where the
    /// rows of the chunk end.
    fn end_of_rows(&self, ends: &[usize], rows: &Range<usize>) -> usize {
        let start = if rows.start == 0 { 0 } else { ends[rows.start - 1] };
        let limit = start + PAGE_BYTES.saturating_sub(self.values.len());
        let fitting = ends[rows.clone()].partition_point(|end| *end < limit);
        rows.start + (fitting + 1).min(rows.len())
    }

    /// Adds rows, whose texts end at `ends`, by `append`, and writes the page whenever it is full. How many of the
    /// texts written are NULL.
    pub fn append_rows(
        &mut self,
        ends: &[usize],
        mut rows: Range<usize>,
        append: impl Fn(&mut Self, Range<usize>),
        is_list: bool,
        pages: &mut ColumnPages,
        compressor: &mut PageCompressor,
    ) -> Result<u64> {
        let mut nulls = 0;
        while !rows.is_empty() {
            let end = self.end_of_rows(ends, &rows);
            append(self, rows.start..end);
            nulls += self.write_full(is_list, pages, compressor)?;
            rows.start = end;
        }
        Ok(nulls)
    }

    pub fn append_texts(&mut self, more: &DifferentTexts, rows: Range<usize>) {
        let mut start = if rows.start == 0 { 0 } else { more.ends[rows.start - 1] };
        let ends = &more.ends[rows];
        self.values.extend_from_slice(&more.bytes[start..ends.last().copied().unwrap_or(start)]);
        self.levels.extend(ends.iter().map(|end| u8::from(*end > std::mem::replace(&mut start, *end))));
    }

    pub fn append_lists(&mut self, more: &DifferentLists, rows: Range<usize>) {
        let part = |ends: &[usize]| {
            let start = if rows.start == 0 { 0 } else { ends[rows.start - 1] };
            start..if rows.is_empty() { start } else { ends[rows.end - 1] }
        };
        self.values.extend_from_slice(&more.items.bytes[part(&more.items.ends)]);
        self.levels.extend_from_slice(&more.levels[part(&more.level_ends)]);
    }

    /// Writes the page if it is full. How many of its texts are NULL.
    pub fn write_full(
        &mut self,
        is_list: bool,
        pages: &mut ColumnPages,
        compressor: &mut PageCompressor,
    ) -> Result<u64> {
        if self.values.len() < PAGE_BYTES { Ok(0) } else { self.write(is_list, pages, compressor) }
    }

    /// Writes the page, unless it is empty. How many of its texts are NULL.
    pub fn write(&mut self, is_list: bool, pages: &mut ColumnPages, compressor: &mut PageCompressor) -> Result<u64> {
        if self.levels.is_empty() {
            return Ok(0);
        }
        let mut content = compressor.take_buffer();
        self.write_levels(is_list, &mut content);
        content.extend_from_slice(&self.values);
        pages.write_data(&content, self.levels.len(), Encoding::PLAIN, compressor)?;
        compressor.give_back(content);
        let nulls = self.levels.iter().filter(|level| **level == 0).count() as u64;
        self.levels.clear();
        self.values.clear();
        Ok(nulls)
    }

    /// Writes a page of numbers of a dictionary of so many values.
    pub fn write_numbers(
        &mut self,
        numbers: &[u32],
        values: usize,
        is_list: bool,
        pages: &mut ColumnPages,
        compressor: &mut PageCompressor,
    ) -> Result<()> {
        let mut content = Vec::new();
        self.write_levels(is_list, &mut content);
        let width = bit_width(values.saturating_sub(1) as u32);
        content.push(width);
        write_hybrid(numbers, width, &mut content);
        pages.write_data(&content, self.levels.len(), Encoding::RLE_DICTIONARY, compressor)
    }

    fn write_levels(&self, is_list: bool, out: &mut Vec<u8>) {
        if is_list {
            write_levels(self.levels.iter().map(|level| u8::from(level & REPEATED > 0)), 1, out);
            write_levels(self.levels.iter().map(|level| level & !REPEATED), ITEM, out);
        } else {
            write_levels(self.levels.iter().copied(), 1, out);
        }
    }
}
