//! Tests which tokens end a statement.

use super::*;

/// Returns the parts of a script as trimmed strings. Meta-commands have the prefix `!`. Omits everything that the
/// server does not receive: blank parts, COPY data, skipped SQL, and meta-commands inside statements.
fn parts(script: &str) -> Vec<String> {
    let trimmed = |range: &Range<usize>| script[range.clone()].trim().to_string();
    let shown = |part: &ScriptPart| match part {
        ScriptPart::Statement { start, range, holes, .. } => {
            let (mut text, mut at) = (String::new(), *start);
            for hole in holes {
                text += &script[at.min(hole.start)..hole.start];
                at = hole.end.max(at);
            }
            Some((text + &script[at..range.end]).trim().to_string())
        }
        ScriptPart::MetaCommand(range) => Some(format!("!{}", trimmed(range))),
        ScriptPart::Blank(_) | ScriptPart::Skipped(_) | ScriptPart::CopyData(_) => None,
    };
    let parts = script_parts(script.as_bytes());
    let mut end = 0;
    for part in &parts {
        assert_eq!(part.start(), end, "{script}");
        end = part.end();
    }
    parts.iter().filter_map(shown).collect()
}

#[test]
fn semicolons_in_literals_and_comments_are_not_ends() {
    let script = "select ';', \";\", $$;$$, $a$ ; $$ ; $a$, E'\\';' /* ; /* ; */ ; */ -- ;\n, 1; select 2";
    let cut = script.rfind("select").unwrap();
    assert_eq!(parts(script), [script[..cut].trim(), "select 2"]);
}

#[test]
fn dollars_in_names_and_parameters_are_not_quotes() {
    assert_eq!(parts("select a$b$c; select $1; select $1$a;"), ["select a$b$c;", "select $1;", "select $1$a;"]);
    assert_eq!(parts("select 1$$;$$; select $1$a$;$a$;"), ["select 1$$;$$;", "select $1$a$;$a$;"]);
    // A name directly after a number or a parameter belongs to the same token. The name may contain dollar signs.
    for junk in ["1a$$", "0x1$$", "1_$$", "1e5$$", "1.5e$$", "$1a$$"] {
        assert_eq!(parts(&format!("select {junk}; select $$;$$;")).len(), 2, "{junk}");
    }
    assert_eq!(parts("select 1e+5$$;$$; select 1.5$$;$$;").len(), 2);
}

#[test]
fn escapes_stay_in_force_when_an_escape_string_continues() {
    assert_eq!(parts("select E'a'\n'\\'; b'; select 1;"), ["select E'a'\n'\\'; b';", "select 1;"]);
    assert_eq!(parts("select 'a\\'; select 1;"), ["select 'a\\';", "select 1;"]);
}

#[test]
fn rule_actions_and_atomic_bodies_hold_semicolons() {
    let rule = "CREATE OR REPLACE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2);";
    let body = "create function f() returns int begin atomic select case when true then 1 end; select a.end; end;";
    assert_eq!(parts(&format!("{rule}{body} select 1;")), [rule, body, "select 1;"]);
    assert_eq!(parts("select begin atomic; select 1;"), ["select begin atomic;", "select 1;"]);
}

#[test]
fn an_open_parenthesis_or_body_does_not_swallow_the_script() {
    assert_eq!(parts("select (1; select 2;"), ["select (1;", "select 2;"]);
    assert_eq!(
        parts("create function f() begin atomic select 1; select 2;"),
        ["create function f() begin atomic select 1;", "select 2;"]
    );
}

#[test]
fn meta_commands_are_separate_parts_outside_of_statements() {
    assert_eq!(
        parts("\\set x 1\nselect 1\\gset\nselect 2 \\; select 3;\n\\d t"),
        ["!\\set x 1", "select 1", "!\\gset", "select 2 ;", "select 3;", "!\\d t"]
    );
    assert_eq!(parts("select 1 \\echo x\n + 1;"), ["select 1 \n + 1;"]);
    assert_eq!(parts("\\x on \\\\ select 1;\n\\a\\t"), ["!\\x on \\\\", "select 1;", "!\\a", "!\\t"]);
    assert_eq!(parts("select $1 \\bind 1\n+ 2;"), ["select $1 \n+ 2;"]);
    assert_eq!(parts("select 1 \\close_prepared s\nselect 2;"), ["!\\close_prepared s", "select 2;"]);
    assert_eq!(parts("\\bind_named s 1\nselect 1 \\g\nselect 2;"), ["!\\bind_named s 1", "!\\g", "select 2;"]);
}

