//! Kinds of columns: the type of a value, and its representation in each output format.

use std::io::Write;

use jiff::Timestamp;

use crate::text_list::TextList;

/// Kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// A point in time, in microseconds.
    Timestamp,
    /// A 64-bit integer.
    BigInt,
    /// A 64-bit floating-point number.
    Double,
    /// A string.
    Text,
    /// True or false.
    Boolean,
    /// A list of strings and NULLs.
    TextList,
}

impl ColumnKind {
    /// Returns the name of the SQL type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Timestamp => "timestamptz",
            Self::BigInt => "bigint",
            Self::Double => "double precision",
            Self::Text => "text",
            Self::Boolean => "boolean",
            Self::TextList => "text[]",
        }
    }
}

/// A kind of column. Each kind is a type, so the code that writes columns uses static dispatch.
///
/// The crate does not export this trait.
pub trait Kind {
    /// The kind as a value.
    const KIND: ColumnKind;
    /// The Rust type of a value.
    type Value<'a>: Copy;

    /// Appends a value as JSON.
    fn write_json(value: Self::Value<'_>, out: &mut Vec<u8>);

    /// Appends a value as text without quotes. The default implementation appends the value's JSON. Kinds whose JSON is
    /// in quotes override this implementation.
    fn write_text(value: Self::Value<'_>, out: &mut Vec<u8>) {
        Self::write_json(value, out);
    }
}

/// Microseconds since 1970-01-01 00:00:00 UTC.
pub struct Time;
/// A 64-bit integer.
pub struct BigInt;
/// A 64-bit floating-point number.
pub struct Double;
/// A string.
pub struct Text;
/// True or false.
pub struct Bool;
/// A list of strings.
pub struct TextItems;

impl Kind for Time {
    const KIND: ColumnKind = ColumnKind::Timestamp;
    type Value<'a> = i64;

    fn write_json(value: i64, out: &mut Vec<u8>) {
        out.push(b'"');
        Self::write_text(value, out);
        out.push(b'"');
    }

    /// Writes the time as in RFC 3339: `2026-01-31T12:00:00.123456Z`. Ignores the result of
    /// `write!`, because writing to memory does not fail.
    fn write_text(value: i64, out: &mut Vec<u8>) {
        let _ = match Timestamp::from_microsecond(value) {
            Ok(time) => write!(out, "{time:.6}"),
            Err(_) => write!(out, "{value}"),
        };
    }
}

impl Kind for BigInt {
    const KIND: ColumnKind = ColumnKind::BigInt;
    type Value<'a> = i64;

    fn write_json(value: i64, out: &mut Vec<u8>) {
        out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }
}

impl Kind for Double {
    const KIND: ColumnKind = ColumnKind::Double;
    type Value<'a> = f64;

    /// Writes `null` if the value is not finite. Ignores the result of `to_writer`, because writing
    /// to memory does not fail.
    fn write_json(value: f64, out: &mut Vec<u8>) {
        let _ = serde_json::to_writer(out, &value);
    }
}

impl Kind for Text {
    const KIND: ColumnKind = ColumnKind::Text;
    type Value<'a> = &'a str;

    fn write_json(value: &str, out: &mut Vec<u8>) {
        // The call cannot fail, because every string has a JSON form and `out` is in memory.
        let _ = serde_json::to_writer(out, value);
    }

    fn write_text(value: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(value.as_bytes());
    }
}

impl Kind for Bool {
    const KIND: ColumnKind = ColumnKind::Boolean;
    type Value<'a> = bool;

    fn write_json(value: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(if value { b"true" } else { b"false" });
    }
}

impl Kind for TextItems {
    const KIND: ColumnKind = ColumnKind::TextList;
    type Value<'a> = TextList<'a>;

    fn write_json(value: TextList<'_>, out: &mut Vec<u8>) {
        out.push(b'[');
        for (index, item) in value.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            match item {
                Some(text) => Text::write_json(text, out),
                None => out.extend_from_slice(b"null"),
            }
        }
        out.push(b']');
    }
}

pub use arrow::ArrowKind;

/// Arrow types of the column kinds. Arrow's view and dictionary types are not used, because some readers do not
/// support them.
mod arrow {
    use std::sync::Arc;

