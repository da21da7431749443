//! Offsets of the values in an object of PostgreSQL's layout.

use std::ops::Range;

use super::keys::{DATABASE, DETAIL, KEYS, LINE_NUMBER, LINE_NUMBER_PLACE, MESSAGE, ORDER, QUERY_ID, key_index};
use crate::scan::known_runs::KnownRuns;
use crate::scan::near::find_near2;
use crate::scan::number::is_number;

/// Byte ranges of the values of [`KEYS`] in a line. The range of a string excludes its quotes.
#[derive(Default)]
pub struct JsonValues {
    ranges: [(u32, u32); KEYS.len()],
    /// Bit `i` is set if value `i` has escapes.
    pub escaped: u32,
}

/// Caches the members (keys and values) that are equal in many lines: the members about the session, and the members at
/// the end of the object.
#[derive(Default)]
pub struct KnownValues {
    sessions: KnownRuns<u8, ()>,
    ends: KnownRuns<u8, ()>,
}

impl JsonValues {
    pub fn range(&self, key: usize) -> Range<usize> {
        let (start, end) = self.ranges[key];
        start as usize..end as usize
    }

    /// Finds the values of an object without white space and nesting. Returns `None` for any other line.
    pub fn find(&mut self, line: &[u8], known: &mut KnownValues) -> Option<()> {
        *self = Self::default();
        let mut at = 1;
        // Starts of the members to be cached.
        let (mut session, mut end) = (None, None);
        if line.first() != Some(&b'{') {
            return None;
        }
        // Expected index of the next key in [`ORDER`].
        let mut place = 0;
        loop {
            let begin = at - 1;
            let ordered = ORDER.get(place).filter(|key| key.starts(&line[at..]));
            let index = if let Some(key) = ordered {
                at += key.len;
                place += 1;
                key.index
            } else {
                let (key, escaped) = find_string(line, at)?;
                if escaped {
                    return None;
                }
                at = key.end + 1;
                let index = key_index(&line[key]);
                if place < ORDER.len() && index.is_some() {
                    // The server omits keys without a value, so this key may be a later key of `ORDER`.
                    place = ORDER.iter().position(|key| key.index == index).map_or(place, |at| at + 1);
                }
                index
            };
            if line.get(at) != Some(&b':') {
                return None;
            }
            at += 1;
            let (value, escaped) = match line.get(at)? {
                b'"' => {
                    let (value, escaped) = find_string(line, at)?;
                    at = value.end + 1;
                    (value, escaped)
                }
                b'-' | b'0'..=b'9' => {
                    let len = line[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
                    at += len;
                    (at - len..at, false)
                }
                _ => return None,
            };
            if let Some(index) = index {
                if self.ranges[index].0 != 0 {
                    return None; // a repeated key
                }
                self.ranges[index] = (value.start as u32, value.end as u32);
                self.escaped |= u32::from(escaped) << index;
            }
            match line.get(at)? {
                b',' => {}
                b'}' if at + 1 == line.len() => break,
                _ => return None,
            }
            match index {
                Some(DATABASE) if known.sessions.is_worthwhile() => {
                    let set =
                        |key: u8, start, end| self.ranges[usize::from(key)] = (at as u32 + start, at as u32 + end);
                    match known.sessions.find(&line[at..], set) {
                        Some((len, ())) => {
                            at += len; // the cached members end with a comma
                            place = LINE_NUMBER_PLACE;
                            continue;
                        }
                        None => session = Some(at),
                    }
                }
                Some(LINE_NUMBER) if session.is_some() => {
                    let from = session.take()?;
                    self.keep(&mut known.sessions, &line[..=begin], from);
                }
                Some(MESSAGE | DETAIL) if known.ends.is_worthwhile() => {
                    let set =
                        |key: u8, start, end| self.ranges[usize::from(key)] = (at as u32 + start, at as u32 + end);
                    let rest = match known.ends.find(&line[at..], set) {
                        Some((len, ())) => at + len,
                        None => at,
                    };
                    if rest == line.len() {
                        return Some(());
                    }
                    if let Some((b'}', number)) = line[rest..].split_last()
                        && line[..rest].ends_with(BEFORE_QUERY_ID)
                        && is_number(number)
                    {
                        self.ranges[QUERY_ID] = (rest as u32, (rest + number.len()) as u32);
                        return Some(());
                    }
                    end = Some(at);
                }
                _ => {}
            }
            at += 1;
        }
        if let Some(from) = end {
            // The query ID differs between statements, so the cached members end before it.
            let value = self.range(QUERY_ID);
            let is_last = value.end + 1 == line.len() && value.start > from;
            let end = if is_last { value.start } else { line.len() };
            self.keep(&mut known.ends, &line[..end], from);
        }
        Some(())
    }

    /// Caches the members of `line` after offset `from`, unless one of them has a backslash.
    #[cold]
    fn keep(&self, known: &mut KnownRuns<u8, ()>, line: &[u8], from: usize) {
        let inside = |(_, (start, end)): &(usize, (u32, u32))| *start as usize > from && *end as usize <= line.len();
        let fields = self.ranges.iter().copied().enumerate().filter(inside);
        let fields = fields.map(|(key, (start, end))| (key as u8, start - from as u32, end - from as u32));
        if memchr::memchr(b'\\', &line[from..]).is_none() {
            known.keep(&line[from..], fields, ());
        }
    }
}

/// The last key of most objects, with the colon after it.
const BEFORE_QUERY_ID: &[u8] = b"\"query_id\":";

/// Returns the range of the string with its opening quote at offset `at`, and whether the string has escapes.
#[inline(always)]
fn find_string(line: &[u8], at: usize) -> Option<(Range<usize>, bool)> {
    if line.get(at) != Some(&b'"') {
        return None;
    }
    let (mut end, mut escaped) = (at + 1, false);
    end += find_near2(b'"', b'\\', &line[end..])?;
    loop {
        if line[end] == b'"' {
            return Some((at + 1..end, escaped));
        }
        escaped = true;
        end += 2;
        end += memchr::memchr2(b'"', b'\\', line.get(end..)?)?;
    }
}
