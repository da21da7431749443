//! Tests every fix of build/fixes on SQL that needs it. Without the fix, libpg_query deparses this SQL to SQL that does
//! not parse back to the same tree; pgq deparses it correctly. docs/upstream-fixes.md is generated from the fixes and
//! the SQL.

use std::collections::BTreeSet;
use std::path::Path;

use pgq::{DeparseOptions, ParseOptions, Tree, reference};

use crate::common::committed;
use crate::common::project::project_file;

#[path = "../../build/fixes/mod.rs"]
#[allow(dead_code, reason = "the build script uses more of it")]
mod build;

const DOCUMENT: &str = "docs/upstream-fixes.md";

/// Fixes whose effect a single line of SQL cannot show. Each has the name of the test that shows it, and a description
/// for upstream.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("long-list", "chains", "For `SELECT a, a, …` with 100,000 columns, libpg_query moves 38 GB in memory"),
    (
        "long-union",
        "chains",
        "For `SELECT 1 UNION SELECT 1 …`, 100,000 times, libpg_query takes 10 s. The SQL that it writes is nested too \
         deeply to be parsed",
    ),
    (
        "long-is-chain",
        "chains",
        "For `SELECT a IS NULL IS NULL …`, 20,000 times, libpg_query writes SQL that is nested too deeply to be parsed",
    ),
    ("many-comments", "chains", "An example is a statement of 100,000 lines, each with a comment"),
    (
        "assertion-operator-class",
        "assertions",
        "The assertion fails for `ALTER EXTENSION e ADD OPERATOR CLASS a.b USING c`, if assertions are compiled in",
    ),
    (
        "check-list-members",
        "json",
        "For the JSON `{\"InsertStmt\":{…\"indexElems\":[{}]…}}`, libpg_query reads a NULL pointer",
    ),
    (
        "check-strings",
        "json",
        "For the JSON `{\"A_Expr\":{\"kind\":\"AEXPR_IN\",\"name\":[{\"Integer\":{}}]…}}`, libpg_query reads a number \
         as a pointer",
    ),
    ("group-by-list", ".ci/asan", "AddressSanitizer reports the error for `SELECT a, b FROM t GROUP BY a, b, c`"),
    (
        "plpgsql-many-variables",
        "plpgsql",
        "For `DO $$DECLARE a0 int; a1 int; …` with 60,000 variables, libpg_query takes 14 s if it is compiled without \
         optimization",
    ),
    (
        "plpgsql-many-fields",
        "plpgsql",
        "For `DECLARE r record; BEGIN PERFORM r.f0, r.f1, …` with 64,000 fields, libpg_query takes 13 s if it is \
         compiled without optimization",
    ),
    (
        "plpgsql-many-lines",
        "plpgsql",
        "For `BEGIN⏎PERFORM 1;⏎END;…` with 24,000 blocks, libpg_query takes 5 s if it is compiled without optimization",
    ),
    (
        "plpgsql-many-conditions",
        "plpgsql",
        "For `EXCEPTION WHEN others OR others …` with 120,000 conditions, libpg_query takes 18 s",
    ),
    (
        "repeated-rows",
        "library",
        "For `SET (a, …) = (WITH x AS (UPDATE t SET (a, …) = (…)) …)`, 743 bytes of SQL become a tree of 100 GB",
    ),
    ("parameters-of-normalized-text", "check", "libpg_query accepts `SELECT a FROM t WHERE id $1`"),
    ("junk-after-parameters", "check", "libpg_query accepts `SELECT $1OR`"),
    ("no-output", "faults", "For `DO $$ #option dump …`, libpg_query writes 20 lines to standard output"),
    ("plpgsql-fields-of-rows", "plpgsql", "libpg_query refuses `DECLARE r t%ROWTYPE; BEGIN r.a := 1; END`"),
    ("plpgsql-subfields-of-rows", "plpgsql", "libpg_query refuses `DECLARE r t%ROWTYPE; BEGIN r.a.b := 1; END`"),
    ("plpgsql-unknown-arrays", "plpgsql", "libpg_query refuses `DECLARE a typ[]; b t.c%TYPE[]; BEGIN a[1] := 1; END`"),
    (
        "plpgsql-unknown-scalars",
        "plpgsql",
        "libpg_query refuses `DECLARE a dom; b dom; BEGIN SELECT 1, 2 INTO a, b; END`",
    ),
    ("plpgsql-unknown-collations", "plpgsql", "libpg_query refuses `DECLARE a t.c%TYPE COLLATE \"C\"; BEGIN END`"),
    ("plpgsql-types-in-schemas", "plpgsql", "libpg_query refuses `DECLARE a s.typ; BEGIN END`"),
    ("plpgsql-parameters-of-columns", "plpgsql", "libpg_query refuses `CREATE FUNCTION f(a t.c%TYPE) …`"),
    ("plpgsql-variadic", "plpgsql", "libpg_query refuses `CREATE FUNCTION f(VARIADIC a text[]) …`"),
    (
        "plpgsql-trigger-json",
        "equality/plpgsql",
        "For `CREATE FUNCTION f() RETURNS trigger …`, libpg_query writes JSON that does not parse",
    ),
    ("plpgsql-returned-variable", "plpgsql", "libpg_query writes the same JSON for `RETURN a` and `RETURN b`"),
];

