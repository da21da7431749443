//! SECURITY.md names tests for its guarantees. Checks that these tests exist.

use std::path::Path;

use crate::common::project::project_file;

/// Appends the text of the Rust files in a folder and its subfolders.
fn read_rust(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") {
                read_rust(&path, text);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_named_test_exists() {
    let page = std::fs::read_to_string(project_file("SECURITY.md")).unwrap();
    let mut code = String::new();
    ["src", "tests", "crates"].iter().for_each(|folder| read_rust(Path::new(&project_file(folder)), &mut code));
    let (mut found, mut missing) = (0, Vec::new());
    for name in page.split('`').skip(1).step_by(2) {
        let is_function =
            name.matches('_').count() >= 2 && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase());
        let exists = match name.strip_suffix(".toml") {
            Some(_) => Path::new(&project_file("tests/cli")).join(name).is_file(),
            None if is_function => {
                code.contains(&format!("#[test]\n    fn {name}()")) || code.contains(&format!("#[test]\nfn {name}()"))
            }
            None => continue,
        };
        found += 1;
        if !exists {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "SECURITY.md names tests that do not exist: {missing:?}");
    assert!(found >= 20, "only {found} names of tests were found");
}
