//! Runs of bytes that many lines of a log have in common, such as what a prefix or a row says of its session:
//! each is compared as a whole, and not taken apart again. Knows no format.

use pgq_lexer::{HitRate, start_number};

/// Runs that are kept, by the number of their first bytes: these have a process or a client, if anything has.
const SLOTS: usize = 256;

/// Longer ones are not kept, in bytes.
const LONGEST: usize = 512;

/// Lookups after which it is judged anew whether they are worth it.
const WINDOW: u32 = 1024;

/// A run, the fields in it, counted from its start, and whatever else is known of it.
struct Run<F, E> {
    text: Box<[u8]>,
    fields: Box<[(F, u32, u32)]>,
    extra: E,
}

/// The runs that came lately.
pub struct KnownRuns<F, E> {
    slots: Vec<Option<Run<F, E>>>,
    rate: HitRate<WINDOW, { WINDOW / 2 }>,
}

impl<F, E> Default for KnownRuns<F, E> {
    fn default() -> Self {
        Self { slots: Vec::new(), rate: HitRate::default() }
    }
}

impl<F: Copy, E: Copy> KnownRuns<F, E> {
    /// Whether to look: not where hardly any line has what another had.
    #[inline]
    pub fn is_worthwhile(&mut self) -> bool {
        self.rate.is_worthwhile()
    }

    /// Looks for a run at the start of a text. If one is known, `set` gets its fields with their ranges; its
    /// length, and what else is known of it.
    #[inline]
    pub fn find(&mut self, text: &[u8], mut set: impl FnMut(F, u32, u32)) -> Option<(usize, E)> {
        let run = self.slots.get(start_number(text))?.as_ref()?;
        if !text.starts_with(&run.text) {
            return None;
        }
        self.rate.hit();
        run.fields.iter().for_each(|(field, start, end)| set(*field, *start, *end));
        Some((run.text.len(), run.extra))
    }

    /// Keeps a run, which takes the place of another one.
    #[cold]
    pub fn keep(&mut self, text: &[u8], fields: impl Iterator<Item = (F, u32, u32)>, extra: E) {
        if text.len() > LONGEST || text.is_empty() {
            return;
        }
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        self.slots[start_number(text)] = Some(Run { text: text.into(), fields: fields.collect(), extra });
    }
}

#[cfg(test)]
mod tests {
    use super::{KnownRuns, WINDOW};

    /// Lookups that are passed where nothing is found.
    const PASSED: u32 = 16 * WINDOW;

    #[test]
    fn a_run_is_found_by_all_of_its_bytes() {
        let mut runs = KnownRuns::<u8, char>::default();
        let text = b" [42] ann@shop LOG:  ";
        runs.keep(text, [(1, 2, 4)].into_iter(), 'x');
        let mut fields = Vec::new();
        assert_eq!(runs.find(text, |field, start, end| fields.push((field, start, end))), Some((21, 'x')));
        assert_eq!(fields, [(1, 2, 4)]);
        assert_eq!(runs.find(b" [42] ann@shop LOG: ", |_, _, _| unreachable!()), None);
        assert_eq!(runs.find(b"", |_, _, _| unreachable!()), None);
    }

    #[test]
    fn nobody_looks_where_nothing_is_found() {
        let mut runs = KnownRuns::<u8, ()>::default();
        let looks = (0..WINDOW + PASSED + 1).filter(|_| runs.is_worthwhile()).count();
        assert_eq!(looks as u32, WINDOW + 1);
    }
}
