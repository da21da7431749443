//! For the tests of formats: a log as text in, its records as short lines out.

use crate::assemble::{Assembler, Records};
use crate::batch::{Batch, LineParser, LogChunk, RecordSelection};
use crate::entry::Part;
use crate::position::FilePosition;
use crate::stats::Stats;

pub type Make<'a> = &'a dyn Fn() -> Box<dyn LineParser>;

/// Records as lines.
pub fn shown(records: &Records) -> Vec<String> {
    let mut seen = Vec::new();
    for entry in records.iter() {
        let mut line = format!("{} {}", entry.pid(), entry.severity().name());
        for part in [Part::User, Part::Duration, Part::Sql, Part::Params] {
            if !entry.get(part).is_empty() {
                line += " | ";
                line += &String::from_utf8_lossy(entry.get(part));
            }
        }
        if entry.is_truncated() {
            line += " | truncated";
        }
        seen.push(line);
    }
    seen
}

const WANTED: RecordSelection = RecordSelection { errors: true, parse_bind: false };

/// Reads a log, with the statements of its errors.
pub fn records(make: Make<'_>, log: &[u8]) -> (Vec<String>, Stats) {
    in_chunks(make, log, &mut |_| false)
}

/// Reads a log in chunks that end before lines that may begin one, where `cut` says so. Places
/// are part of what is compared.
fn in_chunks(make: Make<'_>, log: &[u8], cut: &mut dyn FnMut(usize) -> bool) -> (Vec<String>, Stats) {
    let mut cuts = vec![0];
    for (at, _) in log.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let line = log[at + 1..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        if at + 1 < log.len() && make().begins(line) && cut(at + 1) {
            cuts.push(at + 1);
        }
    }
    cuts.push(log.len());
    let mut format = make();
    let (mut assembler, mut start) = (Assembler::default(), FilePosition::default());
    let (mut seen, mut stats) = (Vec::new(), Stats::default());
    for pair in cuts.windows(2) {
        let bytes = &log[pair[0]..pair[1]];
        let chunk = LogChunk { bytes: bytes.to_vec(), start, ..LogChunk::default() };
        start = start.after(bytes);
        let last = pair[1] == log.len();
        let mut batch = Batch::read(chunk, WANTED, format.as_mut());
        if last {
            format.rest(&mut batch);
        }
        let records = if last { assembler.finish(batch) } else { assembler.take(batch) };
        seen.extend(shown(&records));
        stats.add(records.stats());
        for entry in records.iter() {
            let at = usize::try_from(entry.at().offset).unwrap();
            assert_eq!(entry.at(), FilePosition::default().after(&log[..at]), "{entry:?}");
        }
        if last {
            break; // also where the log is empty
        }
    }
    (seen, stats)
}

/// No cut of a log loses a record that is complete before it, none makes one up, and none
/// panics; and the log may be read in chunks.
pub fn any_cut_is_survived(make: Make<'_>, log: &[u8]) {
    let (all, all_stats) = records(make, log);
    for pattern in 0..64u32 {
        let mut turn = 0;
        let (seen, stats) = in_chunks(make, log, &mut |_| {
            turn += 1;
            pattern >> (turn % 6) & 1 == 1
        });
        assert_eq!((&seen, &stats), (&all, &all_stats), "chunks by {pattern:b}");
    }
    let mut most = 0;
    for cut in 0..log.len() {
        let (seen, _) = records(make, &log[..cut]);
        let whole = seen.iter().zip(&all).take_while(|(seen, all)| seen == all).count();
        assert!(seen.len() <= whole + 1, "cut at {cut}: {seen:?}");
        assert!(seen.len() >= most, "cut at {cut}: {seen:?}");
        most = most.max(whole.saturating_sub(1));
        // What follows rubbish is read again.
        let rubbish = [&log[..cut], b"\n\xff\x00\"\x80 [{\n", log].concat();
        let (seen, _) = records(make, &rubbish);
        assert!(seen.len() >= all.len(), "rubbish at {cut}: {seen:?}");
        assert_eq!(seen[seen.len() - all.len()..], all, "rubbish at {cut}");
    }
}
