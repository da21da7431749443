//! Batches against a real server. The outcome of every row must be known after any failure.

use std::ops::ControlFlow::{Break, Continue};

use crate::common::{shared, texts};
use pgq_postgres::{
    BatchAnswer, BatchOptions, BatchSummary, Client, CopyDirection, Error, Formats, Statement, SyncEvery,
    TransactionStatus,
};

/// Executes a one-parameter statement for each value. Returns the outcome of the rows.
fn run(client: &mut Client, statement: &Statement, sync: SyncEvery, values: &[&str]) -> (BatchSummary, Vec<String>) {
    let mut log = Vec::new();
    let mut values = values.iter();
    let options = BatchOptions { sync, ..BatchOptions::default() };
    let summary = client.execute(
        statement,
        &options,
        |row| Ok(values.next().inspect(|value| row.push(Some(value.as_bytes()))).is_some()),
        |answer| {
            log.push(match answer {
                BatchAnswer::Row { row, data } => format!("{row} {:?}", data.values().unwrap()),
                BatchAnswer::Ran { row, tag } => format!("{row} {tag}"),
                BatchAnswer::Failed { row, error } => format!("{row} failed {}", error.code),
                BatchAnswer::Skipped { rows } => format!("{rows:?} skipped"),
                BatchAnswer::RolledBack { rows, error } => {
                    format!("{rows:?} rolled back {}", error.map_or("", |error| &error.code))
                }
                BatchAnswer::Synced { next_row } => format!("synced {next_row}"),
                BatchAnswer::Notice { row, notice } => format!("{row} notice {}", notice.message),
                _ => unreachable!(),
            });
            Continue(())
        },
    );
    (summary.unwrap(), log)
}

#[test]
fn an_error_in_the_middle_skips_up_to_the_sync_and_rolls_back_from_it() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    client.run("CREATE TEMP TABLE t (a int PRIMARY KEY)").unwrap();
    let insert = client.prepare("INSERT INTO t VALUES (10 / $1)", &[]).unwrap();
    let (summary, log) = run(&mut client, &insert, SyncEvery::Rows(4), &["1", "2", "0", "5", "10", "3"]);
    let expected = [
        "0 INSERT 0 1",
        "1 INSERT 0 1",
        "2 failed 22012",
        "0..2 rolled back ",
        "3..4 skipped",
        "synced 4",
        "4 INSERT 0 1",
        "5 INSERT 0 1",
        "synced 6",
    ];
    assert_eq!(log, expected);
    let counts = (summary.rows, summary.ran, summary.failed, summary.skipped, summary.rolled_back);
    assert_eq!((counts, summary.affected), ((6, 2, 1, 1, 2), 2));
    assert_eq!(summary.first_error.unwrap().message, "division by zero");
    assert_eq!(texts(&mut client, "SELECT a FROM t ORDER BY 1"), ["1", "3"]);
}

#[test]
fn in_a_transaction_rows_before_the_error_are_not_called_rolled_back() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    client.run("BEGIN").unwrap();
    let divide = client.prepare("SELECT 1 / $1::int", &[]).unwrap();
    let (summary, log) = run(&mut client, &divide, SyncEvery::Rows(2), &["1", "0", "1"]);
    assert_eq!(log[1..], ["0 SELECT 1", "1 failed 22012", "synced 2", "2 failed 25P02", "synced 3"]);
    assert_eq!((summary.ran, summary.failed, summary.rolled_back), (1, 2, 0));
    assert_eq!(client.status(), TransactionStatus::Failed);
    client.run("ROLLBACK").unwrap();
    assert_eq!(client.status(), TransactionStatus::Idle);
}

