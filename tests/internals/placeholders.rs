//! Tests invariants of placeholders with random SQL: positions map back to the original SQL, only placeholders change,
//! and PostgreSQL's scanner agrees that placeholders are outside of literals and comments. The seeds are fixed.

use std::borrow::Cow;

use pgq::internals::{find_placeholders, replacements};
use pgq::{PlaceholderStyle, Replaced, placeholders};

/// A xorshift generator with a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn text(&mut self, of: &[&str], most: usize, between: &str) -> String {
        (0..self.below(most)).map(|_| self.pick(of)).collect::<Vec<_>>().join(between)
    }
}

/// Complete pieces of SQL without a placeholder of any style.
const PLAIN: [&str; 31] = [
    "a",
    "SELECT ",
    "'?'",
    "'it''s :a'",
    "E'\\':a ?'",
    "\"@a ?\"",
    "$$ :a @b $$",
    "$t$ ? $$ :1 $t$",
    "-- ? :a @b\n",
    "/* ? /* :a */ @b */",
    "::int",
    "a[1:2]",
    "a[i:j]",
    "a[1:n + 1]",
    "x := 1",
    " ",
    "\n",
    ", ",
    "(1)",
    "<> ",
    "@> ",
    "a @@ b",
    "$1 ",
    "$23 ",
    "é",
    "json_object('k':v)",
    "U&'?'",
    "B'1'",
    "1.5e3",
    "'%s %(a)s'",
    ";",
];

/// Returns placeholders of a style with their expected names.
fn examples(style: PlaceholderStyle) -> &'static [(&'static str, Option<&'static str>)] {
    match style {
        PlaceholderStyle::Psql => {
            &[(":a", Some("a")), (":'b'", Some("b")), (":\"c\"", Some("c")), (":{?d}", Some("d"))]
        }
        PlaceholderStyle::Qmark => &[("?", None), ("?2", Some("2"))],
        PlaceholderStyle::Format => &[("%s", None), ("%b", None)],
        PlaceholderStyle::Pyformat => &[("%(a)s", Some("a")), ("%(b c)s", Some("b c")), ("%s", None)],
        PlaceholderStyle::Named => &[(":a", Some("a")), (":bé", Some("bé"))],
        PlaceholderStyle::Numeric => &[(":1", Some("1")), (":20", Some("20"))],
        PlaceholderStyle::At => &[("@a", Some("a")), ("@p.b", Some("p.b"))],
        PlaceholderStyle::Extension => &[("@extschema@", Some("extschema")), ("@extschema:a@", Some("extschema:a"))],
        _ => unreachable!("a style without examples"),
    }
}

/// Checks that offsets in the new SQL map back to the original.
fn check_map(old: &str, replaced: &Replaced<'_>) {
    let new = replaced.sql.as_ref();
    let (mut new_at, mut old_at) = (0, 0);
    for (in_new, in_old) in replacements(replaced) {
        assert_eq!(new[new_at..in_new.start], old[old_at..in_old.start], "{old}");
        for at in new_at..in_new.start {
            assert_eq!(replaced.original(at), old_at + at - new_at, "{old}");
        }
        for at in in_new.clone() {
            assert_eq!(replaced.original(at), in_old.start, "{old}");
        }
        assert_eq!(replaced.original(in_new.end), in_old.end, "{old}");
        assert!(!in_new.is_empty() && !in_old.is_empty(), "{old}");
        (new_at, old_at) = (in_new.end, in_old.end);
    }
    assert_eq!(new[new_at..], old[old_at..]);
    let originals: Vec<usize> = (0..=new.len() + 1).map(|at| replaced.original(at)).collect();
    assert!(originals.is_sorted(), "{old}");
    assert_eq!(originals[new.len()..], [old.len(); 2]);
    assert_eq!(originals[0], 0);
}

#[test]
fn a_text_without_placeholders_is_borrowed() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..3_000 {
        let text = random.text(&PLAIN, 12, " ");
        for style in PlaceholderStyle::ALL {
            let replaced = placeholders(&text, style);
            assert!(matches!(replaced.sql, Cow::Borrowed(_)), "{}: {text}: {}", style.name(), replaced.sql);
            assert!(replaced.placeholders.is_empty());
            check_map(&text, &replaced);
        }
    }
}

#[test]
fn placeholders_are_found_where_they_were_put() {
    let mut random = Random(0x0fed_cba9_8765_4321);
    for _ in 0..2_000 {
        for style in PlaceholderStyle::ALL {
            let (mut text, mut put) = (String::new(), Vec::new());
            for _ in 0..random.below(10) {
                text += random.pick(&PLAIN);
                let (placeholder, name) = examples(style)[random.below(examples(style).len())];
                text += random.pick(&[" ", " = ", "(", ",", "\n", "-", "/**/"]);
                put.push((text.len()..text.len() + placeholder.len(), name));
                text += placeholder;
                text += random.pick(&[" ", "::text ", ")", ",", ";", " AND "]);
            }
            let replaced = placeholders(&text, style);
            let found: Vec<_> = replaced.placeholders.iter().map(|p| (p.range.clone(), p.name)).collect();
            assert_eq!(found, put, "{}: {text}", style.name());
            check_map(&text, &replaced);
            numbers_fit(&text, &replaced, style);
        }
    }
}

