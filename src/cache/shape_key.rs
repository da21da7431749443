//! Keys of shapes: the tokens of a text, encoded as bytes. Texts with equal keys have the same tokens for the grammar,
//! except for the values of literals.

use pgq_lexer::{Lexer, RawToken, detail, kinds};

/// The part of a text to look up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputScope {
    /// The whole text.
    Text,
    /// The single statement that the text consists of, without the semicolon at its end.
    Statement,
}

/// The shape of a text. Its buffers are reused.
#[derive(Default)]
pub struct Shape {
    /// The tokens, encoded as bytes.
    pub key: Vec<u8>,
    /// The tokens, without comments.
    pub tokens: Vec<ShapeToken>,
    /// Number of literals among the tokens.
    pub literals: usize,
}

thread_local! {
    /// A reusable shape.
    pub(super) static SHAPE: std::cell::RefCell<Shape> = std::cell::RefCell::default();
}

/// Position and kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapeToken {
    /// Byte offset of the start.
    pub start: u32,
    /// Byte offset of the end.
    pub end: u32,
    /// The kind, as in [`pgq_lexer::kinds`].
    pub kind: u16,
}

// Encoding of a key. A one-character token is encoded as its ASCII byte. Any other token begins with one of these
// marks. A length precedes each part of variable length. Therefore different sequences of tokens have different keys.
const LITERAL: u8 = 0x80;
const KEYWORD: u8 = 0x90;
const SIGN: u8 = 0xa0;
const NAME: u8 = 0xb0;
const OPERATOR: u8 = 0xb1;
const PARAMETER: u8 = 0xb2;

/// Maximum length of a text, in bytes. Shapes of longer texts rarely repeat.
pub(super) const LONGEST: usize = 1 << 16;

impl Shape {
    /// Sets this shape to the shape of a text. Returns the part of the text that `extent` selects,
    /// or `None` if the text has no shape.
    // Not inlined, because inlining would leave fewer registers for the loop over the tokens.
    #[inline(never)]
    pub fn read<'t>(&mut self, text: &'t str, extent: InputScope) -> Option<&'t str> {
        self.key.clear();
        self.tokens.clear();
        self.literals = 0;
        // A text with a NUL byte has no shape, because PostgreSQL ends the text at this byte, even inside a literal.
        if text.len() > LONGEST || memchr::memchr(0, text.as_bytes()).is_some() {
            return None;
        }
        let mut lexer = Lexer::new(text.as_bytes());
        for token in &mut lexer {
            if !token.is_comment() {
                self.push(text.as_bytes(), token)?;
            }
        }
        if lexer.fallback().is_some() {
            return None;
        }
        let last = self.tokens.last()?;
        if extent == InputScope::Statement && last.kind == u16::from(b';') && last.end as usize == text.len() {
            self.key.pop();
            self.tokens.pop();
            return Some(&text[..text.len() - 1]);
        }
        Some(text)
    }

    #[inline(always)]
    fn push(&mut self, text: &[u8], token: RawToken) -> Option<()> {
        let RawToken { start, end, kind, detail } = token;
        self.tokens.push(ShapeToken { start, end, kind });
        let key = &mut self.key;
        match kind {
            ..0x80 => key.push(kind as u8),
            kinds::IDENT if detail & detail::LONG == 0 => {
                let name = sized(key, NAME, &text[start as usize..end as usize])?;
                // Quotes of a name are part of the key, so `"a"` and `a` have different keys.
                if detail == detail::CAPITALS {
                    key[name..].make_ascii_lowercase();
                }
            }
            kinds::ICONST | kinds::FCONST | kinds::SCONST | kinds::BCONST | kinds::XCONST => {
                self.literals += 1;
                key.push(LITERAL + (kind - kinds::IDENT) as u8);
            }
            kinds::TYPECAST..=kinds::NOT_EQUALS => key.push(SIGN + (kind - kinds::TYPECAST) as u8),
            kinds::OP => _ = sized(key, OPERATOR, &text[start as usize..end as usize])?,
            kinds::PARAM => _ = sized(key, PARAMETER, &text[start as usize..end as usize])?,
            // The key contains the keyword's number, which is the same for `select` and `SELECT`.
            _ if kind > kinds::C_COMMENT => {
                let [low, high] = detail.to_le_bytes();
                key.extend_from_slice(&[KEYWORD, low, high]);
            }
            // A text with a long name has no shape, because PostgreSQL truncates the name with a notice. A text with
            // `U&"…"` or `U&'…'` has no shape, because a `UESCAPE` clause after the token may change its value.
            _ => return None,
        }
        Some(())
    }
}

/// Appends `mark`, the length of `bytes`, and `bytes`. Returns the position of the bytes in `key`.
#[inline(always)]
fn sized(key: &mut Vec<u8>, mark: u8, bytes: &[u8]) -> Option<usize> {
    key.extend_from_slice(&[mark, u8::try_from(bytes.len()).ok()?]);
    key.extend_from_slice(bytes);
    Some(key.len() - bytes.len())
}

/// Returns whether a token is a literal. Keys do not contain the values of literals.
pub(super) fn is_literal(kind: u16) -> bool {
    matches!(kind, kinds::ICONST | kinds::FCONST | kinds::SCONST | kinds::BCONST | kinds::XCONST)
}