#[test]
fn a_commit_that_fails_takes_its_rows_back() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    client.run("CREATE TEMP TABLE t (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)").unwrap();
    let insert = client.prepare("INSERT INTO t VALUES ($1)", &[]).unwrap();
    let (summary, log) = run(&mut client, &insert, SyncEvery::Rows(2), &["1", "1", "2"]);
    let expected = ["0 INSERT 0 1", "1 INSERT 0 1", "0..2 rolled back 23505", "synced 2", "2 INSERT 0 1", "synced 3"];
    assert_eq!(log, expected);
    assert_eq!((summary.ran, summary.rolled_back, summary.failed), (1, 2, 0));
    assert_eq!(texts(&mut client, "SELECT a FROM t"), ["2"]);
}

#[test]
fn a_row_may_ask_for_a_sync_and_notices_bear_their_row() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    client
        .run(
            "CREATE FUNCTION pg_temp.say(a int) RETURNS int LANGUAGE plpgsql AS
              $$ BEGIN RAISE NOTICE 'row %', a; RETURN a; END $$",
        )
        .unwrap();
    let say = client.prepare("SELECT pg_temp.say($1)", &[]).unwrap();
    assert_eq!(say.parameter_types(), [23]);
    assert_eq!(say.columns().unwrap()[0].name, "say");
    let mut log = Vec::new();
    let mut rows = 0;
    let source = |row: &mut pgq_postgres::Parameters<'_>| {
        rows += 1;
        row.push(Some(b"7"));
        row.sync_after();
        Ok(rows <= 2)
    };
    let options = BatchOptions { sync: SyncEvery::End, ..BatchOptions::default() };
    client
        .execute(&say, &options, source, |answer| {
            match answer {
                BatchAnswer::Notice { row, notice } => log.push(format!("{row} {}", notice.message)),
                BatchAnswer::Synced { next_row } => log.push(format!("synced {next_row}")),
                _ => {}
            }
            Continue(())
        })
        .unwrap();
    assert_eq!(log, ["0 row 7", "synced 1", "1 row 7", "synced 2"]);
}

#[test]
fn notices_of_the_commit_bear_the_last_row() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    client
        .run(
            "CREATE TEMP TABLE t (a int);
             CREATE FUNCTION pg_temp.say() RETURNS trigger LANGUAGE plpgsql AS
               $$ BEGIN RAISE NOTICE 'commit %', NEW.a; RETURN NULL; END $$;
             CREATE CONSTRAINT TRIGGER say AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
               EXECUTE FUNCTION pg_temp.say()",
        )
        .unwrap();
    let insert = client.prepare("INSERT INTO t VALUES ($1)", &[]).unwrap();
    let (_, log) = run(&mut client, &insert, SyncEvery::Rows(2), &["1", "2", "3"]);
    let expected = [
        "0 INSERT 0 1",
        "1 INSERT 0 1",
        "1 notice commit 1",
        "1 notice commit 2",
        "synced 2",
        "2 INSERT 0 1",
        "2 notice commit 3",
        "synced 3",
    ];
    assert_eq!(log, expected);
}

#[test]
fn null_and_both_formats_go_there_and_back() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    let echo = client.prepare("SELECT $1::int, $2::text", &[]).unwrap();
    for (binary, values) in [
        ([false, false], [Some(&b"258"[..]), Some("Bj\u{f6}rn".as_bytes())]),
        ([true, false], [Some(&[0, 0, 1, 2]), None]),
        ([true, true], [None, Some(b"")]),
    ] {
        let options = BatchOptions {
            parameter_formats: Formats::Each(binary.to_vec()),
            result_formats: Formats::Binary,
            ..BatchOptions::default()
        };
        let mut once = true;
        let mut found = Vec::new();
        let push = |row: &mut pgq_postgres::Parameters<'_>| {
            values.iter().for_each(|value| row.push(*value));
            Ok(std::mem::take(&mut once))
        };
        let take = |answer: BatchAnswer<'_>| {
            if let BatchAnswer::Row { data, .. } = answer {
                found = data.values().unwrap().into_iter().map(|value| value.map(<[u8]>::to_vec)).collect();
            }
            Continue(())
        };
        client.execute(&echo, &options, push, take).unwrap();
        assert_eq!(found[0].as_deref(), values[0].map(|_| &[0, 0, 1, 2][..]));
        assert_eq!(found[1].as_deref(), values[1]);
    }
}

