//! Tests of the interpretation of messages: statements, labels, events, parameters and plans.

use pgq_log::internals::language::EVENTS;
use pgq_log::internals::{
    Label, MessageText, classify, find_event, find_label, find_parameters, find_prepared, is_cancellation, is_single,
    parse_label, planned_query, sqlstate_len,
};
use pgq_log::{Event, Severity, parameter_values, prepared_names, without_position};

fn execution(text: &str) -> Option<(&str, &str)> {
    match classify(text.as_bytes()) {
        MessageText::Execution { sql, duration } => Some((&text[sql..], duration.map_or("", |range| &text[range]))),
        _ => None,
    }
}

#[test]
fn executions_give_their_sql_and_duration() {
    assert_eq!(execution("statement: SELECT 1"), Some(("SELECT 1", "")));
    assert_eq!(execution("duration: 0.123 ms  statement: SELECT 1"), Some(("SELECT 1", "0.123")));
    assert_eq!(execution("execute <unnamed>: SELECT ': '"), Some(("SELECT ': '", "")));
    assert_eq!(execution("duration: 7 ms  execute s1/p1: SELECT\n1"), Some(("SELECT\n1", "7")));
    assert_eq!(classify(b"execute fetch from s1/c: SELECT 2"), MessageText::Fetch { sql: 25, duration: None });
    assert_eq!(execution("statement: "), Some(("", "")));
    assert_eq!(execution("execute nothing"), None);
}

#[test]
fn other_messages_are_classified() {
    assert_eq!(classify(b"duration: 12.5 ms"), MessageText::Duration(10..14));
    let plan = MessageText::Plan { duration: 10..13, plan: 23 };
    assert_eq!(classify(b"duration: 1.5 ms  plan:\nQuery Text: SELECT 1"), plan);
    assert_eq!(classify(b"duration: 1 ms  fastpath function call: \"lo_open\" (OID 952)"), MessageText::Fastpath);
    assert_eq!((sqlstate_len(b"00000: x"), sqlstate_len(b"NOTES: x"), sqlstate_len(b"0000")), (7, 0, 0));
    assert_eq!(
        classify(b"duration: 1 ms  parse <unnamed>: S"),
        MessageText::ParseBind { sql: 33, duration: Some(10..11) }
    );
    assert_eq!(classify(b"bind s: S"), MessageText::ParseBind { sql: 8, duration: None });
    for text in ["checkpoint complete", "parameter \"x\" changed", "duration: long", "duration: 1 ms  fastpath", ""] {
        assert_eq!(classify(text.as_bytes()), MessageText::Other, "{text}");
    }
}

#[test]
fn labels_are_parsed_with_their_spaces() {
    assert_eq!(parse_label(b"LOG:  x"), Some((Label::Primary(Severity::Log), 6)));
    assert_eq!(parse_label(b"DETAIL:  x"), Some((Label::Detail, 9)));
    assert_eq!(parse_label(b"ERROR: x"), Some((Label::Primary(Severity::Error), 7)));
    assert_eq!(parse_label(b"LOGX:  x"), None);
    assert_eq!(find_label(b"12:00 [1]LOG:  x"), Some((9, Label::Primary(Severity::Log), 15)));
    assert_eq!(find_label(b"12:00:00 CESTLOG:  x"), Some((13, Label::Primary(Severity::Log), 19)));
    assert_eq!(find_label(b"nothing: here"), None);
    assert_eq!(parse_label("AYRINTI:$1 = '1' parametresi".as_bytes()), Some((Label::Detail, 8)));
    let fatal = Label::Primary(Severity::Fatal);
    assert_eq!(find_label("[1] ÖLÜMCÜL (FATAL):  x".as_bytes()), Some((4, fatal, 25)));
}

#[test]
fn positions_are_found_in_every_language() {
    for [before, after] in EVENTS.iter().map(|words| words.position) {
        for (message, error) in [
            (format!("error{before}8{after}"), "error"),
            (format!("error{before}81{after}"), "error"),
            (format!("error{before}{after}"), ""),
            (format!("error{before}8{after}."), ""),
            (format!("8{after}"), ""),
        ] {
            let expected = if error.is_empty() { &message } else { error };
            assert_eq!(without_position(message.as_bytes()), expected.as_bytes());
        }
    }
    assert_eq!(without_position(b""), b"");
}

