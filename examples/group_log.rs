//! Groups the statements of a PostgreSQL log by fingerprint. The slowest group is first.
//!
//! `cargo run --example group_log fixtures/log/log.log`

use std::path::PathBuf;

use pgq_digest::{Digest, Execution, GroupKey, Limit};
use pgq_log::{Assembler, Batch, Chunks, LogReaderConfig, RecordSelection, Records, StreamState, detect_format};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: group_log FILE")?);
    let log = std::fs::read(&path)?;
    let kind = detect_format(&path.to_string_lossy(), &log).ok_or("this is not a log of PostgreSQL")?;
    let (config, notice) = LogReaderConfig::new(kind, RecordSelection::default(), None, &log);
    if let Some(notice) = notice {
        eprintln!("{notice}");
    }

    // The digest keeps at most 10,000 groups.
    let mut digest = Digest::new(Limit::Groups(10_000));
    let (mut source, mut chunks) = (log.as_slice(), Chunks::new(config.clone()));
    let (mut parser, mut assembler) = (config.parser(), Assembler::default());
    while let Some(step) = chunks.next_chunk(&mut source, &|| {})? {
        let mut batch = Batch::parse(step.chunk, config.selection, parser.as_mut());
        if step.state != StreamState::More {
            parser.flush(&mut batch);
        }
        let records = match step.state {
            StreamState::More => assembler.assemble(batch),
            StreamState::Idle => assembler.assemble_idle(batch),
            StreamState::End => assembler.finish(batch),
        };
        add(&records, &mut digest);
    }
    digest.finish();

    let mut groups: Vec<_> = digest.groups.iter().collect();
    groups.sort_by_key(|(fingerprint, group)| (std::cmp::Reverse(group.durations.sum()), **fingerprint));
    for (fingerprint, group) in groups {
        let sql = group.example.as_ref().map(|example| example.sql()).unwrap_or_default();
        println!("{fingerprint:016x} {} calls, {} µs: {}", group.calls, group.durations.sum(), pgq::normalize(&sql)?);
    }
    for (error, kept) in digest.unparsed.iter() {
        eprintln!("{} calls do not parse: {error}", kept.sum.calls);
    }
    Ok(())
}

fn add(records: &Records, digest: &mut Digest) {
    for entry in records.iter() {
        let sql = String::from_utf8_lossy(entry.sql());
        let duration = entry.duration_ms().map(|ms| (ms * 1000.0) as u64); // microseconds
        let execution = Execution { sql: sql.as_bytes(), duration, ..Execution::default() };
        if entry.is_truncated() {
            digest.add(&GroupKey::Truncated, &execution);
            continue;
        }
        match pgq::fingerprint(&sql) {
            Ok(fingerprint) => digest.add(&GroupKey::Query(fingerprint.0), &execution),
            Err(error) => digest.add(&GroupKey::Unparsed(&error.message), &execution),
        }
    }
}
