//! A tally of all errors of a digest, by SQLSTATE and masked message. It is bounded, and merges
//! exactly and in any order: of too many kinds of errors, the first in byte order are kept, and the
//! others are counted together.

use std::collections::BTreeMap;

use crate::execution::{LogTime, cut_text, order_of_texts, order_of_times};
use crate::mask::mask;

/// Maximum number of kinds of errors.
const MAX_KINDS: usize = 1000;

/// Maximum number of statements that are counted one by one for a kind of error.
const MAX_STATEMENTS: usize = 10_000;

/// Maximum length of a message, in bytes; the rest is cut off.
const MAX_MESSAGE_LEN: usize = 1024;

/// Errors by SQLSTATE (empty where the log does not tell) and masked message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorTally {
    /// In byte order.
    #[expect(clippy::vec_box, reason = "a kind is inserted among up to a thousand large ones, which move")]
    kinds: Vec<Box<Kind>>,
    /// Errors of the kinds that are not kept.
    pub others: u64,
}

/// A kind of error with what is counted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Kind {
    sqlstate: Box<str>,
    /// The masked message.
    message: Box<str>,
    counts: ErrorKind,
}

/// What is counted of a kind of error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorKind {
    /// How often it occurred.
    pub count: u64,
    /// Its earliest message as in the log, with when that was.
    pub example: (Option<LogTime>, Box<str>),
    /// When it occurred last.
    pub last: Option<LogTime>,
    /// How often by the fingerprint of the statement; `None` for statements without one.
    pub statements: BTreeMap<Option<u64>, u64>,
    /// Errors of the statements that are not kept.
    pub other_statements: u64,
}

impl ErrorTally {
    /// Adds an error of a statement. `sqlstate` may be empty.
    pub fn add(&mut self, sqlstate: &[u8], message: &[u8], time: Option<(i64, &[u8])>, statement: Option<u64>) {
        let message = String::from_utf8_lossy(message);
        let message = cut_text(&message, MAX_MESSAGE_LEN);
        let (sqlstate, masked) = (String::from_utf8_lossy(sqlstate), mask(message));
        match self.place_of(&sqlstate, &masked) {
            Ok(at) => self.kinds[at].counts.add(message, time, statement),
            Err(at) => {
                let time = time.map(|(micros, text)| LogTime::new(micros, text));
                let counts = ErrorKind {
                    count: 1,
                    example: (time.clone(), message.into()),
                    last: time,
                    statements: BTreeMap::from([(statement, 1)]),
                    other_statements: 0,
                };
                self.insert(at, Kind { sqlstate: sqlstate.into(), message: masked.into(), counts });
            }
        }
    }

    /// Where a kind is, or would be.
    fn place_of(&self, sqlstate: &str, message: &str) -> Result<usize, usize> {
        self.kinds.binary_search_by(|kind| {
            let order = order_of_texts(kind.sqlstate.as_bytes(), sqlstate.as_bytes());
            order.then_with(|| order_of_texts(kind.message.as_bytes(), message.as_bytes()))
        })
    }

    fn add_kind(&mut self, kind: Kind) {
        match self.place_of(&kind.sqlstate, &kind.message) {
            Ok(at) => self.kinds[at].counts.merge(kind.counts),
            Err(at) => self.insert(at, kind),
        }
    }

    fn insert(&mut self, at: usize, kind: Kind) {
        self.kinds.insert(at, Box::new(kind));
        if self.kinds.len() > MAX_KINDS
            && let Some(kind) = self.kinds.pop()
        {
            self.others += kind.counts.count;
        }
    }

    /// Adds other errors.
    pub fn merge(&mut self, other: Self) {
        other.kinds.into_iter().for_each(|kind| self.add_kind(*kind));
        self.others += other.others;
    }

    /// The SQLSTATE, the masked message and the counts of each kind, in byte order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &ErrorKind)> {
        self.kinds.iter().map(|kind| (&*kind.sqlstate, &*kind.message, &kind.counts))
    }

    /// The values of [`ErrorTally::iter`].
    pub fn into_kinds(self) -> impl Iterator<Item = (Box<str>, Box<str>, ErrorKind)> {
        self.kinds.into_iter().map(|kind| (kind.sqlstate, kind.message, kind.counts))
    }

    /// A tally with the values of [`ErrorTally::iter`] and [`ErrorTally::others`].
    #[must_use]
    pub fn from_parts(kinds: impl IntoIterator<Item = (Box<str>, Box<str>, ErrorKind)>, others: u64) -> Self {
        let mut tally = Self { kinds: Vec::new(), others };
        let kinds = kinds.into_iter().map(|(sqlstate, message, counts)| Kind { sqlstate, message, counts });
        kinds.for_each(|kind| tally.add_kind(kind));
        tally
    }
}

