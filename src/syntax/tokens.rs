//! The tokens of a text as the grammar reads them: without comments, and with the filter between PostgreSQL's scanner and
//! its grammar (parser.c: base_yylex), which looks one token further.

use super::automaton::{Record, symbol};
use super::{Leaf, Symbol};

/// Yields the tokens among some leaves.
pub(super) struct GrammarTokens<'a> {
    leaves: &'a [Leaf],
    at: usize,
}

impl<'a> GrammarTokens<'a> {
    pub(super) fn new(leaves: &'a [Leaf]) -> Self {
        Self { leaves, at: 0 }
    }

    /// Returns the next token, without its records.
    fn skip(&mut self) -> Option<Symbol> {
        let rest = &self.leaves[self.at.min(self.leaves.len())..];
        let index = rest.iter().position(|leaf| !leaf.is_comment())?;
        self.at += index + 1;
        Some(rest[index].symbol)
    }

    fn peek(&self) -> Option<Symbol> {
        self.leaves[self.at..].iter().find(|leaf| !leaf.is_comment()).map(|leaf| leaf.symbol)
    }

    /// Returns the next token as the grammar knows it, and how many records were appended: one for each leaf, and one for a
    /// token that several leaves make.
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
        // The keyword and the literal behind it.
        for _ in 0..2 {
            records.extend(self.skip().map(leaf));
        }
        let size = records.len() as u32 + 1;
        records.push(Record { symbol: whole, is_replaced: false, size });
        Some((whole, size))
    }

    /// What a token is to the grammar before the next one.
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
