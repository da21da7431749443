//! PostgreSQL's keywords: looked up by a perfect hash over the generated list. It must not
//! allocate, and it compares whole words.

use crate::hash::{LONGEST, SLOTS, bucket, folded, slot};
use crate::keywords::{KEYWORDS, SEEDS};
use crate::kinds;
use crate::token::{Keyword, RawToken};

/// The keyword with this number in PostgreSQL's list.
#[must_use]
pub fn by_number(number: u16) -> &'static Keyword {
    &KEYWORDS[number as usize]
}

impl RawToken {
    /// Its number in libpg_query's `KeywordKind` enum; 0 for a token that is not a keyword.
    #[inline(always)]
    #[must_use]
    pub fn keyword_kind(self) -> u8 {
        if self.kind > kinds::C_COMMENT { by_number(self.detail).kind } else { 0 }
    }
}

#[derive(Clone, Copy)]
struct Slot {
    word: (u64, u64),
    token: u16,
    number: u16,
}

/// Keywords that are longer than the table's words.
const LONG: usize = {
    let (mut count, mut i) = (0, 0);
    while i < KEYWORDS.len() {
        count += (KEYWORDS[i].name.len() > LONGEST) as usize;
        i += 1;
    }
    count
};

static LONG_KEYWORDS: [u16; LONG] = {
    let mut numbers = [0; LONG];
    let (mut count, mut i) = (0, 0);
    while i < KEYWORDS.len() {
        if KEYWORDS[i].name.len() > LONGEST {
            numbers[count] = i as u16;
            count += 1;
        }
        i += 1;
    }
    numbers
};

/// Built when compiling; two keywords in one slot do not compile.
static TABLE: [Slot; SLOTS] = {
    let mut table = [Slot { word: (0, 0), token: 0, number: 0 }; SLOTS];
    let mut i = 0;
    while i < KEYWORDS.len() {
        if KEYWORDS[i].name.len() <= LONGEST {
            let word = folded(KEYWORDS[i].name.as_bytes());
            let place = slot(word, SEEDS[bucket(word)]);
            assert!(table[place].token == 0, "the hash of keywords is not perfect");
            table[place] = Slot { word, token: KEYWORDS[i].token, number: i as u16 };
        }
        i += 1;
    }
    table
};

/// The token and the number of a keyword, given [`folded`].
#[inline(always)]
pub(crate) fn find(word: (u64, u64)) -> Option<(u16, u16)> {
    let found = &TABLE[slot(word, SEEDS[bucket(word)])];
    (found.word == word).then_some((found.token, found.number))
}

/// The same for a word of any length.
pub(crate) fn find_any(word: &[u8]) -> Option<(u16, u16)> {
    if word.len() <= LONGEST {
        return find(folded(word));
    }
    let same = |number: &&u16| KEYWORDS[**number as usize].name.as_bytes().eq_ignore_ascii_case(word);
    LONG_KEYWORDS.iter().find(same).map(|number| (KEYWORDS[*number as usize].token, *number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_in_any_case() {
        for (number, keyword) in KEYWORDS.iter().enumerate() {
            for word in [keyword.name.to_string(), keyword.name.to_uppercase()] {
                assert_eq!(find_any(word.as_bytes()), Some((keyword.token, number as u16)), "{word}");
            }
            for other in [format!("{}x", keyword.name), keyword.name.replace('_', "o"), keyword.name[1..].into()] {
                let known = KEYWORDS.iter().position(|k| k.name == other);
                assert_eq!(find_any(other.as_bytes()).map(|(_, number)| usize::from(number)), known, "{other:?}");
            }
        }
    }
}
