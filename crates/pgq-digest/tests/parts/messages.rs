//! Kinds of messages.

use pgq_digest::{Execution, LogMessage, MessageExample, MessageKind, Messages};

#[allow(clippy::type_complexity, reason = "SQLSTATE, text and time")]
fn kinds(messages: &[(&str, &str, Option<(i64, &'static [u8])>)]) -> Vec<(String, String, MessageKind)> {
    let mut tally = Messages::default();
    for (sqlstate, message, time) in messages {
        let message =
            LogMessage { sqlstate: sqlstate.as_bytes(), message: message.as_bytes(), ..LogMessage::default() };
        tally.add(&message, &Execution { time: *time, ..Execution::default() }, Some(7));
    }
    tally.into_entries().map(|(key, kept)| (key.sqlstate.into(), key.message.into(), kept.sum)).collect()
}

#[test]
fn messages_that_differ_in_names_are_one_kind() {
    let all = [
        ("42P01", "relation \"b\" does not exist", Some((2, &b"two"[..]))),
        ("42P01", "relation \"a\" does not exist", Some((1, b"one"))),
        ("42P01", "relation \"c\" does not exist", None),
        ("", "relation \"c\" does not exist", None),
    ];
    for turn in 0..all.len() {
        let mut messages = all;
        messages.rotate_left(turn);
        let kinds = kinds(&messages);
        assert_eq!(kinds.len(), 2);
        let (sqlstate, message, kind) = &kinds[1];
        assert_eq!((&**sqlstate, &**message, kind.count), ("42P01", "relation \"…\" does not exist", 3));
        let text = |example: &Option<Box<MessageExample>>| example.as_ref().unwrap().texts[0].clone();
        assert_eq!(&*text(&kind.first), "relation \"a\" does not exist");
        assert_eq!(&*text(&kind.last), "relation \"b\" does not exist");
        assert_eq!(kind.statements.iter().map(|(_, kept)| kept.sum).collect::<Vec<_>>(), [3]);
    }
}

#[test]
fn texts_and_names_of_examples_are_cut() {
    let (long, user) = ("x".repeat(10_000), "\u{fffd}".repeat(3_000));
    let mut tally = Messages::default();
    let message = LogMessage { message: long.as_bytes(), ..LogMessage::default() };
    let execution = Execution { time: Some((1, b"one")), user: user.as_bytes(), ..Execution::default() };
    tally.add(&message, &execution, None);
    let (_, kept) = tally.into_entries().next().unwrap();
    let example = kept.sum.first.unwrap();
    assert!(example.texts.iter().all(|text| text.len() <= 4096));
    assert!(example.texts[0].len() > 4000 && example.texts[5].len() > 4000);
}
