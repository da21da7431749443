//! Converts values of Arrow arrays to text and JSON. Reads no files.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};

use super::{Value, invalid, quote};

/// Metadata key of a time field. It means that the values are in UTC. The parquet crate uses the same key.
pub const UTC_TIME: &str = "adjusted_to_utc";

/// Returns the values of all columns for each row.
///
/// # Errors
/// A value has no text.
pub fn values(batch: &RecordBatch) -> io::Result<Vec<Vec<Value>>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::with_capacity(batch.num_columns()); batch.num_rows()];
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let failed = |problem: ArrowError| invalid(format!("column {}: {problem}", field.name()));
        let column = plain(column).map_err(failed)?;
        let column = Column::new(field, &column).map_err(failed)?;
        for (index, row) in rows.iter_mut().enumerate() {
            row.push(column.value(index).map_err(failed)?);
        }
    }
    Ok(rows)
}

/// Returns the values of the SQL column.
///
/// # Errors
/// The column is not text.
pub fn texts(name: &str, column: &ArrayRef) -> io::Result<Vec<Option<Vec<u8>>>> {
    let failed = |problem: ArrowError| invalid(problem.to_string());
    let column = plain(column).map_err(failed)?;
    let data_type = column.data_type();
    if !(data_type.is_string() || data_type.is_binary() || data_type.is_null()) {
        return Err(invalid(format!(
            "the column {name} has the type {data_type} and not SQL (--column names another)"
        )));
    }
    // Casting bytes directly to text would replace invalid UTF-8 by NULL.
    let bytes = arrow_cast::cast(&column, &DataType::LargeBinary).map_err(failed)?;
    Ok(bytes.as_binary::<i64>().iter().map(|text| text.map(<[u8]>::to_vec)).collect())
}

/// Converts an array to [`plain_type`].
fn plain(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let wanted = plain_type(array.data_type());
    if wanted == *array.data_type() { Ok(Arc::clone(array)) } else { arrow_cast::cast(array, &wanted) }
}

/// Returns a type that can store the same values, without dictionaries and without named time zones. The zone becomes
/// `+00:00`: Arrow stores times with a zone in UTC, and it can format only times whose zone is an offset.
fn plain_type(data_type: &DataType) -> DataType {
    let field = |field: &FieldRef| {
        let data_type = plain_type(field.data_type());
        Arc::new(field.as_ref().clone().with_data_type(data_type))
    };
    match data_type {
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
        DataType::Dictionary(_, values) => plain_type(values),
        DataType::RunEndEncoded(_, values) => plain_type(values.data_type()),
        DataType::List(item) | DataType::ListView(item) => DataType::List(field(item)),
        DataType::LargeList(item) | DataType::LargeListView(item) => DataType::LargeList(field(item)),
        DataType::FixedSizeList(item, len) => DataType::FixedSizeList(field(item), *len),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::Map(entries, is_sorted) => DataType::Map(field(entries), *is_sorted),
        other => other.clone(),
    }
}

/// A column of a plain type.
struct Column<'a> {
    array: &'a ArrayRef,
    kind: Kind<'a>,
}

/// Returns the range of a list's items.
type Ranges<'a> = Box<dyn Fn(usize) -> Range<usize> + 'a>;

enum Kind<'a> {
    Null,
    Leaf { formatter: ArrayFormatter<'a>, is_number: bool, suffix: &'static str },
    Uuid,
    List { items: Box<Column<'a>>, range: Ranges<'a> },
    Map { keys: Box<Column<'a>>, values: Box<Column<'a>>, offsets: &'a [i32] },
    Struct(Vec<(&'a str, Column<'a>)>),
}

