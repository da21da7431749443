//! Comparisons that show whether two messages of a session belong to the same execution. They compare the client, the
//! transaction and the times.

use super::cursors::space_separated;
use crate::assembly::entry::Entry;
use crate::message::field::Field;
use crate::message::prepared::{ends_transaction, is_single};
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

/// Whether a plan may have ended after the start of an execution. If both events are in the same millisecond (or
/// second), their order is unknown, and the result is true. `unit`: the result of [`time_unit`].
pub(super) fn may_follow(end: Option<i64>, start: Option<i64>, unit: i64) -> bool {
    end.zip(start).is_none_or(|(end, start)| end.saturating_add(unit) > start)
}

/// Whether the transaction of a statement had no other statement. If so, no portal was open when the statement started.
/// Returns false if this is unknown. `end`: the message that was logged after the statement.
pub(super) fn had_own_transaction(sql: &[u8], end: Entry<'_>) -> bool {
    let id = end.get(Field::VirtualXid);
    !id.is_empty() && !is_transaction(id) && is_single(sql) && !ends_transaction(sql)
}

/// Whether a plan that ended at `end` began before an execution that started at `start`. `unit`: the result of
/// [`time_unit`].
pub(super) fn began_earlier(end: Option<i64>, plan: Entry<'_>, start: Option<i64>, unit: i64) -> bool {
    let micros = duration_micros(plan.get(Field::Duration)).unwrap_or(0);
    !may_follow(end.map(|end| end.saturating_sub_unsigned(micros)), start, unit)
}

/// Whether a plan belongs to an execution other than `execution`, although both have the same SQL. `is_single`: whether
/// this SQL is a single statement.
///
/// The result is true if the plan ended before `execution` started. For a single statement, it is also true if the plan
/// began before `execution`, or if the plan is of another transaction. For several statements, these two conditions
/// prove nothing, because the statements may be in several transactions, and the duration of their plan may be a sum
/// that includes other executions.
pub(super) fn is_of_other_execution(
    plan: Entry<'_>,
    execution: Entry<'_>,
    is_single: impl FnOnce() -> bool,
    clock: &mut Clock,
) -> bool {
    let (start, unit) = (start_micros(clock, execution), time_unit(execution));
    if !may_follow(end_micros(clock, plan), start, unit) {
        return true;
    }
    let is_earlier = !may_follow(start_micros(clock, plan), start, unit);
    (is_earlier || are_other_transactions(execution, plan)) && is_single()
}

/// Whether a plan belongs to `execution`. `is_single`: whether the SQL of `execution` is a single statement.
/// `has_execute`: the result of [`has_execute`] for this SQL.
pub(super) fn is_plan_of(
    plan: Entry<'_>,
    execution: Entry<'_>,
    is_single: impl FnOnce() -> bool,
    has_execute: impl FnOnce() -> bool,
    clock: &mut Clock,
) -> bool {
    (same_sql(plan, execution) || (is_prepared(plan) && has_execute()))
        && !is_of_other_execution(plan, execution, is_single, clock)
}

/// Whether a plan is that of a statement that PREPARE has prepared.
pub(super) fn is_prepared(plan: Entry<'_>) -> bool {
    !plan.get(Field::Statement).is_empty()
}

/// Whether SQL may contain an EXECUTE, as in `CREATE TABLE … AS EXECUTE`.
pub(super) fn has_execute(sql: &[u8]) -> bool {
    sql.windows(8).any(|word| word.eq_ignore_ascii_case(b"execute "))
}

/// Whether a message has a field that log_error_verbosity = terse omits. If so, the session's setting is not terse, and
/// its plans inside functions have a CONTEXT.
pub(super) fn has_optional_fields(message: Entry<'_>) -> bool {
    [Field::Detail, Field::Hint, Field::Context].iter().any(|field| !message.get(*field).is_empty())
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
    one == other || space_separated(one).eq(space_separated(other))
}
