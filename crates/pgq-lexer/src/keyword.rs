//! Looks up PostgreSQL's keywords in the generated list with a perfect hash. The lookup compares whole words and does
//! not allocate.

use crate::hash::{MAX_WORD_LEN, TABLE_SIZE, bucket, fold_case, table_index};
use crate::keywords::{KEYWORDS, SEEDS};
use crate::kinds;
use crate::token::{Keyword, RawToken};

impl Keyword {
    /// Returns the keyword at index `number` of PostgreSQL's list; see [`RawToken::detail`].
    ///
    /// # Panics
    /// Panics if `number` is not less than the number of keywords.
    #[must_use]
    pub fn by_number(number: u16) -> &'static Self {
        &KEYWORDS[number as usize]
    }

    /// Returns the keyword with this name, ignoring case.
    #[must_use]
    pub fn by_name(word: &[u8]) -> Option<&'static Self> {
        lookup(word).map(|(_, number)| Self::by_number(number))
    }
}

impl RawToken {
    /// Returns the keyword's number in libpg_query's `KeywordKind` enum; 0 for other tokens.
    #[inline(always)]
    #[must_use]
    pub fn keyword_kind(self) -> u8 {
        if self.kind > kinds::C_COMMENT { KINDS[usize::from(self.detail) % KINDS.len()] } else { 0 }
    }
}

/// The keyword kinds, indexed by keyword number.
static KINDS: [u8; 512] = {
    let mut kinds = [0; 512];
    let mut i = 0;
    while i < KEYWORDS.len() {
        kinds[i] = KEYWORDS[i].kind;
        i += 1;
    }
    kinds
};

/// An entry of the hash table.
#[derive(Clone, Copy)]
struct TableEntry {
    /// The word, packed by [`fold_case`].
    word: (u64, u64),
    token: u16,
    number: u16,
}

/// Number of keywords that are too long for the hash table.
const LONG_COUNT: usize = {
    let (mut count, mut i) = (0, 0);
    while i < KEYWORDS.len() {
        count += (KEYWORDS[i].name.len() > MAX_WORD_LEN) as usize;
        i += 1;
    }
    count
};

/// The keywords that are too long for the hash table, as indexes in PostgreSQL's list.
static LONG_KEYWORDS: [u16; LONG_COUNT] = {
    let mut numbers = [0; LONG_COUNT];
    let (mut count, mut i) = (0, 0);
    while i < KEYWORDS.len() {
        if KEYWORDS[i].name.len() > MAX_WORD_LEN {
            numbers[count] = i as u16;
            count += 1;
        }
        i += 1;
    }
    numbers
};

/// The hash table. It is built at compile time, and a collision is a compile error.
static TABLE: [TableEntry; TABLE_SIZE] = {
    let mut table = [TableEntry { word: (0, 0), token: 0, number: 0 }; TABLE_SIZE];
    let mut i = 0;
    while i < KEYWORDS.len() {
        if KEYWORDS[i].name.len() <= MAX_WORD_LEN {
            let word = fold_case(KEYWORDS[i].name.as_bytes());
            let index = table_index(word, SEEDS[bucket(word)]);
            assert!(table[index].token == 0, "the hash of keywords is not perfect");
            table[index] = TableEntry { word, token: KEYWORDS[i].token, number: i as u16 };
        }
        i += 1;
    }
    table
};

/// Returns the token number and the keyword number of a packed word; see [`fold_case`].
#[inline(always)]
pub(crate) fn lookup_folded(word: (u64, u64)) -> Option<(u16, u16)> {
    let entry = &TABLE[table_index(word, SEEDS[bucket(word)])];
    (entry.word == word).then_some((entry.token, entry.number))
}

/// Returns the token number and the keyword number of a word of any length and case.
pub(crate) fn lookup(word: &[u8]) -> Option<(u16, u16)> {
    if word.len() <= MAX_WORD_LEN {
        return lookup_folded(fold_case(word));
    }
    let is_word = |number: &&u16| KEYWORDS[**number as usize].name.as_bytes().eq_ignore_ascii_case(word);
    LONG_KEYWORDS.iter().find(is_word).map(|number| (KEYWORDS[*number as usize].token, *number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_in_any_case() {
        for (number, keyword) in KEYWORDS.iter().enumerate() {
            for word in [keyword.name.to_string(), keyword.name.to_uppercase()] {
                assert_eq!(lookup(word.as_bytes()), Some((keyword.token, number as u16)), "{word}");
                assert_eq!(Keyword::by_name(word.as_bytes()).map(|found| found.name), Some(keyword.name));
            }
            for other in [format!("{}x", keyword.name), keyword.name.replace('_', "o"), keyword.name[1..].into()] {
                let expected = KEYWORDS.iter().position(|k| k.name == other);
                assert_eq!(lookup(other.as_bytes()).map(|(_, number)| usize::from(number)), expected, "{other:?}");
            }
        }
    }
}
