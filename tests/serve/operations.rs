//! Sends every operation to the daemon, as frames and as JSON lines, alone and in batches. Compares the answers with
//! the library's results.

use pgq::secrets::mask_sql;
use pgq::{DeparseOptions, Error, FingerprintOptions, ParseOptions, SplitMethod, Tree};
use pgq_frames::{ErrorCode, Fault, Operation, flag};
use prost::Message;
use serde_json::{Value, json};

use crate::client::{Frames, Lines};
use crate::daemon::Daemon;

/// Returns statements of all kinds, including errors, warnings and unusual characters.
fn texts() -> Vec<String> {
    let all = pgq_corpus::all_statements();
    let mut texts: Vec<String> = all.into_iter().step_by(41).collect();
    texts.extend(
        [
            "",
            ";",
            "-- only a comment",
            "SELECT 1; SELECT 'ü', 2",
            "SELECT (",
            "SELECT 'é',\n  +",
            "SELECT '\0'",
            "SELECT '\\x'",
            "SET a = 5",
            "CREATE USER u PASSWORD 'x'",
            "SELECT 1",
            "SELECT 2",
            "SELECT 3",
            "SELECT 1",
        ]
        .map(String::from),
    );
    texts.push(format!("SELECT {}", "a + ".repeat(200) + "1")); // deeper than the levels of a fingerprint
    texts
}

/// Returns the body of an answer, computed by the library with default options.
fn expected(operation: Operation, text: &str) -> Result<Vec<u8>, Error> {
    let parse = || Tree::parse(text, &ParseOptions::default());
    let mut verified = DeparseOptions::default();
    verified.verify = true;
    Ok(match operation {
        Operation::Fingerprint => pgq::fingerprint(text)?.0.to_le_bytes().to_vec(),
        Operation::Normalize => mask_sql(&pgq::normalize(text)?).into_owned().into_bytes(),
        Operation::Both => {
            let normalized = pgq::normalize(text)?;
            [&pgq::fingerprint(text)?.0.to_le_bytes()[..], mask_sql(&normalized).as_bytes()].concat()
        }
        Operation::Tree => pgq::parse_to_json(text)?.into_bytes(),
        Operation::TreeProtobuf => pgq::parse(text)?.tree.encode_to_vec(),
        Operation::Deparse => pgq::JsonTree::read(text)?.deparse(&verified)?.into_bytes(),
        Operation::Reformat => pgq::reformat(text, &verified)?.into_bytes(),
        Operation::Split => {
            let ranges = pgq::split(text, SplitMethod::Parser)?;
            ranges.iter().flat_map(|range| [range.start as u32, range.end as u32]).flat_map(u32::to_le_bytes).collect()
        }
        Operation::Scan => {
            let token = |token: &pgq::Token| {
                let (name, keyword) = (token.name(), token.keyword_name());
                format!(
                    "{{\"start\":{},\"end\":{},\"token\":\"{name}\",\"keyword\":\"{keyword}\"}}",
                    token.start, token.end
                )
            };
            let tokens: Vec<String> = pgq::scan(text)?.iter().map(token).collect();
            format!("[{}]", tokens.join(",")).into_bytes()
        }
        Operation::Warnings => {
            let tree = parse()?;
            let messages: Vec<&str> = tree.warnings().iter().map(|warning| &*warning.message).collect();
            serde_json::to_vec(&messages).unwrap()
        }
        Operation::Summary => {
            let tree = parse()?;
            let names =
                |statement: pgq::Statement<'_>| Ok((statement.tables()?, statement.functions()?, statement.ctes()?));
            let names: Vec<_> = tree.statements().map(names).collect::<Result<_, Error>>()?;
            serde_json::to_vec(&names).unwrap()
        }
        other => unreachable!("{other:?}"),
    })
}

