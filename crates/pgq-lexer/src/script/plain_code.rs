//! Skips plain code up to the next byte at which a statement may end. Compares many bytes at the same time, instead of
//! reading tokens.

use super::lexer::{ScriptLexer, is_word_byte};

impl ScriptLexer<'_> {
    /// Skips words, numbers, operators and white space. Stops at a semicolon, which may end the statement. Also stops
    /// at bytes that affect where the statement ends: a colon, a backslash, or the start of a comment or of a quoted
    /// text. Before `E'…'`, stops at the `E`.
    pub(super) fn skip_plain_code(&mut self) {
        let text = self.text();
        let (mut from, mut at) = (self.offset(), self.offset());
        loop {
            let Some(len) = landmark(&text[at..]) else {
                at = text.len();
                break;
            };
            at += len;
            let before = &text[from..at];
            match &text[at..] {
                // A dollar sign may be part of a name, but not of an integer.
                [b'$', ..] => {
                    let word = before.iter().rev().take_while(|byte| is_word_byte(**byte));
                    if word.copied().all(|byte| byte.is_ascii_digit()) {
                        break;
                    }
                    at += text[at..].iter().take_while(|byte| is_word_byte(**byte)).count();
                    from = at;
                }
                [b'\'', ..] => {
                    let is_prefixed = match before {
                        [.., other, b'e' | b'E'] => !is_word_byte(*other),
                        [b'e' | b'E'] => true,
                        _ => false,
                    };
                    at -= usize::from(is_prefixed);
                    break;
                }
                [b'-', b'-', ..] | [b'/', b'*', ..] => break,
                [b'-' | b'/', ..] => at += 1,
                _ => break,
            }
        }
        self.seek(at);
    }
}

/// Returns the offset of the first byte at which [`ScriptLexer::skip_plain_code`] may stop. Compares 16 bytes at a time
/// with vector instructions.
fn landmark(text: &[u8]) -> Option<usize> {
    let is_landmark = |byte: u8| {
        (byte == b';')
            | (byte == b':')
            | (byte == b'\'')
            | (byte == b'"')
            | (byte == b'$')
            | (byte == b'\\')
            | (byte == b'-')
            | (byte == b'/')
    };
    let (chunks, rest) = text.as_chunks::<16>();
    for (index, chunk) in chunks.iter().enumerate() {
        let mut flags = [0; 16];
        for (flag, byte) in flags.iter_mut().zip(chunk) {
            *flag = u8::from(is_landmark(*byte));
        }
        let found = u128::from_le_bytes(flags);
        if found != 0 {
            return Some(16 * index + found.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| is_landmark(*byte))?;
    Some(16 * chunks.len() + at)
}

#[cfg(test)]
mod tests {
    use super::landmark;
    use crate::script::{ScriptLexer, ScriptToken};

    /// Returns the tokens of `text` that end plain code, with their end offsets.
    fn landmarks(text: &[u8], skip: impl Fn(&mut ScriptLexer<'_>)) -> Vec<(ScriptToken, usize)> {
        let (mut lexer, mut found) = (ScriptLexer::new(text, 0), Vec::new());
        loop {
            skip(&mut lexer);
            let token = lexer.next_token();
            let is_landmark = match token {
                ScriptToken::Word(_) => false,
                ScriptToken::Other(byte) => b":'\"$\\".contains(&byte),
                ScriptToken::Semicolon | ScriptToken::Backslash(_) | ScriptToken::End => true,
            };
            let is_end = token == ScriptToken::End;
            if is_landmark {
                found.push((token, lexer.offset()));
            }
            if is_end {
                return found;
            }
        }
    }

    #[test]
    fn plain_code_ends_where_the_tokens_say() {
        const BYTES: &[u8; 13] = b"ae1$'\";-/*\\: ";
        const LENGTH: u32 = 5;
        for before in [&b""[..], b"ab, cd = ef", b"abc, de + fgh i\njkl m, n + o "] {
            for number in 0..BYTES.len().pow(LENGTH) {
                let digit = |place| BYTES[number / BYTES.len().pow(place) % BYTES.len()];
                let text: Vec<u8> = before.iter().copied().chain((0..LENGTH).map(digit)).collect();
                let expected = landmarks(&text, |_| {});
                assert_eq!(landmarks(&text, |lexer| lexer.skip_plain_code()), expected, "{}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn a_landmark_is_found_at_any_place() {
        for len in 0..50 {
            assert_eq!(landmark(&vec![b'x'; len]), None);
            for (place, byte) in (0..len).flat_map(|place| b":;'\"$\\-/".map(|byte| (place, byte))) {
                let mut text = vec![b'x'; len];
                text[place] = byte;
                assert_eq!(landmark(&text), Some(place), "{}", text.escape_ascii());
            }
        }
    }
}
