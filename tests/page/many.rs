//! A page that has details of only some of its queries. The page's script creates the rows of the
//! other queries from data. The figures must equal those of the JSON report in every view.

use serde_json::{Value, json};

use crate::{Folder, array, browser, digest, page_and_json};

const SCRIPT: &str = include_str!("many.js");

/// Columns of the page, and the fields of the JSON report with the same figures.
const COLUMNS: [(&str, &str); 5] =
    [("calls", "calls"), ("total", "total_ms"), ("mean", "mean_ms"), ("max", "max_ms"), ("errors", "errors")];

/// Returns a number as three letters.
fn letters(number: usize) -> String {
    (0..3).map(|digit| char::from(b'a' + (number / 10_usize.pow(digit) % 10) as u8)).collect()
}

/// Returns a log of 900 queries whose order by calls differs from their order by time. Table names consist of letters.
fn log(has_times: bool) -> String {
    let mut log = String::new();
    for number in 0_usize..900 {
        let name = letters(number);
        for call in 0..1 + number * 7 % 11 {
            let (second, ms) = (call % 60, (number * 37 % 900) as f64 + 0.5);
            let time = if has_times { format!("2026-01-31 12:00:{second:02}.000 UTC ") } else { String::new() };
            let head = format!("{time}[1] ");
            let sql = format!("SELECT '<b>' FROM t_{name} WHERE a = {call}");
            log += &match number % 5 == 0 && call == 0 {
                true => format!("{head}ERROR:  no\n{head}STATEMENT:  {sql}\n"),
                false => format!("{head}LOG:  duration: {ms} ms  statement: {sql}\n"),
            };
        }
    }
    log
}

#[test]
fn queries_without_details_are_found_and_sorted_like_the_others() {
    check_queries_without_details("%m [%p] ", true);
}

#[test]
fn a_page_without_times_has_queries_without_details() {
    check_queries_without_details("[%p] ", false);
}

fn check_queries_without_details(prefix: &str, has_times: bool) {
    let Some(chromium) = browser::chromium() else { return };
    let folder = Folder::new(if has_times { "many" } else { "many-without-times" });
    let log = folder.write("log", &log(has_times));
    let (page, document) = page_and_json(&["--log-line-prefix", prefix, &log.to_string_lossy()]);
    let groups = array(&document["groups"]);
    let has_details = |group: &Value| page.contains(&format!("id=\"q-{}\"", group["fingerprint"].as_str().unwrap()));
    let short: Vec<&Value> = groups.iter().filter(|group| !has_details(group)).collect();
    assert!(groups.len() == 900 && short.len() > 400, "{}", short.len());
    let linked = short[123];
    let name = linked["tables"][0].as_str().unwrap();
    let copy = folder
        .write("page.html", &browser::with_probe(&page, SCRIPT, &[name, linked["fingerprint"].as_str().unwrap()]));
    let seen = browser::answer(&chromium, &copy, "");
    // Fingerprint, query, and the figures.
    let data = array(&seen["data"]);
    assert_eq!(data.len(), short.len());
    for (row, group) in data.iter().zip(&short) {
        assert_eq!((&row[0], &row[1]), (&group["fingerprint"], &group["normalized"]));
        let fields = ["calls", "total_ms", "share", "mean_ms", "p50_ms", "p95_ms", "p99_ms", "max_ms", "errors"];
        for (index, field) in fields.into_iter().enumerate() {
            let (shown, known) = (row[2][index].as_f64().unwrap(), group[field].as_f64().unwrap());
            assert!((shown - known).abs() <= 1e-3 * f64::from(field == "mean_ms") + 1e-6, "{field}: {row} {group}");
        }
    }
    assert_eq!((&seen["first"], &seen["more"]), (&json!(100), &json!(200)));
    for (column, field) in COLUMNS {
        let mut values: Vec<f64> = groups.iter().map(|group| group[field].as_f64().unwrap()).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        let shown: Vec<f64> = array(&seen["sorted"][column]).iter().map(|value| value.as_f64().unwrap()).collect();
        assert_eq!(shown, values[..100], "{column}");
    }
    let id = format!("q-{}", linked["fingerprint"].as_str().unwrap());
    assert_eq!(seen["found"], json!(["1 of 900", [id]]));
    assert_eq!(seen["linked"], json!([true, linked["normalized"], linked["calls"].to_string()]));
    assert_eq!(seen["again"], json!(true));
}

/// Opens the page of a log, chooses one user after the other, and runs the script `values` after each choice. Returns
/// the values that the script has collected, or `None` without Chromium.
fn choose(name: &str, log: &str, users: &[&str], values: &str) -> Option<Value> {
    let chromium = browser::chromium()?;
    let folder = Folder::new(name);
    let log = folder.write("log", log);
    let page = digest(&["--format", "html", "--log-line-prefix", "%m [%p] %u@%d ", &log.to_string_lossy()]);
    let script = format!(
        "{{
        const one = (selector) => document.querySelector(selector);
        const choose = (menu, value) => {{
            menu.value = value;
            menu.dispatchEvent(new Event('change'));
        }};
        const seen = [];
        for (const user of {users:?}) {{
            const menu = one('#part');
            choose(menu, [...menu.options].find((option) => option.textContent.startsWith(user)).value);
            {values}
        }}
        const output = document.createElement('output');
        output.id = 'answer';
        output.textContent = btoa(JSON.stringify(seen));
        document.body.append(output);
        }}"
    );
    let copy = folder.write("page.html", &browser::with_probe(&page, &script, &[]));
    Some(browser::answer(&chromium, &copy, ""))
}

/// Each query has one call. The calls are years apart.
#[test]
fn a_selection_of_a_log_of_many_years_is_shown() {
    let line = |(year, user): (u32, &str)| {
        format!(
            "{year}-01-31 12:00:00.000 UTC [1] {user}@shop LOG:  duration: 1.000 ms  statement: SELECT FROM t_{user}\n"
        )
    };
    let log: String = [(1970, "ann"), (2026, "bob"), (2500, "cy")].map(line).concat();
    let values = "seen.push(one('#all-statements dd').textContent, one('#found').textContent);";
    let Some(seen) = choose("years", &log, &["bob"], values) else { return };
    assert_eq!(seen, json!(["1", "1 of 3"]));
}

/// All 300 queries failed for the user ann and succeeded for bob. The page has details of only 200 queries, but a
/// filter must select among all of them.
#[test]
fn a_filter_applies_to_the_selection() {
    let mut log = String::new();
    for number in 0..300 {
        let sql = format!("SELECT FROM t_{}", letters(number));
        let head = |user: &str| format!("2026-01-31 12:00:00.000 UTC [1] {user}@shop ");
        log += &format!("{}LOG:  duration: {number}.000 ms  statement: {sql}\n", head("bob"));
        let ann = head("ann");
        log += &format!("{ann}ERROR:  no\n{ann}STATEMENT:  {sql}\n");
    }
    let values = "choose(one('#only'), 'errors');
            seen.push(one('#found').textContent, one('#only').selectedOptions[0].textContent);";
    let Some(seen) = choose("filter", &log, &["ann", "bob"], values) else { return };
    assert_eq!(seen, json!(["300 of 300", "With errors (300)", "0 of 300", "With errors (0)"]));
}
