//! The constants of a tree, sorted by their location in the SQL.

use crate::sys::NumberedConstant;

/// The site (syntactic position) of a constant that is not a plain expression. If two variants apply to a constant, the
/// variant that is defined first is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ConstantSite {
    /// The grammar accepts only a literal.
    Literal,
    /// A number with a sign in LIMIT, OFFSET or FETCH. Before ROW or ROWS, the grammar accepts `+5` but not `+$1`
    /// (gram.y: select_fetch_first_value).
    RowCount,
    /// The value of a setting. It is a literal, a word or, in libpg_query's extended grammar, a parameter.
    Setting,
    /// A literal after its type name, as in `date '2020-01-01'`. The number is the location of the type name.
    Typed(i32),
    /// A literal after the name of a type such as `char`. Such a literal can be longer than one character: `char 'abc'`
    /// is `abc`. A cast to the same type keeps only one character: `'abc'::char` is `a`. If normalization writes a
    /// cast, it therefore uses a similar type without a length limit. The number is the location of the type name. The
    /// string is the name of the similar type.
    Unlimited(i32, &'static str),
}

/// The constants in SQL, sorted by location.
pub(crate) struct CollectedConstants {
    /// The constants and their parameter numbers. A negative number -n means the nth new parameter.
    /// New parameters are numbered after the parameters that the SQL already has.
    pub constants: Vec<NumberedConstant>,
    pub(super) sites: Vec<(i32, ConstantSite)>,
    /// The maximum n of `$n` in the SQL; 0 if there is no parameter.
    pub highest_param: i64,
    /// Whether all statements are queries.
    pub in_query: bool,
    /// Whether the grammar accepts parameters in every statement of the SQL. It accepts them in queries, in statements
    /// that contain a query (EXPLAIN, DECLARE, COPY), and in SET.
    pub(super) takes_parameters: bool,
    /// Whether a constant is a function body. The grammar accepts no parameter as a body.
    pub refuses_parameters: bool,
}

impl CollectedConstants {
    /// Returns the parameter's number in the normalized SQL.
    pub(super) fn number(&self, param: i32) -> i64 {
        if param < 0 { self.highest_param - i64::from(param) } else { i64::from(param) }
    }

    /// Returns one constant per location, because a constant may occur several times in the tree.
    pub(super) fn each(&self) -> impl Iterator<Item = NumberedConstant> + '_ {
        let mut last = -1;
        self.constants
            .iter()
            .copied()
            .filter(move |constant| std::mem::replace(&mut last, constant.location) != constant.location)
    }

    /// Returns whether libpg_query's grammar accepts a parameter in place of each of these constants. It accepts
    /// parameters in expressions and, unlike PostgreSQL's grammar, after a type name and as the value of a setting.
    pub(super) fn are_plain(&self) -> bool {
        let literal = |(_, site): &(i32, ConstantSite)| matches!(site, ConstantSite::Literal | ConstantSite::RowCount);
        self.constants.is_empty() || (self.takes_parameters && !self.sites.iter().any(literal))
    }

    /// Returns whether all constants are certainly parts of expressions.
    pub(super) fn are_in_expressions(&self) -> bool {
        self.constants.is_empty() || (self.in_query && self.are_plain())
    }

    pub(crate) fn count(&self) -> usize {
        self.each().count()
    }

    pub(super) fn site(&self, location: i32) -> Option<ConstantSite> {
        let at = self.sites.partition_point(|(place, _)| *place < location);
        self.sites.get(at).filter(|(place, _)| *place == location).map(|(_, site)| *site)
    }
}
