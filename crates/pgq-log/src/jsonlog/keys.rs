//! The keys of a jsonlog that are read. A table, and how it is looked up.

use crate::field::Field;

/// The keys that are read. PostgreSQL leaves out a key without a value.
pub const KEYS: [(&[u8], Option<Field>); 19] = [
    (b"timestamp", Some(Field::Time)),
    (b"user", Some(Field::User)),
    (b"dbname", Some(Field::Database)),
    (b"session_id", Some(Field::Session)),
    (b"message", Some(Field::Message)),
    (b"detail", Some(Field::Detail)),
    (b"context", Some(Field::Context)),
    (b"statement", Some(Field::Statement)),
    (b"application_name", Some(Field::Application)),
    (b"error_severity", None),
    (b"pid", None),
    (b"remote_host", Some(Field::RemoteHost)),
    (b"line_num", Some(Field::SessionLine)),
    (b"session_start", Some(Field::SessionStart)),
    (b"ps", Some(Field::CommandTag)),
    (b"state_code", Some(Field::SqlState)),
    (b"vxid", Some(Field::VirtualXid)),
    (b"txid", Some(Field::Txid)),
    (b"query_id", Some(Field::QueryId)),
];
/// Indexes in [`KEYS`], which a test compares with it.
pub const DATABASE: usize = 2;
pub const MESSAGE: usize = 4;
pub const DETAIL: usize = 5;
pub const SEVERITY: usize = 9;
pub const PID: usize = 10;
pub const LINE_NUMBER: usize = 12;
/// The keys from here on are those of [`RecordSelection::session_fields`].
///
/// [`RecordSelection::session_fields`]: crate::RecordSelection::session_fields
pub const SESSION_KEYS: usize = 12;

/// The index in [`KEYS`] of a key. A match compiles to less than a search.
pub fn key_index(key: &[u8]) -> Option<usize> {
    Some(match key {
        b"timestamp" => 0,
        b"user" => 1,
        b"dbname" => 2,
        b"session_id" => 3,
        b"message" => 4,
        b"detail" => 5,
        b"context" => 6,
        b"statement" => 7,
        b"application_name" => 8,
        b"error_severity" => SEVERITY,
        b"pid" => PID,
        b"remote_host" => 11,
        b"line_num" => 12,
        b"session_start" => 13,
        b"ps" => 14,
        b"state_code" => 15,
        b"vxid" => 16,
        b"txid" => 17,
        b"query_id" => 18,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{DATABASE, DETAIL, KEYS, LINE_NUMBER, MESSAGE, PID, SESSION_KEYS, SEVERITY, key_index};

    #[test]
    fn indexes_are_those_of_the_keys() {
        assert_eq!((KEYS[SEVERITY].0, KEYS[PID].0), (&b"error_severity"[..], &b"pid"[..]));
        let names = [DATABASE, MESSAGE, DETAIL, LINE_NUMBER].map(|index| KEYS[index].0);
        assert_eq!(names, [&b"dbname"[..], b"message", b"detail", b"line_num"]);
        assert!(KEYS[SESSION_KEYS - 1].0 == b"remote_host" && KEYS[SESSION_KEYS].0 == b"line_num");
        for (index, (key, _)) in KEYS.iter().enumerate() {
            assert_eq!(key_index(key), Some(index));
        }
    }
}
