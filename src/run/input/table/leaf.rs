//! Converts Arrow values to text, except lists, maps, structs and arrays of bytes.

use std::fmt::Display;
use std::io;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_schema::{DataType, IntervalUnit, TimeUnit};

use super::invalid;

/// Converts the value at an index to text.
pub type Text<'a> = Box<dyn Fn(usize) -> io::Result<String> + 'a>;

/// Returns the function that converts the array's values to text. The values must not be NULL. Times with a zone are in
/// UTC and end in `Z`. Durations and intervals are in ISO 8601.
///
/// # Errors
/// Values of this type cannot be converted to text.
pub fn text<'a>(array: &'a dyn Array) -> io::Result<Text<'a>> {
    macro_rules! shown {
        ($format:literal, $type:ty) => {{
            let array = array.as_primitive::<$type>();
            Box::new(move |index| Ok(format!($format, array.value(index))))
        }};
    }
    macro_rules! decimal {
        ($type:ty) => {{
            let array = array.as_primitive::<$type>();
            Box::new(move |index| Ok(array.value_as_string(index)))
        }};
    }
    /// Converts a date or time, which `$method` returns, to text. Appends a suffix.
    macro_rules! time {
        ($type:ty, $method:ident, $suffix:expr) => {{
            let (array, suffix) = (array.as_primitive::<$type>(), $suffix);
            Box::new(move |index| match array.$method(index) {
                Some(time) => Ok(format!("{time:?}{suffix}")),
                None => infinity(array.value(index).into()),
            })
        }};
    }
    macro_rules! duration {
        ($type:ty) => {{
            let array = array.as_primitive::<$type>();
            Box::new(move |index| known(array.value_as_duration(index), array.value(index)))
        }};
    }
    Ok(match array.data_type() {
        DataType::Boolean => {
            let array = array.as_boolean();
            Box::new(move |index| Ok(array.value(index).to_string()))
        }
        DataType::Int8 => shown!("{}", Int8Type),
        DataType::Int16 => shown!("{}", Int16Type),
        DataType::Int32 => shown!("{}", Int32Type),
        DataType::Int64 => shown!("{}", Int64Type),
        DataType::UInt8 => shown!("{}", UInt8Type),
        DataType::UInt16 => shown!("{}", UInt16Type),
        DataType::UInt32 => shown!("{}", UInt32Type),
        DataType::UInt64 => shown!("{}", UInt64Type),
        DataType::Float16 => shown!("{}", Float16Type),
        // `Debug` always writes a fraction or an exponent, so a float never looks like an integer.
        DataType::Float32 => shown!("{:?}", Float32Type),
        DataType::Float64 => shown!("{:?}", Float64Type),
        DataType::Decimal32(..) => decimal!(Decimal32Type),
        DataType::Decimal64(..) => decimal!(Decimal64Type),
        DataType::Decimal128(..) => decimal!(Decimal128Type),
        DataType::Decimal256(..) => decimal!(Decimal256Type),
        DataType::Date32 => time!(Date32Type, value_as_date, ""),
        DataType::Date64 => time!(Date64Type, value_as_datetime, ""),
        DataType::Time32(TimeUnit::Second) => time!(Time32SecondType, value_as_time, ""),
        DataType::Time32(_) => time!(Time32MillisecondType, value_as_time, ""),
        DataType::Time64(TimeUnit::Nanosecond) => time!(Time64NanosecondType, value_as_time, ""),
        DataType::Time64(_) => time!(Time64MicrosecondType, value_as_time, ""),
        DataType::Timestamp(unit, zone) => {
            let suffix = if zone.is_some() { "Z" } else { "" };
            match unit {
                TimeUnit::Second => time!(TimestampSecondType, value_as_datetime, suffix),
                TimeUnit::Millisecond => time!(TimestampMillisecondType, value_as_datetime, suffix),
                TimeUnit::Microsecond => time!(TimestampMicrosecondType, value_as_datetime, suffix),
                TimeUnit::Nanosecond => time!(TimestampNanosecondType, value_as_datetime, suffix),
            }
        }
        DataType::Duration(TimeUnit::Second) => duration!(DurationSecondType),
        DataType::Duration(TimeUnit::Millisecond) => duration!(DurationMillisecondType),
        DataType::Duration(TimeUnit::Microsecond) => duration!(DurationMicrosecondType),
        DataType::Duration(TimeUnit::Nanosecond) => duration!(DurationNanosecondType),
        DataType::Interval(IntervalUnit::YearMonth) => {
            let array = array.as_primitive::<IntervalYearMonthType>();
            Box::new(move |index| Ok(interval(array.value(index), 0, 0)))
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            let array = array.as_primitive::<IntervalDayTimeType>();
            Box::new(move |index| {
                let value = array.value(index);
                Ok(interval(0, value.days, i64::from(value.milliseconds) * 1_000_000))
            })
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            let array = array.as_primitive::<IntervalMonthDayNanoType>();
            Box::new(move |index| {
                let value = array.value(index);
                Ok(interval(value.months, value.days, value.nanoseconds))
            })
        }
        other => return Err(invalid(format!("values of the type {other} have no text"))),
    })
}

fn known(value: Option<impl Display>, number: i64) -> io::Result<String> {
    value.map(|value| value.to_string()).ok_or_else(|| out_of_range(number))
}

fn out_of_range(number: i64) -> io::Error {
    invalid(format!("the value {number} is out of range"))
}

/// Converts an infinite date or time to PostgreSQL's text. DuckDB stores infinity as the first or the last value of the
/// type.
fn infinity(number: i64) -> io::Result<String> {
    match number {
        i64::MAX | 0x7FFF_FFFF => Ok("infinity".into()),
        ..=-0x7FFF_FFFF_FFFF_FFFF | -0x7FFF_FFFF => Ok("-infinity".into()),
        _ => Err(out_of_range(number)),
    }
}

/// Returns an interval in ISO 8601, as PostgreSQL writes it with `intervalstyle = iso_8601`.
fn interval(months: i32, days: i32, nanoseconds: i64) -> String {
    let mut text = "P".to_string();
    let mut add = |number: i32, unit| {
        if number != 0 {
            text += &format!("{number}{unit}");
        }
    };
    add(months, 'M');
    add(days, 'D');
    if nanoseconds != 0 || text.len() == 1 {
        let (sign, nanoseconds) = (if nanoseconds < 0 { "-" } else { "" }, nanoseconds.unsigned_abs());
        let fraction = format!("{:09}", nanoseconds % 1_000_000_000);
        let seconds = format!("{sign}{}.{fraction}", nanoseconds / 1_000_000_000);
        text += &format!("T{}S", seconds.trim_end_matches('0').trim_end_matches('.'));
    }
    text
}
