//! Tests of the assembler, which joins the messages of a statement into one record. Messages are written as strings.

use pgq_log::internals::{MAX_QUEUED, MAX_SECONDS, MAX_WAIT, empty_batch, push_message};
use pgq_log::{Assembler, Field, LogStats, RecordSelection, Severity};

use super::read_log::summarize;

/// Assembles messages, given with their process IDs, in batches of `batch_len` messages. Returns the statistics and the
/// records, formatted without the severity LOG.
fn run_in_batches(messages: &[(u32, &str)], batch_len: usize) -> (Vec<String>, LogStats) {
    let (mut records_text, mut stats) = (Vec::new(), LogStats::default());
    let mut assembler = Assembler::default();
    let mut take = |messages: &[(u32, &str)], last: bool| {
        let selection =
            RecordSelection { errors: true, add_parse_bind: true, durations: true, ..RecordSelection::default() };
        let mut batch = empty_batch(selection);
        for (pid, text) in messages {
            let (time, text) = text.split_once('|').unwrap_or(("", text));
            let time = if time.is_empty() { String::new() } else { format!("2026-01-31 {time} UTC") };
            let (severity, field, text) = match text.strip_prefix("ERROR ") {
                None => (Severity::Log, Field::Message, text),
                Some(statement) => (Severity::Error, Field::Statement, statement),
            };
            push_message(&mut batch, *pid, severity, &[(Field::Time, &time), (field, text)]);
        }
        let records = if last { assembler.finish(batch) } else { assembler.assemble(batch) };
        records_text.extend(summarize(&records).iter().map(|line| line.replace(" LOG |", "").replace(" |", "")));
        stats.add(records.stats());
    };
    let mut batches: Vec<_> = messages.chunks(batch_len).collect();
    let last = batches.pop().unwrap_or_default();
    batches.into_iter().for_each(|batch| take(batch, false));
    take(last, true);
    (records_text, stats)
}

fn run(messages: &[(u32, &str)]) -> (Vec<String>, LogStats) {
    let whole = run_in_batches(messages, usize::MAX);
    for batch_len in [1, 2, 3, 100] {
        assert_eq!(run_in_batches(messages, batch_len), whole, "batches of {batch_len}");
    }
    whole
}

#[test]
fn an_error_waits_for_its_statement_only_for_some_messages() {
    let selection = RecordSelection { errors: true, messages: true, ..RecordSelection::default() };
    // Messages of another session arrive one per second (step 1), or all in the same second as the error (step 0).
    for (step, expected) in [(1, u64::from(MAX_SECONDS)), (0, MAX_WAIT)] {
        let mut assembler = Assembler::default();
        let mut released = |pid: u32, second: u64| {
            let mut batch = empty_batch(selection);
            let time = format!("2026-01-31 {:02}:{:02}:{:02} UTC", second / 3600, second / 60 % 60, second % 60);
            push_message(&mut batch, pid, Severity::Error, &[(Field::Time, &time)]);
            assembler.assemble(batch).iter().count()
        };
        assert_eq!(released(7, 0), 0);
        // The assembler holds back an error until the next message of its session arrives, or a limit is reached.
        // Therefore the first message of session 8 releases no record, and each later one releases one record: the
        // session's previous message. A further record is the error of session 7, which has reached the limit.
        let first = (1..=MAX_WAIT).find(|number| released(8, number * step) > usize::from(*number > 1));
        assert_eq!(first, Some(expected), "{step}");
    }
}

#[test]
fn durations_find_their_statement_and_order_stays() {
    let (records, stats) = run(&[
        (1, "statement: A"),
        (2, "statement: B"),
        (3, "duration: 3 ms  statement: C"),
        (2, "duration: 2 ms"),
        (1, "duration: 1 ms"),
        (1, "duration: 9 ms"),
        (1, "execute s: D"),
    ]);
    assert_eq!(records, ["1 1 A", "2 2 B", "3 3 C", "1 D"]);
    assert_eq!(stats.orphan_durations, 1);
}

#[test]
fn an_error_ends_the_wait_for_a_duration() {
    let (records, _) = run(&[(1, "statement: A"), (1, "ERROR A"), (1, "duration: 1 ms"), (1, "statement: B")]);
    assert_eq!(records, ["1 ERROR A", "1 B"]); // A failed, so it is not an execution
}

#[test]
fn a_slow_statement_is_deferred_and_keeps_its_duration() {
    let mut messages = vec![(1, "statement: slow"), (2, "statement: X"), (2, "duration: 1 ms")];
    messages.extend(std::iter::repeat_n((3, "duration: 1 ms  statement: fast"), MAX_QUEUED + 10));
    messages.push((1, "duration: 5000 ms"));
    let (records, _) = run(&messages);
    assert_eq!(records.len(), MAX_QUEUED + 12);
    assert_eq!(records.last().unwrap(), "1 5000 slow");
}