/// Returns every source file of libpg_query that pgq fixes. The first file is that of the deparser.
fn files() -> impl Iterator<Item = &'static build::FixedFile> {
    [&build::DEPARSER, &build::GRAMMAR].into_iter().chain(build::FILES)
}

/// Returns the statements that libpg_query deparses correctly only with the fix `name`. They are the lines of a file.
fn statements(name: &str) -> Vec<String> {
    match std::fs::read_to_string(project_file(&format!("tests/deparse/fixes/{name}.sql"))) {
        Ok(text) => text.lines().map(str::to_string).collect(),
        Err(_) => Vec::new(),
    }
}

/// Returns a C file of the pinned sources.
fn source(file: &str) -> String {
    let path = Path::new(env!("PGQ_LIBPG_QUERY")).join("src").join(file);
    std::fs::read_to_string(path).unwrap()
}

/// Deparses with unmodified libpg_query. Returns the SQL, and whether it parses back to the same tree.
fn unmodified(sql: &str) -> (Result<String, String>, bool) {
    let tree = pgq::parse(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    match reference::deparse(&tree.tree, &DeparseOptions::default()) {
        Ok(written) => {
            let is_correct = pgq::verify(&tree.tree, &written).is_ok();
            (Ok(written), is_correct)
        }
        Err(error) => (Err(error.message), false),
    }
}

/// Deparses with pgq and verifies the result.
fn ours(sql: &str, pretty: bool) -> String {
    let mut options = DeparseOptions::default();
    options.verify = true;
    options.pretty = pretty;
    let tree = Tree::parse(sql, &ParseOptions::default()).unwrap_or_else(|e| panic!("{sql}: {e}"));
    tree.deparse(&options).unwrap_or_else(|e| panic!("{sql}: {e}"))
}

#[test]
fn every_fix_is_needed_and_works() {
    for fix in build::DEPARSER.all() {
        let statements = statements(fix.name);
        let elsewhere = ELSEWHERE.iter().any(|(name, ..)| *name == fix.name);
        assert!(elsewhere == statements.is_empty(), "{} needs tests/deparse/fixes/{}.sql", fix.name, fix.name);
        for sql in statements {
            assert!(!unmodified(&sql).1, "{}: libpg_query needs no fix for {sql}", fix.name);
            ours(&sql, false);
            ours(&sql, true);
        }
    }
}

#[test]
fn every_test_of_a_fix_has_a_fix() {
    let fixes: Vec<_> = files().flat_map(|file| file.all()).collect();
    let names: BTreeSet<&str> = fixes.iter().map(|fix| fix.name).collect();
    assert_eq!(names.len(), fixes.len(), "two fixes have one name");
    for entry in std::fs::read_dir(project_file("tests/deparse/fixes")).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(names.contains(name.as_str()), "no fix is called {name}");
    }
    for (name, ..) in ELSEWHERE {
        assert!(names.contains(name), "no fix is called {name}");
    }
}

