//! Tests pages that show names with every character that could break a page, such as a control character. The test
//! operates every interactive element of the page. No script may throw an error.

use serde_json::{Value, json};

use super::browser::{answer, chromium, with_probe};
use super::{Folder, digest};

const PROBE: &str = include_str!("hostile.js");

/// Returns names that together contain every character that could break a page or its script. Each name contains three
/// of these characters, because the time of the test grows with the square of the number of names.
fn hostile_names() -> Vec<String> {
    let characters: Vec<char> = ('\u{1}'..='\u{1f}')
        .chain('\u{7f}'..='\u{9f}')
        .chain("\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{feff}\u{e0001}".chars())
        .chain('\u{202a}'..='\u{202e}')
        .chain('\u{2066}'..='\u{2069}')
        .collect();
    let texts =
        ["</script><script>x</script>", "'\"&<b>", "\\u0000\\", "__proto__", "constructor", "a\tb", "{{x}}", "${x}"];
    let name = |characters: &[char]| characters.iter().fold("n".to_string(), |name, c| format!("{name}{c}m"));
    characters.chunks(3).map(name).chain(texts.map(String::from)).collect()
}

fn csvlog(names: &[String], ms: u32) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut log = String::new();
    for (index, name) in names.iter().enumerate() {
        let name_field = quoted(name);
        let query = format!(
            "SELECT \"{}\" FROM t{} WHERE a = 'b{name}'",
            name.replace('"', "\"\""),
            ["a", "b", "c"][index % 3]
        );
        let time = format!("2026-01-31 12:{:02}:{:02}.000 UTC", index / 60, index % 60);
        let head =
            format!("{time},{name_field},{name_field},7,{},s.7,1,SELECT,{time},1/1,0", quoted(&format!("{name}:1")));
        let tail = format!("{name_field},client backend,,0");
        let executed = quoted(&format!("duration: {ms}.5 ms  execute x: {query} /*route:/{index}*/"));
        log += &format!("{head},LOG,00000,{executed},,,,,,,,,{tail}\n");
        let message = quoted(&format!("relation \"{name}\" does not exist"));
        log += &format!(
            "{head},ERROR,42P01,{message},{name_field},{name_field},,,{name_field},{},,,{tail}\n",
            quoted(&query)
        );
        let file = quoted(&format!("temporary file: path \"base/x{index}\", size 1234567890"));
        log += &format!("{head},LOG,00000,{file},,,,,,{},,,{tail}\n", quoted(&query));
        log += &format!(
            "{head},WARNING,01000,{name_field},,,,,,,,,{tail}\n{head},FATAL,53300,{name_field},,,,,,,,,{tail}\n"
        );
    }
    log
}

#[test]
fn every_control_works_whatever_the_names() {
    let Some(chromium) = chromium() else { return };
    let folder = Folder::new("hostile-names");
    let names = hostile_names();
    let log = folder.write("log.csv", &csvlog(&names, 30));
    let before = folder.write("before.csv", &csvlog(&names[..names.len() / 2], 1));
    let [log, before] = [&log, &before].map(|path| path.to_str().unwrap());
    let runs: [&[&str]; 4] =
        [&[], &["--baseline", before], &["--baseline", before, "--sort", "change"], &["--sort", "temp", "--top", "5"]];
    // A page uses one core.
    std::thread::scope(|scope| {
        for (number, options) in runs.into_iter().enumerate() {
            let (chromium, folder) = (&chromium, &folder);
            scope.spawn(move || {
                let page = digest(&[&["--format", "html", "--from", "csvlog"], options, &[log]].concat());
                let file = folder.write(&format!("page-{number}.html"), &with_probe(&page, PROBE, &[]));
                check_answer(&answer(chromium, &file, ""), options);
            });
        }
    });
}

fn check_answer(answer: &Value, options: &[&str]) {
    assert_eq!(answer["errors"], json!([]), "{options:?}");
    assert_eq!(answer["is_scripted"], json!(true), "{options:?}");
    assert!(answer["used"].as_u64().unwrap() > 100, "{answer}");
    assert_eq!(answer["overprints"], json!([]), "{options:?}");
    let links = answer["links"].as_array().unwrap();
    assert!(links.iter().all(|link| link[1] == json!(true)), "{links:?}");
    for name in ["Alarms", "Errors", "Files"] {
        assert!(links.iter().any(|link| link[0] == json!(name)), "{name}: {links:?}");
    }
    let found = &answer["found"];
    assert!(found["42P01"].as_u64().unwrap() > 0 && found["nothing of this"] == json!(0), "{found}");
    let messages = &answer["found_messages"];
    assert!(messages["42P01"].as_u64().unwrap() > 0 && messages["none"] == json!(0), "{messages}");
}