#[test]
fn a_row_that_does_not_fit_ends_the_batch_and_not_the_client() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    let echo = client.prepare("SELECT $1::int", &[]).unwrap();
    let mut rows = 0;
    let source = |row: &mut pgq_postgres::Parameters<'_>| {
        rows += 1;
        match rows {
            1 => row.push(Some(b"1")),
            2 => row.encoded(b"\0\0\0\x01\0\0\0\x012\0\0")?,
            _ => row.encoded(b"\0\0\0\x02\xff\xff\xff\xff\xff\xff\xff\xff\0\0")?,
        }
        Ok(true)
    };
    let error = client.execute(&echo, &BatchOptions::default(), source, |_| Continue(())).unwrap_err();
    assert!(matches!(error.error, Error::ParameterCount { expected: 1, found: 2 }), "{error}");
    assert!(!error.error.ends_connection());
    assert_eq!((error.summary.rows, error.summary.ran), (2, 2));
    assert_eq!(texts(&mut client, "SELECT 1"), ["1"]);
}

#[test]
fn a_receiver_that_has_enough_ends_the_batch() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    let echo = client.prepare("SELECT $1::int", &[]).unwrap();
    let push = |row: &mut pgq_postgres::Parameters<'_>| {
        row.push(Some(b"1"));
        Ok(true)
    };
    let mut answers = 0;
    let take = |_: BatchAnswer<'_>| {
        answers += 1;
        if answers < 10 { Continue(()) } else { Break(()) }
    };
    let summary = client.execute(&echo, &BatchOptions::default(), push, take).unwrap();
    assert!(summary.stopped);
    assert_eq!(summary.ran, summary.rows);
    assert_eq!(answers, 10);
    assert_eq!(texts(&mut client, "SELECT 2"), ["2"]);
}

#[test]
fn long_rows_and_many_columns_pass_in_both_directions() {
    let Some(server) = shared("batches") else { return };
    for settings in [server.settings(""), server.tcp("user=trusted")] {
        let mut client = Client::connect(&settings).unwrap();
        // Sends eight times 10 MB in each direction, which exceeds all buffers between client and server.
        let echo = client.prepare("SELECT $1::text", &[]).unwrap();
        let value = vec![b'x'; 10 << 20];
        let mut left = 8;
        let push = |row: &mut pgq_postgres::Parameters<'_>| {
            row.push(Some(&value));
            left -= 1;
            Ok(left >= 0)
        };
        let mut lengths = Vec::new();
        let take = |answer: BatchAnswer<'_>| {
            if let BatchAnswer::Row { data, .. } = answer {
                lengths.push(data.values().unwrap()[0].unwrap().len());
            }
            Continue(())
        };
        let options = BatchOptions { sync: SyncEvery::End, ..BatchOptions::default() };
        assert_eq!(client.execute(&echo, &options, push, take).unwrap().ran, 8);
        assert_eq!(lengths, [10 << 20; 8]);
        let columns: Vec<_> = (0..1000).map(|number| format!("${}::int AS c{number}", number + 1)).collect();
        let wide = client.prepare(&format!("SELECT {}", columns.join(", ")), &[]).unwrap();
        assert_eq!((wide.parameter_types().len(), wide.columns().unwrap().len()), (1000, 1000));
        let (mut once, mut found) = (true, 0);
        let push = |row: &mut pgq_postgres::Parameters<'_>| {
            (0..1000).for_each(|number| row.push(Some(number.to_string().as_bytes())));
            Ok(std::mem::take(&mut once))
        };
        let take = |answer: BatchAnswer<'_>| {
            if let BatchAnswer::Row { data, .. } = answer {
                let values = data.values().unwrap();
                assert!(values.iter().zip(0..).all(|(value, n)| *value == Some(n.to_string().as_bytes())));
                found = values.len();
            }
            Continue(())
        };
        client.execute(&wide, &BatchOptions::default(), push, take).unwrap();
        assert_eq!(found, 1000);
    }
}

