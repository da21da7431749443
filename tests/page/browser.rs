//! Runs Chromium in headless mode. It opens a file, and a script in the file reports its observations.

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;
use sha2::{Digest, Sha256};

const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Returns the path of Chromium: `PGQ_CHROMIUM`, or a program on the PATH. If there is none, prints that the test is
/// skipped.
pub fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("PGQ_CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let found = named
        .or_else(|| folders.flat_map(|folder| NAMES.map(|name| folder.join(name))).find(|program| program.is_file()));
    if found.is_none() {
        println!("skipped: no chromium on the PATH or in PGQ_CHROMIUM");
    }
    found
}

/// Opens a file in Chromium. `fragment` is the end of the URL, such as `#name`. Returns the JSON that a script has
/// written to the element `answer`.
pub fn answer(chromium: &Path, file: &Path, fragment: &str) -> Value {
    let profile = file.with_extension("profile");
    let output = Command::new(chromium)
        // Chromium's sandbox does not work for root, and the tested page is trusted. A window of small height takes
        // less time to draw.
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args(["--window-size=1280,200", "--timeout=60000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{fragment}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let (_, rest) = dom.split_once("<output id=\"answer\">").unwrap_or_else(|| {
        panic!("the page has no answer: {} bytes, {}", dom.len(), String::from_utf8_lossy(&output.stderr))
    });
    let (base64, _) = rest.split_once("</output>").unwrap();
    serde_json::from_slice(&BASE64.decode(base64).unwrap()).unwrap()
}

/// Returns a copy of a page. The copy runs the page's own script and then the test's script `probe`. The copy keeps the
/// page's Content-Security-Policy and adds the hash of `probe`.
pub fn with_probe(page: &str, probe: &str, words: &[&str]) -> String {
    let hash = BASE64.encode(Sha256::digest(probe));
    let policy = "script-src 'sha256-";
    assert_eq!(page.matches(policy).count(), 1);
    let words = serde_json::to_string(words).unwrap().replace('&', "&amp;").replace('"', "&quot;");
    page.replacen(policy, &format!("script-src 'sha256-{hash}' 'sha256-"), 1).replacen(
        "</body>",
        &format!("<script data-words=\"{words}\">{probe}</script></body>"),
        1,
    )
}

/// Returns a page that shows another page in frames of these widths and runs a script.
pub fn in_frames(page: &str, widths: &[u32], script: &str) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    let frames: String = widths
        .iter()
        .map(|width| format!("<iframe width=\"{width}\" height=\"800\" frameborder=\"0\" srcdoc=\"{page}\"></iframe>"))
        .collect();
    format!("<!DOCTYPE html><meta charset=\"utf-8\"><body>{frames}<script>{script}</script></body>")
}
