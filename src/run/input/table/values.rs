//! Converts values of Arrow arrays to text and JSON. Reads no files.

use std::io;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};

use super::leaf::{Text, text};
use super::{Value, invalid, quote};

/// Metadata key that marks the values of a time field as UTC. The parquet crate uses the same key.
pub const UTC_TIME: &str = "adjusted_to_utc";

/// Arrow's name of the type of UUIDs.
pub const UUID: &str = "arrow.uuid";

/// Returns the values of all columns for each row.
///
/// # Errors
/// A value cannot be converted to text.
pub fn values(batch: &RecordBatch) -> io::Result<Vec<Vec<Value>>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::with_capacity(batch.num_columns()); batch.num_rows()];
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let failed = |problem: io::Error| invalid(format!("column {}: {problem}", field.name()));
        let column = Column::new(field, column).map_err(failed)?;
        for (index, row) in rows.iter_mut().enumerate() {
            row.push(column.value(index).map_err(failed)?);
        }
    }
    Ok(rows)
}

/// Returns the values of the SQL column. `name` is the column's name in the file.
///
/// # Errors
/// The column is not text.
pub fn texts(name: &str, field: &Field, column: &ArrayRef) -> io::Result<Vec<Option<Vec<u8>>>> {
    let not_text = || {
        let data_type = column.data_type();
        invalid(format!("the column {name} has the type {data_type} and not SQL (--column names another)"))
    };
    let values = Column::new(field, column).ok().filter(Column::is_bytes).ok_or_else(not_text)?;
    Ok((0..column.len()).map(|index| values.bytes(index).map(<[u8]>::to_vec)).collect())
}

/// A column with its type.
struct Column<'a> {
    array: &'a ArrayRef,
    kind: Kind<'a>,
}

/// Maps the index of a value to its bytes.
type Bytes<'a> = Box<dyn Fn(usize) -> &'a [u8] + 'a>;

/// Maps the index of a row to the index of its value.
type Place<'a> = Box<dyn Fn(usize) -> usize + 'a>;

/// Maps the index of a list to the range of its items.
type Ranges<'a> = Box<dyn Fn(usize) -> Range<usize> + 'a>;

enum Kind<'a> {
    Null,
    Leaf {
        text: Text<'a>,
        is_number: bool,
        suffix: &'static str,
    },
    Bytes {
        value: Bytes<'a>,
        is_text: bool,
    },
    Uuid,
    /// Values that are stored once for several rows.
    Shared {
        values: Box<Column<'a>>,
        place: Place<'a>,
    },
    List {
        items: Box<Column<'a>>,
        range: Ranges<'a>,
    },
    Map {
        keys: Box<Column<'a>>,
        values: Box<Column<'a>>,
        offsets: &'a [i32],
    },
    Struct(Vec<(&'a str, Column<'a>)>),
}

