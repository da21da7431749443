//! Tests of the helpers of the log parsers: the cache of byte runs, the search for a byte that is probably near, the
//! parsing of numbers, positions in a file, and headers with which a parser receives positions (frame.rs).

use pgq_log::FilePosition;
use pgq_log::internals::{Frame, KnownRuns, WINDOW, find_near, find_near2, is_number, parse_pid};

/// Number of lookups that are skipped after a low hit rate.
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

#[test]
fn what_is_found_is_what_a_search_finds() {
    for len in 0..50 {
        for at in 0..=len {
            for filler in [b'a', b'"' + 1, b'"' - 1, b'"' ^ 0x80, 0, 0xff] {
                let mut text = vec![filler; len];
                text.iter_mut().skip(at).step_by(3).for_each(|byte| *byte = if at % 2 == 0 { b'"' } else { b'\\' });
                assert_eq!(find_near2(b'"', b'\\', &text), memchr::memchr2(b'"', b'\\', &text), "{text:?}");
                assert_eq!(find_near(b'"', &text), memchr::memchr(b'"', &text), "{text:?}");
            }
        }
    }
}

#[test]
fn numbers_are_digits() {
    let pids = ["7", "4294967295", "4294967296", "", "+7", "00000000007", "7a"].map(|text| parse_pid(text.as_bytes()));
    assert_eq!(pids, [Some(7), Some(u32::MAX), None, None, None, None, None]);
    let are_numbers = ["0", "-12", "", "-", "1,", "--1"].map(|text| is_number(text.as_bytes()));
    assert_eq!(are_numbers, [true, true, false, false, false, false]);
}

#[test]
fn columns_count_characters_and_steps_add_up() {
    let text = "a\nüb\n\nçd".as_bytes();
    let whole = FilePosition::default().after(text);
    assert_eq!(whole, FilePosition { offset: 10, line: 4, column: 3 });
    for cut in 0..text.len() {
        assert_eq!(FilePosition::default().after(&text[..cut]).after(&text[cut..]), whole);
    }
}

#[test]
fn frames_come_back_as_they_were() {
    let position = FilePosition { offset: 70, line: 3, column: 1 };
    let frame = Frame {
        position,
        pid: 42,
        piece: Some((7, 2)),
        continued: true,
        is_rest: true,
        altered: true,
        time: b"12:00",
        ..Frame::default()
    };
    let mut line = Vec::new();
    frame.write(b"LOG:  x", &mut line);
    assert_eq!(line.pop(), Some(b'\n'));
    assert_eq!(Frame::parse(&line).map(|(frame, len)| (frame, &line[len..])), Some((frame, &b"LOG:  x"[..])));
    for number in [0, 1, 63, 64, 10 << 6, u64::MAX >> 1, u64::MAX] {
        let position = FilePosition { offset: number, line: number, column: 7 };
        let (frame, mut line) = (Frame { position, ..Frame::default() }, Vec::new());
        frame.write(b"\x1f\x1e", &mut line);
        assert_eq!(memchr::memchr(b'\n', &line), Some(line.len() - 1));
        assert_eq!(Frame::parse(&line).map(|(frame, len)| (frame, &line[len..])), Some((frame, &b"\x1f\x1e\n"[..])));
    }
    assert_eq!(Frame::parse(b"\x1eu"), None);
    assert_eq!((Frame::strip(&line), Frame::strip(b"x")), (&b"LOG:  x"[..], &b"x"[..]));
}
