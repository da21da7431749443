//! What a real server wrote, against what it counted itself: pg_stat_statements' calls of each
//! query are the records that we find in its logs, in all three formats.
//!
//! It needs PostgreSQL's programs (15 or later, with pg_stat_statements) and a user other than
//! root, or root and a user `postgres`; without them it says that it is left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// Where initdb is: on the PATH, or where Debian keeps the newest.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = debian.map(|entry| entry.path().join("bin")).collect();
    versions.sort();
    std::env::split_paths(&path).chain(versions.into_iter().rev()).find(|dir| dir.join("initdb").is_file())
}

/// Runs fixtures/log/make.sh for a second of each protocol; `None`, with the reason, if it cannot.
fn logs(folder: &Path) -> Option<()> {
    let Some(bin) = programs() else {
        println!("left out: no initdb here (install PostgreSQL's server)");
        return None;
    };
    std::fs::create_dir_all(folder).unwrap();
    // Another user must be able to read the scripts and to write the logs.
    let scripts = folder.join("scripts");
    std::fs::create_dir_all(&scripts).unwrap();
    for name in ["make.sh", "traffic.sql"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/log").join(name);
        std::fs::write(scripts.join(name), std::fs::read(from).unwrap()).unwrap();
    }
    let everyone = Command::new("chmod").args(["-R", "a+rwX"]).arg(folder).status().unwrap();
    assert!(everyone.success());
    let line = format!(
        "PATH='{}':\"$PATH\" sh '{}' '{}' 1",
        bin.display(),
        scripts.join("make.sh").display(),
        folder.display()
    );
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let output = if is_root {
        Command::new("su").args(["postgres", "-s", "/bin/sh", "-c", &line]).current_dir("/").output()
    } else {
        Command::new("sh").args(["-c", &line]).output()
    };
    let output = output.unwrap();
    if !folder.join("calls.csv").is_file() {
        println!("left out: no server with pg_stat_statements: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    Some(())
}

fn pgq(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pgq")).args(args).output().unwrap()
}

/// Records of a log, by fingerprint, without those of the applications that set things up.
fn by_fingerprint(form: &str, file: &Path) -> BTreeMap<String, (u64, String)> {
    let prefix = if form == "stderr" { &["--log-line-prefix", "%m [%p] %q%u@%d %a %c "][..] } else { &[] };
    let file = file.to_string_lossy().into_owned();
    let args = [&["fingerprint", "--from", form, "--format", "json", "--database", "bench", &file], prefix].concat();
    let output = pgq(&args);
    let mut calls = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        if matches!(record["application"].as_str(), Some("init" | "counts")) {
            continue;
        }
        let fingerprint = record["fingerprint"].as_str().unwrap_or_else(|| panic!("{line}")).to_string();
        let entry = calls.entry(fingerprint).or_insert((0, record["kind"].as_str().unwrap().to_string()));
        entry.0 += 1;
    }
    calls
}

/// The server's own counts, by the fingerprint of its normalized query.
fn counted(folder: &Path) -> BTreeMap<String, (u64, String)> {
    // Rows of CSV with quoted line breaks: PostgreSQL's own way of reading them is not at hand.
    let csv = std::fs::read_to_string(folder.join("calls.csv")).unwrap();
    let mut calls = BTreeMap::new();
    let mut rest = csv.as_str();
    while let Some((count, after)) = rest.split_once(',') {
        let (query, next) = match after.strip_prefix('"') {
            None => after.split_once('\n').unwrap_or((after, "")),
            Some(quoted) => {
                let plain = quoted.replace("\"\"", "\u{1}\u{1}");
                let end = plain.find('"').unwrap();
                (&quoted[..end], quoted[end + 1..].trim_start_matches('\n'))
            }
        };
        rest = next;
        let query = query.replace("\"\"", "\"");
        if let Ok(fingerprint) = pgq::fingerprint(&query) {
            calls.entry(fingerprint.to_string()).or_insert((0, query)).0 += count.parse::<u64>().unwrap();
        }
    }
    calls
}

#[test]
fn records_are_what_the_server_counted() {
    let folder = std::env::temp_dir().join(format!("pgq-server-{}", std::process::id()));
    if logs(&folder).is_some() {
        let server = counted(&folder);
        let ours = by_fingerprint("csvlog", &folder.join("log.csv"));
        assert_eq!(ours, by_fingerprint("stderr", &folder.join("log.log")), "stderr");
        assert_eq!(ours, by_fingerprint("jsonlog", &folder.join("log.json")), "jsonlog");
        let (mut equal, mut calls) = (0, 0);
        for (fingerprint, (count, kind)) in &ours {
            let (of_server, query) = server.get(fingerprint).cloned().unwrap_or_default();
            if *count == of_server {
                equal += 1;
                calls += count;
                continue;
            }
            // Up to version 15 pg_stat_statements misses a utility statement that is executed
            // again from a prepared plan; it counts EXECUTE as what was prepared, and an empty
            // statement never.
            let utility = ["begin", "end", "commit", "prepare", "execute", ""].contains(&kind.as_str());
            assert!(utility, "{kind}: {count} in the log, {of_server} counted: {query}");
            println!("not compared: {kind}: {count} in the log, {of_server} counted");
        }
        for (fingerprint, (count, query)) in &server {
            let own = query.contains("pg_stat_statements") || ours.contains_key(fingerprint);
            assert!(own, "{count} counted, none in the log: {query}");
        }
        println!("{equal} queries with {calls} calls: in the log as the server counted them");
        assert!(equal > 15 && calls > 100);
    }
    let _ = std::fs::remove_dir_all(&folder);
}
