//! Comparisons that show whether two messages of a session belong to the same execution. They compare the client, the
//! transaction and the times.

use crate::assembly::entry::Entry;
use crate::message::field::Field;
use crate::time::clock::{Clock, duration_micros};

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

/// Whether two messages are of the same transaction. False if a message has no virtual transaction ID.
pub(super) fn is_same_transaction(one: Entry<'_>, other: Entry<'_>) -> bool {
    let [one, other] = [one, other].map(|entry| entry.get(Field::VirtualXid));
    is_transaction(one) && one == other
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

/// Returns the time at which an execution or a plan began.
pub(super) fn start_micros(clock: &mut Clock, message: Entry<'_>) -> Option<i64> {
    let micros = duration_micros(message.get(Field::Duration))?;
    Some(end_micros(clock, message)?.saturating_sub_unsigned(micros))
}

/// Returns the precision of a message's time, in microseconds. Times are truncated to milliseconds, or to seconds with
/// `%t`.
pub(super) fn time_unit(message: Entry<'_>) -> i64 {
    if message.get(Field::Time).contains(&b'.') { 1000 } else { 1_000_000 }
}