#[test]
fn the_memory_of_statements_that_wait_has_a_limit() {
    let statement = format!("statement: {}", "A".repeat(1 << 20));
    let mut messages = vec![(1, "statement: B"), (1, "duration: 1 ms")];
    messages.extend((2..102).map(|pid| (pid, statement.as_str())));
    messages.extend([(2, "duration: 2 ms"), (101, "duration: 3 ms")]);
    let (records, stats) = run_in_batches(&messages, 10);
    assert_eq!(records.len(), 101);
    assert!((30..70).contains(&stats.given_up), "the older half: {}", stats.given_up);
    assert_eq!(stats.orphan_durations, 1, "the duration of session 2");
    assert!(records.iter().any(|record| record.starts_with("101 3 A")));
}

#[test]
fn a_failed_statement_is_no_call_however_late_its_error() {
    let mut messages = vec![(1, "statement: slow")];
    messages.extend(std::iter::repeat_n((3, "duration: 1 ms  statement: fast"), MAX_QUEUED + 10));
    messages.push((1, "ERROR slow"));
    let (records, stats) = run(&messages);
    assert_eq!((records.len(), records.last().unwrap().as_str()), (MAX_QUEUED + 11, "1 ERROR slow"));
    assert_eq!(stats.failed, 1);
}

#[test]
fn fetches_are_part_of_their_execution() {
    let (records, stats) = run(&[
        (1, "duration: 3 ms  execute S_1/C_2: A"),
        (1, "duration: 4000 ms  execute fetch from S_1/C_2: A"),
        (1, "duration: 1 ms  statement: B"),
        (1, "execute fetch from S_1/C_2: A"),
        (1, "duration: 500 ms"),
        (1, "duration: 0.1 ms  statement: COMMIT"),
        (1, "duration: 7 ms  execute fetch from S_1/C_9: C"),
    ]);
    assert_eq!(records, ["1 1 B", "1 4503.000 A", "1 0.1 COMMIT", "1 7 C"]);
    assert_eq!((stats.fetches, stats.lost_fetches), (3, 1));
}

#[test]
fn fetches_are_part_of_an_execution_without_a_duration() {
    let (records, stats) = run(&[
        (1, "execute <unnamed>/c1: A"),
        (1, "execute fetch from <unnamed>/c1: A"),
        (1, "duration: 37 ms"),
        (1, "duration: 5 ms  execute fetch from <unnamed>/c1: A"),
        (1, "statement: COMMIT"),
    ]);
    assert_eq!(records, ["1 42.000 A", "1 COMMIT"]);
    assert_eq!((stats.fetches, stats.lost_fetches), (2, 0));
}

#[test]
fn many_portals_and_preparations_of_a_session_are_known() {
    let mut log = vec![(1, "duration: 1 ms  execute S/C: A".to_string())];
    log.extend((0..200).map(|i| (1, format!("duration: 1 ms  execute s{i}/c{i}: B"))));
    log.push((1, "duration: 5 ms  execute fetch from S/C: A".into()));
    log.extend((0..200).map(|i| (2, format!("duration: 9 ms  parse s{i}: B {i}"))));
    log.extend((0..200).map(|i| (2, format!("duration: 1 ms  execute s{i}: B {i}"))));
    let log: Vec<(u32, &str)> = log.iter().map(|(session, message)| (*session, message.as_str())).collect();
    let (records, stats) = run(&log);
    assert!(records.contains(&"1 6.000 A".to_string()));
    assert_eq!(records.iter().filter(|record| record.starts_with("2 10.000 B")).count(), 200);
    assert_eq!((stats.fetches, stats.lost_fetches, stats.slow_preparation_micros), (1, 0, 0));
}

#[test]
fn executions_of_a_statement_with_the_name_of_a_fetch_count() {
    let (records, stats) = run(&[
        (1, "duration: 3 ms  execute c: A"),
        (1, "duration: 4 ms  execute fetch from c: A"),
        (1, "duration: 5 ms  execute fetch from a/b c: A"),
        (1, "execute fetch from c: A"),
        (1, "duration: 6 ms"),
    ]);
    assert_eq!(records, ["1 3 A", "1 4 A", "1 5 A", "1 6 A"]);
    assert_eq!((stats.fetches, stats.lost_fetches), (0, 3));
}

#[test]
fn the_plan_of_a_cursor_is_no_second_call() {
    let plan = "duration: 500 ms  plan:\nQuery Text: declare d cursor for A\nResult  (cost=0.00..0.01 rows=1 width=4)";
    let (records, stats) = run(&[
        (1, "statement: declare d cursor for A"),
        (1, "statement: fetch 5 from d"),
        (1, plan),
        (1, "statement: B"),
    ]);
    assert_eq!(records, ["1 declare d cursor for A", "1 fetch 5 from d", "1 B"]);
    assert_eq!(stats.uncounted_plans, 1);
}

