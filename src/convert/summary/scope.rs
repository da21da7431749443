//! The names of WITH queries in scope.

use std::collections::HashMap;

/// The number of definitions in scope for each name. A set of names would not suffice, because nested WITH clauses may
/// define the same name. At the end of the inner clause, the outer definition must stay in scope.
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