impl<'a> Column<'a> {
    fn new(field: &'a Field, array: &'a ArrayRef) -> io::Result<Self> {
        let list = |item, values, range: Ranges<'a>| -> io::Result<Kind<'a>> {
            Ok(Kind::List { items: Box::new(Self::new(item, values)?), range })
        };
        let kind = match array.data_type() {
            DataType::Null => Kind::Null,
            DataType::FixedSizeBinary(16) if field.extension_type_name() == Some(UUID) => Kind::Uuid,
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
            DataType::ListView(item) => {
                let (offsets, sizes) = (array.as_list_view::<i32>().offsets(), array.as_list_view::<i32>().sizes());
                let range = move |index| offsets[index] as usize..(offsets[index] + sizes[index]) as usize;
                list(item, array.as_list_view::<i32>().values(), Box::new(range))?
            }
            DataType::LargeListView(item) => {
                let (offsets, sizes) = (array.as_list_view::<i64>().offsets(), array.as_list_view::<i64>().sizes());
                let range = move |index| offsets[index] as usize..(offsets[index] + sizes[index]) as usize;
                list(item, array.as_list_view::<i64>().values(), Box::new(range))?
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
                Kind::Struct(members.collect::<io::Result<_>>()?)
            }
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let keys = if dictionary.values().is_empty() { Vec::new() } else { dictionary.normalized_keys() };
                let values = Box::new(Self::new(field, dictionary.values())?);
                Kind::Shared { values, place: Box::new(move |index| keys[index]) }
            }
            DataType::RunEndEncoded(ends, _) => match ends.data_type() {
                DataType::Int16 => Self::runs::<Int16Type>(field, array)?,
                DataType::Int32 => Self::runs::<Int32Type>(field, array)?,
                _ => Self::runs::<Int64Type>(field, array)?,
            },
            DataType::Utf8 => bytes(true, |index| array.as_string::<i32>().value(index).as_bytes()),
            DataType::LargeUtf8 => bytes(true, |index| array.as_string::<i64>().value(index).as_bytes()),
            DataType::Utf8View => bytes(true, |index| array.as_string_view().value(index).as_bytes()),
            DataType::Binary => bytes(false, |index| array.as_binary::<i32>().value(index)),
            DataType::LargeBinary => bytes(false, |index| array.as_binary::<i64>().value(index)),
            DataType::BinaryView => bytes(false, |index| array.as_binary_view().value(index)),
            DataType::FixedSizeBinary(_) => bytes(false, |index| array.as_fixed_size_binary().value(index)),
            data_type => {
                let is_time = matches!(data_type, DataType::Time32(_) | DataType::Time64(_));
                let is_utc = is_time && field.metadata().contains_key(UTC_TIME);
                let is_number = data_type.is_numeric() || *data_type == DataType::Boolean;
                Kind::Leaf { text: text(array)?, is_number, suffix: if is_utc { "Z" } else { "" } }
            }
        };
        Ok(Self { array, kind })
    }

    fn runs<R: RunEndIndexType>(field: &'a Field, array: &'a ArrayRef) -> io::Result<Kind<'a>> {
        let runs = array.as_run::<R>();
        let values = Box::new(Self::new(field, runs.values())?);
        Ok(Kind::Shared { values, place: Box::new(|index| runs.get_physical_index(index)) })
    }

    /// Whether the values are text or bytes, or all NULL.
    fn is_bytes(&self) -> bool {
        match &self.kind {
            Kind::Null | Kind::Bytes { .. } => true,
            Kind::Shared { values, .. } => values.is_bytes(),
            _ => false,
        }
    }

    /// Returns the bytes of a value, or `None` for NULL. [`Column::is_bytes`] must be true.
    fn bytes(&self, index: usize) -> Option<&'a [u8]> {
        match &self.kind {
            _ if self.array.is_null(index) => None,
            Kind::Bytes { value, .. } => Some(value(index)),
            Kind::Shared { values, place } => values.bytes(place(index)),
            _ => None,
        }
    }

    fn value(&self, index: usize) -> io::Result<Value> {
        if matches!(self.kind, Kind::Null) || self.array.is_null(index) {
            return Ok(Value::Null);
        }
        let mut json = Vec::new();
        match &self.kind {
            Kind::Null => return Ok(Value::Null),
            Kind::Uuid => return Ok(Value::Text(uuid(self.array.as_fixed_size_binary().value(index)).into())),
            Kind::Leaf { text, is_number, suffix } => {
                let text = text(index)? + suffix;
                // JSON has no numbers for NaN and infinity, so they become text.
                let is_json = *is_number && text.ends_with(|c: char| c.is_ascii_digit() || "es".contains(c));
                return Ok(if is_json { Value::Json(text) } else { Value::Text(text.into()) });
            }
            Kind::Bytes { value, is_text: true } => return Ok(Value::Text(value(index).to_vec())),
            Kind::Bytes { value, is_text: false } => return Ok(Value::Text(hex(value(index)).into())),
            Kind::Shared { values, place } => return values.value(place(index)),
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

    fn write_json(&self, index: usize, out: &mut Vec<u8>) -> io::Result<()> {
        self.value(index)?.write_json(out);
        Ok(())
    }
}

/// Appends items between brackets.
fn write_all(
    brackets: &[u8; 2],
    items: Range<usize>,
    out: &mut Vec<u8>,
    write: impl Fn(usize, &mut Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
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

fn bytes<'a>(is_text: bool, value: impl Fn(usize) -> &'a [u8] + 'a) -> Kind<'a> {
    Kind::Bytes { value: Box::new(value), is_text }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn uuid(bytes: &[u8]) -> String {
    let hex = hex(bytes);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}
