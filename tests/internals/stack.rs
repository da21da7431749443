//! Tests of stacks: a recursive walk extends its stack, and the thread keeps the added segment for the next call.

use pgq::internals::{HasStackGuard, StackGuard, can_allocate, recurse, stack_guard};

struct Counter(StackGuard, usize);
impl HasStackGuard for Counter {
    fn stack_guard(&mut self) -> &mut StackGuard {
        &mut self.0
    }
}

fn down(walk: &mut Counter, levels: usize) {
    if levels > 0 {
        walk.1 += 1;
        recurse(walk, |w| {
            let frame = std::hint::black_box([0u8; 256]);
            down(w, levels - 1);
            std::hint::black_box(frame);
        });
    }
}

#[test]
fn a_walk_of_a_hundred_thousand_levels_fits_a_small_thread() {
    let walked = std::thread::Builder::new().stack_size(512 * 1024).spawn(|| {
        let mut counter = Counter(stack_guard(None), 0);
        down(&mut counter, 100_000);
        (counter.1, counter.0.take_exceeded())
    });
    assert_eq!(walked.unwrap().join().unwrap(), (100_000, false));
}

#[test]
fn a_walk_without_end_is_an_error() {
    // Use a limit of 64 MiB. With the largest limit, the test would commit 1 GiB of memory (8 GiB in a build without
    // optimization).
    let mut counter = Counter(stack_guard(Some(64 << 20)), 0);
    down(&mut counter, 1_000_000);
    assert!(counter.0.take_exceeded());
}

#[cfg(not(any(windows, miri)))] // elsewhere no segment is kept
#[test]
fn a_segment_is_kept_and_used_again() {
    use pgq::internals::{here, on_segment as run, remaining, reserve};
    /// Minimum size of a segment, in bytes (`SMALLEST` in src/sys/stack_segment.rs).
    const SMALLEST: usize = 1 << 20;
    std::thread::spawn(|| {
        let place = || here() / SMALLEST;
        let before = remaining();
        let first = run(SMALLEST, place);
        assert_eq!(run(SMALLEST / 2, place), first, "another mapping");
        assert!(run(SMALLEST, remaining) > SMALLEST / 2);
        assert_ne!(run(SMALLEST, || run(SMALLEST, place)), first, "a nested call on the same segment");
        assert!(std::panic::catch_unwind(|| run(SMALLEST, || panic!("inside"))).is_err());
        assert_eq!(remaining(), before, "the thread's own stack");
        assert!(!reserve(usize::MAX / 2) && !reserve(usize::MAX));
    })
    .join()
    .unwrap();
}

#[test]
fn what_can_allocate_and_what_is_not() {
    assert!(can_allocate(1 << 20));
    assert!(!can_allocate(usize::MAX / 4));
}
