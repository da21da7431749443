//! Fields that a prefix pads to a width (`%-10u`): the blanks beside them vary. Decides no role of a value.

use super::template::{Role, Row, Template};
use super::token::Look;

impl Template<'_, '_> {
    /// Blanks that vary with the length of the value beside them.
    pub fn find_padding(&mut self) {
        for blank in 0..self.roles.len() {
            // The lines of clients have one type of backend, and so the same blanks.
            let is_wide = || {
                blank > 0 && self.look(blank - 1) == Some(Look::Backend) && self.rows[0].tokens[blank].text.len() > 2
            };
            if self.look(blank) != Some(Look::Blank) || (self.is_constant(blank) && !is_wide()) {
                continue;
            }
            let widths = |field: usize| {
                let width = |row: &Row<'_>| row.tokens[field].text.len() + row.tokens[blank].text.len();
                let first = width(&self.rows[0]);
                self.rows.iter().all(|row| width(row) == first).then_some(first as i32)
            };
            let is_field = |at: usize| matches!(self.roles.get(at), Some(Role::Field(_)));
            let before = blank.checked_sub(1).filter(|at| is_field(*at)).and_then(|at| Some((at, widths(at)?)));
            let after = Some(blank + 1).filter(|at| is_field(*at)).and_then(|at| Some((at, widths(at)?)));
            if let Some((at, width)) = before {
                self.padding.push((at, 1 - width)); // the last blank is a literal
            } else if let Some((at, width)) = after {
                self.padding.push((at, width));
                self.roles[blank] = Role::Inside;
            }
        }
    }
}
