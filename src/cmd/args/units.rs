//! Values with units: bytes, durations and times.

use pgq_log::{Timestamp, parse_timestamp};

pub fn timestamp(text: &str) -> Result<Timestamp, String> {
    parse_timestamp(text).ok_or_else(|| "write it as 'YYYY-MM-DD HH:MM:SS', with a zone or without".into())
}

/// Bytes, from a number with PostgreSQL's units of memory.
pub fn bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split_unit(text);
    let unit = match unit {
        "" | "B" => 1,
        "kB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        _ => return Err("the units are B, kB, MB and GB".into()),
    };
    let number: usize = number.parse().map_err(|_| "not a number of bytes".to_string())?;
    number.checked_mul(unit).filter(|bytes| *bytes > 0).ok_or_else(|| "out of range".into())
}

/// Milliseconds, from a number with PostgreSQL's units of time.
pub fn milliseconds(text: &str) -> Result<f64, String> {
    let (number, unit) = split_unit(text);
    let unit = match unit {
        "" | "ms" => 1.0,
        "us" => 0.001,
        "s" => 1000.0,
        "min" => 60_000.0,
        "h" => 3_600_000.0,
        _ => return Err("the units are us, ms, s, min and h".into()),
    };
    let number: f64 = number.parse().map_err(|_| "not a number".to_string())?;
    if number.is_finite() && number >= 0.0 { Ok(number * unit) } else { Err("not a duration".into()) }
}

/// Splits `100 kB` into its number and its unit.
fn split_unit(text: &str) -> (&str, &str) {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    (number.trim(), &text[number.len()..])
}

#[cfg(test)]
mod tests {
    use super::{bytes, milliseconds};

    #[test]
    fn numbers_have_postgresqls_units() {
        assert_eq!([bytes("20"), bytes("20B"), bytes("3 kB"), bytes("1GB")], [Ok(20), Ok(20), Ok(3072), Ok(1 << 30)]);
        assert_eq!(
            [milliseconds("1"), milliseconds("250 us"), milliseconds("2min")],
            [Ok(1.0), Ok(0.25), Ok(120_000.0)]
        );
        assert!(["", "kB", "0", "-1", "1TB", "99999999999GB"].iter().all(|text| bytes(text).is_err()));
        assert!(["", "ms", "-1", "NaN", "inf", "1d"].iter().all(|text| milliseconds(text).is_err()));
    }
}
