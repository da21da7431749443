//! States of digests.

use std::io::Write;

use pgq_digest::state::{StateError, decode_each, encode};
use pgq_digest::{Digest, Execution, Facet, GroupKey, Limit, LogMessage, Severity, Sum};
use xxhash_rust::xxh3::xxh3_64;

fn decoded(bytes: &[u8]) -> Result<Digest, StateError> {
    let mut digest = Digest::new(Limit::Bytes(64 << 20));
    decode_each(bytes, Limit::Bytes(64 << 20), |part| digest.merge(part)).map(|()| digest)
}

/// Returns a state (an encoded digest) that consists of a valid header and these compressed bytes.
fn state_of(compressed: &[u8]) -> Vec<u8> {
    /// Number of bytes before the checksum: the magic bytes and the version.
    const HEADER: usize = 12;
    let valid = encode(&Digest::new(Limit::Groups(1))).unwrap();
    [&valid[..HEADER], &xxh3_64(compressed).to_le_bytes(), compressed].concat()
}

/// Compresses `bytes` and returns them as a state (an encoded digest) with a valid checksum.
fn state(bytes: &[u8]) -> Vec<u8> {
    state_of(&zstd::encode_all(bytes, 19).unwrap())
}

/// Returns a finished digest. The number of hosts is `names`; each host has one execution, one error and one warning.
fn digest(limit: Limit, names: usize) -> Digest {
    let mut digest = Digest::new(limit);
    for number in 0..names {
        let host = format!("host{number}");
        let message = format!("kind {} failed", "x".repeat(number % 60));
        let error = LogMessage { message: message.as_bytes(), ..LogMessage::default() };
        let time = Some((number as i64 * 1_000_000, &b"now"[..]));
        let sql = format!("SELECT {number}");
        let execution =
            Execution { sql: sql.as_bytes(), time, host: host.as_bytes(), duration: Some(7), ..Execution::default() };
        digest.add(&GroupKey::Query(number as u64 % 500), &execution);
        digest.add_error(&Execution { error: Some(&error), duration: None, ..execution });
        let warning = LogMessage { severity: Severity::Warning, ..error };
        digest.add_message(&warning, &execution, Some(3));
    }
    digest.finish();
    digest
}

#[test]
fn a_state_has_all_of_its_digest() {
    for limit in [Limit::Bytes(64 << 20), Limit::Bytes(400 << 10), Limit::Groups(20)] {
        let digest = digest(limit, 3000);
        let bytes = encode(&digest).unwrap();
        let again = decoded(&bytes).unwrap();
        assert_eq!(encode(&again).unwrap(), bytes, "{limit:?}");
        assert_eq!(again.severities, digest.severities);
        assert_eq!((again.stray_errors, again.messages.iter().count()), (3000, digest.messages.iter().count()));
        let hosts = again.facets.get(Facet::Host);
        let totals = hosts.iter().map(|(_, kept)| kept.sum.totals.weight()).sum::<u64>() + hosts.others().weight();
        assert_eq!(totals, 6000, "{limit:?}");
        assert_eq!(hosts.floor() > 0, limit == Limit::Bytes(400 << 10), "{limit:?}");
    }
}

#[test]
fn a_compression_bomb_is_refused_with_little_memory() {
    // The inputs are a compression bomb (1 GiB of zeros), a part that is longer than any valid part, and an empty part.
    let mut zeros = zstd::Encoder::new(Vec::new(), 1).unwrap();
    let block = vec![0_u8; 1 << 20];
    (0..1024).for_each(|_| zeros.write_all(&block).unwrap());
    let bomb = state_of(&zeros.finish().unwrap());
    assert!(bomb.len() < 200_000);
    assert_eq!(decoded(&bomb).unwrap_err(), StateError::Damaged);
    assert_eq!(decoded(&state(&[0xff; 4])).unwrap_err(), StateError::Damaged);
    assert_eq!(decoded(&state(&[0; 4])).unwrap_err(), StateError::Damaged);
}

#[test]
fn a_state_of_many_equal_parts_is_refused() {
    let bytes = encode(&digest(Limit::Groups(10), 1)).unwrap();
    let parts = zstd::decode_all(&bytes[20..]).unwrap();
    let repeated = |times: usize| {
        let mut compressed = zstd::Encoder::new(Vec::new(), 3).unwrap();
        (0..times).for_each(|_| compressed.write_all(&parts).unwrap());
        state_of(&compressed.finish().unwrap())
    };
    assert!(decoded(&repeated(2)).is_ok());
    let bomb = repeated((80 << 20) / parts.len());
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    assert_eq!(decoded(&bomb).unwrap_err(), StateError::Damaged);
}

#[test]
fn a_state_of_texts_that_compress_well_is_read() {
    let mut large = Digest::new(Limit::Bytes(1 << 30));
    for query in 0..1200 {
        let sql = format!("SELECT {query}, '{}'", "0".repeat(62_000));
        large.add(
            &GroupKey::Query(query),
            &Execution { sql: sql.as_bytes(), duration: Some(7), ..Execution::default() },
        );
    }
    large.finish();
    let bytes = encode(&large).unwrap();
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    let mut groups = 0;
    decode_each(&bytes, Limit::Bytes(1 << 30), |digest| groups += digest.groups.len()).unwrap();
    assert_eq!(groups, 1200);
}

#[test]
fn sums_beyond_64_bits_stay_at_the_greatest_number() {
    let mut huge = digest(Limit::Groups(10), 1);
    for group in huge.groups.values_mut() {
        group.calls = u64::MAX - 1;
        group.durations.record(u64::MAX - 5);
    }
    let bytes = encode(&huge).unwrap();
    let mut merged = decoded(&bytes).unwrap();
    merged.merge(decoded(&bytes).unwrap());
    let group = merged.groups.values().next().unwrap();
    assert_eq!((group.calls, group.durations.sum()), (u64::MAX, u64::MAX));
}
