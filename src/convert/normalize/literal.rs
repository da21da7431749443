//! Determines the extent and form of a constant in SQL from the tokens at its location.
//!
//! The functions return `None` if the lexer stops or the tokens are not a constant. In this case, the caller uses
//! libpg_query's own normalization.

use pgq_lexer::{Lexer, RawToken, kinds};

/// The form of a constant in SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantForm {
    /// A literal in quotes or dollar quotes.
    String,
    /// A number, including its sign.
    Number,
    /// `TRUE`, `FALSE`, `NULL` or `ALL`.
    Value,
    /// A word that the grammar treats as a constant, such as `year` in `extract(year FROM a)`.
    Word,
}

/// A constant in SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConstantToken {
    /// Byte offset of the constant's end.
    pub end: usize,
    /// The form.
    pub form: ConstantForm,
    /// Whether the constant consists of one token, or of a minus sign and one token. libpg_query replaces only these
    /// tokens, and leaves additional signs, parentheses and UESCAPE in the SQL.
    pub plain: bool,
}

/// Returns the constant that starts at `at`. `escapes` specifies whether a backslash is an escape in plain literals.
pub fn constant(text: &[u8], at: usize, escapes: bool) -> Option<ConstantToken> {
    const MINUS: u16 = b'-' as u16;
    const PLUS: u16 = b'+' as u16;
    let mut tokens = Lexer::from_offset(text, at, escapes).filter(|token| !token.is_comment());
    let first = tokens.next().filter(|token| token.start as usize == at)?;
    let one = |form| Some(ConstantToken { end: first.end as usize, form, plain: true });
    match first.kind {
        MINUS | PLUS => signed(first, tokens),
        kinds::ICONST | kinds::FCONST => one(ConstantForm::Number),
        kinds::SCONST | kinds::BCONST | kinds::XCONST => one(ConstantForm::String),
        kinds::USCONST => Some(with_escape(first, tokens)),
        kinds::TRUE | kinds::FALSE | kinds::NULL | kinds::ALL => one(ConstantForm::Value),
        // The token is a name or, in the next arm, a keyword. The token kinds of all keywords are greater than
        // `C_COMMENT`.
        kinds::IDENT => one(ConstantForm::Word),
        kind if kind > kinds::C_COMMENT => one(ConstantForm::Word),
        _ => None,
    }
}

/// Returns the number that follows `sign`. PostgreSQL folds signs and parentheses into the constant, as in `- (- 5)`.
/// The location of such a constant is the location of the first sign.
fn signed(sign: RawToken, tokens: impl Iterator<Item = RawToken>) -> Option<ConstantToken> {
    const MINUS: u16 = b'-' as u16;
    const OPEN: u16 = b'(' as u16;
    const CLOSE: u16 = b')' as u16;
    let (mut open, mut plain, mut number) = (0usize, u16::from(b'-') == sign.kind, false);
    for token in tokens {
        match token.kind {
            MINUS if !number => plain = false,
            OPEN if !number => (plain, open) = (false, open + 1),
            kinds::ICONST | kinds::FCONST if !number => number = true,
            CLOSE if number && open > 0 => open -= 1,
            _ => return None,
        }
        if number && open == 0 {
            return Some(ConstantToken { end: token.end as usize, form: ConstantForm::Number, plain });
        }
    }
    None
}

/// Returns a `U&'…'` literal with its optional UESCAPE.
fn with_escape(literal: RawToken, mut tokens: impl Iterator<Item = RawToken>) -> ConstantToken {
    let escape = tokens.next().filter(|token| token.kind == kinds::UESCAPE);
    let escape = escape.and_then(|_| tokens.next()).filter(|token| token.kind == kinds::SCONST);
    let end = escape.map_or(literal.end, |escape| escape.end) as usize;
    ConstantToken { end, form: ConstantForm::String, plain: escape.is_none() }
}

/// Returns the end of the type name that starts at `from` and precedes the literal at `to`. White space and comments
/// after the name are not included.
pub fn name_end(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut lexer = Lexer::from_offset(text, from, false);
    let last = lexer.by_ref().take_while(|token| token.start < to as u32).filter(|token| !token.is_comment()).last();
    last.map(|token| token.end as usize).filter(|end| *end <= to)
}
