//! Tests the page of `pgq digest --format html` in a real browser: its figures equal those of the
//! JSON report; sorting, searching, opening and copying work; text of a log never becomes markup;
//! the page fits a phone.

mod browser;
mod hostile;
mod many;
mod parts;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

const PROBE: &str = include_str!("probe.js");
const FRAMES: &str = include_str!("frames.js");

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("pgq-page-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, bytes: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn digest(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pgq")).arg("digest").args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the page and the JSON report of the same digest.
fn page_and_json(args: &[&str]) -> (String, Value) {
    let of = |format| digest(&[args, &["--format", format]].concat());
    (of("html"), serde_json::from_str(&of("json")).unwrap())
}

fn fixture() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/log/log.csv").to_string_lossy().into_owned()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_else(|| panic!("not an array: {value}"))
}

fn fingerprints(rows: &[&Value]) -> Value {
    rows.iter().map(|row| row["fingerprint"].clone()).collect()
}

/// Columns of the page, and the fields of the JSON report with the same figures.
const COLUMNS: [(&str, &str); 9] = [
    ("calls", "calls"),
    ("total", "total_ms"),
    ("share", "share"),
    ("mean", "mean_ms"),
    ("p50", "p50_ms"),
    ("p95", "p95_ms"),
    ("p99", "p99_ms"),
    ("max", "max_ms"),
    ("errors", "errors"),
];

/// Removes from the JSON report all groups that the page does not list, and stores their sums in `not_shown`. The page
/// lists the top 3 groups by time, and the top group by each other column.
fn keep_listed(document: &mut Value, page: &str) {
    let listed = |group: &Value| page.contains(&format!("<tbody id=\"q-{}\"", group["fingerprint"].as_str().unwrap()));
    let (listed, rest): (Vec<Value>, Vec<Value>) = array(&document["groups"]).iter().cloned().partition(listed);
    assert!(listed.len() > 3 && !rest.is_empty());
    for (_, field) in COLUMNS {
        let highest = |groups: &[Value]| groups.iter().map(|group| group[field].as_f64().unwrap()).fold(0.0, f64::max);
        assert!(highest(&listed) >= highest(&rest), "the first by {field} are listed");
    }
    // Converts a figure to thousandths, which are integers, so that the sum is exact.
    let thousandths = |group: &Value, field: &str| (group[field].as_f64().unwrap() * 1000.0).round();
    let sum = |field: &str| rest.iter().map(|group| thousandths(group, field)).sum::<f64>() / 1000.0;
    document["not_shown"] = json!({
        "groups": rest.len(), "calls": sum("calls"), "errors": sum("errors"), "total_ms": sum("total_ms"),
    });
    document["groups"] = listed.into();
}

