//! Examples of a group.

use std::sync::Arc;

use pgq_digest::{Execution, Group, LogMessage, MAX_EXAMPLE_LEN, Origin};

fn origin(user: &[u8]) -> Arc<Origin> {
    Arc::new(Origin { user: user.into(), ..Origin::default() })
}

#[test]
fn the_example_is_the_slowest_then_the_earliest() {
    let executions = [
        Execution { sql: b"B", duration: Some(5), time: Some((3, b"3")), ..Execution::default() },
        Execution { sql: b"A", duration: Some(9), time: Some((2, b"2")), ..Execution::default() },
        Execution { sql: b"C", duration: Some(9), time: Some((1, b"1")), user: b"ann", ..Execution::default() },
        Execution {
            sql: b"D",
            duration: None,
            error: Some(&LogMessage::default()),
            time: Some((4, b"4")),
            ..Execution::default()
        },
    ];
    for turn in 0..executions.len() {
        let (mut group, mut other) = (Group::default(), Group::default());
        for (i, execution) in executions.iter().enumerate() {
            let part = if (i + turn) % 2 == 0 { &mut group } else { &mut other };
            part.add(execution, &origin(execution.user));
        }
        group.merge(other);
        assert_eq!(group.example.as_ref().unwrap().sql(), "C");
        assert_eq!((group.calls, group.errors, group.durations.sum()), (3, 1, 23));
        assert_eq!((&*group.first.unwrap().text, &*group.last.unwrap().text), ("1", "4"));
        assert_eq!(group.latest.unwrap().sql(), "B");
    }
}

#[test]
fn long_statements_are_cut_and_shorter_ones_preferred() {
    let long = "é".repeat(MAX_EXAMPLE_LEN);
    let mut group = Group::default();
    group.add(&Execution { sql: long.as_bytes(), duration: Some(9), ..Execution::default() }, &origin(b""));
    assert!(group.example.as_ref().unwrap().cut);
    group.add(&Execution { sql: b"SELECT 1", duration: Some(1), ..Execution::default() }, &origin(b""));
    assert_eq!(group.example.unwrap().sql(), "SELECT 1");
}