impl ErrorKind {
    /// The order of examples, best first: those with a time, then the earliest.
    fn rank((time, message): &(Option<LogTime>, Box<str>)) -> (bool, Option<&LogTime>, &str) {
        (time.is_none(), time.as_ref(), message)
    }

    /// Adds an error.
    fn add(&mut self, message: &str, time: Option<(i64, &[u8])>, statement: Option<u64>) {
        self.count += 1;
        let (first, example) = &self.example;
        let order = time.is_none().cmp(&first.is_none()).then_with(|| order_of_times(time, first.as_ref()));
        if order.then_with(|| message.cmp(example)).is_lt() {
            self.example = (time.map(|(micros, text)| LogTime::new(micros, text)), message.into());
        }
        if order_of_times(time, self.last.as_ref()).is_gt() {
            self.last = time.map(|(micros, text)| LogTime::new(micros, text));
        }
        self.add_statement(statement, 1);
    }

    fn merge(&mut self, other: Self) {
        self.count += other.count;
        if Self::rank(&other.example) < Self::rank(&self.example) {
            self.example = other.example;
        }
        self.last = self.last.take().max(other.last);
        self.other_statements += other.other_statements;
        other.statements.into_iter().for_each(|(statement, count)| self.add_statement(statement, count));
    }

    fn add_statement(&mut self, statement: Option<u64>, count: u64) {
        *self.statements.entry(statement).or_default() += count;
        if self.statements.len() > MAX_STATEMENTS
            && let Some((_, count)) = self.statements.pop_last()
        {
            self.other_statements += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorTally, MAX_KINDS};

    #[test]
    fn errors_that_differ_in_names_are_one_kind() {
        let mut tally = ErrorTally::default();
        tally.add(b"42P01", b"relation \"b\" does not exist", Some((2, b"two")), Some(7));
        tally.add(b"42P01", b"relation \"a\" does not exist", Some((1, b"one")), Some(7));
        tally.add(b"42P01", b"relation \"c\" does not exist", None, None);
        tally.add(b"", b"relation \"c\" does not exist", None, None);
        let kinds: Vec<_> = tally.iter().collect();
        assert_eq!(kinds.len(), 2);
        let (sqlstate, message, kind) = kinds[1];
        assert_eq!((sqlstate, message, kind.count), ("42P01", "relation \"…\" does not exist", 3));
        assert_eq!(&*kind.example.1, "relation \"a\" does not exist");
        assert_eq!((&*kind.last.as_ref().unwrap().text, kind.statements[&Some(7)]), ("two", 2));
    }

    #[test]
    fn the_kinds_kept_do_not_depend_on_the_order() {
        let letters = |i: usize| ["a", "b", "c", "d", "e", "f", "g", "h"][i % 8];
        let message = |i: usize| (0..4).map(|digit| letters(i >> (3 * digit))).collect::<String>();
        let add_all = |numbers: &[usize]| {
            let mut tally = ErrorTally::default();
            numbers.iter().for_each(|i| tally.add(b"XX000", message(i * 37 % 2000).as_bytes(), None, Some(*i as u64)));
            tally
        };
        let numbers: Vec<usize> = (0..3000).collect();
        let whole = add_all(&numbers);
        let total = whole.iter().map(|(.., kind)| kind.count).sum::<u64>() + whole.others;
        assert_eq!((whole.iter().count(), total), (MAX_KINDS, 3000));
        for cut in [1, 700, 2500] {
            let mut merged = add_all(&numbers[cut..]);
            merged.merge(add_all(&numbers[..cut]));
            assert_eq!(merged, whole);
        }
        let parts = whole.iter().map(|(sqlstate, message, kind)| (sqlstate.into(), message.into(), kind.clone()));
        assert_eq!(ErrorTally::from_parts(parts, whole.others), whole);
    }
}
