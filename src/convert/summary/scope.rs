//! Which names of WITH queries are visible where the walk is.

use std::collections::HashMap;

/// The visible names. A name may be visible several times, from nested WITH clauses.
#[derive(Default)]
pub(super) struct CteScope<'t> {
    names: HashMap<&'t [u8], usize>,
}

impl<'t> CteScope<'t> {
    pub(super) fn add(&mut self, name: &'t [u8]) {
        *self.names.entry(name).or_default() += 1;
    }

    pub(super) fn remove(&mut self, name: &[u8]) {
        if let Some(count) = self.names.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                self.names.remove(name);
            }
        }
    }

    pub(super) fn contains(&self, name: &[u8]) -> bool {
        !self.names.is_empty() && self.names.contains_key(name)
    }
}