fn assert_same_figures(seen: &Value, document: &Value) {
    let (rows, groups) = (array(&seen["rows"]), array(&document["groups"]));
    assert_eq!(rows.len(), groups.len());
    for (rank, (row, group)) in rows.iter().zip(groups).enumerate() {
        assert_eq!(row["fingerprint"], group["fingerprint"], "{rank}");
        assert_eq!(row["figures"]["rank"], rank + 1);
        for (column, field) in COLUMNS {
            assert_eq!(row["figures"][column].as_f64(), group[field].as_f64(), "{column} of {group}");
        }
        let pairs = |value: &Value| -> Vec<(f64, u64)> {
            array(value).iter().map(|pair| (pair[0].as_f64().unwrap(), pair[1].as_u64().unwrap())).collect()
        };
        assert_eq!(pairs(&row["histogram"]), pairs(&group["histogram"]));
        let messages = array(&row["messages"]);
        let known = group["messages"].as_object().unwrap();
        assert_eq!(messages.len(), known.len());
        messages.iter().for_each(|pair| assert_eq!(known[pair[0].as_str().unwrap()], pair[1]));
    }
    let sums = &seen["sums"];
    let three = |value: &Value, calls: &str| json!([value[calls], value["total_ms"], value["errors"]]);
    let floats = |value: &Value| array(value).iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>();
    assert_eq!(floats(&sums["sum-all"]), floats(&three(document, "statements")));
    assert_eq!(floats(&sums["sum-not-listed"]), floats(&three(&document["not_shown"], "calls")));
    assert_eq!(floats(&sums["sum-truncated"]), floats(&three(&document["truncated_group"], "calls")));
    assert_eq!(floats(&sums["sum-other"]), floats(&three(&document["other_group"], "calls")));
    assert_eq!(sums["sum-unparsed"][0].as_u64(), document["unparsed"].as_u64());
    for (column, all) in floats(&sums["sum-all"]).iter().enumerate() {
        let parts = ["listed", "not-listed", "unparsed", "truncated", "other"];
        let sum: f64 = parts.map(|part| floats(&sums[&format!("sum-{part}")])[column]).iter().sum();
        assert!((sum - all).abs() < 1e-6, "{column}: {sum} {all}");
    }
    let tiles = &seen["all"];
    assert_eq!(tiles["all-statements"], document["statements"]);
    assert_eq!(tiles["all-errors"], document["errors"]);
    assert_eq!(tiles["all-total"].as_f64(), document["total_ms"].as_f64());
    let queries = groups.len() as u64 + document["not_shown"]["groups"].as_u64().unwrap();
    assert_eq!(tiles["all-queries"].as_u64(), Some(queries));
    let of = |rows: &Value, index: usize, scale: f64| -> u64 {
        array(rows).iter().map(|row| (row[index].as_f64().unwrap() * scale).round() as u64).sum()
    };
    let (columns, bins) = (&seen["timeline"]["columns"], &document["timeline"]["bins"]);
    assert_eq!(of(columns, 0, 1.0), of(bins, 1, 1.0));
    assert_eq!(of(columns, 1, 1000.0), of(bins, 2, 1000.0));
    assert_eq!(of(columns, 2, 1.0), of(bins, 3, 1.0));
    assert!(array(&seen["charts"]).iter().all(|height| height.as_f64() > Some(1.0)), "{}", seen["charts"]);
    for (bars, field) in array(&seen["bars"]).iter().zip(["total_ms", "calls"]) {
        let mut values: Vec<f64> = groups.iter().map(|group| group[field].as_f64().unwrap()).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        let shown: Vec<f64> = array(bars).iter().map(|bar| bar[1].as_f64().unwrap()).collect();
        // The page was written with `--top 3`.
        assert_eq!(shown, values[..3]);
    }
}

fn assert_sorted(seen: &Value, document: &Value) {
    let rows: Vec<&Value> = array(&document["groups"]).iter().collect();
    for (column, field) in COLUMNS {
        let value = |row: &&Value| row[field].as_f64().unwrap();
        // Rows with equal values keep their listed order in both sort directions.
        let mut up = rows.clone();
        up.sort_by(|a, b| value(a).total_cmp(&value(b)));
        let mut down = rows.clone();
        down.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let expected = json!([["descending", fingerprints(&down)], ["ascending", fingerprints(&up)]]);
        assert_eq!(seen["sorted"][column], expected, "{column}");
        if column == "calls" {
            assert_eq!(seen["chosen"], fingerprints(&down));
        }
    }
    let reversed: Vec<&Value> = rows.iter().rev().copied().collect();
    let expected = json!([["ascending", fingerprints(&rows)], ["descending", fingerprints(&reversed)]]);
    assert_eq!(seen["sorted"]["rank"], expected);
    let mut texts: Vec<(String, &Value)> = array(&seen["rows"])
        .iter()
        .map(|row| (row["query"].as_str().unwrap().to_lowercase(), &row["fingerprint"]))
        .collect();
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    let by_text: Value = texts.iter().map(|(_, fingerprint)| (*fingerprint).clone()).collect();
    assert_eq!(seen["sorted"]["query"][0], json!(["ascending", by_text]));
}

