//! Parses literals by the rules of PostgreSQL's scanner and grammar.

use pgq_lexer::{Lexer, append_value, dollar_delimiter, integer_value, kinds};

use crate::parse::into_string;
use crate::tree::LiteralValue;

/// Returns the value of a literal with an optional minus sign. Returns `None` for any other text.
pub(super) fn value_in(text: &str) -> Option<LiteralValue> {
    let bytes = text.as_bytes();
    let mut tokens = Lexer::new(bytes).filter(|token| !token.is_comment());
    let first = tokens.next()?;
    let negative = first.kind == u16::from(b'-');
    let token = if negative { tokens.next()? } else { first };
    let digits = &text[token.start as usize..token.end as usize];
    let quoted = || {
        let mut value = Vec::new();
        if bytes[token.start as usize] == b'$' {
            let delimiter = dollar_delimiter(digits.as_bytes()).len();
            return digits[delimiter..digits.len() - delimiter].to_string();
        }
        append_value(bytes, token, &mut value);
        // The value is UTF-8: the lexer has checked the escapes, and all other bytes are from a `&str`.
        into_string(value)
    };
    Some(match token.kind {
        kinds::ICONST => {
            let value = integer_value(digits.as_bytes()) as i32;
            LiteralValue::Integer(if negative { value.wrapping_neg() } else { value })
        }
        kinds::FCONST => LiteralValue::Float(if negative { format!("-{digits}") } else { digits.to_string() }),
        kinds::BCONST | kinds::XCONST => LiteralValue::BitString(quoted()),
        kinds::SCONST => LiteralValue::String(quoted()),
        _ => return None,
    })
}
