//! Tests of splitting: what counts as the end of a statement.

use super::*;

/// The parts of a script as trimmed text, without blank parts; `!` marks meta-commands.
fn parts(script: &str) -> Vec<String> {
    let text = script.as_bytes();
    let (mut at, mut parts) = (0, Vec::new());
    while let Some(part) = next_part(text, at, true) {
        let trimmed = |range: &Range<usize>| script[range.clone()].trim().to_string();
        match &part {
            ScriptPart::Statement { range, .. } => parts.push(trimmed(range)),
            ScriptPart::MetaCommand(range) => parts.push(format!("!{}", trimmed(range))),
            ScriptPart::Blank(_) => {}
        }
        at = part.end();
        if matches!(part, ScriptPart::Statement { copy_from_stdin: true, .. }) {
            at = copy_data_end(text, at).unwrap_or(at);
        }
    }
    parts
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
        ["!\\set x 1", "select 1", "!\\gset", "select 2 \\;", "select 3;", "!\\d t"]
    );
    let script = "select 1 \\echo x\n + 1;";
    match next_part(script.as_bytes(), 0, true) {
        Some(ScriptPart::Statement { meta_commands, .. }) => {
            assert_eq!(&script[meta_commands[0].clone()], "\\echo x\n")
        }
        other => panic!("{other:?}"),
    }
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
}

#[test]
fn an_incomplete_text_gives_only_complete_parts() {
    assert_eq!(next_part(b"select 1", 0, false), None);
    assert_eq!(next_part(b"select 1;", 0, false), None, "the rest of the line may follow");
    assert!(next_part(b"select 1; ", 0, false).is_some());
    assert_eq!(next_part(b"", 0, true), None);
}
