//! First and last bytes of severities and labels. They reject most strings without a comparison of words.

use super::table::LANGUAGES;

/// For each byte, whether a severity or label starts with the byte in any language.
pub const STARTS: [bool; 256] = edges(false);

/// For each byte, whether a severity, or a label without its colon, ends with the byte in any language.
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