#[test]
fn events_are_read_from_their_messages() {
    for (text, event) in [
        (
            "temporary file: path \"base/pgsql_tmp/pgsql_tmp42.0\", size 14000128",
            Some(Event::TemporaryFile { bytes: 14_000_128 }),
        ),
        (
            "process 42 still waiting for ShareLock on transaction 7 after 1000.115 ms",
            Some(Event::LockWait { waited: 1_000_115 }),
        ),
        (
            "process 42 acquired AccessExclusiveLock on relation 9 of database 5 after 2345.007 ms",
            Some(Event::LockAcquired { waited: 2_345_007 }),
        ),
        (
            "Prozess 42 erlangte ShareLock-Sperre auf Transaktion 7 nach 2345,007 ms",
            Some(Event::LockAcquired { waited: 2_345_007 }),
        ),
        (
            "プロセス42は2345.007 ms後にトランザクション 7上のShareLockを獲得しました",
            Some(Event::LockAcquired { waited: 2_345_007 }),
        ),
        (
            "42 PID 프로세스에서 여전히 ShareLock(트랜잭션 7) 작업을 기다리고 있음(1000.115ms 후)",
            Some(Event::LockWait { waited: 1_000_115 }),
        ),
        ("временный файл: путь \"x\", размер 8192", Some(Event::TemporaryFile { bytes: 8192 })),
        (
            "le processus 42 a détecté un verrou mortel alors qu'il était en attente de\nShareLock sur transaction 7 après 1000.115 ms",
            Some(Event::LockWait { waited: 1_000_115 }),
        ),
        ("process 42 detected deadlock while waiting for ShareLock on transaction 7 after 1000.1 ms", None),
        (
            "process 42 still waiting for ShareLock on transaction 7 after 1000.115 ms at character 9",
            Some(Event::LockWait { waited: 1_000_115 }),
        ),
        ("server process (PID 5) was terminated by signal 9: Killed", Some(Event::ServerKilled)),
        ("Serverprozess (PID 5) wurde von Signal 9 beendet: Killed", Some(Event::ServerKilled)),
        ("database system is ready to accept connections", Some(Event::ServerStarted)),
        ("temporary file: path \"x\"", None),
        ("process 42 acquired ShareLock on transaction 7", None),
    ] {
        assert_eq!(find_event(text.as_bytes()), event, "{text}");
    }
    assert!(is_cancellation(b"canceling statement due to user request"));
    assert!(is_cancellation("annulation de la requête à la demande de l'utilisateur".as_bytes()));
    assert!(is_cancellation(b"canceling statement due to lock timeout at character 22"));
    assert!(!is_cancellation(b"canceling autovacuum task"));
}

#[test]
fn parameters_are_found_and_decoded() {
    for text in ["parameters: $1 = 'a', $2 = NULL", "Parameters: $1 = 'a', $2 = NULL"] {
        let at = find_parameters(text.as_bytes()).unwrap();
        assert_eq!(parameter_values(&text.as_bytes()[at..]), Some(vec![Some(b"a".to_vec()), None]));
    }
    assert!(find_parameters(b"unnamed portal with parameters: $1 = '1'").is_some());
    assert_eq!(find_parameters(b"Key (id)=(1) already exists."), None);
    assert_eq!(find_parameters("параметры: $1 = '1'".as_bytes()), Some("параметры: ".len()));
    let french = "portail non nommé avec les paramètres : « $1 = '1' »".as_bytes();
    for text in [french, b"$1 = '1' parametresi"] {
        let values = parameter_values(&text[find_parameters(text).unwrap()..]);
        assert_eq!(values, Some(vec![Some(b"1".to_vec())]));
    }
    assert_eq!(parameter_values(b"$1 = 'it''s, $2 = ''x'''"), Some(vec![Some(b"it's, $2 = 'x'".to_vec())]));
    assert_eq!(parameter_values(b"$1 = 'cut"), None);
}

#[test]
fn the_prepared_statement_is_found() {
    let found = |detail: &'static str| find_prepared(b"EXECUTE p;", detail.as_bytes()).map(|at| &detail[at..]);
    assert_eq!(found("prepare: PREPARE \"p\" AS SELECT 1"), Some("SELECT 1"));
    // Through the extended protocol, the client has prepared a statement named p, whose text is
    // `PREPARE q AS DELETE …`. Therefore `EXECUTE p` executes the PREPARE, and not the DELETE.
    assert_eq!(found("prepare: PREPARE q AS DELETE FROM t"), None);
    assert_eq!(found("prepare: PREPARE p AS SELECT 1"), Some("SELECT 1"));
    let typed = "prepare: prepare \"as\" (numeric(5, 2), text) as -- AS\n  SELECT $1 AS b";
    let at = find_prepared(b"EXPLAIN EXECUTE \"as\"(1, 'b')", typed.as_bytes());
    assert_eq!(at.map(|at| &typed[at..]), Some("SELECT $1 AS b"));
    assert_eq!(found("Vorbereiten: PREPARE p AS SELECT 1"), Some("SELECT 1"));
    assert_eq!(found("prepare: PREPARE p AS SELECT ';';"), Some("SELECT ';';"));
    assert_eq!(found("parameters: $1 = 'PREPARE p AS SELECT 1'"), None);
    assert_eq!(found("prepare: PREPARE p"), None);
    assert_eq!(found("prepare: PREPARE p AS SELECT 1; DELETE FROM t"), None);
    assert_eq!(found("prepare: SELECT 1; PREPARE p AS SELECT 2"), None);
}

