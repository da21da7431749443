//! Normalizes a tree's SQL, and checks that the meaning is unchanged.

use super::{Statement, Tree};
use crate::convert::normalize::{
    CollectedConstants, ConservativeRewrite, Deviation, Normalized, ReplacedConstant, collect_constants, conservative,
    libpg_compatible, plain, plain_constants, with_words,
};
use crate::error::{Error, ErrorKind};
use crate::options::{FingerprintOptions, ParseOptions};
use crate::parse::into_string;

use crate::sys::Subject;

impl Tree {
    /// Replaces the constants of the SQL with `$n`, like `pg_query_normalize`. With `utility_only`, works like
    /// `pg_query_normalize_utility`. The result differs from libpg_query's result if libpg_query would change the
    /// meaning of the SQL; see [`Deviation`].
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit, was relocated, or is from
    /// [`EditTree::freeze`](crate::EditTree::freeze).
    pub fn normalize(&self, utility_only: bool) -> Result<Normalized, Error> {
        self.normalize_subject(None, utility_only)
    }

    /// Normalizes one statement, or the whole SQL.
    #[inline]
    pub(super) fn normalize_subject(
        &self,
        statement: Option<Statement<'_>>,
        utility_only: bool,
    ) -> Result<Normalized, Error> {
        if !self.inner.has_own_text() {
            return Err(Error::new(ErrorKind::Tree, "the tree has no SQL of its own that could be normalized"));
        }
        let sql = statement.map_or(self.sql(), Statement::sql);
        let escapes = self.backslash_escapes;
        let constants = self.collected_constants(statement, utility_only)?;
        if let Some(text) = plain(sql, &constants, escapes) {
            return Ok(Normalized::compatible(text));
        }
        if let Some(text) = with_words(sql, &constants, escapes) {
            return Ok(Normalized { deviations: vec![Deviation::Word], ..Normalized::compatible(text) });
        }
        if !constants.refuses_parameters
            && let Some(text) = libpg_compatible(sql, &constants, escapes)
        {
            let compatible = Normalized::compatible(text);
            if self.has_same_meaning(statement, &compatible) {
                return Ok(compatible);
            }
        }
        let unchanged = || {
            let deviations = vec![Deviation::Statement];
            Normalized { text: sql.to_string(), kept: constants.count(), quoted: 0, deviations }
        };
        let rewritten = match conservative(sql.as_bytes(), &constants, escapes) {
            Some(ConservativeRewrite { text: bytes, kept, quoted, deviations }) => {
                Normalized { text: into_string(bytes), kept, quoted, deviations }
            }
            None => match crate::parse::normalize::normalize_as(sql, utility_only) {
                Ok(text) => Normalized::compatible(text),
                // libpg_query's normalization can write SQL that libpg_query's own grammar rejects. If `sql` was
                // already normalized in this way, the error is a syntax error, and `sql` is returned unchanged.
                Err(error) if error.kind == ErrorKind::Syntax => return Ok(unchanged()),
                Err(error) => return Err(error),
            },
        };
        if self.has_same_meaning(statement, &rewritten) {
            return Ok(rewritten);
        }
        Ok(unchanged())
    }

    /// Returns whether normalized SQL parses and has the same fingerprint as the original SQL. If strings became
    /// `'$n'`, the fingerprints are not compared, because a fingerprint can include such strings.
    fn has_same_meaning(&self, statement: Option<Statement<'_>>, normalized: &Normalized) -> bool {
        let parse = ParseOptions { backslash_escapes: self.backslash_escapes, ..ParseOptions::normalized() };
        let Some(tree) = Tree::parse_if_valid(&normalized.text, &parse) else { return false };
        if tree.len() != statement.map_or(self.len(), |_| 1) {
            return false;
        }
        let options = FingerprintOptions::default();
        normalized.quoted > 0 || {
            let (before, after) = match statement {
                Some(statement) => (statement.fingerprint(&options), tree.statement(0).fingerprint(&options)),
                None => (self.fingerprint(&options), tree.fingerprint(&options)),
            };
            before.map(|f| f.fingerprint) == after.map(|f| f.fingerprint)
        }
    }

    /// Returns the constants that [`Tree::normalize`] replaces in one statement or the whole SQL. Returns `None` unless
    /// all of them are certainly parts of expressions.
    pub(crate) fn replaceable_constants(
        &self,
        statement: Option<Statement<'_>>,
    ) -> Result<Option<Vec<ReplacedConstant>>, Error> {
        let sql = statement.map_or(self.sql(), Statement::sql);
        let constants = self.collected_constants(statement, false)?;
        Ok(plain_constants(sql.as_bytes(), &constants, self.backslash_escapes))
    }

    #[inline]
    fn collected_constants(
        &self,
        statement: Option<Statement<'_>>,
        utility_only: bool,
    ) -> Result<CollectedConstants, Error> {
        let (subject, base) = match statement {
            Some(statement) => (Subject::Statement(statement.raw()), self.padding + statement.range().start),
            None => (Subject::Tree(self.inner.tree()), self.padding),
        };
        Ok(collect_constants(subject, base, utility_only)?)
    }
}
