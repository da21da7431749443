//! Properties of the library for arbitrary names, strings, scripts and texts.

use std::ops::Range;

use crate::common::properties;
use pgq::proto::{a_const, node};
use pgq::{DeparseOptions, ParseOptions, SplitMethod, Tree};
use pgq_corpus::{project_path, statements};
use proptest::prelude::*;

/// Returns arbitrary text without NUL, with many quotes, backslashes, dollars and letters.
fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        prop::sample::select(vec!['\'', '"', '\\', '$', ' ', '\n', '-', '/', '*', ':', '?', ';', '1']),
        prop::char::range('a', 'z'),
        any::<char>().prop_filter("PostgreSQL has no NUL", |c| *c != '\0'),
    ];
    prop::collection::vec(character, 0..20).prop_map(String::from_iter)
}

/// Returns names that PostgreSQL does not truncate.
fn name() -> impl Strategy<Value = String> {
    text().prop_filter("1 to 63 bytes", |name| (1..64).contains(&name.len()))
}

fn quoted(text: &str, quote: char) -> String {
    format!("{quote}{}{quote}", text.replace(quote, &format!("{quote}{quote}")))
}

/// Returns the result name and the string of `SELECT 'string' AS "name"`.
fn name_and_string(sql: &str) -> (String, String) {
    let mut parsed = pgq::parse(sql).unwrap_or_else(|e| panic!("{sql}: {e}")).into_tree();
    let Some(node::Node::SelectStmt(mut select)) = parsed.stmts.remove(0).stmt.unwrap().node else { panic!("{sql}") };
    let Some(node::Node::ResTarget(target)) = select.target_list.remove(0).node else { panic!("{sql}") };
    let Some(node::Node::AConst(constant)) = target.val.unwrap().node else { panic!("{sql}") };
    let Some(a_const::Val::Sval(string)) = constant.val else { panic!("{sql}") };
    (target.name, string.sval)
}

/// Converts a byte offset to the character number, line and column, each from 1.
fn position(text: &str, offset: usize) -> (usize, usize, usize) {
    let before = &text[..offset];
    let line = before.lines().count().max(1) + usize::from(before.ends_with('\n'));
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (before.chars().count() + 1, line, column)
}

/// Returns the statements of the fixtures that parse.
fn fixtures() -> Vec<String> {
    let files =
        ["oltp/writes.sql", "analytics/ctes.sql", "functions/sql_bodies.sql", "ddl/tables.sql", "text/literals.sql"];
    let all = files.iter().flat_map(|file| statements(&project_path("fixtures").join(file)));
    all.filter(|sql| pgq::parse(sql).is_ok()).collect()
}

fn tokens_in_order(text: &str) -> Vec<Range<usize>> {
    pgq::scan(text).map(|tokens| tokens.iter().map(|token| token.start..token.end).collect()).unwrap_or_default()
}

proptest! {
    #![proptest_config(properties::config(2000))]

    #[test]
    fn names_and_strings_survive_parsing_and_deparsing(name in name(), string in text()) {
        let sql = format!("SELECT {} AS {}", quoted(&string, '\''), quoted(&name, '"'));
        let expected = (name, string);
        prop_assert_eq!(&name_and_string(&sql), &expected);
        for pretty in [false, true] {
            let mut options = DeparseOptions::default();
            options.pretty = pretty;
            let deparsed = pgq::reformat(&sql, &options).unwrap();
            prop_assert_eq!(&name_and_string(&deparsed), &expected, "{}", deparsed);
        }
    }

    #[test]
    fn constants_change_neither_fingerprint_nor_normalized_text(strings in prop::collection::vec(text(), 2), number in any::<u32>()) {
        let sql = |string: &str, number: u32| {
            format!("SELECT a FROM t WHERE b = {} AND c IN ({number}, 2)", quoted(string, '\''))
        };
        let (first, second) = (sql(&strings[0], number), sql(&strings[1], 1));
        prop_assert_eq!(pgq::fingerprint(&first).unwrap(), pgq::fingerprint(&second).unwrap());
        let normalized = pgq::normalize(&first).unwrap();
        prop_assert_eq!(&normalized, "SELECT a FROM t WHERE b = $1 AND c IN ($2, $3)");
        prop_assert_eq!(normalized, pgq::normalize(&second).unwrap());
    }

    #[test]
    fn tokens_are_in_order_and_inside_the_text(text in text()) {
        let mut end = 0;
        for token in tokens_in_order(&text) {
            prop_assert!(token.start >= end && token.start < token.end && text.get(token.clone()).is_some());
            end = token.end;
        }
    }

    #[test]
    fn errors_have_the_same_position_in_every_unit(text in text()) {
        if let Err(error) = pgq::parse(&text) && let Some(found) = error.position {
            prop_assert!(text.is_char_boundary(found.offset));
            // `position` counts characters from 1.
            prop_assert_eq!((found.character + 1, found.line, found.column), position(&text, found.offset));
        }
    }

    #[test]
    fn scripts_are_split_into_their_statements(chosen in prop::collection::vec(prop::sample::select(fixtures()), 1..6)) {
        let script = chosen.join(";\n");
        let ranges = pgq::split(&script, SplitMethod::Parser).unwrap();
        let split: Vec<&str> = ranges.into_iter().map(|range| script[range].trim()).collect();
        // A comment before a statement is not part of it.
        prop_assert_eq!(split.len(), chosen.len());
        prop_assert!(split.iter().zip(&chosen).all(|(split, chosen)| chosen.ends_with(split)));
        let tree = Tree::parse(&script, &ParseOptions::default()).unwrap();
        let parsed = pgq::from_json(&tree.to_json().unwrap()).unwrap().into_tree();
        prop_assert_eq!(parsed, pgq::parse(&script).unwrap().into_tree());
    }
}