/// Returns the part of an answer that the test compares. Usually this is the whole answer. Of a summary, it is only the
/// names, and of warnings only the messages, because the library's functions return no other parts.
fn compared(operation: Operation, body: &[u8]) -> Vec<u8> {
    let value = || -> Value { serde_json::from_slice(body).unwrap() };
    let list = |value: &Value| value.as_array().cloned().unwrap();
    match operation {
        Operation::Warnings => {
            let messages: Vec<Value> = list(&value()).into_iter().map(|warning| warning["message"].clone()).collect();
            serde_json::to_vec(&messages).unwrap()
        }
        Operation::Summary => {
            let names = |references: &Value, key: &str| {
                let mut names: Vec<String> =
                    list(references).iter().map(|reference| reference[key].as_str().unwrap().to_string()).collect();
                names.sort_unstable();
                names.dedup();
                names
            };
            let statement = |statement: &Value| {
                let functions = names(&statement["functions"], "name");
                (names(&statement["tables"], "name"), functions, statement["ctes"].clone())
            };
            serde_json::to_vec(&list(&value()).iter().map(statement).collect::<Vec<_>>()).unwrap()
        }
        _ => body.to_vec(),
    }
}

fn assert_equal(operation: Operation, text: &str, answered: &Result<(u8, Vec<u8>), Fault>) {
    match (expected(operation, text), answered) {
        (Ok(body), Ok((_, answer))) => {
            assert_eq!(compared(operation, answer), body, "{operation:?} of {text}");
        }
        (Err(error), Err(fault)) => assert_same_error(&error, fault, text),
        (expected, answered) => panic!("{operation:?} of {text}: {answered:?} and not {expected:?}"),
    }
}

fn assert_same_error(error: &Error, fault: &Fault, text: &str) {
    assert_eq!(fault.message(), error.message, "{text}");
    assert_eq!((fault.field(b'D'), fault.field(b'H')), (error.detail.as_deref(), error.hint.as_deref()), "{text}");
    assert_eq!(fault.field(b'C'), error.sqlstate.as_ref().map(pgq::SqlState::as_str), "{text}");
    let place = (fault.place.offset as usize, fault.place.line as usize, fault.place.column as usize);
    let position = error.position.map_or((0, 1, 1), |at| (at.offset, at.line, at.column));
    assert_eq!(place, position, "{text}");
}

const ON_TEXT: [Operation; 10] = [
    Operation::Fingerprint,
    Operation::Normalize,
    Operation::Both,
    Operation::Tree,
    Operation::TreeProtobuf,
    Operation::Reformat,
    Operation::Scan,
    Operation::Split,
    Operation::Summary,
    Operation::Warnings,
];

#[test]
fn frames_have_the_librarys_answers() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    let texts = texts();
    assert!(texts.len() > 500);
    let (mut errors, mut answers) = (0, 0);
    for operation in ON_TEXT {
        frames.send_batch(5, operation, 0, &texts);
        let batch = frames.receive().unwrap();
        assert_eq!((batch.id, batch.items.len()), (5, texts.len()), "{operation:?}");
        for (text, item) in texts.iter().zip(&batch.items) {
            assert_equal(operation, text, item);
            errors += usize::from(item.is_err());
            answers += 1;
        }
        // A text that is sent alone gets the same answer as in the batch. The daemon takes this answer from a cache.
        for (text, item) in texts.iter().zip(&batch.items).step_by(17) {
            assert_eq!(&frames.ask(operation, 0, text.as_bytes()), item, "{operation:?} of {text}");
        }
    }
    println!("{answers} answers, {errors} of them errors, equal the library's");
    assert!(errors > 10);
}

