//! The order of rotated logs, by their names. Opens no files.

use std::cmp::Reverse;

use pgq_log::without_compression;

/// Returns a sort key that orders rotated logs from the oldest to the newest: `a.log.2.gz`, `a.log.1`, `a.log`, or
/// `a.log-20260130.gz`, `a.log-20260131`, `a.log`.
pub fn rotation(name: &str) -> (&str, Reverse<u32>, &str) {
    let plain = without_compression(name);
    let dated = plain.match_indices(['-', '.']).find(|(at, _)| is_date(&plain[at + 1..]));
    if let Some((at, _)) = dated {
        let date = plain[at..].bytes().filter(u8::is_ascii_digit).take(8);
        let date = date.fold(0, |date, digit| 10 * date + u32::from(digit - b'0'));
        return (&plain[..at], Reverse(u32::MAX - date), name);
    }
    let numbered = plain.rsplit_once('.').filter(|(_, number)| number.len() < 4);
    match numbered.and_then(|(log, number)| Some((log, number.parse().ok()?))) {
        Some((log, number)) => (log, Reverse(number), name),
        None => (plain, Reverse(0), name),
    }
}

/// Whether a suffix consists of a date with at least 8 digits, such as `20260131`, `2026-01-31` or
/// `20260131-1769817600`.
fn is_date(suffix: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'T');
    suffix.bytes().all(is_part) && suffix.bytes().filter(u8::is_ascii_digit).count() >= 8
}
