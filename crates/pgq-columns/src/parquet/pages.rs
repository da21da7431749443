//! The pages of a column chunk: compressed, with their headers, and what the file says of the chunk.

use bytes::Bytes;
use parquet::basic::{Compression as Codec, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

/// Compresses pages.
pub struct PageCompressor {
    codec: Codec,
    zstd: Option<Compressor<'static>>,
    /// The page before it is compressed, and after: memory that is used again.
    buffer: Vec<u8>,
    compressed: Vec<u8>,
}

/// A larger buffer is not kept, in bytes.
const LARGEST_BUFFER: usize = 4 << 20;

impl PageCompressor {
    /// # Errors
    /// No memory for the compressor.
    pub fn new(codec: Codec) -> Result<Self> {
        let zstd = match codec {
            Codec::ZSTD(level) => Some(Compressor::new(level.compression_level()).map_err(external)?),
            _ => None,
        };
        Ok(Self { codec, zstd, buffer: Vec::new(), compressed: Vec::new() })
    }

    /// An empty buffer for a page, which is to be given back.
    pub fn take_buffer(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffer)
    }

    pub fn give_back(&mut self, mut buffer: Vec<u8>) {
        buffer.clear();
        if buffer.capacity() <= LARGEST_BUFFER {
            self.buffer = buffer;
        }
    }

    fn compress(&mut self, page: &[u8]) -> Result<Bytes> {
        let Some(zstd) = &mut self.zstd else { return Ok(Bytes::copy_from_slice(page)) };
        self.compressed.clear();
        self.compressed.reserve(zstd::zstd_safe::compress_bound(page.len()));
        zstd.compress_to_buffer(page, &mut self.compressed).map_err(external)?;
        let compressed = Bytes::copy_from_slice(&self.compressed);
        if self.compressed.capacity() > LARGEST_BUFFER {
            self.compressed = Vec::new();
        }
        Ok(compressed)
    }
}

fn external(problem: std::io::Error) -> ParquetError {
    ParquetError::External(Box::new(problem))
}

/// The pages of a column chunk, so far.
pub struct ColumnPages {
    column: ColumnDescPtr,
    out: TrackedWrite<Vec<u8>>,
    uncompressed: usize,
    levels: u64,
    encodings: Vec<Encoding>,
    has_dictionary: bool,
    data_start: Option<usize>,
}

/// What the file says of a column chunk beside its pages.
pub struct ChunkFacts {
    pub rows: u64,
    pub statistics: Option<Statistics>,
}

impl ColumnPages {
    pub fn new(column: ColumnDescPtr) -> Self {
        Self {
            column,
            out: TrackedWrite::new(Vec::new()),
            uncompressed: 0,
            levels: 0,
            encodings: vec![Encoding::RLE],
            has_dictionary: false,
            data_start: None,
        }
    }

    /// The page with the dictionary, which is before all others.
    ///
    /// # Errors
    /// A page beyond 2 GiB.
    pub fn write_dictionary(&mut self, values: &[u8], count: usize, compressor: &mut PageCompressor) -> Result<()> {
        self.has_dictionary = true;
        let buf = compressor.compress(values)?;
        let encoding = Encoding::PLAIN;
        let page = Page::DictionaryPage { buf, num_values: count as u32, encoding, is_sorted: false };
        self.write(page, values.len())
    }

    /// A page with `levels` levels, in which `content` are levels and values.
    ///
    /// # Errors
    /// A page beyond 2 GiB.
    pub fn write_data(
        &mut self,
        content: &[u8],
        levels: usize,
        encoding: Encoding,
        compressor: &mut PageCompressor,
    ) -> Result<()> {
        self.levels += levels as u64;
        self.data_start.get_or_insert(self.out.bytes_written());
        let page = Page::DataPage {
            buf: compressor.compress(content)?,
            num_values: levels as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        self.write(page, content.len())
    }

    fn write(&mut self, page: Page, uncompressed: usize) -> Result<()> {
        if !self.encodings.contains(&page.encoding()) {
            self.encodings.push(page.encoding());
        }
        let written = SerializedPageWriter::new(&mut self.out).write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed += written.uncompressed_size;
        Ok(())
    }

    /// The bytes of the chunk, and what the file says of it. Afterwards there are no pages.
    ///
    /// # Errors
    /// Sizes beyond those of the format.
    pub fn finish(&mut self, facts: ChunkFacts, compressor: &PageCompressor) -> Result<(Bytes, ColumnCloseResult)> {
        let pages = std::mem::replace(self, Self::new(self.column.clone()));
        let bytes = pages.out.into_inner()?;
        let mut metadata = ColumnChunkMetaData::builder(pages.column)
            .set_compression(compressor.codec)
            .set_encodings(pages.encodings)
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(pages.uncompressed as i64)
            .set_num_values(pages.levels as i64)
            .set_data_page_offset(pages.data_start.unwrap_or(0) as i64)
            .set_dictionary_page_offset(pages.has_dictionary.then_some(0));
        if let Some(statistics) = facts.statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: facts.rows,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((bytes.into(), close))
    }
}
