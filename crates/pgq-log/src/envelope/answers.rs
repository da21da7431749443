//! Loki's API returns a stream for each severity of a source. This module merges the streams of each source by time.

use serde_json::Value;

/// Labels with the severity of a line. Their values differ within one source.
pub const LEVELS: [&str; 4] = ["detected_level", "level", "severity", "lvl"];

/// Merges the streams in an answer of Loki. Returns any other value unchanged.
pub fn opened(mut value: Value) -> Value {
    if let Some(Value::Array(streams)) = value.get_mut("data").and_then(|data| data.get_mut("result"))
        && streams.len() > 1
        && streams.iter().all(|stream| stream.get("stream").is_some() && stream.get("values").is_some())
    {
        *streams = by_source(std::mem::take(streams));
    }
    value
}

/// Merges streams of the same source. Sorts the events of a source by time, ascending or descending as in the input.
fn by_source(streams: Vec<Value>) -> Vec<Value> {
    let mut sources: Vec<(Value, Vec<Value>)> = Vec::new();
    for mut stream in streams {
        let mut labels = stream["stream"].take();
        if let Some(labels) = labels.as_object_mut() {
            LEVELS.iter().for_each(|level| drop(labels.remove(*level)));
        }
        let Value::Array(values) = stream["values"].take() else { continue };
        match sources.iter_mut().find(|(known, _)| *known == labels) {
            Some((_, known)) => known.extend(values),
            None => sources.push((labels, values)),
        }
    }
    let time = |value: &Value| value.get(0).and_then(Value::as_str).and_then(|time| time.parse::<u64>().ok());
    let put_together = |(labels, mut values): (Value, Vec<Value>)| {
        let mut steps = values.iter().zip(values.iter().skip(1)).map(|(one, next)| time(one).cmp(&time(next)));
        if steps.find(|step| step.is_ne()).is_some_and(std::cmp::Ordering::is_gt) {
            values.sort_by_key(|value| std::cmp::Reverse(time(value)));
        } else {
            values.sort_by_key(time);
        }
        serde_json::json!({"stream": labels, "values": values})
    };
    sources.into_iter().map(put_together).collect()
}
