//! Generates texts of one shape with a literal, a comment or blanks of various lengths. Measures the cost of a lookup
//! per additional byte.

use fastrand::Rng;

use crate::lookups::{ROUNDS, on_threads, received};

/// Numbers of additional bytes.
pub const FURTHER: [usize; 3] = [100, 1_000, 10_000];

/// Minimum number of additional bytes. With at least this number, all texts are read by the same code path.
const LEAST: usize = 10;

/// Number of texts that each thread looks up in a round.
const TEXTS: usize = 1_000;

/// A way to lengthen texts. Random bytes are added at two positions, inside one token or on both sides of a token.
pub struct Growth {
    pub name: &'static str,
    before: &'static str,
    between: &'static str,
    after: &'static str,
    /// The possible bytes.
    bytes: &'static [u8],
}

const WORDS: &[u8] = b"abcdefghijklmnopqrstuvwxyz  ";

#[rustfmt::skip]
pub const KINDS: [Growth; 6] = [
    Growth { name: "literal", before: "'", between: "", after: "'", bytes: WORDS },
    Growth { name: "literal with an escape", before: "e'", between: r"\n", after: "'", bytes: WORDS },
    Growth { name: "comment", before: "/*", between: "", after: "*/ 'x'", bytes: WORDS },
    Growth { name: "line comment", before: "--", between: "", after: "\n'x'", bytes: WORDS },
    Growth { name: "blanks", before: "", between: "'x'", after: "", bytes: b" " },
    Growth { name: "lines with indents", before: "", between: "'x'", after: "", bytes: b"\n               " },
];

impl Growth {
    pub fn shortest(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, &self.filling(LEAST), LEAST, &mut Rng::with_seed(1));
        text
    }

    /// For each length in [`FURTHER`], returns the additional time of a lookup if the texts are longer by this length,
    /// in nanoseconds per 100 bytes. The time of a lookup is the mean over the threads in the best round. All texts are
    /// different.
    pub fn slopes<L: FnMut(&str)>(&self, threads: usize, look_up: impl Fn() -> L + Sync) -> [f64; FURTHER.len()] {
        let filling = self.filling(LEAST + 4 * FURTHER[FURTHER.len() - 1]);
        let round = |len: usize| {
            on_threads(threads, |thread| {
                let mut rng = Rng::with_seed(thread as u64);
                received(TEXTS, |_, buffer| self.write(buffer, &filling, len, &mut rng), look_up())
            }) as f64
                / (TEXTS * threads) as f64
        };
        let mut shortest = f64::INFINITY;
        let mut longer = [f64::INFINITY; FURTHER.len()];
        for _ in 0..ROUNDS {
            shortest = shortest.min(round(LEAST));
            for (best, further) in longer.iter_mut().zip(FURTHER) {
                *best = best.min(round(LEAST + further));
            }
        }
        std::array::from_fn(|i| (longer[i] - shortest) / FURTHER[i] as f64 * 100.0)
    }

    /// Returns a random string that provides the additional bytes.
    fn filling(&self, len: usize) -> String {
        let mut rng = Rng::with_seed(3);
        std::iter::repeat_with(|| char::from(self.bytes[rng.usize(..self.bytes.len())])).take(len).collect()
    }

    /// Appends a text with `len` additional bytes from `filling`, cut and divided at random positions.
    fn write(&self, text: &mut String, filling: &str, len: usize, rng: &mut Rng) {
        let from = rng.usize(..=filling.len() - len);
        let (first, second) = filling[from..from + len].split_at(rng.usize(..=len));
        let aid = rng.u32(1..100_000).to_string();
        let start = "UPDATE pgbench_accounts SET filler = ";
        for part in [start, self.before, first, self.between, second, self.after, " WHERE aid = ", &aid] {
            text.push_str(part);
        }
    }
}
