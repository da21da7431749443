//! Reads any bytes as a log: all fields of every record, the fingerprint of its SQL, and a digest of all records. The
//! first byte selects the format and its options.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pgq_digest::{Digest, Execution, GroupKey, Limit, state};
use pgq_log::{
    Assembler, Batch, Chunks, Entry, Field, LogKind, LogReaderConfig, RecordSelection, StreamState, parameter_values,
    parse_timestamp,
};

const KINDS: [LogKind; 3] = [LogKind::Stderr, LogKind::Csvlog, LogKind::Jsonlog];
const PREFIX: &str = "%m [%p] %q%u@%d %a %c ";

/// Maximum number of groups in the digest. It is small, so that the digest has to merge groups.
const LIMIT: Limit = Limit::Groups(4);

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, mut log)) = bytes.split_first() else { return };
    let selection = RecordSelection {
        errors: choice & 4 != 0,
        parse_bind: choice & 8 != 0,
        add_parse_bind: choice & 64 != 0,
        events: choice & 128 != 0,
        session_fields: choice & 32 != 0,
    };
    let prefix = (choice & 16 != 0).then_some(PREFIX);
    let (config, _) = LogReaderConfig::new(KINDS[usize::from(choice & 3) % 3], selection, prefix, log);
    let mut chunks = Chunks::new(config.clone());
    let mut parser = config.parser();
    let mut assembler = Assembler::default();
    let mut digest = Digest::new(LIMIT);
    while let Some(step) = chunks.next_chunk(&mut log, &|| {}).expect("a slice can be read") {
        let mut batch = Batch::parse(step.chunk, config.selection, parser.as_mut());
        if step.state == StreamState::End {
            parser.flush(&mut batch);
        }
        let records = match step.state {
            StreamState::More => assembler.assemble(batch),
            StreamState::Idle => assembler.assemble_idle(batch),
            StreamState::End => assembler.finish(batch),
        };
        records.iter().for_each(|entry| add(&mut digest, entry));
    }
    digest.finish();
    let encoded = state::encode(&digest).expect("memory is written");
    state::decode_each(&encoded, LIMIT, |_| {}).expect("it was encoded here");
});

/// Adds a record to the digest, and reads its other fields.
fn add(digest: &mut Digest, entry: Entry<'_>) {
    let _ = parse_timestamp(entry.get(Field::Time));
    let _ = parameter_values(entry.get(Field::Params));
    let _ = (entry.pid(), entry.severity(), entry.is_truncated(), entry.position());
    let sql = String::from_utf8_lossy(entry.sql());
    let key = match pgq::fingerprint(&sql) {
        Ok(fingerprint) => GroupKey::Query(fingerprint.0),
        Err(_) => return,
    };
    let _ = pgq::normalize(&sql);
    let execution = Execution {
        sql: &sql,
        params: entry.get(Field::Params),
        duration: entry.duration_ms().map(|ms| (ms * 1000.0) as u64),
        user: entry.get(Field::User),
        ..Execution::default()
    };
    digest.add(&key, &execution);
}
