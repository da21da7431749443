//! Room on the stack: deep statements recurse in C and in Rust, on threads of any size.
//!
//! C code gets a stack that fits the text before it starts. Rust walks grow theirs as
//! they go. Both end in an error, never in a signal, when [`LIMIT`] is reached.

use super::memory;

/// Bytes of stack that one byte of SQL can cost in libpg_query's recursive functions.
/// The worst text nests one level in two bytes (`- - - 1`, `a+a+a`).
const PER_BYTE: usize = 1024;

/// What any call may use however short the text: error reports, formatting.
const BASE: usize = 192 * 1024;

/// No call uses more stack than this, in bytes. Stacks are committed page by page, as used.
pub(crate) const LIMIT: usize = 1 << 30;

/// Bytes that PostgreSQL's own check leaves free below its limit (its STACK_DEPTH_SLOP
/// is 512 kB for stacks of megabytes; here errors are raised from shallow frames).
const SLOP: usize = 64 * 1024;

/// Stack segments that Rust walks add one at a time, in bytes.
const SEGMENT: usize = 16 << 20;

/// Runs `f` with enough stack for C code to work on `bytes` of SQL text.
///
/// `f` gets the number of bytes of stack that C may use.
pub(crate) fn for_text<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> R {
    let need = needed(bytes);
    match stacker::remaining_stack() {
        Some(left) if left >= need => f(left - SLOP),
        _ => stacker::grow(need, || f(need - SLOP)),
    }
}

/// As [`for_text`], for C code that minds its limit of stack: where there is no memory for all
/// of it, with less. Deep texts are then refused.
pub(crate) fn for_parser<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> R {
    let need = needed(bytes);
    match stacker::remaining_stack() {
        Some(left) if left >= need => f(left - SLOP),
        left => {
            let sizes = std::iter::successors(Some(need), |size| Some(size / 4).filter(|size| *size > BASE));
            match sizes.into_iter().find(|size| is_room(*size)) {
                Some(size) => stacker::grow(size, || f(size - SLOP)),
                None => f(left.unwrap_or(0).saturating_sub(SLOP)),
            }
        }
    }
}

/// As [`for_text`]; `None` where there is no memory for the stack.
pub(crate) fn try_for_text<R>(bytes: usize, f: impl FnOnce(usize) -> R) -> Option<R> {
    let need = needed(bytes);
    let fits = stacker::remaining_stack().is_some_and(|left| left >= need) || is_room(need);
    fits.then(|| for_text(bytes, f))
}

fn needed(bytes: usize) -> usize {
    bytes.saturating_mul(PER_BYTE).saturating_add(BASE).min(LIMIT)
}

/// Whether there is memory for a stack. Small ones are not worth asking for.
fn is_room(size: usize) -> bool {
    const SMALL: usize = 32 << 20;
    size <= SMALL || memory::is_room(size)
}

/// Runs `f` with enough stack for `levels` of recursion that take `bytes` each.
pub(crate) fn for_levels<R>(levels: usize, bytes: usize, f: impl FnOnce() -> R) -> R {
    let need = levels.saturating_mul(bytes).saturating_add(BASE);
    stacker::maybe_grow(need, need, f)
}

/// How far down the stack a Rust walk may go, and how often it may ask for more.
#[derive(Debug)]
pub(crate) struct Depth {
    /// Lowest address that a frame may start at before the walk must grow its stack.
    lowest: usize,
    /// Bytes of added segments so far, nested.
    added: usize,
    /// The walk went deeper than [`LIMIT`] allows.
    exceeded: bool,
}

/// A walk that counts its depth.
pub(crate) trait Walk {
    fn depth(&mut self) -> &mut Depth;
}

impl Depth {
    pub(crate) fn new() -> Self {
        Self { lowest: lowest_from(stacker::remaining_stack().unwrap_or(0)), added: 0, exceeded: false }
    }

    /// Whether some part of the tree was too deep to be visited, since the last call.
    pub(crate) fn take_exceeded(&mut self) -> bool {
        std::mem::take(&mut self.exceeded)
    }
}

/// Runs `f` one level deeper, on a new stack segment where this one is nearly used up.
/// Returns `None` (and notes it in the walk's [`Depth`]) when the limit is reached.
#[inline(always)]
pub(crate) fn deeper<W: Walk, R>(walk: &mut W, f: impl FnOnce(&mut W) -> R) -> Option<R> {
    if here() > walk.depth().lowest { Some(f(walk)) } else { on_new_segment(walk, f) }
}

#[cold]
#[inline(never)]
fn on_new_segment<W: Walk, R>(walk: &mut W, f: impl FnOnce(&mut W) -> R) -> Option<R> {
    let depth = walk.depth();
    if depth.added + SEGMENT > LIMIT || !memory::is_room(SEGMENT) {
        depth.exceeded = true;
        return None;
    }
    depth.added += SEGMENT;
    let outer = depth.lowest;
    let result = stacker::grow(SEGMENT, || {
        walk.depth().lowest = lowest_from(SEGMENT);
        f(walk)
    });
    let depth = walk.depth();
    depth.lowest = outer;
    depth.added -= SEGMENT;
    Some(result)
}

/// The address of the current frame, nearly.
#[inline(always)]
fn here() -> usize {
    let marker = 0u8;
    std::hint::black_box(&raw const marker) as usize
}

fn lowest_from(remaining: usize) -> usize {
    here().saturating_sub(remaining).saturating_add(SLOP)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counter(Depth, usize);
    impl Walk for Counter {
        fn depth(&mut self) -> &mut Depth {
            &mut self.0
        }
    }

    fn down(walk: &mut Counter, levels: usize) {
        if levels > 0 {
            walk.1 += 1;
            deeper(walk, |w| {
                let frame = std::hint::black_box([0u8; 256]);
                down(w, levels - 1);
                std::hint::black_box(frame);
            });
        }
    }

    #[test]
    fn a_walk_of_a_hundred_thousand_levels_fits_a_small_thread() {
        let walked = std::thread::Builder::new().stack_size(512 * 1024).spawn(|| {
            let mut counter = Counter(Depth::new(), 0);
            down(&mut counter, 100_000);
            (counter.1, counter.0.take_exceeded())
        });
        assert_eq!(walked.unwrap().join().unwrap(), (100_000, false));
    }

    #[test]
    fn a_walk_without_end_is_an_error() {
        let mut counter = Counter(Depth::new(), 0);
        down(&mut counter, 20_000_000);
        assert!(counter.0.take_exceeded());
    }
}
