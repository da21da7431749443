//! Detects errors of previously logged statements. A failed statement is not counted as a call.

use super::Assembler;
use super::executions::may_be_same_client;
use super::plans::same_sql;
use crate::assembly::records::Records;
use crate::message::event::is_bind_context;
use crate::message::field::Field;
use crate::message::kinds::Severity;
use crate::message::prepared::is_single;

/// Relation of an error to the logged statement of its session.
enum Failure {
    /// The error belongs to the statement.
    Certain,
    /// The error belongs to the statement, or to a later statement with the same SQL.
    Likely,
    /// The statement ended before the error.
    Other,
}

impl Assembler {
    /// Drops the previously logged statement that failed with the error in message `index`.
    pub(super) fn drop_failed(&mut self, index: usize, out: &mut Records) {
        let session = out.batch.messages[index].session;
        if session == 0 {
            // The failed statement cannot be identified.
            out.batch.stats.unclear_failures += u64::from(self.has_bare_statements);
            return;
        }
        let failure = self.failure(index, session, out);
        if out.batch.messages[index].has(Field::Sql) {
            self.note_error_with_statement(session);
        }
        let is_plan = self.awaiting(session).is_some_and(|queued| queued.is_plan);
        if is_plan && self.pending_entry(session, &out.batch).is_none_or(|plan| is_single(plan.sql())) {
            return; // the planned statement has ended
        }
        match failure {
            Failure::Other => return,
            Failure::Certain => {}
            Failure::Likely => out.batch.stats.unclear_failures += 1,
        }
        out.batch.stats.failed += 1;
        // If a plan still waits at this point, its SQL has several statements. The planned statement has ended, and a
        // later statement of this SQL has failed.
        match is_plan && out.batch.selection.events {
            true => self.keep_plan_only(session, out),
            false => self.drop_pending(session, out),
        }
    }

    pub(super) fn note_error_with_statement(&mut self, session: u64) {
        /// Maximum number of sessions in `errors_with_statement`.
        const MAX_SESSIONS: usize = 16 << 10;
        if self.errors_with_statement.len() > MAX_SESSIONS {
            self.errors_with_statement.clear();
        }
        self.errors_with_statement.insert(session);
    }

    fn failure(&self, index: usize, session: u64, out: &Records) -> Failure {
        let error = out.batch.entry(index);
        let Some(pending) = self.pending_entry(session, &out.batch) else { return Failure::Other };
        let has_statement = !error.sql().is_empty();
        if !may_be_same_client(pending, error) || (has_statement && !same_sql(pending, error)) {
            return Failure::Other;
        }
        let tag = error.get(Field::CommandTag);
        let [before, now] = [pending, error].map(|entry| entry.get(Field::VirtualXid));
        let is_next_transaction = !before.is_empty() && !now.is_empty() && before != now && !before.ends_with(b"/0");
        let is_simple = pending.get(Field::Heading).ends_with(b"statement: ");
        // A session with the command tag `idle` runs no statement. Exception: the server logs a simple query, and only
        // then changes the tag. An error between these two steps still has the tag `idle`.
        let is_preparation =
            matches!(tag, b"PARSE" | b"BIND") || (tag.starts_with(b"idle") && !(is_simple && has_statement));
        if is_preparation || is_next_transaction || is_bind_context(error.get(Field::Context)) {
            return Failure::Other;
        }
        // If the log has the duration of every successful statement, a statement without a duration has failed.
        let is_certain = !tag.is_empty() || (self.has_separate_durations && !self.lacks_durations);
        // Only this session's errors count, because sessions may have different values of
        // log_min_error_statement.
        let has_statements = self.errors_with_statement.contains(&session);
        let is_fatal = error.severity() != Severity::Error;
        match (has_statement, is_certain) {
            (true, true) => Failure::Certain,
            (true, false) if is_simple => Failure::Certain,
            (true, false) => Failure::Likely,
            (false, true) if tag.is_empty() && has_statements => Failure::Other,
            (false, true) => Failure::Certain,
            // A FATAL error may belong to no statement, because it can also end an idle session.
            (false, false) if has_statements || (is_fatal && !self.errors_with_statement.is_empty()) => Failure::Other,
            (false, false) => Failure::Likely,
        }
    }
}
