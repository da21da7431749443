//! The constants of a tree, sorted by their location in the text.

use crate::sys::NumberedConstant;

/// The site of a constant that is not a plain expression. The first variant wins over the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ConstantSite {
    /// The grammar takes a literal here, and no expression.
    Literal,
    /// The value of a setting: a literal or a word or, by libpg_query's change to the grammar, a parameter.
    Setting,
    /// Behind the name of its type, which starts at this location.
    Typed(i32),
    /// The same, for a type that has no limit there and a length of 1 in a cast: the name that has
    /// no limit in a cast either.
    Unlimited(i32, &'static str),
}

/// The constants of a text, by location.
pub(crate) struct CollectedConstants {
    /// A negative number -n stands for the nth parameter behind those of the text itself.
    pub constants: Vec<NumberedConstant>,
    pub(super) sites: Vec<(i32, ConstantSite)>,
    /// The highest `$n` of the text itself; 0 if it has none.
    pub highest_param: i64,
    /// All statements are queries.
    pub in_query: bool,
    /// All are queries, hold one in which all their constants are, or give values to settings.
    pub(super) takes_parameters: bool,
    /// One is the body of a function: the grammar takes no parameter there.
    pub refuses_parameters: bool,
}

impl CollectedConstants {
    /// Returns the number of the parameter in the normalized text.
    pub(super) fn number(&self, param: i32) -> i64 {
        if param < 0 { self.highest_param - i64::from(param) } else { i64::from(param) }
    }

    /// Returns the constants, one for each location: the tree may hold a constant more than once.
    pub(super) fn each(&self) -> impl Iterator<Item = NumberedConstant> + '_ {
        let mut last = -1;
        self.constants
            .iter()
            .copied()
            .filter(move |constant| std::mem::replace(&mut last, constant.location) != constant.location)
    }

    /// Returns whether libpg_query's grammar takes a parameter in place of each of them: expressions do, and so do, by
    /// libpg_query's own changes to the grammar, the place behind a type's name and that of a setting's value.
    pub(super) fn are_plain(&self) -> bool {
        let literal = |(_, site): &(i32, ConstantSite)| matches!(site, ConstantSite::Literal);
        self.constants.is_empty() || (self.takes_parameters && !self.sites.iter().any(literal))
    }

    /// Returns whether all of them surely are constants of expressions, whose values matter to nothing else.
    pub(super) fn are_in_expressions(&self) -> bool {
        self.constants.is_empty() || (self.in_query && self.are_plain())
    }

    /// Returns the number of constants.
    pub(crate) fn count(&self) -> usize {
        self.each().count()
    }

    pub(super) fn site(&self, location: i32) -> Option<ConstantSite> {
        let at = self.sites.partition_point(|(place, _)| *place < location);
        self.sites.get(at).filter(|(place, _)| *place == location).map(|(_, site)| *site)
    }
}
