//! Integers in logs.

/// Parses a decimal process ID.
#[inline]
pub fn parse_pid(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    let number = digits.iter().try_fold(0, |number: u64, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| number * 10 + u64::from(digit))
    });
    number.and_then(|number| u32::try_from(number).ok())
}

/// Whether `text` is a decimal integer.
#[inline]
pub fn is_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    !digits.is_empty() && digits.iter().fold(true, |all, byte| all & byte.is_ascii_digit())
}
