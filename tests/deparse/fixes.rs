//! Every fix of build/fixes against SQL that needs it: what stock libpg_query writes for it
//! does not parse back to the same tree, what this library writes does. And the list of
//! fixes in docs/upstream-fixes.md is what the fixes and these texts say.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pgq::{DeparseOptions, ParseOptions, Tree, reference};

#[path = "../../build/fixes/mod.rs"]
mod build;

const DOCUMENT: &str = "docs/upstream-fixes.md";
const COMMAND: &str = "PGQ_REGENERATE=1 cargo test --release --test deparse";

/// Fixes that one line of SQL cannot show, with the test that does, and what to tell upstream.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("long-list", "chains", "`SELECT a, a, …` with 100,000 columns: 38 GB moved in memory"),
    ("long-union", "chains", "`SELECT 1 UNION SELECT 1 …`, 100,000 times: 10 s, and too deep to be parsed again"),
    ("long-is-chain", "chains", "`SELECT a IS NULL IS NULL …`, 20,000 times: too deep to be parsed again"),
    ("many-comments", "chains", "a statement of 100,000 lines, each with a comment"),
    (
        "assertion-operator-class",
        "assertions",
        "`ALTER EXTENSION e ADD OPERATOR CLASS a.b USING c`, with assertions on",
    ),
    ("check-list-members", "json", "`{\"InsertStmt\":{…\"indexElems\":[{}]…}}`: a NULL pointer is read"),
    (
        "check-strings",
        "json",
        "`{\"A_Expr\":{\"kind\":\"AEXPR_IN\",\"name\":[{\"Integer\":{}}]…}}`: a number is read as a pointer",
    ),
    ("group-by-list", ".ci/asan", "`SELECT a, b FROM t GROUP BY a, b, c`, under AddressSanitizer"),
];

/// The statements of a fix, one a line.
fn statements(name: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/deparse/fixes/{name}.sql"));
    match std::fs::read_to_string(&path) {
        Ok(text) => text.lines().map(str::to_string).collect(),
        Err(_) => Vec::new(),
    }
}

/// What stock libpg_query writes, and whether that says what the tree says.
fn stock(sql: &str) -> (Result<String, String>, bool) {
    let tree = pgq::parse(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    match reference::deparse(&tree.tree, &DeparseOptions::default()) {
        Ok(written) => {
            let right = pgq::verify(&tree.tree, &written).is_ok();
            (Ok(written), right)
        }
        Err(error) => (Err(error.message), false),
    }
}

/// What this library writes.
fn ours(sql: &str, pretty: bool) -> String {
    let mut options = DeparseOptions::default();
    options.verify = true;
    options.pretty = pretty;
    let tree = Tree::parse(sql, &ParseOptions::default()).unwrap_or_else(|e| panic!("{sql}: {e}"));
    tree.deparse(&options).unwrap_or_else(|e| panic!("{sql}: {e}"))
}

#[test]
fn every_fix_is_needed_and_works() {
    for fix in build::all() {
        let statements = statements(fix.name);
        let elsewhere = ELSEWHERE.iter().any(|(name, ..)| *name == fix.name);
        assert!(elsewhere == statements.is_empty(), "{} needs tests/deparse/fixes/{}.sql", fix.name, fix.name);
        for sql in statements {
            assert!(!stock(&sql).1, "{}: libpg_query is right on its own: {sql}", fix.name);
            ours(&sql, false);
            ours(&sql, true);
        }
    }
}

#[test]
fn no_test_of_a_fix_is_left_over() {
    let fixes = [build::all(), build::of_normalizer()].concat();
    let names: BTreeSet<&str> = fixes.iter().map(|fix| fix.name).collect();
    assert_eq!(names.len(), fixes.len(), "two fixes have one name");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/deparse/fixes");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(names.contains(name.as_str()), "no fix is called {name}");
    }
    for (name, ..) in ELSEWHERE {
        assert!(names.contains(name), "no fix is called {name}");
    }
}

