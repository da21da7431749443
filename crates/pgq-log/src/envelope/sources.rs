//! Names that distinguish the sources of a log's lines: hosts, pods, containers, log files. Assigns
//! a number to each source.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use serde_json::{Map, Value};

use super::MAX_LAYERS;
use super::answers::LEVELS;

/// Keys whose values name a source. A key may be part of a path: `kubernetes/pod_name`.
const KEYS: [&str; 38] = [
    "@logstream",
    "_container_id",
    "_container_name",
    "_hostname",
    "_resourceid",
    "cluster",
    "cluster_name",
    "clustername",
    "computer",
    "container",
    "container_id",
    "container_name",
    "containerid",
    "containername",
    "database_id",
    "file",
    "filename",
    "host",
    "hostname",
    "instance",
    "instance_id",
    "log_stream",
    "logging_pod",
    "logicalservername",
    "logicalservername_s",
    "logstream",
    "logstreamname",
    "namespace",
    "namespace_name",
    "pod",
    "pod_name",
    "podname",
    "podnamespace",
    "resourceid",
    "service",
    "service_name",
    "tag",
    "_tag",
];
/// The last two parts of a path whose value names a source, such as `k8s.pod.name` or `log.file.path`.
const PAIRS: [(&str, &str); 9] = [
    ("pod", "name"),
    ("container", "name"),
    ("container", "id"),
    ("host", "name"),
    ("namespace", "name"),
    ("cluster", "name"),
    ("service", "name"),
    ("instance", "id"),
    ("file", "path"),
];

/// Maximum number of remembered names. On some platforms, every event has a different name.
const MAX_NAMES: usize = 1 << 16;

/// The sources of one layer (one envelope). Each source has a number that is unique among the sources of all layers.
/// Exception: after [`MAX_NAMES`] names, the number of a new source is a hash of its name.
#[derive(Default)]
pub struct Sources {
    depth: u32,
    /// The numbers of the sources. Each key consists of the source number from the outer envelope and of the source's
    /// own name.
    numbers: HashMap<(u32, Vec<u8>), u32>,
    hashes: RandomState,
    /// The source of the previous line, which is often also the source of the next line.
    last: (u32, Vec<u8>, u32),
    /// The first optional name.
    first: Option<Vec<u8>>,
}

impl Sources {
    pub fn new(depth: usize) -> Self {
        Self { depth: depth as u32, ..Self::default() }
    }

    /// Returns the number of the source with this name. Use this function if the envelope has the name in every line.
    pub fn named(&mut self, outer: u32, name: &[u8]) -> u32 {
        if self.last.0 == outer && self.last.1 == name && self.last.2 > 0 {
            return self.last.2;
        }
        let key = (outer, name.to_vec());
        let known = self.numbers.len();
        let number = match self.numbers.get(&key) {
            Some(number) => *number,
            None if known >= MAX_NAMES => 1 << 31 | self.hashes.hash_one(&key) as u32,
            None => {
                let number = (known as u32 + 1) * MAX_LAYERS as u32 + self.depth;
                self.numbers.insert(key, number);
                number
            }
        };
        (self.last.0, self.last.2) = (outer, number);
        self.last.1.clear();
        self.last.1.extend_from_slice(name);
        number
    }

    /// Returns the number of a source whose name may be missing in the envelope. Most logs have no such name, or a
    /// single one. Therefore the first name gets the number of the outer source. As a result, a log with a single name
    /// has only one source, and several threads can read it.
    pub fn optional(&mut self, outer: u32, name: &[u8]) -> u32 {
        if name.is_empty() || name == self.first.get_or_insert_with(|| name.to_vec()).as_slice() {
            return outer;
        }
        self.named(outer, name)
    }
}

/// Appends the names of an event's source.
pub fn add_names(event: &Map<String, Value>, names: &mut String) {
    event.iter().for_each(|(key, value)| add_names_at("", key, value, names));
}

