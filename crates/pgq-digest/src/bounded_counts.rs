//! Counts by name, of a bounded number of names. They merge exactly and in any order: of too many
//! names, the first ones in byte order are kept, and the others are counted together.

/// Maximum number of names.
const MAX_NAMES: usize = 64;

/// Maximum length of a name, in bytes; the rest is cut off.
const MAX_NAME_LEN: usize = 512;

/// How often each of a bounded number of names was counted.
///
/// ```
/// use pgq_digest::BoundedCounts;
///
/// let mut users = BoundedCounts::default();
/// users.count(b"bob");
/// users.count(b"ann");
/// users.count(b"bob");
/// assert_eq!(users.iter().collect::<Vec<_>>(), [("ann", 1), ("bob", 2)]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BoundedCounts {
    /// Names with their counts, in byte order.
    kept: Vec<(Box<str>, u64)>,
    others: u64,
}

impl BoundedCounts {
    /// Counts a name. An empty name does not count.
    pub fn count(&mut self, name: &[u8]) {
        if name.is_empty() {
            return;
        }
        // Most logs have few names.
        if let Some((_, count)) = self.kept.iter_mut().take(4).find(|(kept, _)| kept.as_bytes() == name) {
            *count += 1;
            return;
        }
        let name = String::from_utf8_lossy(name);
        self.add(&name[..name.floor_char_boundary(MAX_NAME_LEN)], 1);
    }

    fn add(&mut self, name: &str, times: u64) {
        match self.kept.binary_search_by(|(kept, _)| kept.as_ref().cmp(name)) {
            Ok(at) => self.kept[at].1 += times,
            Err(at) if at < MAX_NAMES => {
                self.kept.insert(at, (name.into(), times));
                if self.kept.len() > MAX_NAMES
                    && let Some((_, count)) = self.kept.pop()
                {
                    self.others += count;
                }
            }
            Err(_) => self.others += times,
        }
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &Self) {
        other.kept.iter().for_each(|(name, count)| self.add(name, *count));
        self.others += other.others;
    }

    /// The names that are kept, in byte order, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.kept.iter().map(|(name, count)| (name.as_ref(), *count))
    }

    /// The count of all names that are not kept.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.others
    }

    /// Size of what is allocated, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        self.kept.capacity() * size_of::<(Box<str>, u64)>()
            + self.kept.iter().map(|(name, _)| name.len()).sum::<usize>()
    }

    /// Counts with the values of [`BoundedCounts::iter`] and [`BoundedCounts::others`].
    #[must_use]
    pub fn from_parts<'a>(kept: impl IntoIterator<Item = (&'a str, u64)>, others: u64) -> Self {
        let mut counts = Self { kept: Vec::new(), others };
        kept.into_iter().for_each(|(name, count)| counts.add(name, count));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::{BoundedCounts, MAX_NAMES};

    #[test]
    fn the_names_kept_do_not_depend_on_the_order() {
        let names: Vec<String> = (0..200).map(|i| format!("n{}", i * 37 % 150)).collect();
        let count_all = |names: &[String]| {
            let mut counts = BoundedCounts::default();
            names.iter().for_each(|name| counts.count(name.as_bytes()));
            counts
        };
        let whole = count_all(&names);
        let total = whole.iter().map(|(_, count)| count).sum::<u64>() + whole.others();
        assert_eq!((whole.kept.len(), total), (MAX_NAMES, 200));
        for cut in [1, 50, 150] {
            let mut merged = count_all(&names[cut..]);
            merged.merge(&count_all(&names[..cut]));
            assert_eq!(merged, whole);
        }
        assert_eq!(BoundedCounts::from_parts(whole.iter(), whole.others()), whole);
    }

    #[test]
    fn long_names_are_cut_at_a_character() {
        let mut counts = BoundedCounts::default();
        counts.count("aé".repeat(300).as_bytes());
        assert_eq!(counts.iter().map(|(name, _)| name.len()).collect::<Vec<_>>(), [511]);
    }
}
