//! Tests that the formatter keeps the parts of a script that are not statements, byte for byte.

use std::time::Instant;

use pgq::{FormatOptions, KeptReason, format_script};

fn formatted(script: &str) -> String {
    format_script(script, &FormatOptions::default()).text
}

#[test]
fn line_ends_marks_and_last_lines_are_kept() {
    for (script, expected) in [
        ("select  1;\r\nselect  2;\r\n", "select 1;\r\nselect 2;\r\n"),
        ("\u{feff}select  1;\n", "\u{feff}select 1;\n"),
        ("select  1", "select 1"),
        ("select  1;\n\n\n\n", "select 1;\n"),
        ("", ""),
        ("\n\n", ""),
        ("-- only a comment", "-- only a comment"),
        ("select 1;;\n", "select 1;;\n"),
        ("select  1 -- c \n", "select 1 -- c\n"),
        ("select 'a\r\nb';\nselect  2;\n", "select 'a\r\nb';\nselect 2;\n"),
        // Outside of literals, all output lines end in CR LF if more than half of the input lines do, otherwise in LF.
        ("select  1;\r\nselect $$a\nb$$,  2;\r\n\r\n\r\n", "select 1;\r\nselect $$a\nb$$, 2;\r\n"),
        ("select  1;\r\n\r\n\nselect  2; -- c\r\n", "select 1;\r\n\r\nselect 2; -- c\r\n"),
        ("select  1;\nselect  2;\r\n", "select 1;\nselect 2;\n"),
        ("create table t (a int);\r\n", "create table t (\r\n    a int\r\n);\r\n"),
    ] {
        assert_eq!(formatted(script), expected, "{script:?}");
    }
}

#[test]
fn a_comment_ends_at_a_carriage_return() {
    for (script, expected) in [
        ("--x\rdelete from t where a=1;\n", "--x\ndelete from t where a = 1;\n"),
        ("select 1;\n-- c\rselect  2;\r\nselect  3;\n", "select 1;\n-- c\nselect 2;\nselect 3;\n"),
        ("select 1; -- c\r\rselect  2;\n", "select 1; -- c\n\nselect 2;\n"),
        ("-- a\rselect  1;\r-- b\rselect  2;\r", "-- a\nselect 1;\n-- b\nselect 2;\n"),
        ("select  1 --y\r, 2;\n", "select\n    1 --y\n    , 2;\n"),
        ("select 1;\n--x\r;\n", "select 1;\n--x\n;\n"),
        ("-- pgq: off\rselect  1;\r-- pgq: on\rselect  2;\r", "-- pgq: off\rselect  1;\r-- pgq: on\rselect 2;\n"),
        ("--x\rselec  2;\n", "--x\rselec  2;\n"),
        ("--x\r\\echo  a\n", "--x\r\\echo  a\n"),
    ] {
        assert_eq!(formatted(script), expected, "{script:?}");
    }
}

#[test]
fn a_comment_of_a_body_ends_at_a_carriage_return() {
    let mut options = FormatOptions::default();
    options.bodies = true;
    for (body, expected) in [
        ("language sql as $$ --x\rselect 1;\n --y\rselect   2 $$", "\n--x\nselect 1;\n--y\nselect 2\n"),
        ("language plpgsql as $$ begin --x\rperform 1;\r--y\r end $$", "\nbegin --x\n    perform 1;\n    --y\nend\n"),
    ] {
        let script = format!("create function f() returns int {body};\n");
        let text = format_script(&script, &options).text;
        assert_eq!(text.split("$$").nth(1), Some(expected), "{body:?}");
        // In a file with CR LF, the lines of bodies also end in CR LF.
        let text = format_script(&format!("{}{script}", "select 1;\r\n".repeat(9)), &options).text;
        assert_eq!(text.split("$$").nth(1), Some(expected.replace('\n', "\r\n").as_str()), "{body:?}");
    }
}