/// Appends the source names in the value of `key`. `parent`: the key of the object that contains
/// `key`.
pub fn add_names_at(parent: &str, key: &str, value: &Value, names: &mut String) {
    match value {
        Value::String(text) => add_name(parent, key, text, names),
        // The labels of a stream of Loki.
        Value::Object(map) if key == "stream" => names.push_str(&labels(map)),
        Value::Object(map) => map.iter().for_each(|(inner, value)| add_names_at(key, inner, value, names)),
        Value::Array(list) => list.iter().for_each(|value| match value {
            // Datadog's tags are `pod_name:pg-0`.
            Value::String(text) if key.ends_with("tags") => {
                text.split_once(':').into_iter().for_each(|(key, name)| add_name("", key, name, names));
            }
            Value::String(text) => add_name(parent, key, text, names),
            // OpenTelemetry's attributes are `{"key": …, "value": {"stringValue": …}}`.
            Value::Object(pair) => {
                let name = pair.get("value").and_then(|value| value.get("stringValue")?.as_str());
                if let (Some(key), Some(name)) = (pair.get("key").and_then(Value::as_str), name) {
                    add_name("", key, name, names);
                }
            }
            _ => {}
        }),
        _ => {}
    }
}

/// Appends `name` if its key shows that it is the name of a source.
pub fn add_name(parent: &str, key: &str, name: &str, names: &mut String) {
    let (parent, key) = match key.rsplit_once('.') {
        Some((before, key)) => (before.rsplit('.').next().unwrap_or_default(), key),
        None => (parent, key),
    };
    let is = |known: &str, text: &str| known.eq_ignore_ascii_case(text);
    let is_name = KEYS.iter().any(|known| is(known, key))
        || PAIRS.iter().any(|(known_parent, known)| is(known, key) && is(known_parent, parent));
    // A tag of syslog with a process ID, such as `postgres[42]`, does not name a source.
    if is_name && !name.contains('[') {
        let is_file = key.to_ascii_lowercase().starts_with("file") || key == "path";
        names.push_str(&if is_file { without_date(name) } else { name.to_string() });
        names.push('\n');
    }
}

/// Returns the path of a log file without the date in its name and without the digits after the date, because both
/// change when the server rotates its log. Keeps other digits: `postgresql-15-main.log`, `postgresql-5432.log`.
fn without_date(path: &str) -> String {
    let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
    let is_date = |at: &usize| {
        let bytes = &name.as_bytes()[*at..];
        let rest = bytes.get(4..bytes.len().min(10)).unwrap_or_default();
        (bytes.starts_with(b"19") || bytes.starts_with(b"20"))
            && bytes[2..4].iter().all(u8::is_ascii_digit)
            && rest.iter().filter(|b| b.is_ascii_digit()).count() >= 4
    };
    let date = (0..name.len().saturating_sub(7)).find(is_date).unwrap_or(name.len());
    let rest = name[date..].chars().filter(|c| !c.is_ascii_digit());
    folder.chars().chain(name[..date].chars()).chain(rest).collect()
}

/// Returns the labels of Loki that distinguish sources.
pub fn labels(map: &Map<String, Value>) -> String {
    let labels = map.iter().filter(|(key, _)| !LEVELS.contains(&key.as_str()));
    labels.map(|(key, value)| format!("{key}={value}\n")).collect()
}

/// Parses labels such as `{"pod":"pg-0","level":"error"}`, and returns those that distinguish sources, here `pod`.
/// Returns other text unchanged.
pub fn labels_in(text: &str) -> String {
    serde_json::from_str(text).map_or_else(|_| text.to_string(), |map| labels(&map))
}

/// Parses labels such as `{level="error", pod="pg-0"}`, and returns those that distinguish sources, here `pod`.
pub fn without_levels(labels: &[u8]) -> Vec<u8> {
    let inner = labels.strip_prefix(b"{").and_then(|inner| inner.strip_suffix(b"}")).unwrap_or(labels);
    let labels = inner.split(|b| *b == b',').map(<[u8]>::trim_ascii).filter(|label| {
        let key = label.split(|b| *b == b'=').next().unwrap_or_default();
        !LEVELS.iter().any(|level| level.as_bytes() == key)
    });
    labels.collect::<Vec<_>>().join(&b',')
}

/// Whether a container wrote the event's line to its standard output.
pub fn is_stdout(event: &Map<String, Value>) -> bool {
    ["stream", "source"].iter().any(|key| event.get(*key).and_then(Value::as_str) == Some("stdout"))
}
