//! Tokens as the grammar reads them: without comments, and with the symbols of PostgreSQL's parser.c (`base_yylex`).
//! The symbol of a token may depend on the next token.

use super::automaton::{Record, symbol};
use super::{Leaf, Symbol};

/// A cursor over the tokens of a slice of leaves.
pub(super) struct GrammarTokens<'a> {
    leaves: &'a [Leaf],
    at: usize,
}

impl<'a> GrammarTokens<'a> {
    pub(super) fn new(leaves: &'a [Leaf]) -> Self {
        Self { leaves, at: 0 }
    }

    /// Returns the next token's symbol without appending a record.
    fn skip(&mut self) -> Option<Symbol> {
        let rest = &self.leaves[self.at.min(self.leaves.len())..];
        let index = rest.iter().position(|leaf| !leaf.is_comment())?;
        self.at += index + 1;
        Some(rest[index].symbol)
    }

    fn peek(&self) -> Option<Symbol> {
        self.leaves[self.at..].iter().find(|leaf| !leaf.is_comment()).map(|leaf| leaf.symbol)
    }

    /// Appends the records of the next token: one for each leaf, and one more for a token of several leaves, such as
    /// `U&'x' UESCAPE '!'`. Returns the token's symbol for the grammar, and the number of records.
    pub(super) fn next(&mut self, records: &mut Vec<Record>) -> Option<(Symbol, u32)> {
        let leaf = |symbol| Record { symbol, is_replaced: false, size: 1 };
        let first = self.skip()?;
        records.push(leaf(first));
        let whole = match first {
            symbol::UIDENT => symbol::IDENT,
            symbol::USCONST => symbol::SCONST,
            _ => return Some((self.before_next(first), 1)),
        };
        if self.peek() != Some(symbol::UESCAPE) {
            return Some((whole, 1));
        }
        // Append the keyword UESCAPE and the literal after it.
        for _ in 0..2 {
            records.extend(self.skip().map(leaf));
        }
        let size = records.len() as u32 + 1;
        records.push(Record { symbol: whole, is_replaced: false, size });
        Some((whole, size))
    }

    /// Returns the symbol for a token. The symbol depends on the next token: `NOT` before `IN` is `NOT_LA`.
    fn before_next(&self, token: Symbol) -> Symbol {
        let changes = matches!(token, symbol::NOT | symbol::NULLS_P | symbol::WITH | symbol::WITHOUT | symbol::FORMAT);
        match (token, if changes { self.peek() } else { None }) {
            (symbol::NOT, Some(symbol::BETWEEN | symbol::IN_P | symbol::LIKE | symbol::ILIKE | symbol::SIMILAR)) => {
                symbol::NOT_LA
            }
            (symbol::NULLS_P, Some(symbol::FIRST_P | symbol::LAST_P)) => symbol::NULLS_LA,
            (symbol::WITH, Some(symbol::TIME | symbol::ORDINALITY)) => symbol::WITH_LA,
            (symbol::WITHOUT, Some(symbol::TIME)) => symbol::WITHOUT_LA,
            (symbol::FORMAT, Some(symbol::JSON)) => symbol::FORMAT_LA,
            _ => token,
        }
    }
}
