//! Masks names and values in error messages, so that `relation "a" does not exist` and `relation "b" does not exist`
//! are counted together.

/// Quotation marks around names and values in PostgreSQL's messages and their translations: each opening mark with its
/// closing marks.
const QUOTES: [(char, &[char]); 6] = [
    ('"', &['"']),
    ('\u{201c}', &['\u{201d}']),             // English, Chinese
    ('\u{201e}', &['\u{201c}', '\u{201d}']), // German, Polish
    ('\u{ab}', &['\u{bb}']),                 // French, Russian
    ('\u{bb}', &['\u{ab}']),                 // Swedish
    ('\u{300c}', &['\u{300d}']),             // Japanese
];

/// Replacement of quoted text.
const MASKED: &str = "…";

/// Masks the variable parts of a message, and returns the first line of the result. Quoted text becomes `…`. A number
/// that is not part of a word becomes `N`.
///
/// ```
/// use pgq_digest::mask;
///
/// assert_eq!(mask("invalid input syntax for type json: \"{\""), "invalid input syntax for type json: \"…\"");
/// assert_eq!(mask("value 1234.5 is out of range for type int4"), "value N is out of range for type int4");
/// ```
#[must_use]
pub fn mask(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    let mut before = ' ';
    loop {
        let plain = rest.bytes().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
        out.push_str(&rest[..plain]);
        before = rest.as_bytes()[..plain].last().map_or(before, |byte| char::from(*byte));
        rest = &rest[plain..];
        let Some(first) = rest.chars().next() else { return out };
        if first == '\n' {
            out.truncate(out.trim_end_matches('\r').len());
            return out;
        }
        let len = match QUOTES.iter().find(|(open, _)| *open == first) {
            Some((_, closing)) => {
                // A quoted text after `: ` or ` at or near ` is usually the last part of the message, and may itself
                // contain quotation marks. Therefore it ends at the last closing mark of the message. For example, all
                // of `{"a"}` is masked in `invalid input syntax for type json: "{"a"}"`.
                let is_last = [": ", " at or near "].iter().any(|before| out.ends_with(before));
                quoted(rest, first, closing, is_last, &mut out)
            }
            None if first.is_ascii_digit() && !joins_number(before) => number(rest, &mut out),
            None => {
                out.push(first);
                first.len_utf8()
            }
        };
        before = rest[..len].chars().next_back().unwrap_or(first);
        rest = &rest[len..];
    }
}

/// Whether a byte is copied verbatim. Other bytes may start a quoted text or a number, or end the
/// line.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii() && !matches!(byte, b'"' | b'\n') && !byte.is_ascii_digit()
}

/// Appends the quotation marks of a quoted text, with a mask between them. Without a closing mark, the quoted text is
/// the rest of the message. If `is_last`, the last closing mark ends the quoted text. Returns the number of bytes read.
fn quoted(text: &str, open: char, closing: &[char], is_last: bool, out: &mut String) -> usize {
    out.push(open);
    let inner = &text[open.len_utf8()..];
    // Usually, the first closing mark ends the quoted text. However, a closing mark directly before a letter, a digit
    // or an underscore is part of the quoted text: the quoted text in `"a"b"` is `a"b`.
    let ends = inner.char_indices().filter(|(_, c)| closing.contains(c));
    let mut ends = ends.map(|(at, c)| (at, at + c.len_utf8()));
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = if is_last { ends.next_back() } else { ends.find(|(_, end)| !inner[*end..].starts_with(goes_on)) };
    let (at, end) = end.unwrap_or((inner.len(), inner.len()));
    out.push_str(MASKED);
    out.push_str(&inner[at..end]);
    open.len_utf8() + end
}

/// Appends `N` for a number. A word that starts with digits is not a number, and is appended unchanged. Returns the
/// number of bytes read.
fn number(text: &str, out: &mut String) -> usize {
    let word = text.find(|c: char| !joins_number(c) && c != '.' && c != ',').unwrap_or(text.len());
    // A period or comma after a number belongs to the sentence.
    let word = text[..word].trim_end_matches(['.', ',']);
    let word = word.strip_suffix("ms").unwrap_or(word); // Korean messages write `30.130ms`
    out.push_str(if word.contains(|c: char| c.is_alphabetic() || c == '_') { word } else { "N" });
    word.len()
}

/// Whether a character next to digits is part of the same word. Returns false for letters of Chinese, Japanese and
/// Korean, because these languages write numbers without blanks around them.
fn joins_number(c: char) -> bool {
    (c.is_alphanumeric() && c < '\u{1100}') || c == '_'
}