#[test]
fn a_text_of_several_statements_is_not_an_execute() {
    let detail = b"prepare: PREPARE p AS SELECT 1";
    for sql in ["EXECUTE p", "EXECUTE p(';') ; -- ;", "/* ; */ EXECUTE p($a$;$a$, E'\\';', \";\");;"] {
        assert_eq!(find_prepared(sql.as_bytes(), detail), Some(22), "{sql}");
    }
    for sql in [
        "EXECUTE p; UPDATE t SET a = 1; DROP TABLE t",
        "SELECT 2; EXECUTE p",
        "EXECUTE p('a\\', '; DROP TABLE t; --')", // with standard_conforming_strings = off
        "EXECUTE p('\\'); DROP TABLE t; --'",
    ] {
        assert!(!is_single(sql.as_bytes()) && find_prepared(sql.as_bytes(), detail).is_none(), "{sql}");
    }
}

fn query(plan: &str) -> (String, bool) {
    let query = planned_query(plan.as_bytes()).unwrap_or_else(|| panic!("{plan}"));
    (String::from_utf8(query.sql.into_owned()).unwrap(), query.is_ambiguous)
}

#[test]
fn queries_are_found_in_every_format() {
    let sql = "SELECT 'a<b'\n  FROM \"t\"";
    for plan in [
        format!("\nQuery Text: {sql}\nSeq Scan on t  (cost=0.00..1.00 rows=1 width=4)\n  Filter: x"),
        format!("\nQuery Text: {sql}\nQuery Parameters: $1 = 'x'\nResult  (cost=0.00..0.01 rows=1 width=4)"),
        "\n{\n  \"Query Text\": \"SELECT 'a<b'\\n  FROM \\\"t\\\"\",\n  \"Plan\": {}\n}".to_string(),
        "\nQuery Text: \"SELECT 'a<b'\\n  FROM \\\"t\\\"\"\nPlan: \n  Node Type: \"Result\"".to_string(),
        "\n<explain xmlns=\"x\">\n  <Query-Text>SELECT 'a&lt;b'\n  FROM &quot;t&quot;</Query-Text>\n</explain>"
            .to_string(),
    ] {
        assert_eq!(query(&plan), (sql.to_string(), false), "{plan}");
    }
    assert!(planned_query(b"\nResult  (cost=0)").is_none());
}

#[test]
fn literals_names_and_comments_do_not_end_the_query() {
    let node = "Seq Scan on t  (cost=0.00..1.00 rows=1 width=4)";
    for sql in [
        format!("SELECT '\n{node}\n'"),
        "SELECT $a$\nQuery Parameters: $1 = 'x'\n$a$".to_string(),
        format!("SELECT 1 AS \"\n{node}\" /*\n{node}\n*/"),
        "SELECT f\n  FROM t\n where  (cost=1)".to_string(),
        format!("SELECT E'\\'\n{node}\n'"),
        format!("DELETE FROM t\n\"{node}\" WHERE id = -1"),
        format!("DELETE FROM t\nAS \"{node}\" WHERE id = -1"),
        format!("SELECT\n'{node}', a /* {node} */\n, b -- {node}\nFROM t"),
        format!("SELECT\n$${node}$$, E'{node}',\nU&\"{node}\" FROM t"),
    ] {
        let plan = format!("Query Text: {sql}\n{node}\n  Filter: (a = '\n{node}\n')");
        assert_eq!(query(&plan), (sql, false), "{plan}");
    }
    // The end of this query is ambiguous. Usually, it is before the first plan node. If backslashes are escapes
    // (standard_conforming_strings = off), the first plan node is inside a literal, and the end is before the second
    // one.
    let plan = format!("Query Text: SELECT '\\'', '\n{node}\n'\n{node}");
    assert_eq!(query(&plan), ("SELECT '\\'', '".to_string(), true));
}

#[test]
fn headings_name_the_prepared_statement() {
    for (heading, expected) in [
        ("statement: ", None),
        ("duration: 0.5 ms  statement: ", None),
        ("duration: 0.5 ms  execute <unnamed>: ", Some(("", ""))),
        ("execute s1/p1: ", Some(("s1", "p1"))),
        ("duration: 0.5 ms  execute execute ms  execute : ", Some(("execute ms  execute ", ""))),
        ("duration: 0.5 ms  parse execute s1: ", None),
        ("", None),
    ] {
        assert_eq!(prepared_names(heading.as_bytes()), expected, "{heading}");
    }
}
