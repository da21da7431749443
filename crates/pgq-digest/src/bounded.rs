//! Sums by name, of a bounded number of names. They merge exactly and in any order: of too many
//! names, the first ones in byte order are kept, and the others are added up together.

/// Maximum number of names.
const MAX_NAMES: usize = 64;

/// Maximum length of a name, in bytes; the rest is cut off.
const MAX_NAME_LEN: usize = 512;

/// What can be kept by name.
pub trait Sum: Default {
    /// Adds another sum.
    fn merge(&mut self, other: &Self);

    /// What is allocated, in bytes.
    fn memory_size(&self) -> usize {
        0
    }
}

impl Sum for u64 {
    fn merge(&mut self, other: &Self) {
        *self += other;
    }
}

/// Sums for each of a bounded number of names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bounded<S> {
    /// Names with their sums, in byte order.
    kept: Vec<(Box<str>, S)>,
    others: S,
}

/// How often each of a bounded number of names was counted.
///
/// ```
/// use pgq_digest::BoundedCounts;
///
/// let mut users = BoundedCounts::default();
/// users.count(b"bob");
/// users.count(b"ann");
/// users.count(b"bob");
/// assert_eq!(users.iter().collect::<Vec<_>>(), [("ann", &1), ("bob", &2)]);
/// ```
pub type BoundedCounts = Bounded<u64>;

impl<S: Sum> Bounded<S> {
    /// The sum of a name, to be added to: that of the others if there are too many names. An empty name
    /// has none.
    pub fn of(&mut self, name: &[u8]) -> Option<&mut S> {
        if name.is_empty() {
            return None;
        }
        // A name that is kept is found by its bytes. Most logs have few.
        let few = self.kept.iter().take(2).position(|(kept, _)| kept.as_bytes() == name);
        match few.or_else(|| self.kept.binary_search_by(|(kept, _)| kept.as_bytes().cmp(name)).ok()) {
            Some(at) => Some(&mut self.kept[at].1),
            None => {
                let name = String::from_utf8_lossy(name);
                Some(self.of_text(&name[..name.floor_char_boundary(MAX_NAME_LEN)]))
            }
        }
    }

    fn of_text(&mut self, name: &str) -> &mut S {
        match self.kept.binary_search_by(|(kept, _)| kept.as_ref().cmp(name)) {
            Ok(at) => &mut self.kept[at].1,
            Err(at) if at < MAX_NAMES => {
                if self.kept.is_empty() {
                    // Most queries have one name.
                    self.kept.reserve_exact(1);
                }
                self.kept.insert(at, (name.into(), S::default()));
                if self.kept.len() > MAX_NAMES
                    && let Some((_, sum)) = self.kept.pop()
                {
                    self.others.merge(&sum);
                }
                &mut self.kept[at].1
            }
            Err(_) => &mut self.others,
        }
    }

    /// Adds other sums.
    pub fn merge(&mut self, other: &Self) {
        other.kept.iter().for_each(|(name, sum)| self.of_text(name).merge(sum));
        self.others.merge(&other.others);
    }

    /// The names that are kept, in byte order, with their sums.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &S)> {
        self.kept.iter().map(|(name, sum)| (name.as_ref(), sum))
    }

    /// The sum of all names that are not kept.
    #[must_use]
    pub fn others(&self) -> &S {
        &self.others
    }

    /// What is allocated, in bytes.
    pub(crate) fn memory_size(&self) -> usize {
        let of_name = |(name, sum): &(Box<str>, S)| name.len() + sum.memory_size();
        self.kept.capacity() * size_of::<(Box<str>, S)>() + self.kept.iter().map(of_name).sum::<usize>()
    }

    /// Sums with the values of [`Bounded::iter`] and [`Bounded::others`].
    #[must_use]
    pub fn from_parts<'a>(kept: impl IntoIterator<Item = (&'a str, S)>, others: S) -> Self {
        let mut sums = Self { kept: Vec::new(), others };
        kept.into_iter().for_each(|(name, sum)| sums.of_text(name).merge(&sum));
        sums
    }
}

impl BoundedCounts {
    /// No counts.
    pub const EMPTY: Self = Self { kept: Vec::new(), others: 0 };

    /// Counts a name. An empty name does not count.
    pub fn count(&mut self, name: &[u8]) {
        if let Some(count) = self.of(name) {
            *count += 1;
        }
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
        let parts = whole.iter().map(|(name, count)| (name, *count));
        assert_eq!(BoundedCounts::from_parts(parts, *whole.others()), whole);
    }

    #[test]
    fn long_names_are_cut_at_a_character() {
        let mut counts = BoundedCounts::default();
        counts.count("aé".repeat(300).as_bytes());
        assert_eq!(counts.iter().map(|(name, _)| name.len()).collect::<Vec<_>>(), [511]);
    }
}
