//! PostgreSQL's keywords: looked up by a perfect hash over the generated list. It must not
//! allocate, and it compares whole words.

use super::hash::{LONGEST, SLOTS, bucket, folded, slot};
use super::keywords::{KEYWORDS, SEEDS};

/// A row of the list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyword {
    pub name: &'static str,
    /// Its number in the grammar.
    pub token: u16,
    /// Its number in libpg_query's `KeywordKind`: reserved, unreserved and so on.
    pub kind: u8,
}

/// A row, as the generated list writes it.
pub(super) const fn keyword(name: &'static str, token: u32, kind: u32) -> Keyword {
    Keyword { name, token: token as u16, kind: kind as u8 }
}

/// The keyword with this number in PostgreSQL's list.
pub(crate) fn by_number(number: u16) -> &'static Keyword {
    &KEYWORDS[number as usize]
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
pub(super) fn find(word: (u64, u64)) -> Option<(u16, u16)> {
    let found = &TABLE[slot(word, SEEDS[bucket(word)])];
    (found.word == word).then_some((found.token, found.number))
}

/// The same for a word of any length.
pub(super) fn find_any(word: &[u8]) -> Option<(u16, u16)> {
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
