//! Writers of CSV exports.

use super::api_envelopes::columns;
use super::envelopes::{Envelope, iso};
use super::events::Event;

/// Writes a header, and a row for each message.
fn csv(
    header: &str,
    newest_first: bool,
    events: &[Event],
    messages: &[String],
    row: impl Fn(&Event, &str) -> String,
) -> String {
    let mut rows: Vec<String> =
        events.iter().zip(messages).map(|(event, message)| row(event, message.trim_end_matches('\n'))).collect();
    if newest_first {
        rows.reverse();
    }
    format!("{header}\n{}\n", rows.join("\n"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// Formats a time like Azure's web pages: `1/31/2026, 12:00:00.123 PM`.
fn of_a_page(event: &Event) -> String {
    format!("1/31/2026, {} PM", &iso(event, "")[11..])
}

pub const ENVELOPES: &[(&str, Envelope)] = &[
    ("Logs Insights CSV", |events, messages| {
        csv("@timestamp,@message,@logStream", true, events, messages, |event, text| {
            format!("{},{},mydb", iso(event, "").replace('T', " "), quoted(text))
        })
    }),
    ("Logs Insights CSV, messages alone", |events, messages| {
        csv("@message", false, events, messages, |_, text| quoted(text))
    }),
    ("Azure CSV", |events, messages| {
        csv("TenantId,\"TimeGenerated [UTC]\",Message,ResourceId", true, events, messages, |event, text| {
            format!("x,{},{},/subscriptions/1", quoted(&of_a_page(event)), quoted(text))
        })
    }),
    ("Azure CSV with fields", |events, messages| {
        let header =
            "\"TimeGenerated [UTC]\",\"Message\",\"errorLevel_s\",\"processId_d\",\"detail_s\",\"sqlerrcode_s\"";
        csv(header, true, events, messages, |event, text| {
            let (text, detail) = match text.split_once("DETAIL:  ") {
                Some((first, detail)) => (first.rsplit_once('\n').unwrap().0, detail),
                None => (text, ""),
            };
            let level = event.severity;
            let (pid, state) = (event.session.pid, event.state);
            format!("{},{},{level},{pid},{},{state}", quoted(&of_a_page(event)), quoted(text), quoted(detail))
        })
    }),
    ("Datadog CSV", |events, messages| {
        csv("Date,Host,Service,Message", true, events, messages, |event, text| {
            format!("{},\"db\",\"postgresql\",{}", quoted(&iso(event, "Z")), quoted(text))
        })
    }),
    ("Google Cloud CSV", |events, messages| {
        csv(
            "insertId,logName,resource.labels.database_id,textPayload,timestamp",
            true,
            events,
            messages,
            |event, text| format!("1,projects/x,y,{},{}", quoted(text), iso(event, "Z")),
        )
    }),
    ("Kibana CSV", |events, messages| {
        csv("\"@timestamp\",\"host.name\",message", true, events, messages, |event, text| {
            format!("\"Jan 31, 2026 @ {}\",db,{}", &iso(event, "")[11..], quoted(text))
        })
    }),
    ("Splunk CSV", |events, messages| {
        csv("\"_raw\",\"_time\",host", true, events, messages, |event, text| {
            format!("{},\"{}\",db", quoted(text), iso(event, "+00:00"))
        })
    }),
    ("Grafana CSV", |events, messages| {
        csv("Time,Line,tsNs,id", true, events, messages, |event, text| {
            format!("x,{},{}000000,1", quoted(text), super::envelopes::unix_millis(event))
        })
    }),
    ("Supabase CSV", |events, messages| {
        csv("id,timestamp,event_message", true, events, messages, |event, text| {
            format!("1,{}000,{}", super::envelopes::unix_millis(event), quoted(text))
        })
    }),
    ("CSV with columns of a csvlog", |events, _| {
        let names: Vec<String> = columns(&events[0]).keys().cloned().collect();
        let row = |event: &Event| {
            let columns = columns(event);
            let value = |name: &String| columns[name].as_str().map(quoted).unwrap_or_default();
            names.iter().map(value).collect::<Vec<_>>().join(",") + "\n"
        };
        names.join(",") + "\n" + &events.iter().map(row).collect::<String>()
    }),
    ("any CSV", |events, messages| {
        csv("time;level;message", false, events, messages, |event, text| {
            format!("{};info;{}", iso(event, "Z"), quoted(text))
        })
    }),
    ("any CSV with lines", |events, messages| {
        csv("date,line", false, events, messages, |event, text| format!("{},{}", iso(event, "Z"), quoted(text)))
    }),
    ("any CSV with msg", |events, messages| {
        csv("id,msg", false, events, messages, |_, text| format!("1,{}", quoted(text)))
    }),
    ("any CSV with events", |events, messages| {
        csv("id,event", false, events, messages, |_, text| format!("1,{}", quoted(text)))
    }),
    ("any TSV", |events, messages| {
        csv("host\tlog", false, events, messages, |_, text| format!("db\t{}", quoted(text)))
    }),
];