impl<'a> Column<'a> {
    fn new(field: &'a Field, array: &'a ArrayRef) -> Result<Self, ArrowError> {
        let list = |item, values, range: Ranges<'a>| -> Result<Kind<'a>, ArrowError> {
            Ok(Kind::List { items: Box::new(Self::new(item, values)?), range })
        };
        let kind = match array.data_type() {
            DataType::Null => Kind::Null,
            DataType::FixedSizeBinary(16) if field.extension_type_name() == Some("arrow.uuid") => Kind::Uuid,
            DataType::List(item) => {
                let offsets = array.as_list::<i32>().value_offsets();
                let range = move |index| offsets[index] as usize..offsets[index + 1] as usize;
                list(item, array.as_list::<i32>().values(), Box::new(range))?
            }
            DataType::LargeList(item) => {
                let offsets = array.as_list::<i64>().value_offsets();
                let range = move |index| offsets[index] as usize..offsets[index + 1] as usize;
                list(item, array.as_list::<i64>().values(), Box::new(range))?
            }
            DataType::FixedSizeList(item, len) => {
                let len = *len as usize;
                let range = move |index| index * len..(index + 1) * len;
                list(item, array.as_fixed_size_list().values(), Box::new(range))?
            }
            DataType::Map(entries, _) => {
                let DataType::Struct(fields) = entries.data_type() else { unreachable!("entries are pairs") };
                let map = array.as_map();
                let keys = Box::new(Self::new(&fields[0], map.keys())?);
                Kind::Map { keys, values: Box::new(Self::new(&fields[1], map.values())?), offsets: map.value_offsets() }
            }
            DataType::Struct(fields) => {
                let members = fields.iter().zip(array.as_struct().columns());
                let members = members.map(|(field, column)| Ok((field.name().as_str(), Self::new(field, column)?)));
                Kind::Struct(members.collect::<Result<_, ArrowError>>()?)
            }
            data_type => {
                let is_time = matches!(data_type, DataType::Time32(_) | DataType::Time64(_));
                let is_utc = is_time && field.metadata().contains_key(UTC_TIME);
                Kind::Leaf {
                    formatter: ArrayFormatter::try_new(array, &FORMAT)?,
                    is_number: data_type.is_numeric() || *data_type == DataType::Boolean,
                    suffix: if is_utc { "Z" } else { "" },
                }
            }
        };
        Ok(Self { array, kind })
    }

    fn value(&self, index: usize) -> Result<Value, ArrowError> {
        if matches!(self.kind, Kind::Null) || self.array.is_null(index) {
            return Ok(Value::Null);
        }
        let mut json = Vec::new();
        match &self.kind {
            Kind::Null => return Ok(Value::Null),
            Kind::Uuid => return Ok(Value::Text(uuid(self.array.as_fixed_size_binary().value(index)).into())),
            Kind::Leaf { formatter, is_number, suffix } => {
                let text = match formatter.value(index).try_to_string() {
                    Ok(text) => text + suffix,
                    Err(problem) => infinity(&self.array.slice(index, 1)).ok_or(problem)?.to_string(),
                };
                // JSON has no numbers for NaN and infinity, so they become text.
                let is_json = *is_number && text.ends_with(|c: char| c.is_ascii_digit() || "es".contains(c));
                return Ok(if is_json { Value::Json(text) } else { Value::Text(text.into()) });
            }
            Kind::List { items, range } => {
                write_all(b"[]", range(index), &mut json, |index, out| items.write_json(index, out))?;
            }
            Kind::Map { keys, values, offsets } => {
                let range = offsets[index] as usize..offsets[index + 1] as usize;
                write_all(b"{}", range, &mut json, |index, out| {
                    match keys.value(index)? {
                        Value::Text(key) => quote(&String::from_utf8_lossy(&key), out),
                        Value::Json(key) => quote(&key, out),
                        Value::Null => quote("null", out),
                    }
                    out.push(b':');
                    values.write_json(index, out)
                })?;
            }
            Kind::Struct(members) => {
                write_all(b"{}", 0..members.len(), &mut json, |member, out| {
                    let (name, column) = &members[member];
                    quote(name, out);
                    out.push(b':');
                    column.write_json(index, out)
                })?;
            }
        }
        Ok(Value::Json(String::from_utf8_lossy(&json).into_owned()))
    }

    fn write_json(&self, index: usize, out: &mut Vec<u8>) -> Result<(), ArrowError> {
        self.value(index)?.write_json(out);
        Ok(())
    }
}

/// Format of values. It reports an error if a value has no text.
const FORMAT: FormatOptions<'static> = FormatOptions::new().with_display_error(false);

/// Appends items between brackets.
fn write_all(
    brackets: &[u8; 2],
    items: Range<usize>,
    out: &mut Vec<u8>,
    write: impl Fn(usize, &mut Vec<u8>) -> Result<(), ArrowError>,
) -> Result<(), ArrowError> {
    out.push(brackets[0]);
    let first = items.start;
    for item in items {
        if item > first {
            out.push(b',');
        }
        write(item, out)?;
    }
    out.push(brackets[1]);
    Ok(())
}

/// Returns PostgreSQL's text of an infinite date or time. DuckDB stores infinity as the first or the last value of the
/// type.
fn infinity(value: &ArrayRef) -> Option<&'static str> {
    let number = arrow_cast::cast(value, &DataType::Int64).ok()?;
    match number.as_primitive_opt::<Int64Type>()?.value(0) {
        i64::MAX | 0x7FFF_FFFF => Some("infinity"),
        ..=-0x7FFF_FFFF_FFFF_FFFF | -0x7FFF_FFFF => Some("-infinity"),
        _ => None,
    }
}

fn uuid(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(36);
    for (index, byte) in bytes.iter().enumerate() {
        let dash = if matches!(index, 4 | 6 | 8 | 10) { "-" } else { "" };
        let _ = write!(text, "{dash}{byte:02x}"); // writing to memory cannot fail
    }
    text
}
