//! Converts tokens and nodes to Arrow record batches, in each of the ways that bench compares: reflection over Protobuf
//! bytes, static decoding of Protobuf bytes, and direct reading of the C tree or of the tokens of pgq's lexer.

#[cfg(feature = "reflection")]
mod boxed;
#[cfg(feature = "reflection")]
mod reflect;
#[cfg(feature = "reflection")]
mod reflect_cached;
mod typed;

use std::cell::RefCell;
use std::sync::LazyLock;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pgq::{Error, ParseOptions, reference};
use pgq_columns::{NodeColumn, TokenColumn, schema};
#[cfg(feature = "reflection")]
use prost_reflect::DescriptorPool;

#[cfg(feature = "reflection")]
use self::boxed::BoxedBuilders;
#[cfg(feature = "reflection")]
use self::reflect_cached::Plans;
use self::typed::TypedBuilders;
use super::function::{Path, Table};

/// Input of a measured [`Path`].
#[derive(Debug, Clone, Copy)]
pub enum Source<'a> {
    Sql(&'a str),
    /// Protobuf bytes that libpg_query wrote before the measurement.
    Bytes(&'a [u8]),
}

/// Columns of the batches. Other columns are left out, because they cannot be derived from the Protobuf messages.
const TOKEN_COLUMNS: [TokenColumn; 4] =
    [TokenColumn::Start, TokenColumn::End, TokenColumn::Token, TokenColumn::Keyword];
const NODE_COLUMNS: [NodeColumn; 6] = [
    NodeColumn::Node,
    NodeColumn::Parent,
    NodeColumn::Field,
    NodeColumn::NodeType,
    NodeColumn::Location,
    NodeColumn::Name,
];

static TOKEN_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&TOKEN_COLUMNS, &[]));
static NODE_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&NODE_COLUMNS, &[]));

/// Descriptors of pg_query.proto, written by the build.
#[cfg(feature = "reflection")]
static DESCRIPTORS: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/pg_query.descriptors"));
    DescriptorPool::decode(bytes.as_slice()).expect("the build wrote valid descriptors")
});

/// Name for tokens and keywords that have no name in pg_query.proto. [`pgq::Token::name`] returns the same name.
const UNKNOWN: &str = "UNKNOWN";

/// Number of rows in a full batch.
const BATCH_ROWS: usize = 8192;

/// Builders for every path.
struct Builders {
    #[cfg(feature = "reflection")]
    boxed: BoxedBuilders,
    typed: TypedBuilders,
    #[cfg(feature = "reflection")]
    plans: Plans,
}

thread_local! {
    static BUILDERS: RefCell<Builders> = RefCell::new(Builders {
        #[cfg(feature = "reflection")]
        boxed: BoxedBuilders::new(),
        typed: TypedBuilders::new(),
        #[cfg(feature = "reflection")]
        plans: Plans::new(),
    });
}

/// Returns the Protobuf bytes that libpg_query writes for SQL.
///
/// # Errors
/// PostgreSQL's scanner or parser fails.
pub fn encode(table: Table, sql: &str) -> Result<Vec<u8>, Error> {
    match table {
        Table::Tokens => reference::encode_tokens(sql),
        Table::Nodes => reference::encode(sql, &ParseOptions::normalized()),
    }
}

/// Appends the rows for a statement to the current batch of `path`, one of the compared implementations. Finishes and
/// drops the batch if it is full.
///
/// # Errors
/// Same as [`encode`].
pub fn append(table: Table, path: Path, source: Source<'_>) -> Result<(), Error> {
    BUILDERS.with_borrow_mut(|builders| {
        builders.append(table, path, source)?;
        if builders.rows(table, path) >= BATCH_ROWS {
            drop(std::hint::black_box(builders.finish(table, path)));
        }
        Ok(())
    })
}

/// Drops the current batch of `path`, one of the compared implementations. Returns a new batch with only the rows for
/// `sql`.
///
/// # Errors
/// Same as [`encode`].
pub fn batch(table: Table, path: Path, sql: &str) -> Result<RecordBatch, Error> {
    BUILDERS.with_borrow_mut(|builders| {
        drop(builders.finish(table, path));
        builders.append(table, path, Source::Sql(sql))?;
        Ok(builders.finish(table, path))
    })
}

impl Builders {
    fn append(&mut self, table: Table, path: Path, source: Source<'_>) -> Result<(), Error> {
        if let (Path::Raw, Source::Sql(sql)) = (path, source) {
            return match table {
                Table::Tokens => self.typed.append_raw_tokens(sql),
                Table::Nodes => self.typed.append_raw_nodes(sql),
            };
        }
        let encoded;
        let bytes = match source {
            Source::Bytes(bytes) => bytes,
            Source::Sql(sql) => {
                encoded = encode(table, sql)?;
                &encoded
            }
        };
        // Provides enough stack for decoding, which recurses once for each level of the tree. A
        // level needs at least one byte, so the number of bytes bounds the depth.
        reference::with_stack_for(bytes.len(), || {
            match (path, table) {
                #[cfg(feature = "reflection")]
                (Path::Reflect, Table::Tokens) => reflect::append_tokens(bytes, &mut self.boxed),
                #[cfg(feature = "reflection")]
                (Path::Reflect, Table::Nodes) => reflect::append_nodes(bytes, &mut self.boxed),
                #[cfg(feature = "reflection")]
                (Path::ReflectCached, Table::Tokens) => self.plans.append_tokens(bytes, &mut self.boxed),
                #[cfg(feature = "reflection")]
                (Path::ReflectCached, Table::Nodes) => self.plans.append_nodes(bytes, &mut self.boxed),
                (_, Table::Tokens) => self.typed.append_decoded_tokens(bytes)?,
                (_, Table::Nodes) => self.typed.append_decoded_nodes(bytes)?,
            }
            Ok(())
        })
    }

    fn rows(&self, table: Table, path: Path) -> usize {
        #[cfg(feature = "reflection")]
        if matches!(path, Path::Reflect | Path::ReflectCached) {
            return self.boxed.rows(table);
        }
        let _ = path;
        self.typed.rows(table)
    }

    fn finish(&mut self, table: Table, path: Path) -> RecordBatch {
        #[cfg(feature = "reflection")]
        if matches!(path, Path::Reflect | Path::ReflectCached) {
            return self.boxed.finish(table);
        }
        let _ = path;
        self.typed.finish(table)
    }
}

fn schema_of(table: Table) -> SchemaRef {
    match table {
        Table::Tokens => TOKEN_SCHEMA.clone(),
        Table::Nodes => NODE_SCHEMA.clone(),
    }
}
