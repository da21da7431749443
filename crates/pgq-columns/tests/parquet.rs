//! Tests of Parquet files. The rows of a file must equal the rows that Arrow's builders create from the same values.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use pgq_columns::{
    Column, Compression, GroupColumn, GroupRow, ParquetWriter, Row, RowBuilder, TableColumn, TextList, TextListBuilder,
    schema,
};

/// Maximum number of rows in a row group.
const GROUP_ROWS: usize = 122_880;

/// Writes rows in chunks of the given sizes. Returns the file, and the rows read from it.
fn write_and_read<C: TableColumn>(
    rows: &[C::Row<'_>],
    chunks: &[usize],
    compression: Compression,
) -> (Bytes, RecordBatch) {
    let schema = schema(C::ALL, &[("version", "1")]);
    let mut writer = ParquetWriter::new(Vec::new(), &schema, compression).unwrap();
    let mut builder = RowBuilder::<C>::new(C::ALL, Arc::clone(&schema));
    let mut sizes = chunks.iter().cycle();
    let mut rest = rows;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
        chunk.iter().for_each(|row| builder.append(row));
        writer.write(builder.finish().unwrap()).unwrap();
        rest = after;
    }
    let file = Bytes::from(writer.finish().unwrap());
    let reader = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
    assert_eq!(reader.schema().metadata(), schema.metadata());
    let batches: Vec<RecordBatch> = reader.build().unwrap().map(|batch| batch.unwrap()).collect();
    let read = batches.first().map_or(Arc::clone(&schema), RecordBatch::schema);
    (file, concat_batches(&read, &batches).unwrap())
}

fn check<C: TableColumn>(rows: &[C::Row<'_>]) {
    let schema = schema(C::ALL, &[("version", "1")]);
    let mut builder = RowBuilder::<C>::new(C::ALL, Arc::clone(&schema));
    rows.iter().for_each(|row| builder.append(row));
    let expected = builder.finish().unwrap().into_batch();
    let (file, read) = write_and_read::<C>(rows, &[1000], Compression::Zstd);
    assert_eq!(read.columns(), expected.columns());
    for chunks in [&[rows.len()][..], &[1, 7, 1999]] {
        assert!(write_and_read::<C>(rows, chunks, Compression::Zstd).0 == file, "the bytes depend on the chunks");
    }
    assert_eq!(write_and_read::<C>(rows, &[1000], Compression::None).1.columns(), expected.columns());
}

/// Returns an empty list, lists with NULL or empty items, and many different lists.
fn lists() -> Vec<TextListBuilder> {
    let list = |items: &[Option<&str>]| {
        let mut list = TextListBuilder::default();
        items.iter().for_each(|item| list.push(*item));
        list
    };
    let mut lists = vec![list(&[]), list(&[None]), list(&[Some("")]), list(&[Some("a"), None, Some("b"), Some("a")])];
    lists.extend((0..40).map(|n| list(&[Some(&n.to_string()), Some("t")])));
    lists
}

#[test]
fn rows_come_back() {
    let lists = lists();
    let texts: Vec<String> = (0..5000).map(|n| "é".repeat(n % 50) + &n.to_string()).collect();
    let rows: Vec<Row<'_>> = (0..5000)
        .map(|n| Row {
            file: Some("log"),
            line: Some(n as i64),
            time: (n % 3 > 0).then_some(1_700_000_000_000_000 + n as i64),
            duration_us: (n / 100 % 2 == 0).then_some(n as i64 * 7 - 9000),
            user: [Some("ann"), Some("bob"), None, Some("")][n % 4],
            normalized: (n % 5 > 0).then(|| &*texts[n % 70]),
            sql: (n % 9 > 0).then(|| &*texts[n]),
            session: Some(&*texts[n]),
            params: (n % 2 == 0).then(|| lists[n % lists.len()].list()),
            tables: (n % 7 > 0).then(|| lists[n / 10 % lists.len()].list()),
            truncated: [Some(true), Some(false), None][n % 3],
            ..Row::default()
        })
        .collect();
    check::<Column>(&rows);
    check::<Column>(&rows[..1]);
    let shares: Vec<GroupRow<'_>> = (0..100)
        .map(|n| GroupRow { share: (n % 3 > 0).then_some(f64::from(n) / 7.0), ..GroupRow::default() })
        .collect();
    check::<GroupColumn>(&shares);
}

#[test]
fn dictionaries_that_are_too_large_are_not_written() {
    let texts: Vec<String> = (0..3000).map(|n| n.to_string() + &"x".repeat(500)).collect();
    let mut list = TextListBuilder::default();
    let lists: Vec<Vec<u8>> = texts
        .iter()
        .map(|text| {
            list.clear();
            list.push(Some(text));
            list.push(None);
            list.bytes().to_vec()
        })
        .collect();
    let rows: Vec<Row<'_>> = (0..6000)
        .map(|n| Row {
            normalized: (n % 10 > 0).then(|| &*texts[n % 3000]),
            sql: Some(&texts[n % 3000]),
            tables: (n % 11 > 0).then(|| TextList::from_bytes(&lists[n % 3000])),
            params: Some(TextList::from_bytes(&lists[n % 3000])),
            ..Row::default()
        })
        .collect();
    check::<Column>(&rows);
}

#[test]
fn row_groups_end_by_their_rows_and_by_their_bytes() {
    let groups = |file: &Bytes| {
        let reader = ParquetRecordBatchReaderBuilder::try_new(file.clone()).unwrap();
        reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect::<Vec<_>>()
    };
    let rows = vec![Row { kind: Some("select"), ..Row::default() }; GROUP_ROWS + 5];
    let (file, _) = write_and_read::<Column>(&rows, &[50_000], Compression::Zstd);
    assert_eq!(groups(&file), [GROUP_ROWS as i64, 5]);
    let text = "x".repeat(12 << 20);
    let rows = vec![Row { sql: Some(&text), ..Row::default() }; 7];
    let (file, _) = write_and_read::<Column>(&rows, &[2], Compression::Zstd);
    assert_eq!(groups(&file), [3, 3, 1]);
}
