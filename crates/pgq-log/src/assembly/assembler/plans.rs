//! Plans of auto_explain. A plan counts as an execution only if the log does not show this execution in another way: by
//! durations of statements of the same user, or by the planned statement itself. The rules do not use times, because
//! the server logs the plan of a cursor, a portal or a function's query much later, and without a mark.

use std::collections::VecDeque;
use std::hash::BuildHasher;

use foldhash::HashMap;

use super::evidence::{is_simple, same_sql};
use super::{Assembler, is_parse_bind};
use crate::assembly::entry::Entry;
use crate::assembly::records::{Record, Records};
use crate::format::batch::Batch;
use crate::message::event::Event;
use crate::message::field::Field;
use crate::message::prepared::{ends_transaction, is_single};
use crate::time::clock::{duration_digits, duration_micros};

/// Maximum number of statements stored per session.
const MAX_STATEMENTS: usize = 256;
/// Number of sessions in [`Plans::noted`].
const NOTED: usize = 32;
/// Maximum number of sessions, and of users.
const MAX_SESSIONS: usize = 16 << 10;

/// What decides whether plans count as executions.
#[derive(Default)]
pub struct Plans {
    /// Whether the log has plans.
    are_logged: bool,
    /// Sessions whose user has durations, each at the position of its last bits. A cache for logs without plans.
    noted: [u64; NOTED],
    /// Users of the current file by their hash ([`Plans::user`]).
    users: HashMap<u64, User>,
    /// For each session, the last statements that log_statement wrote to the log, without a duration; oldest first. Each
    /// statement is a hash of its SQL.
    statements: HashMap<u64, VecDeque<u64>>,
    /// Whether an earlier file has durations.
    earlier_has_durations: bool,
}

/// Executions and plans of a user in a database. Settings such as log_min_duration_statement may be different for each
/// user and database.
#[derive(Default)]
struct User {
    /// Whether a message has both SQL and duration, because of log_min_duration_statement.
    has_durations: bool,
    /// Number of logged executions and fetches. Before the first plan, only some of those with a duration are counted.
    executions: u64,
    /// Number of plans that became executions.
    counted: u64,
    /// Number of plans that do not count, because the user has durations.
    ignored: u64,
}

impl Plans {
    /// Whether the session's user is known to have durations, and the log has no plans. Otherwise the caller must note
    /// the session's execution, which has a duration.
    fn is_noted(&mut self, session: u64) -> bool {
        let noted = &mut self.noted[session as usize % NOTED];
        // The complement, because 0 is the empty value of the cache, and also the key of a log without sessions.
        std::mem::replace(noted, !session) == !session && !self.are_logged
    }

    /// Returns the hash of the user and the database of a message.
    fn user(&self, entry: Entry<'_>) -> u64 {
        self.users.hasher().hash_one((entry.get(Field::User), entry.get(Field::Database)))
    }

    fn user_mut(&mut self, entry: Entry<'_>) -> &mut User {
        let hash = self.user(entry);
        if self.users.len() > MAX_SESSIONS {
            self.users.clear();
        }
        self.users.entry(hash).or_default()
    }

    /// Stores a statement without a duration. Its plan may follow later.
    fn add_statement(&mut self, statement: Entry<'_>) {
        let hash = self.statements.hasher().hash_one(statement.sql());
        if self.statements.len() > MAX_SESSIONS {
            self.statements.clear();
        }
        let hashes = self.statements.entry(statement.session()).or_default();
        if hashes.len() == MAX_STATEMENTS {
            hashes.pop_front();
        }
        hashes.push_back(hash);
    }

    /// Whether the session of a plan has logged the planned statement.
    fn has_statement(&self, plan: Entry<'_>) -> bool {
        let hash = self.statements.hasher().hash_one(plan.sql());
        self.statements.get(&plan.session()).is_some_and(|hashes| hashes.contains(&hash))
    }

    /// Counts a plan that becomes an execution.
    pub fn count(&mut self, plan: Entry<'_>) {
        self.user_mut(plan).counted += 1;
    }

    /// Removes an ended session.
    pub fn end(&mut self, session: u64) {
        self.statements.remove(&session);
        self.noted[session as usize % NOTED] = 0;
    }

    /// Ends a file. Keeps the statements, because the next file may continue the log. Returns two numbers:
    ///
    /// - unclear plans: if the file has plans but no durations, and an earlier file has durations, the settings may be
    ///   different, or the log may have been rotated before the first duration;
    /// - the minimum number of ignored plans whose execution is logged in no other way.
    pub fn end_file(&mut self) -> (u64, u64) {
        let has_durations = self.users.values().any(|user| user.has_durations);
        let is_unclear = self.earlier_has_durations && !has_durations;
        self.earlier_has_durations |= has_durations;
        self.noted = [0; NOTED];
        let users = std::mem::take(&mut self.users).into_values();
        users.fold((0, 0), |(unclear, alone), user| {
            let counted = if is_unclear { user.counted } else { 0 };
            (unclear + counted, alone + user.ignored.saturating_sub(user.executions))
        })
    }
}

