//! For the tests of formats: a log as text in, its records as short lines out.

use anyhow::Result;

use super::assemble::Assembler;
use super::entry::Part;
use super::filter::Filter;
use super::lines::Format;
use super::stats::Stats;
use crate::input::{Cursor, Flow, Piece, Sink};

#[derive(Default)]
struct Seen(Vec<String>);

impl Sink for Seen {
    fn piece(&mut self, piece: &Piece<'_>) -> Result<Flow> {
        let entry = piece.log.expect("a record of a log");
        let mut line = format!("{} {}", entry.pid, entry.severity.name());
        for part in [Part::User, Part::Duration, Part::Sql, Part::Params] {
            if !entry.get(part).is_empty() {
                line += " | ";
                line += &String::from_utf8_lossy(entry.get(part));
            }
        }
        if entry.truncated {
            line += " | truncated";
        }
        self.0.push(line);
        Ok(Flow::Continue)
    }

    fn idle(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Reads a log, with the statements of its errors.
pub fn records(format: &mut dyn Format, log: &[u8]) -> (Vec<String>, Stats) {
    let (mut seen, filter) = (Seen::default(), Filter::default());
    let mut out = Assembler::new("log", &mut seen, &filter, true, false);
    let mut at = Cursor::default();
    for line in log.split_inclusive(|b| *b == b'\n') {
        out.stats.lines += 1;
        let whole = line.ends_with(b"\n");
        format.line(line.strip_suffix(b"\n").unwrap_or(line), at, whole, &mut out).unwrap();
        at = at.after(line);
    }
    format.rest(true, &mut out).unwrap();
    out.finish().unwrap();
    let stats = out.stats.clone();
    (seen.0, stats)
}

/// No cut of a log loses a record that is complete before it, none makes one up, and none
/// panics.
pub fn any_cut_is_survived(make: &dyn Fn() -> Box<dyn Format>, log: &[u8]) {
    let (all, _) = records(make().as_mut(), log);
    let mut most = 0;
    for cut in 0..log.len() {
        let (seen, _) = records(make().as_mut(), &log[..cut]);
        let whole = seen.iter().zip(&all).take_while(|(seen, all)| seen == all).count();
        assert!(seen.len() <= whole + 1, "cut at {cut}: {seen:?}");
        assert!(seen.len() >= most, "cut at {cut}: {seen:?}");
        most = most.max(whole.saturating_sub(1));
        // What follows rubbish is read again.
        let rubbish = [&log[..cut], b"\n\xff\x00\"\x80 [{\n", log].concat();
        let (seen, _) = records(make().as_mut(), &rubbish);
        assert!(seen.len() >= all.len(), "rubbish at {cut}: {seen:?}");
        assert_eq!(seen[seen.len() - all.len()..], all, "rubbish at {cut}");
    }
}
