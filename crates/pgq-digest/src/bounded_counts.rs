//! BoundedCounts and how often each came. Bounded, and merging is exact in any order: where there are
//! too many names, those first in the alphabet are kept and the others are only counted.

/// Most names that are kept.
const MOST: usize = 64;

/// Most bytes of a name.
const LONGEST: usize = 512;

/// A counted set of names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoundedCounts {
    /// In order.
    kept: Vec<(Box<str>, u64)>,
    /// How often names came that are not kept.
    others: u64,
}

impl BoundedCounts {
    /// Counts a name; an empty one is none.
    pub fn count(&mut self, name: &[u8]) {
        if name.is_empty() {
            return;
        }
        // The few names of a log come again and again.
        if let Some((_, count)) = self.kept.iter_mut().take(4).find(|(kept, _)| kept.as_bytes() == name) {
            *count += 1;
            return;
        }
        let name = String::from_utf8_lossy(name);
        let end = (0..=name.len().min(LONGEST)).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0);
        self.add(&name[..end], 1);
    }

    fn add(&mut self, name: &str, times: u64) {
        match self.kept.binary_search_by(|(kept, _)| kept.as_ref().cmp(name)) {
            Ok(at) => self.kept[at].1 += times,
            Err(at) if at < MOST => {
                self.kept.insert(at, (name.into(), times));
                if self.kept.len() > MOST
                    && let Some((_, count)) = self.kept.pop()
                {
                    self.others += count;
                }
            }
            Err(_) => self.others += times,
        }
    }

    pub fn merge(&mut self, more: &Self) {
        more.kept.iter().for_each(|(name, count)| self.add(name, *count));
        self.others += more.others;
    }

    /// The names, in order, each with how often it came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.kept.iter().map(|(name, count)| (name.as_ref(), *count))
    }

    pub fn others(&self) -> u64 {
        self.others
    }

    pub fn from_parts<'a>(kept: impl IntoIterator<Item = (&'a str, u64)>, others: u64) -> Self {
        let mut names = Self { kept: Vec::new(), others };
        kept.into_iter().for_each(|(name, count)| names.add(name, count));
        names
    }
}

#[cfg(test)]
mod tests {
    use super::{BoundedCounts, MOST};

    #[test]
    fn what_is_kept_does_not_depend_on_the_order() {
        let names: Vec<String> = (0..200).map(|i| format!("n{}", i * 37 % 150)).collect();
        let of = |names: &[String]| {
            let mut set = BoundedCounts::default();
            names.iter().for_each(|name| set.count(name.as_bytes()));
            set
        };
        let whole = of(&names);
        assert_eq!((whole.kept.len(), whole.iter().map(|(_, c)| c).sum::<u64>() + whole.others()), (MOST, 200));
        for cut in [1, 50, 150] {
            let mut merged = of(&names[cut..]);
            merged.merge(&of(&names[..cut]));
            assert_eq!(merged, whole);
        }
        assert_eq!(BoundedCounts::from_parts(whole.iter(), whole.others()), whole);
    }
}