fn assert_found(seen: &Value, document: &Value, words: &[&str]) {
    let groups = array(&document["groups"]);
    for (found, word) in array(&seen["found"]).iter().zip(words) {
        let has = |group: &&Value| {
            let text = group.to_string().to_lowercase();
            word.to_lowercase().split_whitespace().all(|word| text.contains(word))
        };
        let expected: Vec<&Value> = groups.iter().filter(has).collect();
        assert_eq!(found[0], fingerprints(&expected), "{word}");
        assert_eq!(found[1], format!("{} of {}", expected.len(), groups.len()));
    }
    assert_eq!(array(&seen["after"]).len(), groups.len());
}

#[test]
fn the_page_shows_sorts_and_searches_the_figures_of_the_json_report() {
    let Some(chromium) = browser::chromium() else { return };
    let folder = Folder::new("figures");
    let before = folder.write("before", &digest(&[&fixture(), "--application", "pgbench", "--format", "json"]));
    let args = [&fixture(), "--baseline", &*before.to_string_lossy()];
    let page = digest(&[&args[..], &["--format", "html", "--top", "3"]].concat());
    let mut document: Value = serde_json::from_str(&digest(&[&args[..], &["--format", "json"]].concat())).unwrap();
    keep_listed(&mut document, &page);
    let groups = array(&document["groups"]);
    let fingerprint = groups[7]["fingerprint"].as_str().unwrap();
    let words = ["pgbench_tellers", "UPDATE accounts", fingerprint, "postgres", "no-such-word", "psql select"];
    let copy = folder.write("page.html", &browser::with_probe(&page, PROBE, &words));
    let seen = browser::answer(&chromium, &copy, &format!("#q-{fingerprint}"));
    assert_eq!(seen["failed"], Value::Null, "{}", seen["failed"]);
    assert_eq!(seen["linked"], json!([format!("q-{fingerprint}")]));
    assert_same_figures(&seen, &document);
    assert_sorted(&seen, &document);
    assert_found(&seen, &document, &words);
    let only = |name: &str, is: &dyn Fn(&Value) -> bool| {
        let rows: Vec<&Value> = groups.iter().filter(|group| is(group)).collect();
        assert!(!rows.is_empty() && rows.len() < groups.len(), "{name}");
        json!([name, fingerprints(&rows)])
    };
    let expected =
        [only("errors", &|group| group["errors"] != 0), only("new", &|group| group["change"]["is"] == "new")];
    assert_eq!(seen["only"], json!(expected));
    let first = &array(&seen["rows"])[0];
    assert_eq!(seen["opened"], json!([false, true, "true"]));
    assert_eq!(seen["closed"], true);
    assert_eq!(seen["columns"], array(&groups[0]["histogram"]).len());
    assert_eq!(seen["copied"], first["texts"]);
    assert_eq!(seen["all_open"], groups.len());
    assert_ne!(seen["colours"][0], seen["colours"][1]);
    assert_eq!(seen["safe"], json!({"ran": null, "foreign": 0, "handlers": 0, "scripts": 4, "loaded": 0}));
    println!("{} queries: the page has the figures of the JSON report, sorts and searches", groups.len());
}

/// Statements that would run or show something if they became markup.
const HOSTILE: [&str; 9] = [
    "SELECT '</script><script>window.ran = 1</script>' FROM a",
    "SELECT \"<img src=x onerror='window.ran = 2'>\" FROM t",
    "SELECT b, c -- \"><svg onload=window.ran=3>\n FROM d",
    "SELECT e /* <!-- <script> --> ]]> </title></style></pre></table> */ FROM e",
    "SELECT '&lt;b&gt; &amp; \"quoted\" ''twice''' AS \"it's\" FROM f",
    "SELECT '{{script}} {{style}} {{' AS braces FROM g",
    "SELECT '\u{202e}\u{2028}\u{1b}[2J' AS turned FROM h",
    "SELECT `a <img src=x onerror=window.ran=4>",
    "</script><img src=x onerror=window.ran=5>",
];