#[test]
fn lines_have_the_librarys_answers() {
    let daemon = Daemon::start(&["--jobs", "1"]);
    let mut lines = Lines::begin(daemon.connect());
    let mut texts = texts();
    texts.pop(); // its tree is deeper than serde_json allows
    for text in texts.iter().step_by(3) {
        let answer = lines.ask(&json!({"id": [1, null], "op": "both", "sql": text}).to_string());
        assert_eq!(answer["id"], json!([1, null]));
        match (pgq::fingerprint(text), pgq::normalize(text)) {
            (Ok(fingerprint), Ok(normalized)) => {
                assert_eq!(
                    (&answer["fingerprint"], &answer["normalized"]),
                    (&json!(fingerprint.to_string()), &json!(mask_sql(&normalized)))
                );
            }
            (Err(error), _) | (_, Err(error)) => {
                let at = error.position.map_or((0, 1, 1), |at| (at.offset, at.line, at.column));
                let expected = json!({"message": error.message, "offset": at.0, "line": at.1, "column": at.2});
                for (key, value) in expected.as_object().unwrap() {
                    assert_eq!(&answer["error"][key], value, "{text}");
                }
            }
        }
    }
    let batch = lines.ask(&json!({"id": 2, "op": "tree", "sql": texts}).to_string());
    assert_eq!(batch["results"].as_array().unwrap().len(), texts.len());
    for (text, result) in texts.iter().zip(batch["results"].as_array().unwrap()) {
        match pgq::parse_to_json(text) {
            Ok(tree) => assert_eq!(result["tree"], serde_json::from_str::<Value>(&tree).unwrap(), "{text}"),
            Err(error) => assert_eq!(result["error"]["message"], error.message, "{text}"),
        }
    }
    let one = |op: &str, sql: &str| json!({"op": op, "sql": sql}).to_string();
    assert_eq!(lines.ask(&one("split", "SELECT 1; SELECT 2"))["statements"], json!([[0, 8], [10, 18]]));
    assert_eq!(lines.ask(&one("reformat", "select  1"))["sql"], "SELECT 1");
    assert_eq!(lines.ask(&one("scan", "é"))["tokens"][0]["end"], 2);
    assert_eq!(lines.ask(&one("summary", "TABLE a"))["statements"][0]["tables"][0]["name"], "a");
    assert_eq!(lines.ask(&one("warnings", "SELECT '\\x'"))["warnings"], json!([]));
    let deep = one("fingerprint", &format!("SELECT {}1", "a + ".repeat(200)));
    assert_eq!(lines.ask(&deep)["truncated"], true);
}

#[test]
fn the_deepest_tree_in_protobuf_is_deparsed() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    let sum = |operands: usize| format!("SELECT a{}", " + a".repeat(operands - 1));
    let trees = (2_480..2_600).map_while(|n| frames.ask(Operation::TreeProtobuf, 0, sum(n).as_bytes()).ok());
    let (_, deepest) = trees.last().unwrap();
    assert!(frames.ask(Operation::DeparseProtobuf, 0, &deepest).is_ok());
}

#[test]
fn trees_become_sql_again() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    let mut lines = Lines::begin(daemon.connect());
    let mut compared = 0;
    for text in texts().iter().step_by(2) {
        let Ok(tree) = pgq::parse_to_json(text) else { continue };
        assert_equal(Operation::Deparse, &tree, &frames.ask(Operation::Deparse, 0, tree.as_bytes()));
        let answer = lines.ask(&format!("{{\"op\":\"deparse\",\"tree\":{tree}}}"));
        let expected = expected(Operation::Deparse, &tree).ok().map(|sql| String::from_utf8(sql).unwrap());
        assert_eq!(answer["sql"].as_str(), expected.as_deref(), "{text}: {answer}");
        let (_, bytes) = frames.ask(Operation::TreeProtobuf, 0, text.as_bytes()).unwrap();
        let parsed = pgq::parse(text).unwrap();
        let mut verified = DeparseOptions::default();
        verified.verify = true;
        match (frames.ask(Operation::DeparseProtobuf, 0, &bytes), pgq::deparse_with(&parsed.tree, &verified)) {
            (Ok((_, sql)), Ok(expected)) => assert_eq!(String::from_utf8(sql).unwrap(), expected),
            (Err(fault), Err(error)) => assert_eq!(fault.message(), error.message),
            other => panic!("{text}: {other:?}"),
        }
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
    for (operation, bytes) in [(Operation::Deparse, &b"{}x"[..]), (Operation::DeparseProtobuf, b"\x0a\xff")] {
        assert!(frames.ask(operation, 0, bytes).is_err());
    }
    // These bytes encode 200,000 nested messages. If the daemon decoded them recursively, its stack would overflow.
    let mut nested = Vec::new();
    for _ in 0..200_000 {
        nested.extend_from_slice(&[0x0a, 0xff, 0xff, 0x7f]);
    }
    nested.resize(3 << 20, 0);
    let fault = frames.ask(Operation::DeparseProtobuf, 0, &nested).unwrap_err();
    assert_eq!(fault.code, ErrorCode::Protobuf);
    assert!(frames.ask(Operation::Fingerprint, 0, b"SELECT 1").is_ok());
}

