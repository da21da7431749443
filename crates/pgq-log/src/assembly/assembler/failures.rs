//! Detects errors of previously logged statements. A failed statement is not counted as a call.

use super::Assembler;
use super::evidence::{are_other_transactions, is_simple, may_be_same_client, same_sql};
use crate::assembly::entry::Entry;
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
        match failure {
            Failure::Other => return,
            Failure::Certain => {}
            Failure::Likely => out.batch.stats.unclear_failures += 1,
        }
        out.batch.stats.failed += 1;
        self.drop_pending(session, out);
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
        let is_simple = is_simple(pending);
        if !may_be_running(tag, is_simple && has_statement, error) || is_bind_context(error.get(Field::Context)) {
            return Failure::Other;
        }
        // If the error has no command tag, or the tag `idle`, the client may have sent the same SQL again, and the
        // error may belong to this later statement.
        if (tag.is_empty() || tag.starts_with(b"idle")) && are_other_transactions(pending, error) {
            let may_have_transactions = tag.is_empty() && has_statement && !is_single(pending.sql());
            return if may_have_transactions { Failure::Likely } else { Failure::Other };
        }
        // If the log has the duration of every successful statement, a statement without a duration has failed.
        let has_all_durations = self.has_separate_durations && !self.lacks_durations;
        // Only this session's errors count, because sessions may have different values of
        // log_min_error_statement.
        let has_statements = self.errors_with_statement.contains(&session);
        let is_fatal = error.severity() != Severity::Error;
        match has_statement {
            true if is_simple || has_all_durations || !tag.is_empty() => Failure::Certain,
            true => Failure::Likely,
            // The error belongs to no statement: it occurred in a commit at the end of a pipeline, or the client named
            // a portal that does not exist.
            false if has_statements => Failure::Other,
            false if has_all_durations => Failure::Certain,
            // A FATAL error may belong to no statement, because it can also end an idle session.
            false if is_fatal && tag.is_empty() && !self.errors_with_statement.is_empty() => Failure::Other,
            false => Failure::Likely,
        }
    }
}

/// Whether the session of an error may have been running a logged statement, according to the error's command tag. The
/// tag `idle` means that no statement runs. Exception: the server logs a simple query before it changes the tag from
/// `idle`. Between these two steps, an error can only come from an interrupt (SQLSTATE class 57), because the server
/// has already parsed the query.
fn may_be_running(tag: &[u8], is_of_simple_query: bool, error: Entry<'_>) -> bool {
    let sqlstate = error.get(Field::SqlState);
    match tag {
        b"PARSE" | b"BIND" | b"<FASTPATH>" => false,
        tag if tag.starts_with(b"idle") => is_of_simple_query && (sqlstate.is_empty() || sqlstate.starts_with(b"57")),
        _ => true,
    }
}