/// Returns a JSON log of the [`HOSTILE`] statements, with hostile users, messages and parameters.
fn hostile_log() -> String {
    let line = |number: usize, sql: &str, error: bool| {
        let mut line = json!({
            "timestamp": format!("2026-01-31 12:00:{number:02}.000 UTC"), "pid": 1, "session_id": "1.1",
            "user": "<b onclick=window.ran=6>ann</b>", "dbname": "a\"b'c&lt;", "backend_type": "client backend",
            "application_name": "\"><script>window.ran=7</script>", "error_severity": "LOG",
            "message": format!("duration: {number}.5 ms  execute <unnamed>: {sql}"),
            "detail": "Parameters: $1 = '</code><img src=x onerror=window.ran=8>', $2 = NULL",
        });
        if error {
            line["error_severity"] = "ERROR".into();
            line["message"] = format!("relation \"<img src=x onerror=window.ran=9 {number}>\" does not exist").into();
            line["statement"] = sql.into();
        }
        format!("{line}\n")
    };
    let rows = HOSTILE.iter().enumerate();
    rows.map(|(number, sql)| line(number + 1, sql, false) + &line(number + 20, sql, true)).collect()
}

#[test]
fn text_of_a_log_never_becomes_markup() {
    let Some(chromium) = browser::chromium() else { return };
    let folder = Folder::new("hostile");
    let log = folder.write("log.json", &hostile_log());
    let (page, document) = page_and_json(&["--from", "jsonlog", &log.to_string_lossy()]);
    let words = ["<script>window", "onclick", "braces", "ran=8"];
    let copy = folder.write("page.html", &browser::with_probe(&page, PROBE, &words));
    let seen = browser::answer(&chromium, &copy, "");
    assert_eq!(seen["failed"], Value::Null, "{}", seen["failed"]);
    assert_eq!(seen["safe"], json!({"ran": null, "foreign": 0, "handlers": 0, "scripts": 4, "loaded": 0}));
    assert_found(&seen, &document, &words);
    let (rows, groups) = (array(&seen["rows"]), array(&document["groups"]));
    assert_eq!((groups.len(), document["unparsed"].as_u64()), (7, Some(2)));
    for (row, group) in rows.iter().zip(groups) {
        // Invisible characters are shown as escapes.
        let sql = group["example"]["sql"].as_str().unwrap();
        let escapes = [('\u{202e}', "\\u202e"), ('\u{2028}', "\\u2028"), ('\u{1b}', "\\u001b")];
        let sql = escapes.into_iter().fold(sql.to_string(), |sql, (character, escape)| sql.replace(character, escape));
        assert_eq!(array(&row["texts"]).last(), Some(&Value::from(sql)));
        assert_eq!(row["parameters"], json!([group["example"]["params"][0]]));
    }
    let shown: Vec<&Value> = array(&seen["others"]).iter().map(|article| &article["reason"]).collect();
    let known: Vec<&Value> = array(&document["unparsed_groups"]).iter().map(|group| &group["reason"]).collect();
    assert_eq!(shown, known);
    println!("{} hostile statements stayed text", HOSTILE.len());
}

#[test]
fn the_page_is_never_wider_than_its_window() {
    let Some(chromium) = browser::chromium() else { return };
    let folder = Folder::new("frames");
    let log = folder.write("log.json", &hostile_log());
    let pages = [page_and_json(&[&fixture()]).0, page_and_json(&["--from", "jsonlog", &log.to_string_lossy()]).0];
    for page in pages {
        let copy = folder.write("frames.html", &browser::in_frames(&page, &[320, 390, 800, 1280], FRAMES));
        let seen = browser::answer(&chromium, &copy, "");
        assert_eq!(array(&seen).len(), 4);
        for frame in array(&seen) {
            assert_eq!(frame[2], "scripted");
            assert!(frame[1].as_u64() <= frame[0].as_u64(), "{seen}");
        }
    }
}
