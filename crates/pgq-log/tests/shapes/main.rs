//! One log in every shape: whatever the prefix or the envelope, the records are those of the csvlog, in all
//! fields that the shape still holds.

#[path = "../common/mod.rs"]
mod common;
mod events;
mod prefixes;
mod write;

use common::read;
use events::events;
use pgq_log::{Entry, Field, LogKind};

/// The fields of a record that a prefix holds, as text.
fn fields(setting: &str, entry: Entry<'_>) -> String {
    let has = |escapes: &str| escapes.chars().any(|escape| setting.contains(&format!("%{escape}")) || setting.contains(&format!("0{escape}")));
    let text = |field: Field| String::from_utf8_lossy(entry.get(field)).into_owned();
    let mut line = format!("{} {} {}", entry.severity().name(), text(Field::Sql), text(Field::Params));
    if has("pc") {
        line += &format!(" pid {} duration {}", entry.pid(), text(Field::Duration));
    } else if !text(Field::Sql).starts_with("INSERT") {
        line += &format!(" duration {}", text(Field::Duration));
    }
    if entry.severity().is_error() {
        line += &text(Field::Message);
    }
    let kept = [
        ("u", Field::User),
        ("d", Field::Database),
        ("a", Field::Application),
        ("c", Field::Session),
        ("rh", Field::RemoteHost),
        ("e", Field::SqlState),
        ("i", Field::CommandTag),
        ("s", Field::SessionStart),
        ("v", Field::VirtualXid),
    ];
    for (escapes, field) in kept {
        if has(escapes) {
            line += &format!(" {field:?}={}", text(field).replace("[unknown]", ""));
        }
    }
    if has("m") {
        line += &format!(" {}", text(Field::Time));
    } else if has("t") {
        line += &format!(" {:.19}", text(Field::Time));
    }
    line
}

#[test]
fn every_prefix_is_inferred() {
    let events = events();
    let csvlog = write::csvlog(&events).concat();
    let mut wrong = String::new();
    for setting in prefixes::PREFIXES {
        let expected = read(LogKind::Csvlog, None, csvlog.as_bytes(), |entry| fields(setting, entry));
        assert_eq!((expected.records.len(), expected.stats.unreadable), (60, 0));
        let log = write::stderr(&events, setting).concat();
        for given in [None, Some(setting)] {
            let found = read(LogKind::Stderr, given, log.as_bytes(), |entry| fields(setting, entry));
            if found.records != expected.records {
                let differs = found.records.iter().zip(&expected.records).find(|(found, expected)| found != expected);
                wrong += &format!("{setting:?} {given:?}\n  {:?}\n  {} records, {differs:?}\n", found.notice, found.records.len());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
