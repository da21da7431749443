//! `--from jsonlog`: an object a line, as PostgreSQL writes it since version 15.

use std::borrow::Cow;

use serde::Deserialize;

use super::batch::{Batch, Format, Line};
use super::entry::{Message, Part, Severity, Start};

/// A string, borrowed from the line where nothing in it is escaped.
#[derive(Deserialize, Default)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The keys that are of use. PostgreSQL leaves out what it does not know.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Object<'a> {
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    user: Text<'a>,
    #[serde(borrow)]
    dbname: Text<'a>,
    #[serde(borrow)]
    application_name: Text<'a>,
    #[serde(borrow)]
    session_id: Text<'a>,
    #[serde(borrow)]
    error_severity: Text<'a>,
    #[serde(borrow)]
    message: Text<'a>,
    #[serde(borrow)]
    detail: Text<'a>,
    #[serde(borrow)]
    context: Text<'a>,
    #[serde(borrow)]
    statement: Text<'a>,
    pid: u32,
}

/// A jsonlog: it has no state.
pub struct JsonLog;

impl Format for JsonLog {
    fn line(&mut self, line: Line, batch: &mut Batch) {
        let own = batch.text(line).to_vec();
        // One check of the whole line is cheaper than one of each string. A database whose
        // encoding is not UTF-8 has broken strings in its log: shown, not lost.
        let text = std::str::from_utf8(&own).map_or_else(|_| String::from_utf8_lossy(&own), Cow::Borrowed);
        let read = match serde_json::from_str::<Object<'_>>(&text) {
            Ok(read) if !read.error_severity.0.is_empty() => read,
            _ => {
                batch.stats.unreadable += u64::from(!own.trim_ascii().is_empty());
                return;
            }
        };
        let severity = Severity::of(read.error_severity.0.as_bytes());
        if !batch.count(severity) {
            return;
        }
        let at = Start::of(line);
        let mut message = Message::new(read.pid, severity, at);
        message.rewritten = true;
        for (part, text) in [
            (Part::Time, &read.timestamp),
            (Part::User, &read.user),
            (Part::Database, &read.dbname),
            (Part::Application, &read.application_name),
            (Part::Session, &read.session_id),
            (Part::Message, &read.message),
            (Part::Detail, &read.detail),
            (Part::Context, &read.context),
            (Part::Statement, &read.statement),
        ] {
            batch.add(&mut message, part, text.0.as_bytes());
        }
        batch.push(message, at);
    }

    fn end(&mut self, _batch: &mut Batch, _cut: bool) {}

    fn begins(&mut self, _line: &[u8]) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_cut_is_survived, records};
    use super::JsonLog;

    const LOG: &str = concat!(
        r#"{"timestamp":"2026-01-31 12:00:00.123 UTC","user":"ann","dbname":"shop","pid":7,"session_id":"65b.7","#,
        r#""error_severity":"LOG","message":"duration: 1.5 ms  execute s: SELECT\n\t\"a\"","detail":"Parameters: $1 = 'x'"}"#,
        "\n",
        r#"{"timestamp":"2026-01-31 12:00:00.123 UTC","pid":1,"error_severity":"LOG","message":"checkpoint","new":[{}]}"#,
        "\n",
        r#"{"user":"ann","pid":7,"error_severity":"ERROR","message":"no","statement":"SELECT 1 \ud83d\ude00"}"#,
        "\n",
    );

    #[test]
    fn objects() {
        let (seen, stats) = records(&|| Box::new(JsonLog), LOG.as_bytes());
        assert_eq!(seen, ["7 LOG | ann | 1.5 | SELECT\n\t\"a\" | $1 = 'x'", "7 ERROR | ann | SELECT 1 😀"]);
        assert_eq!((stats.messages, stats.other, stats.unreadable), (3, 1, 0));
    }

    #[test]
    fn what_is_no_object_of_a_log_is_counted() {
        let (seen, stats) = records(&|| Box::new(JsonLog), b"{\"pid\":1}\nnull\n{\n\n\"\xff\"\n");
        assert_eq!((seen.len(), stats.unreadable), (0, 4));
        any_cut_is_survived(&|| Box::new(JsonLog), LOG.as_bytes());
    }
}
