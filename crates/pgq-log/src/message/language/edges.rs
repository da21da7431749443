//! First and last bytes of severities and labels. Most texts have neither, so no word need be compared.

use super::table::LANGUAGES;

/// Whether a word of some language starts with a byte, by byte.
pub const STARTS: [bool; 256] = edges(false);

/// Whether a word of some language has a byte before its colon, by byte.
pub const ENDS: [bool; 256] = edges(true);

const fn edges(are_ends: bool) -> [bool; 256] {
    let mut edges = [false; 256];
    let mut language = 0;
    while language < LANGUAGES.len() {
        let mut word = 0;
        while word < 15 {
            let words = &LANGUAGES[language];
            let (text, colon) = if word < 8 { (words.severities[word], 0) } else { (words.labels[word - 8], 1) };
            let at = if are_ends { text.len() - 1 - colon } else { 0 };
            edges[text.as_bytes()[at] as usize] = true;
            word += 1;
        }
        language += 1;
    }
    edges
}
