//! Tests properties that the formatter must have for all SQL of PostgreSQL's regression tests.

use pgq::script::{ScriptPart, script_parts};
use pgq::{FormatOptions, KeptReason, KeywordCase, SyntaxTree, Tree, format_script};
use rayon::prelude::*;

/// Returns the scripts of the corpus, as text.
fn scripts() -> Vec<String> {
    let folders = [pgq_corpus::sql_folder(), pgq_corpus::project_path("fixtures")];
    let files = folders.iter().flat_map(walkdir::WalkDir::new).map(|entry| entry.expect("readable").into_path());
    let scripts = files.filter(|file| file.extension().is_some_and(|extension| extension == "sql"));
    scripts.filter_map(|file| std::fs::read_to_string(file).ok()).collect()
}

fn all_options() -> Vec<FormatOptions> {
    let mut narrow = FormatOptions::default();
    (narrow.width, narrow.comma_first, narrow.keyword_case) = (40, true, KeywordCase::Upper);
    let mut bodies = FormatOptions::default();
    bodies.bodies = true;
    vec![FormatOptions::default(), narrow, bodies]
}

/// Returns a text in lower case without white space.
fn dense(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).flat_map(char::to_lowercase).collect()
}

#[test]
fn formatting_changes_white_space_alone_and_is_stable() {
    let options = all_options();
    let formatted = |script: &String| -> usize {
        let each = options.iter().map(|options| {
            let formatted = format_script(script, options);
            for kept in &formatted.kept {
                let start: String = script[kept.position.offset..].chars().take(200).collect();
                assert!(!matches!(kept.reason, KeptReason::Unsafe(_)), "{:?}: {start}", kept.reason);
            }
            assert!(dense(script) == dense(&formatted.text), "a token of a script changed");
            let again = format_script(&formatted.text, options).text;
            let difference = again.lines().zip(formatted.text.lines()).find(|(one, other)| one != other);
            assert_eq!(difference, None, "formatted again");
            formatted.statements
        });
        each.sum()
    };
    let statements: usize = scripts().par_iter().map(formatted).sum();
    assert!(statements > 100_000, "{statements} statements were formatted");
}

#[test]
fn the_leaves_of_a_syntax_tree_are_the_text() {
    let mut trees = 0;
    for script in scripts() {
        for part in script_parts(script.as_bytes()) {
            let ScriptPart::Statement { range, .. } = part else { continue };
            let sql = &script[range];
            let is_valid = Tree::parse(sql, &pgq::ParseOptions::default()).is_ok();
            let Ok(tree) = SyntaxTree::parse(sql) else {
                assert!(!is_valid, "refused: {sql}");
                continue;
            };
            trees += 1;
            assert!(is_valid);
            let (mut text, mut end) = (String::new(), 0);
            for leaf in tree.leaves() {
                let gap = &sql[end..leaf.range().start];
                assert!(gap.bytes().all(|byte| byte.is_ascii_whitespace() || byte == 0x0b), "{gap:?} in {sql}");
                text += gap;
                text += leaf.text();
                end = leaf.range().end;
            }
            assert_eq!(text + &sql[end..], sql);
            let tokens = tree.root().descendants().filter(|node| node.is_token()).map(|node| node.range());
            let leaves = tree.leaves().filter(|leaf| !leaf.is_comment()).map(|leaf| leaf.range());
            assert!(tokens.eq(leaves), "the tokens of {sql}");
            for node in tree.root().descendants() {
                let Some(parent) = node.parent() else { continue };
                let (outer, inner) = (parent.range(), node.range());
                assert!(outer.start <= inner.start && inner.end <= outer.end, "{node:?} in {parent:?}");
                assert!(!node.range().is_empty(), "{node:?} is empty");
            }
        }
    }
    assert!(trees > 40_000, "there were {trees} trees");
}

#[test]
fn every_comment_belongs_to_one_token() {
    let sql = "-- a\nSELECT /* b */ 1, -- c\n  /* d */ /* e */\n  2 /* f */ -- g\n  -- h\n;";
    let tree = SyntaxTree::parse(sql).unwrap();
    let mut found = Vec::new();
    for token in tree.root().descendants().filter(|node| node.is_token()) {
        let of = |comments: Vec<pgq::SyntaxLeaf<'_>>| {
            comments.iter().map(|comment| comment.text().to_string()).collect::<Vec<_>>().join(" ")
        };
        found.push((
            token.text().to_string(),
            of(token.leading_comments().collect()),
            of(token.trailing_comments().collect()),
        ));
    }
    let expected = [
        ("SELECT", "-- a", ""),
        ("1", "/* b */", ""),
        (",", "", "-- c"),
        ("2", "/* d */ /* e */", "/* f */ -- g"),
        (";", "-- h", ""),
    ];
    assert_eq!(found, expected.map(|(token, before, after)| (token.into(), before.into(), after.into())));
}

#[test]
fn lists_are_flat_and_symbols_are_named() {
    let sql = "SELECT a, b, c FROM t WHERE x IN (1, 2, 3) AND U&\"d\\0061t\" UESCAPE '\\' IS NULL";
    let tree = SyntaxTree::parse(sql).unwrap();
    let list = tree.root().descendants().find(|node| node.symbol() == pgq::symbol::target_list).unwrap();
    let names: Vec<&str> = list.children().map(|child| child.symbol().name()).collect();
    assert_eq!(names, ["target_el", ",", "target_el", ",", "target_el"]);
    let name = tree.root().descendants().find(|node| node.symbol() == pgq::symbol::IDENT && !node.is_token()).unwrap();
    assert_eq!(name.children().map(|child| child.symbol().name()).collect::<Vec<_>>(), ["UIDENT", "UESCAPE", "SCONST"]);
}