impl Assembler {
    /// Handles a plan. If the session's running statement has the same SQL, it gets the duration of the plan. If
    /// nothing shows that the plan belongs to a logged execution, the plan waits in the queue for the first duration of
    /// its user.
    pub(super) fn plan(&mut self, index: usize, out: &mut Records) {
        self.plans.are_logged = true;
        let session = out.batch.messages[index].session;
        let plan = out.batch.entry(index);
        let running = self.pending_entry(session, &out.batch).filter(|_| session != 0);
        let is_own =
            |running: &Entry<'_>| same_sql(*running, plan) || (is_prepared(plan) && has_execute(running.sql()));
        if let Some(running) = running.filter(is_own) {
            let micros = |entry: Entry<'_>| duration_micros(entry.get(Field::Duration)).unwrap_or(0);
            // A query string may have several plans, because it contains several statements, or because of a rule. An
            // execution of the extended protocol has one plan. An earlier plan was that of another portal.
            let before = if is_simple(running) { micros(running) } else { 0 };
            let sum = before.saturating_add(micros(plan)).saturating_add(self.preparations.take_executing(session));
            self.set_duration(session, duration_digits(sum).as_bytes(), index, out);
            return self.add_plan_event(index, out);
        }
        let is_logged = self.plans.has_statement(plan);
        let user = self.plans.user_mut(plan);
        if is_logged || user.has_durations {
            user.ignored += u64::from(!is_logged);
            return self.add_plan_event(index, out);
        }
        let is_unclear = self.may_be_inside(session, &out.batch);
        self.add_preparation(index, out);
        self.queue_plan(index, is_unclear, out);
    }

    /// Whether a plan may be of a statement inside the session's running statement. csvlog and jsonlog mark most of
    /// these plans with a CONTEXT. The others are plans of cursors. They are unclear only if the running statement is a
    /// SELECT or COMMIT: it shows that `log_statement = all` holds, so that the plan of another statement would follow
    /// this statement.
    fn may_be_inside(&self, session: u64, batch: &Batch) -> bool {
        let Some(running) = self.pending_entry(session, batch).filter(|_| session != 0) else {
            return self.uncounted.contains_key(&session) && !batch.marks_inner_plans;
        };
        let is_one_of_all = || is_plain_select(running.sql()) || ends_transaction(running.sql());
        !batch.marks_inner_plans || (running.get(Field::Duration).is_empty() && is_one_of_all())
    }

    /// Counts the unclear and the ignored plans of a file that has ended.
    pub(super) fn end_plans_of_file(&mut self, out: &mut Records) {
        let (unclear, alone) = self.plans.end_file();
        out.batch.stats.unclear_plans += unclear;
        out.batch.stats.plans_without_execution += alone;
    }

    fn add_plan_event(&mut self, index: usize, out: &mut Records) {
        out.batch.stats.uncounted_plans += 1;
        if out.batch.selection.events {
            out.batch.messages[index].event = Some(Event::Plan);
            self.add(Record::InBatch(index as u32), out.batch.messages[index].session, true, out);
        }
    }

    /// Notes the execution or fetch in message `index`. If this is the first message of its user with both SQL and
    /// duration, the user's plans that wait in the queue become events.
    #[inline]
    pub(super) fn note_execution(&mut self, index: usize, out: &mut Records) {
        let (session, has_duration) =
            (out.batch.messages[index].session, out.batch.messages[index].has(Field::Duration));
        if !(has_duration && self.plans.is_noted(session)) {
            self.note(index, session, has_duration, out);
        }
    }

    fn note(&mut self, index: usize, session: u64, has_duration: bool, out: &mut Records) {
        let entry = out.batch.entry(index);
        if is_parse_bind(entry, &out.batch) {
            self.plans.noted[session as usize % NOTED] = 0; // the session's execution follows
            return;
        }
        if !has_duration {
            self.plans.add_statement(entry);
        }
        let user = self.plans.user_mut(entry);
        user.executions += 1;
        if has_duration && !std::mem::replace(&mut user.has_durations, true) {
            self.ignore_queued_plans(index, out);
        }
    }

    #[cold]
    fn ignore_queued_plans(&mut self, index: usize, out: &mut Records) {
        let user = self.plans.user(out.batch.entry(index));
        let mut ignored = 0;
        for queued in self.queue.iter_mut().filter(|queued| queued.is_plan && !queued.ready) {
            let Some(record) = &mut queued.record else { continue };
            if self.plans.user(record.entry(&out.batch)) != user {
                continue;
            }
            (queued.ready, queued.is_unclear) = (true, false);
            ignored += 1;
            match record {
                Record::InBatch(index) => out.batch.messages[*index as usize].event = Some(Event::Plan),
                Record::Owned(plan) => plan.message.event = Some(Event::Plan),
            }
            if !out.batch.selection.events {
                queued.record = None;
            }
        }
        let user = self.plans.users.entry(user).or_default();
        user.ignored += ignored;
        out.batch.stats.uncounted_plans += ignored;
        out.batch.stats.unclear_plans += std::mem::take(&mut user.counted);
        self.drain(false, out);
    }
}

/// Whether SQL is a single SELECT without INTO. The settings `ddl` and `mod` of log_statement do not log such a
/// statement.
fn is_plain_select(sql: &[u8]) -> bool {
    let sql = sql.trim_ascii_start();
    sql.get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"select"))
        && !sql.windows(4).any(|word| word.eq_ignore_ascii_case(b"into"))
        && is_single(sql)
}

/// Whether a plan is that of a statement that PREPARE has prepared.
fn is_prepared(plan: Entry<'_>) -> bool {
    !plan.get(Field::Statement).is_empty()
}

/// Whether SQL may contain an EXECUTE, as in `CREATE TABLE … AS EXECUTE`.
fn has_execute(sql: &[u8]) -> bool {
    sql.windows(8).any(|word| word.eq_ignore_ascii_case(b"execute "))
}
