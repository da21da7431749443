//! Detects padded fields of a prefix, such as `%-10u`. Next to a padded field, the number of blanks varies from line to
//! line. Does not determine which fields the values belong to.

use super::template::{Role, Row, Template};
use super::token::Look;

impl Template<'_, '_> {
    /// Finds runs of blanks whose length depends on the adjacent value.
    pub fn find_padding(&mut self) {
        for blank in 0..self.roles.len() {
            // The padding of a backend type is constant if all lines are of clients. Such padding is detected by its
            // length.
            let is_wide = || {
                blank > 0 && self.look(blank - 1) == Some(Look::Backend) && self.rows[0].tokens[blank].text.len() > 2
            };
            if self.look(blank) != Some(Look::Blank) || (self.is_constant(blank) && !is_wide()) {
                continue;
            }
            let before = (0..blank).rev().find(|at| self.roles[*at] != Role::Inside);
            let before = before.filter(|at| matches!(self.roles[*at], Role::Field(_)));
            let after = Some(blank + 1).filter(|at| matches!(self.roles.get(*at), Some(Role::Field(_))));
            if let Some((at, width)) = before.and_then(|at| Some((at, self.width(at, blank, blank + 1)?))) {
                self.padding.push((at, 1 - width));
                self.roles[blank] = Role::LastBlank;
            } else if let Some((at, width)) = after.and_then(|at| Some((at, self.width(blank, blank, at + 1)?))) {
                self.padding.push((at, width));
                self.roles[blank] = Role::Inside;
            } else if let (Some(first), Some(second)) = (before, after)
                && let Some(width) = self.width(first, blank, second + 1)
            {
                // `%-12a %5l`: the blanks of the two fields are adjacent, so the boundary between the fields is
                // unknown. Assumes that the longest value fills the second field.
                let longest = self.column(second).map(<[u8]>::len).max().unwrap_or_default() as i32;
                self.padding.extend([(first, longest + 1 - width), (second, longest)]);
                self.roles[blank] = Role::LastBlank;
            }
        }
    }

    /// Returns the common width of the tokens `from..to` in all lines. A line may be wider only if its value is so
    /// long that the padding is a single blank.
    fn width(&self, from: usize, blank: usize, to: usize) -> Option<i32> {
        let width = |row: &Row<'_>| row.tokens[from..to].iter().map(|token| token.text.len()).sum::<usize>();
        let least = self.rows.iter().map(width).min()?;
        let has_width = |row: &Row<'_>| width(row) == least || row.tokens[blank].text.len() == 1;
        self.rows.iter().all(has_width).then_some(least as i32)
    }
}
