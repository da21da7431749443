//! Writes events as a server does: as csvlog, as jsonlog, or as stderr lines with any prefix.

use std::fmt::Write;

use super::events::Event;

/// Formats the time of an event. The log starts at 12:00:00.
pub fn time(event: &Event) -> String {
    let (seconds, millis) = (event.millis / 1000, event.millis % 1000);
    format!("2026-01-31 12:{:02}:{:02}.{millis:03} UTC", seconds / 60, seconds % 60)
}

fn started(event: &Event) -> String {
    format!("2026-01-31 11:00:{:02} UTC", event.session.started)
}

/// Formats the session ID (`%c`).
pub fn session_id(event: &Event) -> String {
    format!("{:x}.{:x}", 1_769_857_200 + event.session.started, event.session.pid)
}

/// Formats the client with its port, like a csvlog column.
pub fn client(event: &Event) -> String {
    match event.session.port {
        0 => event.session.host.to_string(),
        port => format!("{}:{port}", event.session.host),
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// Returns the rows of a csvlog. Each row ends with a line break.
pub fn csvlog(events: &[Event]) -> Vec<String> {
    let row = |event: &Event| {
        let session = event.session;
        let client = client(event);
        format!(
            "{},{},{},{},{},{},{},{},{},3/7,0,{},{},{},{},,,,,{},,,{},{},,0\n",
            time(event),
            quoted(session.user),
            quoted(session.database),
            session.pid,
            quoted(&client),
            session_id(event),
            event.line,
            quoted(event.tag),
            started(event),
            event.severity,
            event.state,
            quoted(&event.message),
            quoted(&event.detail),
            quoted(&event.statement),
            quoted(session.application),
            quoted(session.backend),
        )
    };
    events.iter().map(row).collect()
}

/// Returns the objects of a jsonlog. Each object ends with a line break.
pub fn jsonlog(events: &[Event]) -> Vec<String> {
    let object = |event: &Event| {
        let session = event.session;
        let mut object = serde_json::json!({
            "timestamp": time(event), "user": session.user, "dbname": session.database, "pid": session.pid,
            "remote_host": session.host, "session_id": session_id(event), "line_num": event.line, "ps": event.tag,
            "session_start": started(event), "vxid": "3/7", "txid": 0, "error_severity": event.severity,
            "state_code": event.state, "message": event.message, "detail": event.detail,
            "statement": event.statement, "application_name": session.application, "backend_type": session.backend,
            "query_id": 0,
        });
        object.as_object_mut().unwrap().retain(|_, value| value != "");
        format!("{object}\n")
    };
    events.iter().map(object).collect()
}

/// Returns the prefix of an event (elog.c: log_status_format).
pub fn prefix(setting: &str, event: &Event, line: u32) -> String {
    let session = event.session;
    let is_session = !session.user.is_empty();
    let (mut text, mut escapes) = (String::new(), setting.chars().peekable());
    while let Some(character) = escapes.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        let mut width = String::new();
        while let Some(digit) = escapes.next_if(|c| *c == '-' || c.is_ascii_digit()) {
            width.push(digit);
        }
        let name = |name: &str| if is_session && name.is_empty() { "[unknown]".to_string() } else { name.to_string() };
        let time = time(event);
        let value = match escapes.next().expect("an escape") {
            '%' => "%".to_string(),
            'q' if is_session => continue,
            'q' => break,
            'm' => time,
            't' => format!("{} UTC", &time[..19]),
            'n' => format!("17698608{:02}.{:03}", event.millis / 1000, event.millis % 1000),
            's' => started(event),
            'p' => session.pid.to_string(),
            'P' => String::new(),
            'u' => name(session.user),
            'd' => name(session.database),
            'a' => name(session.application),
            'r' if session.port > 0 => format!("{}({})", session.host, session.port),
            'r' | 'h' => session.host.to_string(),
            'l' => line.to_string(),
            'c' => session_id(event),
            'e' => event.state.to_string(),
            'i' => event.tag.to_string(),
            'b' => session.backend.to_string(),
            'v' => {
                if is_session {
                    "3/7".to_string()
                } else {
                    String::new()
                }
            }
            'x' | 'Q' => "0".to_string(),
            other => panic!("no escape %{other}"),
        };
        match width.parse::<i32>().unwrap_or(0) {
            width @ ..0 => write!(text, "{value:<0$}", width.unsigned_abs() as usize).unwrap(),
            width => write!(text, "{value:>0$}", width as usize).unwrap(),
        }
    }
    text
}

/// Returns the messages of a stderr log with their continuation lines.
pub fn stderr(events: &[Event], setting: &str) -> Vec<String> {
    let mut lines = std::collections::HashMap::new();
    let message = |event: &Event| {
        let mut text = String::new();
        let mut part = |label: &str, part: &str| {
            if !part.is_empty() {
                let line = lines.entry(event.session.pid).or_insert(0);
                *line += 1;
                writeln!(text, "{}{label}:  {}", prefix(setting, event, *line), part.replace('\n', "\n\t")).unwrap();
            }
        };
        part(event.severity, &event.message);
        part("DETAIL", &event.detail);
        part("STATEMENT", &event.statement);
        text
    };
    events.iter().map(message).collect()
}
