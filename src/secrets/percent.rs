//! Decodes percent-encoded text, such as the tags of sqlcommenter (`/*route='%2Flogin%3Ftoken%3Dx'*/`).

use std::ops::Range;

/// A text whose percent-encoded ASCII characters are decoded.
pub struct Decoded {
    pub text: String,
    /// For each byte of `text`, and for the end of `text`, the offset in the original text.
    offsets: Vec<usize>,
}

impl Decoded {
    /// Converts a range of the decoded `text` to the corresponding range of the original text.
    pub fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.offsets[range.start]..self.offsets[range.end]
    }
}

/// Decodes the text. Returns `None` if it contains no encoded ASCII character. Other encoded characters stay unchanged,
/// because the names of secrets are ASCII.
pub fn decoded(text: &str) -> Option<Decoded> {
    let bytes = text.as_bytes();
    let mut escapes = memchr::memchr_iter(b'%', bytes).filter_map(|at| Some((at, escape(&bytes[at..])?))).peekable();
    escapes.peek()?;
    let mut decoded = Decoded { text: String::with_capacity(text.len()), offsets: Vec::with_capacity(text.len() + 1) };
    let mut end = 0;
    for (at, (character, len)) in escapes {
        decoded.text.push_str(&text[end..at]);
        decoded.text.push(character);
        decoded.offsets.extend(end..=at);
        end = at + len;
    }
    decoded.text.push_str(&text[end..]);
    decoded.offsets.extend(end..=text.len());
    Some(decoded)
}

/// If the text starts with a percent-encoded ASCII character, returns the character and the length of its encoded
/// form. The character may be encoded several times (`%253D` is `%3D`, which is `=`).
fn escape(text: &[u8]) -> Option<(char, usize)> {
    let mut start = 1;
    while text[start..].starts_with(b"25") {
        start += 2;
    }
    let digits = text.get(start..start + 2)?;
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let code = u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()?;
    code.is_ascii().then_some((char::from(code), start + 2))
}
