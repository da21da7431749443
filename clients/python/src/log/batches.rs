//! A log as a stream of Arrow batches.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, TimestampMicrosecondBuilder, UInt32Builder};
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};

use super::reader::Reader;
use super::rows::{Row, TEXTS};

/// Number of rows in a batch; the last batch may have fewer.
const BATCH_ROWS: usize = 16 << 10;

/// A reader as a stream of Arrow batches.
pub struct Batches {
    reader: Reader,
    schema: SchemaRef,
}

impl Batches {
    pub fn new(reader: Reader) -> Self {
        let utc = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        let mut fields = vec![Field::new("time", utc, true)];
        fields.extend(TEXTS.map(|(name, _)| Field::new(name, DataType::Utf8, true)));
        fields.push(Field::new("pid", DataType::UInt32, true));
        fields.push(Field::new("severity", DataType::Utf8, true));
        fields.push(Field::new("duration_ms", DataType::Float64, true));
        fields.push(Field::new("truncated", DataType::Boolean, true));
        Self { reader, schema: Arc::new(Schema::new(fields)) }
    }

    fn batch(&self, rows: &[Row]) -> Result<RecordBatch, ArrowError> {
        let mut times = TimestampMicrosecondBuilder::with_capacity(rows.len()).with_timezone("UTC");
        let mut texts: [StringBuilder; TEXTS.len()] = std::array::from_fn(|_| StringBuilder::new());
        let (mut pids, mut severities) = (UInt32Builder::new(), StringBuilder::new());
        let (mut durations, mut truncated) = (Float64Builder::new(), BooleanBuilder::new());
        for row in rows {
            times.append_option(row.utc_micros());
            for (builder, text) in texts.iter_mut().zip(&row.texts) {
                // Arrow's strings are UTF-8; a log may be in another encoding.
                builder.append_option((!text.is_empty()).then(|| String::from_utf8_lossy(text)));
            }
            pids.append_option((row.pid > 0).then_some(row.pid));
            severities.append_value(row.severity);
            durations.append_option(row.duration_ms);
            truncated.append_value(row.truncated);
        }
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(times.finish())];
        arrays.extend(texts.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef));
        arrays.push(Arc::new(pids.finish()));
        arrays.push(Arc::new(severities.finish()));
        arrays.push(Arc::new(durations.finish()));
        arrays.push(Arc::new(truncated.finish()));
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut rows = Vec::new();
        while rows.len() < BATCH_ROWS {
            if let Err(error) = self.reader.next_rows() {
                return Some(Err(ArrowError::from(error)));
            }
            let Some(row) = self.reader.pop() else { break };
            rows.push(row);
        }
        (!rows.is_empty()).then(|| self.batch(&rows))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
