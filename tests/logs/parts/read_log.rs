//! Helpers for tests of the log formats. They convert a log to one short line per record.

use pgq_log::internals::Frame;
use pgq_log::{Assembler, Batch, Field, FilePosition, LineParser, LogChunk, LogStats, Records};

use super::common::SELECTION;

pub type NewParser<'a> = &'a dyn Fn() -> Box<dyn LineParser>;

/// Formats each record as a line: `PID SEVERITY | user | duration | SQL | parameters | truncated`. Omits missing
/// fields.
pub fn summarize(records: &Records) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in records.iter() {
        let mut line = format!("{} {}", entry.pid(), entry.severity().name());
        for field in [Field::User, Field::Duration, Field::Sql, Field::Params] {
            if !entry.get(field).is_empty() {
                line += " | ";
                line += &String::from_utf8_lossy(entry.get(field));
            }
        }
        if entry.is_truncated() {
            line += " | truncated";
        }
        lines.push(line);
    }
    lines
}

/// Reads a log in one chunk, including the statements of errors.
pub fn read_log(new_parser: NewParser<'_>, log: &[u8]) -> (Vec<String>, LogStats) {
    read_in_chunks(new_parser, log, &mut |_| false)
}

/// Reads a log in chunks, and checks the positions of all records. For each line that starts a message, `cut` decides
/// by the line's offset whether a new chunk starts there.
fn read_in_chunks(
    new_parser: NewParser<'_>,
    log: &[u8],
    cut: &mut dyn FnMut(usize) -> bool,
) -> (Vec<String>, LogStats) {
    let mut cuts = vec![0];
    for (at, _) in log.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let line = log[at + 1..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        if at + 1 < log.len() && new_parser().starts_message(line) && cut(at + 1) {
            cuts.push(at + 1);
        }
    }
    cuts.push(log.len());
    let mut parser = new_parser();
    let (mut assembler, mut start) = (Assembler::default(), FilePosition::default());
    let (mut lines, mut stats) = (Vec::new(), LogStats::default());
    let framed = Frame::parse(log).is_some();
    for pair in cuts.windows(2) {
        let bytes = &log[pair[0]..pair[1]];
        let chunk = LogChunk { bytes: bytes.to_vec(), start, framed, ..LogChunk::default() };
        start = start.after(bytes);
        let last = pair[1] == log.len();
        let mut batch = Batch::parse(chunk, SELECTION, parser.as_mut());
        if last {
            parser.flush(&mut batch);
        }
        let records = if last { assembler.finish(batch) } else { assembler.assemble(batch) };
        lines.extend(summarize(&records));
        stats.add(records.stats());
        for entry in records.iter() {
            if framed {
                continue; // the position is the envelope's
            }
            let offset = usize::try_from(entry.position().offset).unwrap();
            assert_eq!(entry.position(), FilePosition::default().after(&log[..offset]), "{entry:?}");
        }
        if last {
            break; // an empty log has two equal cuts
        }
    }
    (lines, stats)
}

/// Checks three properties. The division into chunks does not change the records. A log truncated at any byte loses no
/// complete record and gains no record. If garbage and the whole log follow the truncated log, the records of the whole
/// log are unchanged.
pub fn check_all_cuts(new_parser: NewParser<'_>, log: &[u8]) {
    let (all, all_stats) = read_log(new_parser, log);
    for pattern in 0..64u32 {
        let mut turn = 0;
        let (records, stats) = read_in_chunks(new_parser, log, &mut |_| {
            turn += 1;
            pattern >> (turn % 6) & 1 == 1
        });
        assert_eq!((&records, &stats), (&all, &all_stats), "chunks by {pattern:b}");
    }
    let mut expected = 0;
    for cut in 0..log.len() {
        let (records, _) = read_log(new_parser, &log[..cut]);
        let whole = records.iter().zip(&all).take_while(|(record, expected)| record == expected).count();
        assert!(records.len() <= whole + 1, "cut at {cut}: {records:?}");
        assert!(records.len() >= expected, "cut at {cut}: {records:?}");
        expected = expected.max(whole.saturating_sub(1));
        let garbage = [&log[..cut], b"\n\xff\x00\"\x80 [{\n", log].concat();
        let (records, _) = read_log(new_parser, &garbage);
        assert!(records.len() >= all.len(), "garbage at {cut}: {records:?}");
        assert_eq!(records[records.len() - all.len()..], all, "garbage at {cut}");
    }
}
