//! Comparisons that show whether two messages of a session belong to the same execution. They compare the client, the
//! transaction, the times and the SQL.

use crate::assembly::entry::Entry;
use crate::message::field::Field;
use crate::message::portal;
use crate::time::clock::{Clock, duration_micros};

/// Whether a message logs a statement of the simple protocol.
pub(super) fn is_simple(entry: Entry<'_>) -> bool {
    portal::is_simple(entry.get(Field::Heading))
}

/// Whether two messages with the same session key may be from the same client. Without session IDs, the key is the
/// process ID, and two sessions whose processes had the same ID have the same key.
pub(super) fn may_be_same_client(one: Entry<'_>, other: Entry<'_>) -> bool {
    let may_agree =
        |field| one.get(field) == other.get(field) || one.get(field).is_empty() || other.get(field).is_empty();
    may_agree(Field::User) && may_agree(Field::Database)
}

/// Whether two messages are of different transactions. False if a message has no virtual transaction ID.
pub(super) fn are_other_transactions(one: Entry<'_>, other: Entry<'_>) -> bool {
    let [one, other] = [one, other].map(|entry| entry.get(Field::VirtualXid));
    is_transaction(one) && !other.is_empty() && one != other
}

/// Whether a virtual transaction ID is known and names a transaction. Outside of a transaction, the ID ends in `/0`, as
/// in `3/0`.
pub(super) fn is_transaction(id: &[u8]) -> bool {
    !id.is_empty() && !id.ends_with(b"/0")
}

/// Returns the time of a message in microseconds since 1970. Returns `None` if the time is from an envelope, because
/// the envelope's time is later by an unknown delay.
pub(super) fn end_micros(clock: &mut Clock, message: Entry<'_>) -> Option<i64> {
    let time = Some(message.get(Field::Time)).filter(|_| !message.has_time_of_envelope());
    Some(clock.parse(time?)?.unix_micros())
}

/// Returns the time at which an execution began.
pub(super) fn start_micros(clock: &mut Clock, message: Entry<'_>) -> Option<i64> {
    let micros = duration_micros(message.get(Field::Duration))?;
    Some(end_micros(clock, message)?.saturating_sub_unsigned(micros))
}

/// Returns the precision of a message's time, in microseconds. Times are truncated to milliseconds, or to seconds with
/// `%t`.
pub(super) fn time_unit(message: Entry<'_>) -> i64 {
    if message.get(Field::Time).contains(&b'.') { 1000 } else { 1_000_000 }
}

/// Whether two messages describe the same execution. This is the case if their SQL is equal, or if `other` is the
/// EXECUTE of the prepared statement in `pending`.
pub(super) fn same_sql(pending: Entry<'_>, other: Entry<'_>) -> bool {
    let same = |field: Field| same_text(pending.get(field), other.sql());
    !other.sql().is_empty()
        && (same(Field::Sql) || (!pending.get(Field::Statement).is_empty() && same(Field::Statement)))
}

/// Whether two SQL strings are equal except for the amount and kind of white space. White space differs if an envelope
/// of text lines drops carriage returns or the blanks at the starts and ends of lines, or replaces tabs by blanks. An
/// envelope changes white space in a statement, but not in a plan in JSON, XML or YAML, where white space is escaped.
fn same_text(one: &[u8], other: &[u8]) -> bool {
    one == other || words(one).eq(words(other))
}

/// Splits SQL at white space.
fn words(sql: &[u8]) -> impl Iterator<Item = &[u8]> {
    sql.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}