#[test]
fn plans_wait_for_the_first_duration() {
    let plan = "duration: 9 ms  plan:\nQuery Text: A\nResult  (cost=0.00..0.01 rows=1 width=4)";
    let mut messages = vec![(1, plan); MAX_QUEUED + 10];
    let (records, stats) = run(&messages);
    assert_eq!((records.len(), stats.uncounted_plans, stats.unclear_plans), (MAX_QUEUED + 10, 0, 0));
    messages.push((2, "duration: 1 ms  statement: B"));
    let (records, stats) = run(&messages);
    // Ten plans had left the full queue before the duration came.
    assert_eq!((records.len(), stats.uncounted_plans, stats.unclear_plans), (11, MAX_QUEUED as u64, 10));
    assert_eq!(stats.plans_without_execution, MAX_QUEUED as u64 - 1);
}

#[test]
fn the_plan_of_an_execute_inside_of_a_statement_is_no_call() {
    let plan = "duration: 10 ms  plan:\nQuery Text: prepare p(int) as A\nResult  (cost=0.00..0.01 rows=1 width=4)";
    let create = "duration: 11 ms  statement: create table t as execute p(7)";
    assert_eq!(run(&[(1, plan), (1, create)]).0, ["1 11 create table t as execute p(7)"]);
    let (records, _) =
        run(&[(1, "statement: explain analyze execute p(7)"), (1, plan), (1, "duration: 11 ms"), (1, "statement: B")]);
    assert_eq!(records, ["1 11 explain analyze execute p(7)", "1 B"]);
}

#[test]
fn statements_without_their_duration_at_the_end_are_still_running() {
    let (records, stats) = run(&[(1, "statement: A"), (1, "duration: 1 ms"), (1, "statement: B"), (2, "statement: C")]);
    assert_eq!((records.len(), stats.still_running), (3, 2));
    let (_, stats) = run(&[(1, "statement: A"), (1, "statement: B"), (1, "duration: 1 ms"), (2, "statement: C")]);
    assert_eq!(stats.still_running, 0); // not every duration is logged
    let (_, stats) = run(&[
        (1, "statement: A"),
        (1, "duration: 1 ms"),
        (1, "statement: B"),
        (1, "disconnection: session time: 0:00:00.048 user=app database=postgres host=[local]"),
    ]);
    assert_eq!(stats.still_running, 0);
}

#[test]
fn without_durations_every_statement_is_a_record() {
    let messages: Vec<(u32, &str)> = (0..5000).map(|pid| (pid, "statement: A")).collect();
    let (records, _) = run(&messages);
    assert_eq!(records.len(), 5000);
    assert!(records.iter().enumerate().all(|(pid, record)| *record == format!("{pid} A")));
}

#[test]
fn messages_without_an_execution_are_counted() {
    let (records, stats) = run(&[
        (1, "duration: 1 ms  parse <unnamed>: A"),
        (1, "duration: 1 ms  bind <unnamed>: A"),
        (1, "duration: 1 ms  plan:\nResult"),
        (1, "checkpoint starting"),
        (1, "ERROR "),
    ]);
    assert!(records.is_empty());
    assert_eq!((stats.parse_bind, stats.plans, stats.without_statement), (2, 0, 3));
}

#[test]
fn parse_and_bind_are_added_to_the_execution_of_the_same_sql() {
    let (records, stats) = run(&[
        (1, "duration: 0.5 ms  parse s: A"),
        (2, "duration: 7 ms  parse s: A"),
        (1, "duration: 0.25 ms  bind s: A"),
        (1, "duration: 1 ms  execute s: A"),
        (1, "duration: 1 ms  execute s: A"),
        (2, "duration: 2 ms  statement: B"),
        (2, "duration: 2 ms  execute s: A"),
    ]);
    assert_eq!(records, ["1 1.750 A", "1 1 A", "2 2 B", "2 9.000 A"]);
    assert_eq!(stats.parse_bind, 3);
}

#[test]
fn parse_and_bind_in_a_pipeline_are_added_to_their_executions() {
    let (records, stats) = run(&[
        (1, "duration: 1000 ms  parse P0: A"),
        (1, "duration: 2000 ms  parse P1: B"),
        (1, "duration: 10 ms  bind P0: A"),
        (1, "duration: 100 ms  execute P0: A"),
        (1, "duration: 20 ms  bind P1: B"),
        (1, "execute P1: B"),
        (1, "duration: 200 ms"),
        (1, "duration: 30 ms  parse P2: C"),
        (1, "duration: 9 ms  parse P3: D"),
    ]);
    assert_eq!(records, ["1 1110.000 A", "1 2220.000 B"]);
    assert_eq!(stats.slow_preparation_micros, 30_000, "C is not executed");
}

#[test]
fn what_concerns_a_statement_without_running_it_is_counted() {
    let (_, stats) = run(&[
        (1, "temporary file: path \"base/pgsql_tmp/pgsql_tmp1.0\", size 8192"),
        (1, "process 7 still waiting for ShareLock on transaction 9 after 1000.100 ms"),
        (1, "process 7 acquired ShareLock on transaction 9 after 1200.100 ms"),
    ]);
    assert_eq!((stats.without_statement, stats.temporary_files, stats.lock_waits), (3, 1, 1));
}
