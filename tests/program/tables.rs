//! Tests runs in which an input is a damaged table in Parquet or Arrow.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use tempfile::tempdir;

use crate::common::program::{run, stderr, write};

/// Returns a table with a column of SQL in five forms: Parquet, an Arrow file, a compressed Arrow file, an Arrow stream
/// and a compressed Arrow stream.
fn tables() -> [(&'static str, Vec<u8>); 5] {
    let sql: ArrayRef = Arc::new(StringArray::from(vec!["SELECT 1", "SELECT 2"]));
    let batch = RecordBatch::try_from_iter([("query", sql)]).unwrap();
    let compressed = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD)).unwrap();
    let file = |options| {
        let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    };
    let stream = |options| {
        let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.into_inner().unwrap()
    };
    let mut parquet = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    parquet.write(&batch).unwrap();
    [
        ("parquet", parquet.into_inner().unwrap()),
        ("file.arrow", file(IpcWriteOptions::default())),
        ("zstd.file.arrow", file(compressed.clone())),
        ("arrow", stream(IpcWriteOptions::default())),
        ("zstd.arrow", stream(compressed)),
    ]
}

#[test]
fn a_damaged_table_does_not_lose_the_next_input() {
    let folder = tempdir().unwrap();
    let script = write(folder.path(), "good.sql", "SELECT 1;\nSELECT 2;\n");
    for (kind, bytes) in tables() {
        let damaged = (0..bytes.len()).map(|at| {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x40 >> (at % 2);
            write(folder.path(), &format!("{at}.{kind}"), damaged)
        });
        let damaged: Vec<String> = damaged.collect();
        let whole = write(folder.path(), &format!("whole.{kind}"), &bytes);
        let mut args = vec!["fingerprint", "--jobs", "1", "--format", "json", &whole];
        args.extend(damaged.iter().map(String::as_str).chain([script.as_str()]));
        let output = run(&args, b"");
        let message = stderr(&output);
        let last = message.lines().last().unwrap();
        assert_eq!(output.status.code(), Some(2), "{kind}: {last}");
        assert!(!message.contains("panicked"), "{kind}: {last}");
        let text = String::from_utf8_lossy(&output.stdout);
        for name in [&whole, &script] {
            let of_file = text.lines().filter(|line| line.contains(name) && line.contains("\"fingerprint\""));
            assert_eq!(of_file.count(), 2, "{name}: {last}");
        }
        let refused = damaged.iter().filter(|name| message.contains(&format!("error: {name}: "))).count();
        println!("{kind}: {refused} of {} damaged files refused", damaged.len());
    }
}

#[test]
fn data_after_the_end_of_an_arrow_stream_is_an_error() {
    let folder = tempdir().unwrap();
    for (kind, bytes) in tables().into_iter().filter(|(kind, _)| ["arrow", "zstd.arrow"].contains(kind)) {
        let two = write(folder.path(), &format!("two.{kind}"), bytes.repeat(2));
        let output = run(&["fingerprint", &two], b"");
        assert_eq!(output.status.code(), Some(2), "{kind}");
        assert!(stderr(&output).contains("other data follows the end of the Arrow stream"), "{}", stderr(&output));
    }
}

#[test]
fn an_arrow_file_is_read_by_its_footer() {
    let folder = tempdir().unwrap();
    for (kind, mut bytes) in tables().into_iter().filter(|(kind, _)| kind.ends_with("file.arrow")) {
        let whole = run(&["fingerprint", &write(folder.path(), kind, &bytes)], b"");
        // Damage the message that contains the schema, to imitate files of Polars, which writes this message
        // incorrectly. pgq must read the schema from the footer.
        bytes[8..16].fill(4);
        let output = run(&["fingerprint", &write(folder.path(), kind, &bytes)], b"");
        assert!(whole.status.success() && output.stdout == whole.stdout, "{kind}: {output:?}");
    }
}

#[test]
fn an_arrow_file_that_is_cut_is_an_error() {
    let folder = tempdir().unwrap();
    for (kind, bytes) in tables().into_iter().filter(|(kind, _)| kind.ends_with("file.arrow")) {
        for len in (8..bytes.len()).step_by(8) {
            let cut = write(folder.path(), kind, &bytes[..len]);
            let output = run(&["fingerprint", &cut], b"");
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{kind}: {len}");
        }
    }
}
