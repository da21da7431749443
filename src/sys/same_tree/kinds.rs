//! The token kinds that the rules use: the kinds of the crate pgq-lexer, and the kinds of one-character tokens.

pub(super) use pgq_lexer::kinds::*;

/// Returns the kind of a one-character token.
pub(super) const fn of(byte: u8) -> u16 {
    byte as u16
}

pub(super) const OPEN: u16 = of(b'(');
pub(super) const CLOSE: u16 = of(b')');
pub(super) const COMMA: u16 = of(b',');
pub(super) const DOT: u16 = of(b'.');
pub(super) const OPEN_BRACKET: u16 = of(b'[');
pub(super) const CLOSE_BRACKET: u16 = of(b']');
pub(super) const EQUALS: u16 = of(b'=');
pub(super) const SEMICOLON: u16 = of(b';');
