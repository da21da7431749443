//! Tests notices that a server sends while it executes a statement for many rows of parameters. The notices arrive
//! before, between and after the results, and at the commit. Needs PostgreSQL's programs.

use pgq_frames::answer::Status;
use pgq_frames::{Operation, flag};
use serde_json::{Value, json};

use crate::client::{Lines, Whole};
use crate::postgres::{COUNT, How, ROWS, Setting, execute_body, rows_and_tag, text};

/// A table with two triggers. The first one raises a notice when an even number is inserted, and an error when 13 is
/// inserted. At the commit, the second one raises a notice for each row, and also an error if the row contains 666.
const TABLE: [&str; 6] = [
    "CREATE TEMP TABLE t (a int)",
    "CREATE FUNCTION pg_temp.inserted() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.a % 2 = 0 THEN RAISE NOTICE 'insert %', NEW.a; END IF;
           IF NEW.a = 13 THEN RAISE WARNING 'before the error'; PERFORM 1 / 0; END IF; RETURN NEW; END $$",
    "CREATE TRIGGER inserted BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION pg_temp.inserted()",
    "CREATE FUNCTION pg_temp.committed() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE NOTICE 'commit %', NEW.a; IF NEW.a = 666 THEN RAISE 'no'; END IF; RETURN NULL; END $$",
    "CREATE CONSTRAINT TRIGGER committed AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        EXECUTE FUNCTION pg_temp.committed()",
    "SET client_min_messages = log",
];

const INSERT: &str = "INSERT INTO t VALUES ($1) RETURNING a";

/// A row's expected status, and whether it has notices.
type Expected = (Status, bool);

/// Returns the expected outcome of each row if each transaction has `size` rows. `logged` is true if the server logs
/// each duration.
fn expected(rows: &[&str], size: usize, logged: bool) -> Vec<Expected> {
    let mut all = Vec::new();
    for group in rows.chunks(size) {
        let is_error = |row: &&str| *row == "x" || *row == "13";
        let failed = group.iter().position(is_error);
        let own = |row: &str| logged || row.parse::<i32>().is_ok_and(|number| number % 2 == 0);
        for (index, row) in group.iter().enumerate() {
            let is_last = index + 1 == group.len();
            all.push(match failed {
                Some(failed) if index > failed => (Status::NotRun, false),
                Some(failed) if index == failed => (Status::Error, true),
                None if is_last && group.contains(&"666") => (Status::Error, true),
                None if is_last => (Status::Done, true),
                _ => (Status::Done, own(row)),
            });
        }
    }
    all
}

/// Joins items that continue in the next item. Returns flags and body of each row.
fn joined(whole: &Whole) -> Vec<(u8, Vec<u8>)> {
    let (mut all, mut parts) = (Vec::new(), Vec::new());
    for item in &whole.items {
        let (flags, body) = item.as_ref().map_or((0, Vec::new()), Clone::clone);
        parts.extend(body);
        if flags & flag::MORE == 0 {
            all.push((flags, std::mem::take(&mut parts)));
        }
    }
    all
}

const CASES: [&[&str]; 8] = [
    &["1", "2", "3"],
    &["4"],
    &["1", "666", "3", "x"],
    &["x"],
    &["1", "x", "3", "4", "5"],
    &["2", "13", "2"],
    &["666"],
    &["2", "4", "6", "666", "x", "13", "666", "8", "10"],
];

#[test]
fn each_row_has_one_item_whatever_notices_arrive() {
    let Some(mut it) = Setting::new("notices through serve") else { return };
    for sql in TABLE {
        it.run(sql);
    }
    let insert = it.prepare(INSERT);
    let mut commits = 0;
    for logged in [false, true] {
        it.run(if logged { "SET log_duration = on" } else { "SET log_duration = off" });
        for (rows, sync_rows) in CASES.iter().flat_map(|rows| [0, 1, 2, 3].map(|sync_rows| (*rows, sync_rows))) {
            let parameters: Vec<Vec<u8>> = rows.iter().map(|row| text(row)).collect();
            let size = if sync_rows == 0 { rows.len() } else { sync_rows as usize };
            let expected = expected(rows, size, logged);
            for results in [0, 1, 2] {
                let what = format!("{rows:?}, sync {sync_rows}, results {results}, logged {logged}");
                let whole = it.execute(insert, How { results, sync_rows, ..COUNT }, &parameters);
                assert!(results == 2 || whole.items.len() == rows.len(), "{what}: {:?}", whole.statuses);
                let items = joined(&whole);
                assert_eq!(items.len(), rows.len(), "{what}");
                let ends =
                    |item: &&Result<(u8, Vec<u8>), _>| !matches!(item, Ok((flags, _)) if flags & flag::MORE != 0);
                let statuses: Vec<_> = whole.items.iter().zip(&whole.statuses).filter(|(item, _)| ends(item)).collect();
                for (index, ((flags, body), (status, noticed))) in items.iter().zip(&expected).enumerate() {
                    assert_eq!(statuses[index].1, status, "{what}: row {index}");
                    if *status != Status::Done {
                        continue;
                    }
                    assert_eq!(flags & flag::SYNC != 0, (index + 1) % size == 0 || index + 1 == rows.len(), "{what}");
                    // With `log_duration`, a notice about a duration may arrive between two rows. Either of the two
                    // rows may contain this notice, so the flag is not checked.
                    assert!(logged || (flags & flag::WARNINGS != 0) == *noticed, "{what}: row {index}");
                    match results {
                        0 => assert_eq!(body, &1_u64.to_le_bytes(), "{what}"),
                        1 => assert_eq!(body, b"INSERT 0 1", "{what}"),
                        _ => {
                            let (values, tag) = rows_and_tag(body);
                            assert_eq!((values[0][0].as_deref(), &*tag), (Some(rows[index].as_bytes()), "INSERT 0 1"));
                            commits += String::from_utf8_lossy(body).matches("commit ").count();
                        }
                    }
                }
            }
        }
    }
    assert!(commits > 20, "{commits}");
}