#[test]
fn the_error_of_a_fix_that_does_not_apply_has_its_name() {
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
fn every_fix_that_does_not_fit_is_reported_at_once() {
    static MISSING: [build::Edit; 1] = [build::Edit::Outside { anchor: "missing", with: "" }];
    let fix = |name| build::Fix { name, why: "", edits: &MISSING };
    let problem = build::apply("int main()\n{\n}\n", &[&fix("first"), &fix("second")]).unwrap_err();
    assert_eq!(problem.lines().count(), 2, "{problem}");
    assert!(problem.contains("\"first\"") && problem.contains("\"second\""), "{problem}");
}

#[test]
fn a_fix_without_its_anchor_does_not_apply() {
    let (mut edits, mut dependent) = (0, 0);
    for (file, fixes) in files().map(|file| (file.path, file.all())) {
        let source = source(file);
        build::apply(&source, &fixes).unwrap();
        for (fix, edit) in fixes.iter().flat_map(|fix| fix.edits.iter().map(move |edit| (fix, edit))) {
            let anchor = match *edit {
                build::Edit::Put { anchor, .. } | build::Edit::Outside { anchor, .. } => anchor,
                build::Edit::After { mark, .. } => mark,
                build::Edit::Body { of, .. } => of,
            };
            // The anchor is the text at which the edit applies. This test removes the anchor from the unmodified
            // source. If the source does not contain the anchor, an earlier fix inserts it. There is nothing to remove
            // then, and the edit counts as dependent on the earlier fix.
            dependent += usize::from(!source.contains(anchor));
            let result = build::apply(&source.replace(anchor, ""), &fixes);
            assert!(result.is_err() || !source.contains(anchor), "{}: {anchor:?}", fix.name);
            edits += 1;
        }
    }
    println!("{edits} edits need their anchors, {dependent} of them the anchor of another fix");
    assert!(dependent * 20 < edits, "nearly all anchors must be in the sources");
}

#[test]
fn null_checks_come_before_pointers_are_followed() {
    let fixed = build::fixed_deparser(&source("postgres_deparse.c")).unwrap();
    let (arguments, fields) = (fixed.matches("\tPGQ_PRESENT(").count(), fixed.matches("PGQ_AT(").count());
    println!("NULL checks: {arguments} of arguments, {fields} of fields");
    assert!(arguments > 100 && fixed.contains("PGQ_AT(view_stmt->view)->relpersistence"));
    // A file in a different style is an error.
    assert!(build::guarded("int main()\n{\n}\n").is_err());
}

#[test]
fn the_list_of_fixes_is_current() {
    committed::check(DOCUMENT, &document(), "fixes");
}

fn document() -> String {
    let mut text = format!(
        "# Fixes for libpg_query's deparser\n\n\
         pgq's build corrects errors of libpg_query's deparser (src/postgres_deparse.c). The fixes are in build/fixes.\n\
         Each section describes one error for libpg_query's developers. In the examples, `input` is a statement,\n\
         `libpg_query` is the SQL that libpg_query writes for the tree of this statement, and `pgq` is the SQL that\n\
         libpg_query writes with the fix. `cargo xtask regenerate fixes` generates this page.\n\n\
         The deparser has {} fixes.\n",
        build::DEPARSER.all().len()
    );
    for fix in build::DEPARSER.all() {
        document_fix(fix, &mut text);
    }
    for file in files().skip(1) {
        text.push_str(&format!("\n# Fixes in src/{}\n", file.path));
        for fix in file.all() {
            document_fix(fix, &mut text);
        }
    }
    text
}
fn document_fix(fix: &build::Fix, text: &mut String) {
    text.push_str(&format!("\n## {}\n\n{}.\n", fix.name, sentence(fix.why)));
    if let Some((_, _, what)) = ELSEWHERE.iter().find(|(name, ..)| *name == fix.name) {
        text.push_str(&format!("\n{what}.\n"));
    }
    for sql in statements(fix.name) {
        let before = match unmodified(&sql).0 {
            Ok(written) => written,
            Err(message) => format!("error: {message}"),
        };
        let after = ours(&sql, false);
        text.push_str(&format!("\n    input:       {sql}\n    libpg_query: {before}\n    pgq:         {after}\n"));
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