#[test]
fn what_psql_reads_is_kept() {
    for script in [
        "\\set x 1\n\\if :x\n\\echo 'a  b'\n\\endif\n",
        "copy t from stdin;\n1\t 2\n\\.\nselect 1;\n",
        "\\copy t from stdin\n1\t 2\n\\.\n",
        "copy t from stdin; select   1;\n1\t 2\n\\.\nselect 2;\n",
        "select 1 \\gset\n",
        "select 1\n  \\gx\n",
        "select 1 \\;\nselect 2;\n",
        "\\q\nselect   1;\n",
        "select 1;\n\\q \\echo  a\n",
        "select :x, :'x', :\"x\" from :t;\n",
    ] {
        assert_eq!(formatted(script), script);
    }
}

#[test]
fn what_does_not_parse_is_kept_and_reported() {
    let script = "select  1;\r\nselec  2;\r\n";
    let result = format_script(script, &FormatOptions::default());
    assert_eq!(result.text, "select 1;\r\nselec  2;\r\n");
    let KeptReason::Invalid(error) = &result.kept[0].reason else { panic!("{:?}", result.kept) };
    assert_eq!(error.position.unwrap().line, 2);
    assert_eq!(error.position.unwrap().offset, 12);
}

#[test]
fn white_space_in_a_token_without_an_end_is_kept() {
    for token in ["'a", "$$a", "/* a", "\"a", "-- pgq: off\n'a"] {
        let script = format!("select 1;\n\nselect {token}  \n\n\n");
        assert_eq!(formatted(&script), script);
    }
}

/// If formatting took quadratic time, these scripts would take minutes. The time is printed.
#[test]
fn long_scripts_are_formatted() {
    for unit in [
        "selec 1;\n",
        "selec 1; ",
        "selec {{ a }};\n",
        "{{ ",
        "%( ",
        "${ ",
        "create function f() returns int begin atomic selec;\n",
        "-- pgq: off\nselec 1;\n-- pgq: on\n",
    ] {
        let script = unit.repeat(800_000 / unit.len());
        let mut options = FormatOptions::default();
        options.lines = Some(2..usize::MAX);
        let start = Instant::now();
        assert_eq!(format_script(&script, &options).text.trim_end(), script.trim_end(), "{unit:?}");
        println!("{unit:?}: {:?}", start.elapsed());
    }
}

#[test]
fn an_invalid_statement_keeps_its_indent() {
    assert_eq!(formatted("select  1;\n\n\n   selec\n  2;\nselect  3;\n"), "select 1;\n\n\n   selec\n  2;\nselect 3;\n");
}

/// The formatter limits the indentation. Without a limit, the size of the output would be quadratic in the depth of the
/// blocks.
#[test]
fn deep_bodies_take_linear_time_and_memory() {
    let mut options = FormatOptions::default();
    options.bodies = true;
    let body = |unit: &str, inner: &str, end: &str, depth: usize| {
        format!("do $$ begin {}{inner}{} end $$;\n", unit.repeat(depth), end.repeat(depth))
    };
    for depth in [1000, 30_000] {
        for (unit, end) in [("if a then ", "end if; "), ("begin ", "end; "), ("loop ", "end loop; ")] {
            let script = body(unit, "x := 1; ", end, depth);
            let formatted = format_script(&script, &options).text;
            assert_eq!(formatted.matches('\n').count(), 2 * depth + 5, "{unit}");
            assert!(formatted.len() < 600 * depth, "{unit}: {} bytes", formatted.len());
            assert_eq!(format_script(&formatted, &options).text, formatted, "{unit}");
        }
    }
    // If formatting took quadratic time, this body would take minutes.
    let script = body("perform f(a); ", "x := 1; ", "", 100_000);
    assert_eq!(format_script(&script, &options).text.matches('\n').count(), 100_005);
}

#[test]
fn deep_statements_do_not_overflow_the_stack() {
    for depth in [1000, 4000] {
        let sql = format!("SELECT {}1{};\n", "(".repeat(depth), ")".repeat(depth));
        let options = FormatOptions::default();
        assert_eq!(format_script(&sql, &options).text.matches('(').count(), depth);
        let sql = format!("SELECT {};\n", vec!["1"; depth * 10].join(" + "));
        assert_eq!(format_script(&sql, &options).text.matches('+').count(), depth * 10 - 1);
    }
}
