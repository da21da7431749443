//! Tests that the formatter's check finds every part of a formatted script that differs from the original.

use pgq::internals::script_difference;
use pgq::{FormatOptions, KeywordCase};

#[test]
fn parts_that_differ_are_found() {
    let mut options = FormatOptions::default();
    options.bodies = true;
    for (before, after, difference) in [
        ("select  1;\n\n\n-- c\nselect 2;\n", "select 1;\n-- c\nselect 2;", None),
        ("--x\rselect 1;", "--x select 1;", Some(0)),
        ("select 1;\n--x\rselect 2;", "select 1;\n--x select 2;", Some(9)),
        ("--x\r;", "--x ;", Some(0)),
        ("select 1;\n\\echo a\n", "select 1; \\echo b\n", Some(10)),
        ("select 1;\n\\echo a\nselect 2;", "select 1;\n\\echo a select 2;", Some(10)),
        ("select 1;\n-- c", "select 1;\n", Some(9)),
        ("copy t from stdin;\n1\n\\.\n", "copy t from stdin;\n 1\n\\.\n", Some(19)),
        ("\\q\nselect  1", "\\q\nselect 1", Some(3)),
        ("do $$ --x\rnull $$", "do $$\n--x\nnull\n$$", None),
        ("do $$ --x\rnull $$", "do $$ --x null $$", Some(0)),
        ("select a", "SELECT a", Some(0)),
    ] {
        assert_eq!(script_difference(before, after, &options), difference, "{before:?} {after:?}");
    }
    options.keyword_case = KeywordCase::Upper;
    assert_eq!(script_difference("select a", "SELECT a", &options), None);
}
