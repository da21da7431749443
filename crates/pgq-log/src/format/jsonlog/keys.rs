//! The table of jsonlog keys that are read, and a lookup of keys.

use crate::message::field::Field;

/// Keys that are read. PostgreSQL omits a key without a value.
pub const KEYS: [(&[u8], Option<Field>); 21] = [
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
    (b"vxid", Some(Field::VirtualXid)),
    (b"session_start", Some(Field::SessionStart)),
    (b"ps", Some(Field::CommandTag)),
    (b"state_code", Some(Field::SqlState)),
    (b"line_num", Some(Field::SessionLine)),
    (b"txid", Some(Field::Txid)),
    (b"query_id", Some(Field::QueryId)),
    (b"hint", Some(Field::Hint)),
    (b"backend_type", Some(Field::BackendType)),
];
/// Indexes in [`KEYS`]. A test checks them.
pub const DATABASE: usize = 2;
pub const MESSAGE: usize = 4;
pub const DETAIL: usize = 5;
pub const SEVERITY: usize = 9;
pub const PID: usize = 10;
pub const COMMAND_TAG: usize = 14;
pub const LINE_NUMBER: usize = 16;
pub const QUERY_ID: usize = 18;
/// Number of leading [`KEYS`] that are always read. Whether the other keys are read depends on
/// [`RecordSelection::session_fields`].
///
/// [`RecordSelection::session_fields`]: crate::RecordSelection::session_fields
pub const SESSION_KEYS: usize = 13;

/// An entry of [`ORDER`].
pub struct OrderedKey {
    /// The quoted key as an integer.
    pub text: u128,
    /// Mask of the bytes of `text` that belong to the key.
    mask: u128,
    /// Length of the quoted key, in bytes.
    pub len: usize,
    /// Index of the key in [`KEYS`].
    pub index: Option<usize>,
}

impl OrderedKey {
    const fn new(key: &[u8], index: Option<usize>) -> Self {
        let len = key.len() + 2;
        assert!(len <= 16);
        let (mut text, mut at) = ([0; 16], 0);
        while at < len {
            text[at] = if at == 0 || at + 1 == len { b'"' } else { key[at - 1] };
            at += 1;
        }
        Self { text: u128::from_le_bytes(text), mask: u128::MAX >> (128 - 8 * len), len, index }
    }

    /// Whether `text` starts with this quoted key.
    #[inline]
    pub fn starts(&self, text: &[u8]) -> bool {
        text.first_chunk().is_some_and(|start| u128::from_le_bytes(*start) & self.mask == self.text)
    }
}

/// Keys up to the message, in the server's order (jsonlog.c: write_jsonlog).
pub const ORDER: [OrderedKey; 15] = [
    OrderedKey::new(b"timestamp", Some(0)),
    OrderedKey::new(b"user", Some(1)),
    OrderedKey::new(b"dbname", Some(DATABASE)),
    OrderedKey::new(b"pid", Some(PID)),
    OrderedKey::new(b"remote_host", Some(11)),
    OrderedKey::new(b"remote_port", None),
    OrderedKey::new(b"session_id", Some(3)),
    OrderedKey::new(b"line_num", Some(LINE_NUMBER)),
    OrderedKey::new(b"ps", Some(14)),
    OrderedKey::new(b"session_start", Some(13)),
    OrderedKey::new(b"vxid", Some(12)),
    OrderedKey::new(b"txid", Some(17)),
    OrderedKey::new(b"error_severity", Some(SEVERITY)),
    OrderedKey::new(b"state_code", Some(15)),
    OrderedKey::new(b"message", Some(MESSAGE)),
];
/// Index of the line number in [`ORDER`]. The values before it, except the timestamp, are constant within a session.
pub const LINE_NUMBER_PLACE: usize = 7;

/// Returns the index of a key in [`KEYS`]. A `match` compiles to less code than a search.
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
        b"vxid" => 12,
        b"session_start" => 13,
        b"ps" => 14,
        b"state_code" => 15,
        b"line_num" => LINE_NUMBER,
        b"txid" => 17,
        b"query_id" => QUERY_ID,
        b"hint" => 19,
        b"backend_type" => 20,
        _ => return None,
    })
}
