//! Tests the program's allocator: the alignment and contents of blocks, and the freed blocks that a thread keeps.

use std::alloc::Layout;

use pgq::internals::Block;

/// Maximum number of bytes that a thread keeps in freed blocks of the same size (`KEPT` in src/sys/recent_blocks.rs).
const KEPT: usize = 64 << 10;

/// Number of block sizes for which a thread keeps freed blocks. These sizes are multiples of `STEP` bytes.
const SIZES: usize = 32;
const STEP: usize = 16;

#[test]
fn blocks_are_aligned_and_keep_what_is_in_them() {
    let sizes = (1..=64).chain([100, 170, 500, 512, 513, 1000, 1024, 5000, 70_000, 3 << 20]);
    for (size, align) in sizes.flat_map(|size| (0..=12).map(move |bits| (size, 1 << bits))) {
        let layout = Layout::from_size_align(size, align).unwrap();
        let check = |block: &Block, byte: u8| {
            assert!(block.address().is_multiple_of(align), "{layout:?}");
            assert!(block.bytes().len() == size && block.bytes().iter().all(|found| *found == byte), "{layout:?}");
        };
        let block = Block::filled(layout, 7);
        check(&block, 7);
        let larger = block.resized(size * 3);
        check(&larger, 7);
        let smaller = larger.resized(size);
        check(&smaller, 7);
        drop(smaller);
        check(&Block::zeroed(layout), 0);
    }
}

/// Allocates `count` blocks of one size, and then frees all of them. Returns their addresses.
fn use_blocks(layout: Layout, count: usize) -> Vec<usize> {
    let blocks: Vec<Block> = (0..count).map(|_| Block::filled(layout, 7)).collect();
    let mut addresses: Vec<usize> = blocks.iter().map(Block::address).collect();
    addresses.sort_unstable();
    addresses.dedup();
    assert_eq!(addresses.len(), count, "no block was given twice");
    let addresses = blocks.iter().map(Block::address).collect();
    blocks.into_iter().for_each(drop);
    addresses
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn the_block_freed_last_is_given_first() {
    let (layout, other) = (Layout::new::<[u64; 6]>(), Layout::new::<[u8; 41]>());
    let first = use_blocks(layout, 10);
    let again = use_blocks(other, 10);
    assert!(again.iter().eq(first.iter().rev()), "both round up to 48 bytes");
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn a_thread_keeps_so_much_and_no_more() {
    let layout = Layout::new::<[u64; 8]>();
    let kept = KEPT / layout.size();
    let first = use_blocks(layout, 3 * kept);
    // The thread keeps the blocks that were freed first, up to the limit.
    let again = use_blocks(layout, kept);
    assert!(again.iter().eq(first[..kept].iter().rev()));
}

#[cfg(target_os = "linux")]
#[test]
fn the_end_of_a_thread_frees_what_it_keeps() {
    let resident = || {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
    };
    let before = resident();
    for _ in 0..2_000 {
        let use_all = || {
            (1..=SIZES).for_each(|steps| {
                let layout = Layout::from_size_align(steps * STEP, 1).unwrap();
                use_blocks(layout, KEPT / layout.size());
            })
        };
        std::thread::spawn(use_all).join().unwrap();
    }
    // If each thread leaked its 2 MB, the process would grow by 4 GB. Other tests that run at the same time use less
    // than 1 GB.
    assert!(resident() < before + (2 << 30), "{} bytes more", resident() - before);
}
