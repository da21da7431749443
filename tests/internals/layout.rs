//! Tests of the formatter's layout: prints documents (nested groups of text and line breaks) at various widths.

use pgq::internals::{LayoutDocument as Document, Style};

fn printed(width: usize, build: impl Fn(&mut Document<'static>)) -> String {
    let mut document = Document::new();
    build(&mut document);
    document.print(&Style { width, indent: 2 })
}

fn list(document: &mut Document<'static>, items: &[&'static str]) {
    document.text("(");
    document.indent();
    document.soft_break();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            document.text(",");
            document.soft_break();
            document.text(" ");
        }
        document.text(item);
    }
    document.dedent();
    document.soft_break();
    document.text(")");
}

#[test]
fn a_group_is_on_one_line_or_all_of_its_breaks_are_newlines() {
    let group = |document: &mut Document<'static>| {
        document.begin_group();
        list(document, &["a", "b", "c"]);
        document.end_group();
        document.text(";");
    };
    assert_eq!(printed(10, group), "(a, b, c);");
    // The semicolon counts toward the width of the line.
    assert_eq!(printed(9, group), "(\n  a,\n  b,\n  c\n);");
}

#[test]
fn a_fill_breaks_where_the_next_item_does_not_fit() {
    let fill = |document: &mut Document<'static>| {
        document.begin_fill();
        list(document, &["aa", "bb", "cc", "dd"]);
        document.end_group();
    };
    assert_eq!(printed(9, fill), "(aa, bb,\n  cc, dd)");
    assert_eq!(printed(40, fill), "(aa, bb, cc, dd)");
}

#[test]
fn a_comment_ends_its_line() {
    let comment = |document: &mut Document<'static>| {
        document.begin_group();
        document.text("a");
        document.comment("-- first", 0);
        document.text("+ b");
        document.soft_break();
        document.text(" ");
        document.text("+ c");
        document.end_group();
    };
    assert_eq!(printed(40, comment), "a -- first\n+ b\n+ c");
}

#[test]
fn a_blank_line_is_kept_at_the_start_of_a_line() {
    let blank = |document: &mut Document<'static>| {
        document.text("a");
        document.hard_break();
        document.blank_line();
        document.text("b");
        document.blank_line();
        document.text("c");
    };
    assert_eq!(printed(40, blank), "a\n\nbc");
}

#[test]
fn comments_of_a_block_are_aligned() {
    let comments = |document: &mut Document<'static>| {
        for (text, block) in [("a", 1), ("bbb", 1), ("cc", 0), ("d", 2)] {
            document.text(text);
            document.comment("--", block);
            document.hard_break();
        }
    };
    assert_eq!(printed(40, comments), "a   --\nbbb --\ncc --\nd --\n");
}

#[test]
fn text_of_several_lines_counts_with_its_first() {
    let lines = |document: &mut Document<'static>| {
        document.begin_group();
        list(document, &["'x", "'one\ntwo three four five six'"]);
        document.end_group();
    };
    assert_eq!(printed(12, lines), "('x, 'one\ntwo three four five six')");
    assert_eq!(printed(8, lines), "(\n  'x,\n  'one\ntwo three four five six'\n)");
}

#[test]
fn nesting_needs_no_stack() {
    let mut document = Document::new();
    for _ in 0..200_000 {
        document.begin_group();
        document.text("(");
    }
    for _ in 0..200_000 {
        document.text(")");
        document.end_group();
    }
    assert_eq!(document.print(&Style::default()).len(), 400_000);
}
