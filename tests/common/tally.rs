//! Counts results over many items on all cores.

use rayon::prelude::*;

/// The counts of a check, for a part of the items.
pub trait Tally: Default + Send {
    /// Adds the counts of the following items.
    fn merge(&mut self, following: Self);
}

/// Runs `check` on every item, on several threads. Returns the merged counts. Lists in the counts have the order of the
/// items.
pub fn tally<T: Sync, C: Tally>(items: &[T], check: impl Fn(&T, &mut C) + Sync) -> C {
    let fold = items.par_iter().fold(C::default, |mut counts, item| {
        check(item, &mut counts);
        counts
    });
    fold.reduce(C::default, |mut counts, following| {
        counts.merge(following);
        counts
    })
}

impl<T: Send> Tally for Vec<T> {
    fn merge(&mut self, mut following: Self) {
        self.append(&mut following);
    }
}

/// Fails if there are problems, and prints the first problems.
pub fn assert_none(problems: &[String], what: &str) {
    let shown = problems.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(problems.is_empty(), "{} {what}, the first of them:\n{shown}", problems.len());
}

/// The counts of several checks that run in one pass.
pub struct Each<C, const N: usize>(pub [C; N]);

impl<C: Default, const N: usize> Default for Each<C, N> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| C::default()))
    }
}

impl<C: Tally, const N: usize> Tally for Each<C, N> {
    fn merge(&mut self, following: Self) {
        self.0.iter_mut().zip(following.0).for_each(|(counts, following)| counts.merge(following));
    }
}