#[test]
fn options_are_named_by_handles() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    let mut name = |options: Value| {
        let (_, handle) = frames.ask(Operation::Options, 0, options.to_string().as_bytes()).unwrap();
        u16::from_le_bytes(handle.try_into().unwrap())
    };
    let old = name(json!({"postgres_17": true, "full_depth": true}));
    let pretty = name(json!({"pretty": true, "indent": 2}));
    let qmark = name(json!({"placeholders": "qmark", "one_line": true}));
    let sql = "SELECT o.a FROM shop.orders_01 o WHERE b = 1";
    let mut options = FingerprintOptions::default();
    (options.postgres_17, options.full_depth) = (true, true);
    let mut fingerprint = |handle| {
        let (_, body) = frames.ask(Operation::Fingerprint, handle, sql.as_bytes()).unwrap();
        u64::from_le_bytes(body.try_into().unwrap())
    };
    assert_eq!(fingerprint(old), pgq::fingerprint_with(sql, &options).unwrap().0);
    assert_eq!(fingerprint(0), pgq::fingerprint(sql).unwrap().0);
    assert_ne!(fingerprint(0), fingerprint(old));
    let (_, broken) = frames.ask(Operation::Reformat, pretty, sql.as_bytes()).unwrap();
    assert!(String::from_utf8(broken).unwrap().contains('\n'));
    let (_, normalized) = frames.ask(Operation::Normalize, qmark, b"SELECT ?,\n 'x' -- c").unwrap();
    assert_eq!(String::from_utf8(normalized).unwrap(), "SELECT $1, $2");
    // An error's position is an offset in the client's text, before placeholders are replaced.
    let fault = frames.ask(Operation::Fingerprint, qmark, b"SELECT ?, ?\nFROM WHERE").unwrap_err();
    assert_eq!((fault.place.offset, fault.place.line, fault.place.column), (17, 2, 6));
    frames.ask(Operation::Drop, old, b"").unwrap();
    assert_eq!(frames.ask(Operation::Fingerprint, old, b"x").unwrap_err().code, ErrorCode::BadHandle);
    // A handle is valid only on its connection.
    let mut other = Frames::begin(daemon.connect());
    assert_eq!(other.ask(Operation::Reformat, pretty, b"SELECT 1").unwrap_err().code, ErrorCode::BadHandle);
}

#[test]
fn flags_say_what_an_answer_does_not_show() {
    let daemon = Daemon::start(&[]);
    let mut frames = Frames::begin(daemon.connect());
    for _ in 0..3 {
        let mut flags = |operation, sql: &str| frames.ask(operation, 0, sql.as_bytes()).unwrap().0;
        assert_eq!(flags(Operation::Normalize, "SELECT 1"), flag::NONE);
        assert_eq!(flags(Operation::Normalize, "SELECT 1, $2147483647"), flag::KEPT);
        assert_eq!(flags(Operation::Both, "CREATE USER u PASSWORD 'x'"), flag::QUOTED);
        assert_eq!(flags(Operation::Fingerprint, &format!("SELECT {}1", "a + ".repeat(200))), flag::TRUNCATED);
        let long = format!("SELECT {}", "a".repeat(70));
        assert_eq!(flags(Operation::Tree, &long), flag::WARNINGS);
        assert_eq!(flags(Operation::Fingerprint, &long), flag::WARNINGS);
    }
}
