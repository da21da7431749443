//! Derives a log_line_prefix from similar lines. Assigns each token to a field or a literal. mod.rs checks whether
//! other lines match.

use super::evidence::Known;
use super::template::{Role, Row, Setting, Template};
use super::{names, numbers, words};

/// Returns the prefix of similar lines, or `None` if the lines are similar only by chance. `rows` must not be empty.
pub fn setting(rows: &[Row<'_>], known: &Known<'_>) -> Option<Setting> {
    let mut template = Template::new(rows, known);
    template.assign_keys();
    template.assign_looks();
    numbers::assign(&mut template);
    let words = words::assign(&mut template);
    names::assign(&mut template, words);
    // If a word varies although it belongs to no field, the lines do not have one prefix.
    if (0..template.roles.len()).any(|at| template.roles[at] == Role::Unknown && !template.is_constant(at)) {
        return None;
    }
    numbers::doubt_transactions(&mut template);
    template.find_padding();
    template.doubts.dedup();
    Some(template.write())
}
