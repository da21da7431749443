//! First and last bytes of severities and labels in all languages. A lookup of these bytes rejects
//! most strings without a comparison of words.

use super::table::LANGUAGES;
use super::transliterated::TRANSLITERATED;

/// For each byte value, whether a severity or a label begins with this byte.
pub const STARTS: [bool; 256] = edges(false);

/// For each byte value, whether a severity ends with this byte, or a label has this byte before its colon.
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
    let mut word = 0;
    while word < TRANSLITERATED.len() {
        let text = TRANSLITERATED[word].0.as_bytes();
        edges[text[if are_ends { text.len() - 1 } else { 0 }] as usize] = true;
        word += 1;
    }
    edges[b'?' as usize] = true; // a severity may consist of question marks
    edges
}