    use arrow_array::builder::{
        ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
        TimestampMicrosecondBuilder,
    };
    use arrow_schema::{DataType, Field, TimeUnit};

    use super::{BigInt, Bool, Double, Kind, Text, TextItems, Time};

    const UTC: &str = "UTC";

    /// Arrow representation of a kind.
    pub trait ArrowKind: Kind {
        type Builder: ArrayBuilder;

        fn data_type() -> DataType;
        fn builder() -> Self::Builder;
        /// Creates an empty builder with the capacity of `builder`.
        fn empty_like(builder: &Self::Builder) -> Self::Builder;
        fn append(builder: &mut Self::Builder, value: Option<Self::Value<'_>>);

        /// Returns the size of a value's strings, in bytes.
        fn size(_value: Self::Value<'_>) -> usize {
            0
        }
    }

    impl ArrowKind for Time {
        type Builder = TimestampMicrosecondBuilder;

        fn data_type() -> DataType {
            DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into()))
        }

        fn builder() -> Self::Builder {
            TimestampMicrosecondBuilder::new().with_timezone(UTC)
        }

        fn empty_like(builder: &Self::Builder) -> Self::Builder {
            TimestampMicrosecondBuilder::with_capacity(builder.len()).with_timezone(UTC)
        }

        fn append(builder: &mut Self::Builder, value: Option<i64>) {
            builder.append_option(value);
        }
    }

    impl ArrowKind for BigInt {
        type Builder = Int64Builder;

        fn data_type() -> DataType {
            DataType::Int64
        }

        fn builder() -> Self::Builder {
            Int64Builder::new()
        }

        fn empty_like(builder: &Self::Builder) -> Self::Builder {
            Int64Builder::with_capacity(builder.len())
        }

        fn append(builder: &mut Self::Builder, value: Option<i64>) {
            builder.append_option(value);
        }
    }

    impl ArrowKind for Double {
        type Builder = Float64Builder;

        fn data_type() -> DataType {
            DataType::Float64
        }

        fn builder() -> Self::Builder {
            Float64Builder::new()
        }

        fn empty_like(builder: &Self::Builder) -> Self::Builder {
            Float64Builder::with_capacity(builder.len())
        }

        fn append(builder: &mut Self::Builder, value: Option<f64>) {
            builder.append_option(value);
        }
    }

    impl ArrowKind for Text {
        type Builder = StringBuilder;

        fn data_type() -> DataType {
            DataType::Utf8
        }

        fn builder() -> Self::Builder {
            StringBuilder::new()
        }

        fn empty_like(builder: &Self::Builder) -> Self::Builder {
            StringBuilder::with_capacity(builder.len(), builder.values_slice().len())
        }

        fn append(builder: &mut Self::Builder, value: Option<&str>) {
            builder.append_option(value);
        }

        fn size(value: &str) -> usize {
            value.len()
        }
    }

    impl ArrowKind for Bool {
        type Builder = BooleanBuilder;

        fn data_type() -> DataType {
            DataType::Boolean
        }

        fn builder() -> Self::Builder {
            BooleanBuilder::new()
        }

        fn empty_like(builder: &Self::Builder) -> Self::Builder {
            BooleanBuilder::with_capacity(builder.len())
        }

        fn append(builder: &mut Self::Builder, value: Option<bool>) {
            builder.append_option(value);
        }
    }

    impl ArrowKind for TextItems {
        type Builder = ListBuilder<StringBuilder>;

        fn data_type() -> DataType {
            DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))
        }

        fn builder() -> Self::Builder {
            ListBuilder::new(StringBuilder::new())
        }

        fn empty_like(builder: &Self::Builder) -> Self::Builder {
            ListBuilder::with_capacity(Text::empty_like(builder.values_ref()), builder.len())
        }

        fn append(builder: &mut Self::Builder, value: Option<Self::Value<'_>>) {
            if let Some(list) = value {
                list.iter().for_each(|item| builder.values().append_option(item));
            }
            builder.append(value.is_some());
        }

        fn size(value: Self::Value<'_>) -> usize {
            value.size()
        }
    }
}
