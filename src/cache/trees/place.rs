//! Positions of literals in a shape and in a text.

use std::fmt::Write as _;

use crate::cache::shape_key::{Shape, is_literal};
use crate::convert::normalize::ReplacedConstant;

/// A literal of a shape (SQL without the values of its literals): the number of the parameter that replaces it, and the
/// indices of its first and last token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownLiteral {
    pub number: i32,
    pub first: u32,
    pub last: u32,
}

/// A literal of a text: its parameter in the tree, and its byte range.
#[derive(Debug, Clone, Copy)]
pub struct Literal {
    /// Number of the parameter.
    pub number: i32,
    /// Byte offset of the start.
    pub start: u32,
    /// Byte offset of the end.
    pub end: u32,
}

impl KnownLiteral {
    /// Returns the literals of a shape in the order of the text. Returns `None` if a literal cannot be replaced with a
    /// parameter. A parameter can replace one token, or a minus sign and one token.
    pub(crate) fn all(constants: &[ReplacedConstant], shape: &Shape, highest: i32) -> Option<Vec<Self>> {
        const MINUS: u16 = b'-' as u16;
        let mut known = Vec::with_capacity(constants.len());
        for constant in constants {
            let at = |offset: usize| u32::try_from(offset).ok();
            let start = at(constant.range.start)?;
            let end = at(constant.range.end)?;
            let first = shape.tokens.binary_search_by_key(&start, |token| token.start).ok()?;
            let last = shape.tokens.binary_search_by_key(&end, |token| token.end).ok()?;
            match last.checked_sub(first)? {
                0 => {}
                1 if shape.tokens[first].kind == MINUS => {}
                _ => return None,
            }
            // A constant such as TRUE or NULL is not a literal: it is part of the shape, so all
            // texts of the shape contain it.
            if is_literal(shape.tokens[last].kind) {
                known.push(Self { number: 0, first: first as u32, last: last as u32 });
            }
        }
        known.sort_unstable_by_key(|literal| literal.first);
        for (literal, number) in known.iter_mut().zip(1..) {
            literal.number = highest.checked_add(number)?;
        }
        (known.len() == shape.literals).then_some(known)
    }

    pub(super) fn in_text(self, shape: &Shape) -> Literal {
        let (first, last) = (shape.tokens[self.first as usize], shape.tokens[self.last as usize]);
        Literal { number: self.number, start: first.start, end: last.end }
    }
}

/// Returns the text with its literals replaced by parameters.
pub(super) fn normalized(sql: &str, literals: &[Literal]) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut end = 0;
    for literal in literals {
        text.push_str(&sql[end..literal.start as usize]);
        _ = write!(text, "${}", literal.number);
        end = literal.end as usize;
    }
    text.push_str(&sql[end..]);
    text
}