#[test]
fn a_fix_that_does_not_fit_is_named() {
    let text = "static void\nf(int a)\n{\n\treturn a;\n}\n";
    let put = |times, anchor| build::Edit::Put { of: "f", times, anchor, with: "b" };
    let apply = |edit: build::Edit| {
        let edits: &'static [build::Edit] = Box::leak(Box::new([edit]));
        let fix: &'static build::Fix = Box::leak(Box::new(build::Fix { name: "some-fix", why: "", edits }));
        build::apply(text, &[fix])
    };
    assert_eq!(apply(put(1, "return a")).unwrap(), text.replace("return a", "b"));
    for wrong in [put(2, "return a"), put(1, "return b"), build::Edit::Body { of: "g", with: "" }] {
        let problem = apply(wrong).unwrap_err();
        assert!(problem.contains("\"some-fix\""), "{problem}");
    }
}

#[test]
fn a_fix_whose_anchor_is_gone_does_not_fit() {
    let (mut edits, mut of_others) = (0, 0);
    for (file, fixes) in [("postgres_deparse.c", build::all()), ("pg_query_normalize.c", build::of_normalizer())] {
        let path = PathBuf::from(env!("PGQ_LIBPG_QUERY")).join("src").join(file);
        let stock = std::fs::read_to_string(path).unwrap();
        build::apply(&stock, &fixes).unwrap();
        for (fix, edit) in fixes.iter().flat_map(|fix| fix.edits.iter().map(move |edit| (fix, edit))) {
            let anchor = match *edit {
                build::Edit::Put { anchor, .. } | build::Edit::Outside { anchor, .. } => anchor,
                build::Edit::After { mark, .. } => mark,
                build::Edit::Body { of, .. } => of,
            };
            // What an earlier fix has written needs that one's anchor.
            of_others += usize::from(!stock.contains(anchor));
            let gone = build::apply(&stock.replace(anchor, ""), &fixes);
            assert!(gone.is_err() || !stock.contains(anchor), "{}: {anchor:?}", fix.name);
            edits += 1;
        }
    }
    println!("{edits} edits: each needs its anchor, {of_others} that of another fix");
    assert!(of_others * 20 < edits, "the run is empty");
}

#[test]
fn looks_are_put_in_before_pointers_are_followed() {
    let path = std::path::Path::new(env!("PGQ_LIBPG_QUERY")).join("src/postgres_deparse.c");
    let fixed = build::fixed_deparser(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (given, inside) = (fixed.matches("\tPGQ_PRESENT(").count(), fixed.matches("PGQ_AT(").count());
    println!("looks: at {given} nodes that are given, {inside} in nodes");
    assert!(given > 100 && fixed.contains("PGQ_AT(view_stmt->view)->relpersistence"));
    // The file that is written in another way is told.
    assert!(build::guarded("int main()\n{\n}\n").is_err());
}

#[test]
fn the_list_of_fixes_is_current() {
    let expected = document();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(DOCUMENT);
    let actual = std::fs::read_to_string(&path).unwrap_or_default();
    if actual == expected {
        return;
    }
    if std::env::var_os("PGQ_REGENERATE").is_some() {
        std::fs::write(&path, expected).unwrap();
        return println!("rewrote {DOCUMENT}");
    }
    panic!("{DOCUMENT} is not what the fixes say; to rewrite it: {COMMAND}");
}

fn document() -> String {
    let mut text = format!(
        "# Fixes for libpg_query's deparser\n\n\
         What build/fixes changes in the pinned src/postgres_deparse.c when building, as notes to send\n\
         upstream: the input, what libpg_query writes for it and what is written with the fix. Written by\n\
         `{COMMAND}`.\n\n\
         {} fixes.\n",
        build::all().len()
    );
    for fix in build::all() {
        document_fix(fix, &mut text);
    }
    text.push_str("\n# Fixes for its normalizer\n\nIn src/pg_query_normalize.c.\n");
    for fix in build::of_normalizer() {
        document_fix(fix, &mut text);
    }
    text
}

fn document_fix(fix: &build::Fix, text: &mut String) {
    text.push_str(&format!("\n## {}\n\n{}.\n", fix.name, sentence(fix.why)));
    if let Some((_, _, what)) = ELSEWHERE.iter().find(|(name, ..)| *name == fix.name) {
        text.push_str(&format!("\n{what}.\n"));
    }
    for sql in statements(fix.name) {
        let before = match stock(&sql).0 {
            Ok(written) => written,
            Err(message) => format!("error: {message}"),
        };
        text.push_str(&format!("\n    in:     {sql}\n    before: {before}\n    now:    {}\n", ours(&sql, false)));
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
