//! Logs and their records, one file of `records/` per case.
//!
//! A case starts with a line with the format and, for stderr, the prefix. The log follows, then the expected records,
//! skipped messages and losses. `PGQ_OVERWRITE=1 cargo test --test logs records` writes these expectations: read
//! them before you commit.

use std::fmt::Write;

use crate::common::{read, summary};
use pgq_log::LogKind;

const END_OF_LOG: &str = "--- records\n";

#[test]
fn logs_give_their_records() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/logs/records");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() > 10, "{}", paths.len());
    let mut wrong = String::new();
    for path in paths {
        let case = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = case.split_once('\n').unwrap();
        let (log, expected) = rest.split_once(END_OF_LOG).unwrap_or((rest, ""));
        let (format, prefix) = head.split_once(' ').map_or((head, None), |(format, prefix)| (format, Some(prefix)));
        let kind = match format {
            "stderr" => LogKind::Stderr,
            "csvlog" => LogKind::Csvlog,
            "jsonlog" => LogKind::Jsonlog,
            other => panic!("{}: no format {other}", path.display()),
        };
        // The prefix is in quotes, because editors strip blanks at the ends of lines.
        let prefix = prefix.map(|prefix| prefix.trim_matches('\''));
        let found = read(kind, prefix, log.as_bytes(), summary);
        let mut text: String = found.records.iter().fold(String::new(), |text, record| text + record + "\n");
        if let Some(notice) = found.notice {
            writeln!(text, "notice: {notice}").unwrap();
        }
        let skipped = found.stats.summary();
        writeln!(text, "{}", skipped.split_once("; skipped ").map_or(&*skipped, |(_, skipped)| skipped)).unwrap();
        if let Some(losses) = found.stats.losses() {
            writeln!(text, "losses: {losses}").unwrap();
        }
        if text != expected {
            if std::env::var_os("PGQ_OVERWRITE").is_some() {
                std::fs::write(&path, format!("{head}\n{log}{END_OF_LOG}{text}")).unwrap();
            }
            write!(wrong, "{}:\n{text}instead of\n{expected}\n", path.display()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
