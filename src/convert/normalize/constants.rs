//! The constants that a walk collects of a tree, in the order of their places in the text.

use crate::sys::NumberedConstant;

/// Where a constant stands that does not just stand in an expression. In order of what wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ConstantSite {
    /// Where the grammar has a literal, and no expression.
    Literal,
    /// Behind the name of its type, which starts at this place.
    Typed(i32),
}

/// The constants of a text, by place.
pub(crate) struct CollectedConstants {
    /// Numbers below 0 are the walk's own, to follow those that the text has.
    pub constants: Vec<NumberedConstant>,
    pub(super) sites: Vec<(i32, ConstantSite)>,
    /// The highest parameter of the text.
    pub highest_param: i64,
    /// All statements are queries.
    pub in_query: bool,
}

impl CollectedConstants {
    /// The number of the parameter.
    pub(super) fn number(&self, param: i32) -> i64 {
        if param < 0 { self.highest_param - i64::from(param) } else { i64::from(param) }
    }

    /// Each place once: a constant that the tree holds more than once is replaced once.
    pub(super) fn each(&self) -> impl Iterator<Item = NumberedConstant> + '_ {
        let mut last = -1;
        self.constants
            .iter()
            .copied()
            .filter(move |constant| std::mem::replace(&mut last, constant.location) != constant.location)
    }

    /// Whether all of them stand where libpg_query's grammar takes parameters: in expressions,
    /// and behind the name of a type, by a change of its own.
    pub(super) fn are_plain(&self) -> bool {
        let typed = || self.sites.iter().all(|(_, site)| matches!(site, ConstantSite::Typed(_)));
        self.constants.is_empty() || (self.in_query && typed())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.each().count()
    }

    pub(super) fn site(&self, location: i32) -> Option<ConstantSite> {
        let at = self.sites.partition_point(|(place, _)| *place < location);
        self.sites.get(at).filter(|(place, _)| *place == location).map(|(_, site)| *site)
    }
}