/// Checks that placeholders have equal numbers if and only if they have the same name. Also checks that all numbers are
/// above the parameter numbers in the original SQL.
fn numbers_fit(old: &str, replaced: &Replaced<'_>, style: PlaceholderStyle) {
    let before = if old.contains("$23") { 23 } else { u32::from(old.contains("$1")) };
    let numbered: Vec<_> = replaced.placeholders.iter().filter_map(|p| Some((p.number?, p.name))).collect();
    for (i, (number, name)) in numbered.iter().enumerate() {
        assert!(*number > before, "{old}");
        for (other_number, other) in &numbered[..i] {
            // As in SQLite, a `?` without a number and a `?2` may get the same number.
            let may_meet = style == PlaceholderStyle::Qmark && name.is_some() != other.is_some();
            let equal = name.is_some() && name == other;
            assert!(may_meet || (number == other_number) == equal, "{old}");
        }
    }
}

/// Fragments that are combined into meaningless SQL.
const RUBBLE: [&str; 44] = [
    "'",
    "'",
    "\"",
    "$",
    "$$",
    "$a$",
    "$1",
    "$7 ",
    "?",
    "??",
    ":",
    "::",
    ":a",
    ":=",
    ":1",
    "%",
    "%%",
    "%s",
    "%(",
    "%(a)s",
    "@",
    "@a",
    "@@",
    "\\",
    "\\:",
    "\n",
    " ",
    "-",
    "--",
    "/*",
    "*/",
    "/",
    "*",
    "e",
    "E'",
    "é",
    "(",
    ")",
    "[",
    "]",
    "{?a}",
    ";",
    "json_object(",
    "1",
];

#[test]
fn any_text_is_taken() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    for _ in 0..20_000 {
        let text = random.text(&RUBBLE, 24, "");
        for style in PlaceholderStyle::ALL {
            check_map(&text, &placeholders(&text, style));
        }
    }
}

/// Every placeholder must begin at a byte that PostgreSQL's scanner reads as an operator or a colon. In the style
/// `Qmark`, every question mark that the scanner reads as an operator must belong to a placeholder or to an escape
/// (`??`).
#[test]
fn the_scanner_agrees_about_what_is_code() {
    let mut random = Random(0xc0de_c0de_c0de_c0de);
    let (mut compared, mut marks) = (0, 0);
    for _ in 0..20_000 {
        let text = random.text(&RUBBLE, 24, "");
        let Ok(tokens) = pgq::scan(&text) else { continue };
        if tokens.iter().any(|token| &text[token.start..token.end] == "\\") {
            continue; // psql's syntax, which PostgreSQL's scanner rejects
        }
        compared += 1;
        let is_symbol = |at: usize| {
            let token = tokens.iter().find(|token| (token.start..token.end).contains(&at)).unwrap();
            let name = token.name();
            !token.is_comment() && !name.ends_with("CONST") && !name.ends_with("IDENT") && name != "PARAM"
        };
        for style in [PlaceholderStyle::Qmark, PlaceholderStyle::Named, PlaceholderStyle::Numeric, PlaceholderStyle::At]
        {
            let (found, _) = find_placeholders(&text, style);
            marks += found.len();
            assert!(found.iter().all(|range| is_symbol(range.start)), "{}: {text}: {found:?}", style.name());
        }
        let (found, highest) = find_placeholders(&text, PlaceholderStyle::Qmark);
        let code = text.bytes().enumerate().filter(|(at, byte)| *byte == b'?' && is_symbol(*at)).map(|(at, _)| at);
        let found_marks = found.iter().cloned().flatten().filter(|at| text.as_bytes()[*at] == b'?');
        assert_eq!(found_marks.collect::<Vec<_>>(), code.collect::<Vec<_>>(), "{text}");
        if !found.is_empty() {
            let numbers = tokens.iter().filter(|token| token.name() == "PARAM");
            let expected = numbers.map(|token| text[token.start + 1..token.end].parse().unwrap()).max();
            assert_eq!(highest, expected.unwrap_or(0), "{text}");
        }
    }
    println!("{compared} texts compared, {marks} marks in them");
    assert!(compared > 1_000 && marks > 1_000);
}

/// On repetitions of these strings, a search without a limit would take quadratic time.
#[test]
fn long_repetitions_are_taken() {
    for part in
        ["%(", "%", ":a.", ":a ", ":'a", ":\"a", ":{?a", "?", "@", "@a.", "[", "json_object(:", "$1", "\\:", ":a:"]
    {
        let text = part.repeat(100_000);
        for style in PlaceholderStyle::ALL {
            let replaced = placeholders(&text, style);
            assert_eq!(replaced.original(replaced.sql.len()), text.len());
        }
    }
}
