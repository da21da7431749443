//! Packed timelines.

use pgq_digest::{PackedTimeline, SmallTimeline};

fn unpacked(packed: &PackedTimeline) -> SmallTimeline {
    packed.clone().into()
}

#[test]
fn packed_timelines_are_those_that_are_not() {
    for (step, back) in [(0, 0), (1, 0), (1, 3), (7, 0), (5000, 20_000), (1 << 30, 1 << 31)] {
        let (mut packed, mut timeline) = (PackedTimeline::default(), SmallTimeline::default());
        let (mut half, mut other_half) = (PackedTimeline::default(), PackedTimeline::default());
        for index in 0..1500_i64 {
            let end = (index * step - (index % 5) * back) * 1_000_000 + index * 999;
            let duration = [0, 700, 1_300_000, 90_000_000, u64::from(u32::MAX)][index as usize % 5];
            let failed = index % 11 == 0;
            packed.add(end, duration, failed);
            timeline.add(end, duration, failed);
            if index % 3 == 0 { half.add(end, duration, failed) } else { other_half.add(end, duration, failed) }
        }
        assert_eq!((packed.bin_seconds(), unpacked(&packed)), (timeline.bin_seconds(), timeline), "{step}");
        assert_eq!(PackedTimeline::from(unpacked(&packed)), packed);
        half.merge(&other_half);
        assert_eq!(half, packed);
    }
}

#[test]
fn the_ends_of_time_are_packed() {
    let (mut packed, mut timeline) = (PackedTimeline::default(), SmallTimeline::default());
    for end in [i64::MIN, 0, i64::MAX] {
        packed.add(end, u64::MAX / 3, false);
        timeline.add(end, u64::MAX / 3, false);
    }
    assert_eq!(unpacked(&packed), timeline);
}