#[test]
fn reset_drops_what_was_read() {
    assert_eq!(parts("select 1 \\r\nselect 2;"), ["!\\r", "select 2;"]);
    assert_eq!(parts("select 1 \\; select 2 \\reset select 3\n;"), ["!\\reset select 3"]);
    assert_eq!(parts("select (\n\\r\nselect 2;"), ["!\\r", "select 2;"]);
}

#[test]
fn quit_sends_the_statement_and_ends_the_script() {
    assert_eq!(parts("select 1 \\q\nselect 2;"), ["select 1", "!\\q"]);
    assert_eq!(parts("\\if :x\n\\q\n\\endif\nselect 2;").last().unwrap(), "select 2;");
    let extension = "-- x\n\\echo Use \"CREATE EXTENSION x\" to load this file. \\quit\nselect 2;";
    assert_eq!(parts(extension).last().unwrap(), "select 2;");
}

#[test]
fn one_branch_inside_of_a_statement_is_read_and_all_between_statements() {
    let words = |script: &str| parts(script).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words("select a\n\\if :x\n, b\n\\elif :y\n, c;\n\\else\n, d\n\\endif\nfrom t;"), "select a , b from t;");
    assert_eq!(words("select a \\if 0\n, b \\else\n, c \\endif\n;"), "select a , c ;");
    assert_eq!(
        words("select a \\if :x\n, b; select 1;\n\\else\n, c; select 2;\n\\endif\nselect 3;"),
        "select a , b; select 1; !\\else !\\endif select 3;"
    );
    assert_eq!(
        words("\\if :x\nselect 1;\n\\else\nselect 2;\n\\endif\nselect 3;"),
        "!\\if :x select 1; !\\else select 2; !\\endif select 3;"
    );
    assert_eq!(
        words("\\if :x\nselect 1\n\\else\nselect 2 \\if 1\n;\\endif\n\\endif\nfrom t;"),
        "!\\if :x select 1 from t;"
    );
}

#[test]
fn a_part_that_is_read_again_has_the_same_blocks() {
    for script in [
        "\\if :x\nselect 1\n\\else\nselect 2 \\if 1\n;\\endif\n\\endif\nfrom t;\nselect 2;",
        "\\if 0\n\\if 1\nselect a \\if 0\n, b \\elif 1\n, c \\else\n, d \\endif\n;\n\\endif\n\\endif\nselect 3;\n",
    ] {
        let text = script.as_bytes();
        for cut in 0..text.len() {
            let (mut scanner, mut parts) = (ScriptScanner::new(), Vec::new());
            while scanner.next_parts(&text[..cut], parts.last().map_or(0, ScriptPart::end), false, &mut parts) {}
            while scanner.next_parts(text, parts.last().map_or(0, ScriptPart::end), true, &mut parts) {}
            assert_eq!(parts, script_parts(text), "cut at {cut}: {script}");
        }
    }
}

#[test]
fn nested_if_blocks_take_linear_time() {
    // If scanning took quadratic time, this script would take minutes.
    const DEPTH: usize = 500_000;
    let script = "\\if 1\n".repeat(DEPTH) + &"\\endif\n".repeat(DEPTH) + "select 1";
    let (mut scanner, mut parts) = (ScriptScanner::new(), Vec::new());
    while scanner.next_parts(script.as_bytes(), parts.last().map_or(0, ScriptPart::end), false, &mut parts) {}
    assert_eq!(parts.iter().filter(|part| matches!(part, ScriptPart::MetaCommand(_))).count(), 2 * DEPTH);
}

#[test]
fn names_of_variables_contain_no_dollar_sign() {
    assert_eq!(statements_of("select :v$$;$$; select 2;"), ["select :v$$;$$;", "select 2;"]);
    assert_eq!(statements_of(r"select :e'\'; select 2;"), [r"select :e'\';", "select 2;"]);
    assert_eq!(statements_of(r"select a[1:2], b::e'\';'; select 2;"), [r"select a[1:2], b::e'\';';", "select 2;"]);
}

#[test]
fn an_escaped_colon_is_not_a_meta_command() {
    assert_eq!(parts("select a[1\\:x]; select 2;"), ["select a[1\\:x];", "select 2;"]);
}

#[test]
fn copy_data_is_skipped_only_if_it_ends() {
    assert_eq!(parts("copy t from stdin;\n1\t;x\n\\.\nselect 1;"), ["copy t from stdin;", "select 1;"]);
    assert_eq!(parts("copy t from stdin; select 1;"), ["copy t from stdin;", "select 1;"]);
    assert_eq!(parts("copy (select 1 from stdin) to stdout; select 1;\n\\.\n").len(), 3);
    assert_eq!(parts("\\copy t from pstdin\nit's\n\\.\nselect 1;"), ["!\\copy t from pstdin", "select 1;"]);
}

