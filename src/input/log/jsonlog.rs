//! `--from jsonlog`: an object a line, as PostgreSQL writes it since version 15.

use std::borrow::Cow;

use anyhow::Result;
use serde::Deserialize;

use super::assemble::Assembler;
use super::entry::{Entry, Part, Severity};
use super::lines::Format;
use crate::input::{Cursor, Flow};

/// A string, borrowed from the line where nothing in it is escaped.
#[derive(Deserialize, Default)]
#[serde(transparent)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The keys that are of use. PostgreSQL leaves out what it does not know.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Line<'a> {
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

/// The state of a jsonlog.
#[derive(Default)]
pub struct JsonLog {
    entry: Entry,
}

impl Format for JsonLog {
    fn line(&mut self, line: &[u8], at: Cursor, _whole: bool, out: &mut Assembler<'_>) -> Result<Flow> {
        // One check of the whole line is cheaper than one of each string. A database whose
        // encoding is not UTF-8 has broken strings in its log: shown, not lost.
        let text = std::str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed);
        let read = match serde_json::from_str::<Line<'_>>(&text) {
            Ok(read) if !read.error_severity.0.is_empty() => read,
            _ => {
                out.stats.unreadable += u64::from(!line.trim_ascii().is_empty());
                return Ok(Flow::Continue);
            }
        };
        out.stats.messages += 1;
        let severity = Severity::of(read.error_severity.0.as_bytes());
        if severity == Severity::Other {
            out.stats.other += 1;
            return Ok(Flow::Continue);
        }
        let entry = &mut self.entry;
        entry.clear();
        entry.severity = severity;
        entry.rewritten = true;
        entry.pid = read.pid;
        (entry.message_at, entry.statement_at) = (at, at);
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
            if !text.0.is_empty() {
                entry.set(part, text.0.as_bytes());
            }
        }
        out.message(entry)
    }

    fn rest(&mut self, _end: bool, _out: &mut Assembler<'_>) -> Result<Flow> {
        Ok(Flow::Continue)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{any_cut_is_survived, records};
    use super::{Format, JsonLog};

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
        let (seen, stats) = records(&mut JsonLog::default(), LOG.as_bytes());
        assert_eq!(seen, ["7 LOG | ann | 1.5 | SELECT\n\t\"a\" | $1 = 'x'", "7 ERROR | ann | SELECT 1 😀"]);
        assert_eq!((stats.messages, stats.other, stats.unreadable), (3, 1, 0));
    }

    #[test]
    fn what_is_no_object_of_a_log_is_counted() {
        let (seen, stats) = records(&mut JsonLog::default(), b"{\"pid\":1}\nnull\n{\n\n\"\xff\"\n");
        assert_eq!((seen.len(), stats.unreadable), (0, 4));
        any_cut_is_survived(&|| Box::<JsonLog>::default() as Box<dyn Format>, LOG.as_bytes());
    }
}
