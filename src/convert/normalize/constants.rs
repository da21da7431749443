//! The constants of a tree, sorted by their location in the text.

use crate::sys::NumberedConstant;

/// The site of a constant that is not a plain expression. The first variant overrides the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ConstantSite {
    /// The grammar accepts only a literal.
    Literal,
    /// The value of a setting: a literal, a word or, in libpg_query's changed grammar, a parameter.
    Setting,
    /// After the name of its type, which starts at this location.
    Typed(i32),
    /// After the name of its type, whose length is unlimited here but 1 in a cast. The string is a type name that is
    /// unlimited in a cast.
    Unlimited(i32, &'static str),
}

/// The constants of a text, by location.
pub(crate) struct CollectedConstants {
    /// The constants. A negative number -n is the nth parameter after those in the text.
    pub constants: Vec<NumberedConstant>,
    pub(super) sites: Vec<(i32, ConstantSite)>,
    /// The maximum n of `$n` in the text; 0 if there is none.
    pub highest_param: i64,
    /// Whether all statements are queries.
    pub in_query: bool,
    /// Whether the grammar accepts parameters for all constants: in queries, in queries inside other statements, and as
    /// values of settings.
    pub(super) takes_parameters: bool,
    /// Whether a constant is a function body, for which the grammar accepts no parameter.
    pub refuses_parameters: bool,
}

impl CollectedConstants {
    /// Returns the number of the parameter in the normalized text.
    pub(super) fn number(&self, param: i32) -> i64 {
        if param < 0 { self.highest_param - i64::from(param) } else { i64::from(param) }
    }

    /// Returns the constants, one for each location: a constant may occur in the tree several times.
    pub(super) fn each(&self) -> impl Iterator<Item = NumberedConstant> + '_ {
        let mut last = -1;
        self.constants
            .iter()
            .copied()
            .filter(move |constant| std::mem::replace(&mut last, constant.location) != constant.location)
    }

    /// Returns whether libpg_query's grammar accepts a parameter for every constant. It does in expressions and, by its
    /// own changes, after a type name and as a setting's value.
    pub(super) fn are_plain(&self) -> bool {
        let literal = |(_, site): &(i32, ConstantSite)| matches!(site, ConstantSite::Literal);
        self.constants.is_empty() || (self.takes_parameters && !self.sites.iter().any(literal))
    }

    /// Returns whether all constants are certainly parts of expressions, so that their values matter nowhere else.
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
