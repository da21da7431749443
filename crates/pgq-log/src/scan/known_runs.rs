//! Caches byte runs that are equal in many lines of a log, such as the part of a prefix that is constant within a
//! session. A cached run is compared as a whole instead of being parsed again.

use pgq_lexer::{HitRate, start_number};

/// Number of slots. The slot of a byte run is selected by a hash of its first bytes. These bytes contain the
/// process ID or the client, if the line has one, so most sessions have different slots.
const SLOTS: usize = 256;

/// Maximum length of a cached byte run.
const LONGEST: usize = 512;

/// Number of lookups after which the hit rate is checked again.
pub const WINDOW: u32 = 1024;

/// A cached byte run and its additional data. The ranges of `fields` are relative to the start of the run.
struct Run<F, E> {
    text: Box<[u8]>,
    fields: Box<[(F, u32, u32)]>,
    extra: E,
}

/// The most recent byte run of each slot.
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
    /// Whether the hit rate is high enough for lookups to pay off.
    #[inline]
    pub fn is_worthwhile(&mut self) -> bool {
        self.rate.is_worthwhile()
    }

    /// Looks up the cached byte run at the start of `text`. If there is one, passes its fields with their ranges to
    /// `set`, and returns its length and its additional data.
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

    /// Stores a byte run in its slot. Replaces the previous run in that slot.
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
