//! Some platforms answer with JSON in which events lack their column names or are out of order. Examples are tables
//! with a list of columns, and streams grouped by severity. Converts such an answer to a list of events, which
//! object.rs reads.

use serde_json::{Map, Value};

/// Labels whose values differ within one source.
const LEVELS: [&str; 4] = ["detected_level", "level", "severity", "lvl"];

/// Converts a table or streams to a list of events. Returns any other value unchanged.
pub fn opened(mut value: Value) -> Value {
    let Some(object) = value.as_object_mut() else { return value };
    if let Some(rows) = table(object) {
        return Value::Array(rows);
    }
    if let Some(Value::Array(tables)) = object.get("tables") {
        let rows: Option<Vec<Vec<Value>>> = tables.iter().map(|value| table(value.as_object()?)).collect();
        return rows.map_or(value, |rows| Value::Array(rows.concat()));
    }
    if let Some(Value::Array(streams)) = object.get_mut("data").and_then(|data| data.get_mut("result"))
        && streams.len() > 1
        && streams.iter().all(|stream| stream.get("stream").is_some() && stream.get("values").is_some())
    {
        *streams = by_source(std::mem::take(streams));
    }
    value
}

/// Converts the rows of a table to objects: `{"columns": [{"name": …}], "rows": [[…]]}`.
fn table(object: &Map<String, Value>) -> Option<Vec<Value>> {
    let name = |column: &Value| column.get("name").unwrap_or(column).as_str().map(str::to_string);
    let names: Vec<String> = object.get("columns")?.as_array()?.iter().map(name).collect::<Option<_>>()?;
    let row = |row: &Value| {
        let values = row.as_array()?.iter().cloned();
        Some(Value::Object(names.iter().cloned().zip(values).collect()))
    };
    object.get("rows")?.as_array()?.iter().map(row).collect()
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::opened;

    #[test]
    fn tables_have_their_names_and_streams_their_order() {
        let tables = json!({"tables": [{"columns": [{"name": "a"}, {"name": "b"}], "rows": [[1, 2], [3, null]]}]});
        assert_eq!(opened(tables), json!([{"a": 1, "b": 2}, {"a": 3, "b": null}]));
        let stream = |level: &str, values: serde_json::Value| json!({"stream": {"pod": "pg-0", "detected_level": level}, "values": values});
        let answer = json!({"data": {"result": [
            stream("error", json!([["9", "d"], ["5", "b"]])),
            stream("info", json!([["7", "c"], ["3", "a"]])),
        ]}});
        let values = json!([["9", "d"], ["7", "c"], ["5", "b"], ["3", "a"]]);
        assert_eq!(opened(answer)["data"]["result"], json!([{"stream": {"pod": "pg-0"}, "values": values}]));
        assert_eq!(opened(json!({"message": "x"})), json!({"message": "x"}));
    }
}