#[test]
fn copy_data_begins_on_the_next_line() {
    assert_eq!(parts("copy t from stdin; select 4; -- '\n'\n\\.\n;")[1], "select 4;");
    assert_eq!(parts("copy t from stdin; select\n'\n\\.\n5;")[1], "select\n5;");
    assert_eq!(
        parts("copy t from stdin \\; copy u from stdin\\g\n'\n\\.\n'\n\\.\nselect 1;").last().unwrap(),
        "select 1;"
    );
}

#[test]
fn an_incomplete_text_gives_only_complete_parts() {
    let next_part = |text: &[u8], complete| {
        let mut parts = Vec::new();
        ScriptScanner::new().next_parts(text, 0, complete, &mut parts).then_some(parts)
    };
    assert_eq!(next_part(b"select 1", false), None);
    assert_eq!(next_part(b"select 1;", false), None, "the rest of the line may follow");
    assert_eq!(next_part(b"\\x on", false), None);
    assert!(next_part(b"select 1; ", false).is_some());
    assert_eq!(next_part(b"", true), None);
}

/// Returns the statements of a script, trimmed.
fn statements_of(script: &str) -> Vec<&str> {
    let statements = script_parts(script.as_bytes()).into_iter().filter_map(|part| match part {
        ScriptPart::Statement { range, .. } => Some(script[range].trim()),
        _ => None,
    });
    statements.collect()
}

#[test]
fn a_label_in_parentheses_ends_no_body() {
    let script = "CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT (SELECT 1 end), (SELECT 2 case); \
                  SELECT CASE WHEN a THEN 1 END; END;SELECT 3;";
    let statements = statements_of(script);
    assert_eq!((statements.len(), statements[1]), (2, "SELECT 3;"));
}

#[test]
fn begin_alone_begins_a_body() {
    let script = "CREATE OR REPLACE PROCEDURE p(a int) BEGIN INSERT INTO t VALUES (a); DELETE FROM u; END;SELECT 1;";
    assert_eq!(statements_of(script).len(), 2);
    // A function may be named begin.
    assert_eq!(statements_of("CREATE FUNCTION begin() RETURNS int LANGUAGE sql RETURN 1;SELECT 1;").len(), 2);
}

#[test]
fn copy_from_stdout_has_data() {
    assert_eq!(statements_of("copy t from stdout;\n1\n2\n\\.\nselect 1;"), ["copy t from stdout;", "select 1;"]);
    assert_eq!(statements_of("copy t to stdout;\nselect 1;").len(), 2);
}

#[test]
fn a_setting_of_the_script_holds_for_what_follows() {
    let script = "SET standard_conforming_strings = off;SELECT 'it\\'s; here', 2;SELECT b'\\';\
                  SET standard_conforming_strings = on;SELECT 'back\\', 3;SELECT 'last';";
    let statements = statements_of(script);
    assert_eq!(statements.len(), 6, "{statements:?}");
    assert_eq!(statements[1], "SELECT 'it\\'s; here', 2;");
    assert_eq!(statements[4], "SELECT 'back\\', 3;");
}

#[test]
fn connect_starts_a_session_with_the_initial_settings() {
    let script = "SET standard_conforming_strings = off;\n\\connect other\nSELECT 'a\\', 1;SELECT ';b';";
    assert_eq!(statements_of(script)[1..], ["SELECT 'a\\', 1;", "SELECT ';b';"]);
    let script = "BEGIN;SAVEPOINT a;\n\\c\nSET LOCAL standard_conforming_strings = off;SELECT 'a\\', 1;";
    assert_eq!(statements_of(script).last().unwrap(), &"SELECT 'a\\', 1;", "the new session has no transaction");
}

#[test]
fn encoding_is_a_setting_of_the_session() {
    for (script, encoding) in [
        ("\\encoding LATIN1\n", Some("latin1")),
        ("\\encoding 'WIN1252' \\\\ SELECT 1;", Some("win1252")),
        ("BEGIN;\n\\encoding LATIN1\nROLLBACK;", None),
        ("\\encoding LATIN1\n\\encoding :name\n\\encoding\n", Some("latin1")),
    ] {
        let (mut scanner, mut parts) = (ScriptScanner::new(), Vec::new());
        while scanner.next_parts(script.as_bytes(), parts.last().map_or(0, ScriptPart::end), true, &mut parts) {}
        assert_eq!(scanner.settings().client_encoding(), encoding, "{script}");
    }
}