#[test]
fn notices_of_the_commit_are_flags_in_lines() {
    let Some(it) = Setting::new("notices in JSON lines through serve") else { return };
    let mut lines = Lines::begin(it.daemon.connect());
    let settings = format!("host={} port={} user=postgres dbname=postgres", it.server.folder.display(), it.server.port);
    let session = lines.ask(&json!({"op": "connect", "settings": settings}).to_string())["handle"].clone();
    let prepare = |lines: &mut Lines, sql: &str| {
        lines.ask(&json!({"op": "prepare", "handle": session, "sql": sql}).to_string())["handle"].clone()
    };
    for sql in TABLE {
        let handle = prepare(&mut lines, sql);
        lines.ask(&json!({"op": "execute", "handle": handle, "rows": [[]]}).to_string());
    }
    let insert = prepare(&mut lines, INSERT);
    for (rows, results) in CASES.iter().flat_map(|rows| ["count", "tag", "rows"].map(|results| (rows, results))) {
        let parameters: Vec<_> = rows.iter().map(|row| [row]).collect();
        let execute = json!({"op": "execute", "handle": insert, "rows": parameters, "results": results});
        let answers = lines.ask(&execute.to_string())["results"].clone();
        let outcome = |answer: &Value| {
            let status = match answer {
                Value::Object(keys) if keys.contains_key("error") => Status::Error,
                Value::Object(keys) if keys.contains_key("not_run") => Status::NotRun,
                _ => Status::Done,
            };
            (status, answer["has_warnings"] == true)
        };
        let mut expected = expected(rows, rows.len(), false);
        // The row `x` has no notice. Its parameter is not a number, so the server reports an error before the trigger
        // runs.
        expected.iter_mut().zip(*rows).filter(|(_, row)| **row == "x").for_each(|(expected, _)| expected.1 = false);
        let outcomes: Vec<Expected> = answers.as_array().unwrap().iter().map(outcome).collect();
        assert_eq!(outcomes, expected, "{rows:?}: {answers}");
        assert_eq!(answers[rows.len() - 1]["sync"], true);
    }
}

#[test]
fn many_notices_are_sent_on_and_take_no_memory() {
    let Some(mut it) = Setting::new("many notices through serve") else { return };
    it.run(
        "CREATE FUNCTION pg_temp.shout(n int) RETURNS int LANGUAGE plpgsql AS
         $$ BEGIN FOR i IN 1..n LOOP RAISE NOTICE '%', repeat('n', 1000000); END LOOP; RETURN n; END $$",
    );
    it.run("CREATE TEMP TABLE s (a int)");
    it.run(
        "CREATE FUNCTION pg_temp.at_commit() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_temp.shout(NEW.a); IF NEW.a = 3 THEN RAISE 'no'; END IF; RETURN NULL; END $$",
    );
    it.run(
        "CREATE CONSTRAINT TRIGGER c AFTER INSERT ON s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
         EXECUTE FUNCTION pg_temp.at_commit()",
    );
    let before = it.daemon.resident();
    for sql in ["SELECT pg_temp.shout($1)", "INSERT INTO s VALUES ($1)"] {
        let statement = it.prepare(sql);
        it.frames.send(9, Operation::Execute, statement, &execute_body(ROWS, &[text("100")]));
        std::thread::sleep(std::time::Duration::from_millis(500));
        if let (Some(before), Some(now)) = (before, it.daemon.resident()) {
            assert!(
                now < before + 25_000,
                "{sql}: {before} kB became {now} kB with 100 MB of notices that nobody reads"
            );
        }
        let whole = it.frames.receive().unwrap();
        let items = joined(&whole);
        let (flags, body) = &items[0];
        assert_eq!((items.len(), flags & (flag::WARNINGS | flag::SYNC)), (1, flag::WARNINGS | flag::SYNC));
        assert!(body.len() > 100_000_000 && rows_and_tag(body).1.ends_with(" 1"), "{sql}");
        let whole = it.execute(statement, COUNT, &[text("5")]);
        assert_eq!((whole.items.len(), whole.items[0].as_ref().unwrap().0), (1, flag::WARNINGS | flag::SYNC));
        let failed = it.execute(statement, ROWS, &[text("3")]);
        assert_eq!(joined(&failed).len(), 1);
        let status = if sql.starts_with("INSERT") { Status::Error } else { Status::Done };
        assert_eq!(failed.statuses.last(), Some(&status));
    }
}