#[test]
fn a_slow_reader_of_many_rows_loses_none() {
    let Some(server) = shared("batches") else { return };
    let mut client = Client::connect(&server.tcp("user=trusted")).unwrap();
    let series = client.prepare("SELECT repeat('x', 1000) FROM generate_series(1, $1)", &[]).unwrap();
    let mut rows = 0;
    let mut batch = 0..20;
    let push = |row: &mut pgq_postgres::Parameters<'_>| {
        row.push(Some(b"1000"));
        Ok(batch.next().is_some())
    };
    let take = |answer: BatchAnswer<'_>| {
        if let BatchAnswer::Row { .. } = answer {
            rows += 1;
            if rows % 1000 == 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        Continue(())
    };
    let summary = client.execute(&series, &BatchOptions::default(), push, take).unwrap();
    assert_eq!((rows, summary.result_rows, summary.affected), (20_000, 20_000, 20_000));
}

#[test]
fn copy_is_refused_and_the_client_goes_on() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    client.run("CREATE TEMP TABLE t (a int); INSERT INTO t VALUES (1), (2)").unwrap();
    for (sql, direction) in
        [("COPY t FROM STDIN", CopyDirection::FromStdin), ("COPY t TO STDOUT", CopyDirection::ToStdout)]
    {
        let error = client.prepare(sql, &[]).unwrap_err();
        assert!(matches!(error, Error::Copy(found) if found == direction), "{error}");
        let error = client.run(&format!("SELECT 1; {sql}; SELECT 2")).unwrap_err();
        assert!(matches!(error, Error::Copy(found) if found == direction), "{error}");
        assert_eq!(texts(&mut client, "SELECT count(*) FROM t"), ["2"]);
    }
}

#[test]
fn errors_of_statements_have_all_their_fields() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    let error = client.prepare("SELECT nme FROM pg_database AS d (name)", &[]).unwrap_err();
    let Error::Server(fields) = &error else { panic!("{error}") };
    assert_eq!((fields.code.as_str(), fields.position), ("42703", Some(8)));
    assert!(fields.hint.as_ref().unwrap().contains("d.name"));
    let error = client.run("SELECT 1; SELECT 1 / 0; SELECT 2").unwrap_err();
    assert_eq!(error.code(), Some("22012"));
    assert!(matches!(client.prepare("SELECT '\0'", &[]), Err(Error::Nul)));
    assert_eq!(texts(&mut client, "SELECT 3"), ["3"]);
}

#[test]
fn an_empty_batch_and_an_empty_statement_are_nothing() {
    let Some(server) = shared("batches") else { return };
    let mut client = server.client("");
    let empty = client.prepare("", &[]).unwrap();
    assert_eq!(empty.columns(), None);
    let mut rows = 0;
    let push = |_: &mut pgq_postgres::Parameters<'_>| {
        rows += 1;
        Ok(rows <= 2)
    };
    assert_eq!(client.execute(&empty, &BatchOptions::default(), push, |_| Continue(())).unwrap().ran, 2);
    let summary = client.execute(&empty, &BatchOptions::default(), |_| Ok(false), |_| Continue(())).unwrap();
    assert_eq!(summary, BatchSummary::default());
    client.close_statement(empty.clone()).unwrap();
    let mut once = true;
    let push = |_: &mut pgq_postgres::Parameters<'_>| Ok(std::mem::take(&mut once));
    let summary = client.execute(&empty, &BatchOptions::default(), push, |_| Continue(())).unwrap();
    assert_eq!(summary.first_error.unwrap().code, "26000");
}
