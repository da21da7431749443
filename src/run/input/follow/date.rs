//! Finds the date in the name of a log (`log_filename`).

use std::ops::Range;

/// The date in a file name.
pub struct Date {
    /// Byte range of the date and the time.
    pub range: Range<usize>,
    /// Whether the name of a later log is always greater than the names of earlier logs. If so, the server uses each
    /// name only once.
    pub sorts: bool,
}

/// The text that replaces the name of a day or a month in the result of [`pattern`].
const DAY: &str = "\u{1}";

/// English names of days and months, which the server writes for `%a`, `%A`, `%b` and `%B` in `log_filename`.
const DAYS: [&str; 37] = [
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Divides a file name into numbers, words of letters, and single other characters.
fn words(name: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &name[at..];
        let first = rest.chars().next()?;
        let is_same = |c: char| if first.is_ascii_digit() { c.is_ascii_digit() } else { c.is_alphabetic() };
        let len = rest.find(|c: char| !is_same(c)).unwrap_or(rest.len()).max(first.len_utf8());
        at += len;
        Some(at - len..at)
    })
}

/// Replaces each number in a file name by `0`, and each name of a day or month by [`DAY`].
pub fn pattern(name: &str) -> String {
    let replaced = words(name).map(|word| match &name[word] {
        word if word.starts_with(|c: char| c.is_ascii_digit()) => "0",
        word if is_day(word) => DAY,
        word => word,
    });
    replaced.collect()
}

fn is_day(word: &str) -> bool {
    DAYS.iter().any(|day| day.eq_ignore_ascii_case(word))
}

/// Returns the first date in a file name, with the time after it if there is one. A date is a year and a month
/// (`2026-11`), a year and a day of the year (`2026-330`), the name of a day or month (`Tue`), or the seconds since
/// 1970. Other numbers, such as the version and the port in `postgresql-16-2026-11-25-5432.log`, are not part of the
/// date.
pub fn date(name: &str) -> Option<Date> {
    words(name).find_map(|word| {
        let (start, text) = (word.start, &name[word.clone()]);
        if text.len() == 10 && text.starts_with('1') && is_number(text) {
            return Some(Date { range: word, sorts: true });
        }
        let (end, sorts) = if is_number(text) { year(name, start)? } else { (day(name, word)?, false) };
        Some(Date { range: start..time(name, end), sorts })
    })
}

/// Returns the end of a date that starts with a year at `start`, and whether such dates sort by time. After the year, a
/// date has either a month (a number or a name, and optionally a day of the month), or a day of the year.
fn year(name: &str, start: usize) -> Option<(usize, bool)> {
    number(name, start, 2, 20..=20)?;
    let year = number(name, start + 2, 2, 0..=99)?;
    let at = separator(name, year);
    if let Some(end) = number(name, at, 3, 1..=366).filter(|end| !is_digit(name, *end)) {
        return Some((end, true));
    }
    if let Some(month) = number(name, at, 2, 1..=12) {
        let day = number(name, separator(name, month), 2, 1..=31);
        return Some((day.unwrap_or(month), true));
    }
    let word = words(&name[at..]).next().map(|word| at..at + word.end)?;
    Some((day(name, word)?, false))
}

/// Returns the end of the name of a day or month at `word`. If a day of the month follows the name of a month
/// (`Nov-30`), returns the end of this number.
fn day(name: &str, word: Range<usize>) -> Option<usize> {
    let end = word.end;
    let is_month = DAYS[14..].iter().any(|month| month.eq_ignore_ascii_case(&name[word.clone()]));
    let number = number(name, separator(name, end), 2, 1..=31).filter(|at| is_month && !is_digit(name, *at));
    is_day(&name[word]).then(|| number.unwrap_or(end))
}

/// Returns the end of the time after the date that ends at `date`. A time has an hour, and may have minutes and
/// seconds. Returns `date` if there is no time, or if further digits follow the time.
fn time(name: &str, date: usize) -> usize {
    let hour = separator(name, date);
    let hour = if name[hour..].starts_with('T') { hour + 1 } else { hour };
    let Some(mut end) = number(name, hour, 2, 0..=23) else { return date };
    for most in [59, 60] {
        let at = if is_digit(name, end) { end } else { separator(name, end) };
        match number(name, at, 2, 0..=most) {
            Some(next) if at == end || !is_digit(name, next) => end = next,
            _ => break,
        }
    }
    if is_digit(name, end) { date } else { end }
}

/// Returns the position after the separator at `at`. Returns `at` if there is no separator.
fn separator(name: &str, at: usize) -> usize {
    at + usize::from(name[at..].starts_with(['-', '_', '.', ':']))
}

/// Returns the end of the number at `at`. Returns `None` if there are fewer than `digits` digits, or if the number is
/// not in `range`.
fn number(name: &str, at: usize, digits: usize, range: std::ops::RangeInclusive<u32>) -> Option<usize> {
    let text = name.get(at..at + digits).filter(|text| is_number(text))?;
    text.parse().is_ok_and(|number| range.contains(&number)).then_some(at + digits)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_digit(name: &str, at: usize) -> bool {
    name[at..].starts_with(|c: char| c.is_ascii_digit())
}
