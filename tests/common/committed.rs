//! Compares committed files with the expected text. Rewrites them if `PGQ_REGENERATE` is set, as `cargo xtask
//! regenerate` does.

use std::path::Path;

/// Fails unless the text of the file at `path` is `expected`. The message has the first different line and the command
/// that rewrites the file, `cargo xtask regenerate {part}`.
pub fn check(path: &str, expected: &str, part: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let actual = std::fs::read_to_string(&file).unwrap_or_default();
    if actual == expected {
        return;
    }
    if std::env::var_os("PGQ_REGENERATE").is_some() {
        std::fs::create_dir_all(file.parent().expect("a file lies in a folder")).unwrap();
        std::fs::write(&file, expected).unwrap();
        println!("rewrote {path}");
        return;
    }
    let line = actual.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end of file)").to_string();
    panic!(
        "{path}:{} is out of date\n  committed: {}\n  now:       {}\nto rewrite it: cargo xtask regenerate {part}",
        line + 1,
        at(&actual),
        at(expected),
    );
}
