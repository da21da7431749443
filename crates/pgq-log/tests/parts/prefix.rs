//! Tests of prefixes: the fields of a line, and the tokens by which an unknown prefix is inferred.

use pgq_log::Severity;
use pgq_log::internals::{Label, Look, Prefix, PrefixField, PrefixRanges, Splitting, tokens};

const FIELDS: [PrefixField; 6] = [
    PrefixField::Time,
    PrefixField::User,
    PrefixField::Database,
    PrefixField::Application,
    PrefixField::Session,
    PrefixField::Pid,
];

/// Returns the fields of a line, followed by its message text.
fn fields(prefix: &str, line: &str) -> Option<Vec<String>> {
    let mut ranges = PrefixRanges::default();
    let (label, at) = Prefix::parse(prefix).match_line(line.as_bytes(), &mut ranges)?;
    assert_eq!(label, Label::Primary(Severity::Log), "{line}");
    let mut fields: Vec<String> = FIELDS.iter().map(|field| line[ranges.get(*field)].to_string()).collect();
    fields.push(line[at..].to_string());
    Some(fields)
}

fn strings(fields: [&str; 7]) -> Option<Vec<String>> {
    Some(fields.map(String::from).to_vec())
}

#[test]
fn common_prefixes_give_their_fields() {
    let time = "2026-01-31 12:00:00.123 UTC";
    let line = format!("{time} [42] ann@shop LOG:  x");
    let expected = strings([time, "ann", "shop", "", "", "42", "x"]);
    assert_eq!(fields("%m [%p] %q%u@%d ", &line), expected);
    let line = format!("{time} [42] LOG:  x");
    assert_eq!(fields("%m [%p] %q%u@%d ", &line), strings([time, "", "", "", "", "42", "x"]));
    assert_eq!(fields("%m [%p] ", &line), strings([time, "", "", "", "", "42", "x"]));
    let line = "2026-01-31 12:00:00 UTC:10.0.0.1(5432):ann@shop:[42]:LOG:  x";
    let expected = strings(["2026-01-31 12:00:00 UTC", "ann", "shop", "", "", "42", "x"]);
    assert_eq!(fields("%t:%r:%u@%d:[%p]:", line), expected);
}

#[test]
fn every_escape_is_matched() {
    let prefix = "%a|%u|%d|%r|%h|%b|%p|%P|%t|%m|%n|%Q|%i|%e|%c|%l|%s|%v|%x|%%|";
    let line = "my app|ann|shop|[local]|[local]|client backend|42||2026-01-31 12:00:00 CET|\
                2026-01-31 12:00:00.123 +02|1769857200.123|-7|SELECT|00000|65b.2a|3|2026-01-31 11:00:00 CET|\
                3/0|0|%|LOG:  x";
    let fields = fields(prefix, line).unwrap();
    assert_eq!(fields[1..], ["ann", "shop", "my app", "65b.2a", "42", "x"].map(String::from));
}

#[test]
fn padding_is_not_part_of_a_name() {
    let expected = strings(["", "ann", "shop", "", "", "42", "x"]);
    assert_eq!(fields("[%6p] %-10u|%10d ", "[    42] ann       |      shop LOG:  x"), expected);
    assert_eq!(fields("%-6p%u@%d ", "42    ann@shop LOG:  x"), expected);
}

#[test]
fn blanks_without_padding_are_part_of_a_name() {
    let expected = strings(["", "", "", " app ", "", "42", "x"]);
    assert_eq!(fields("%a[%p] ", " app [42] LOG:  x"), expected);
}

#[test]
fn lines_of_other_processes_have_no_fields_of_sessions() {
    assert_eq!(fields("[%p] %q%c ", "[42] LOG:  x"), strings(["", "", "", "", "", "42", "x"]));
}

#[test]
fn names_may_contain_the_literal_after_them() {
    let found = fields("%a [%p] ", "app [x] y [42] LOG:  x").unwrap();
    let field = |field: PrefixField| &*found[field as usize];
    assert_eq!((field(PrefixField::Application), field(PrefixField::Pid)), ("app [x] y", "42"));
    assert_eq!(fields("%u@%d ", "no severity here"), None);
    assert_eq!(fields("%m [%p] ", ""), None);
}

#[test]
fn tokens_are_what_they_look_like() {
    let looks = |text: &str| -> Vec<Look> {
        tokens(text.as_bytes(), Splitting { dashes: true, ..Splitting::default() })
            .iter()
            .map(|token| token.look)
            .collect()
    };
    for (text, look) in [
        ("2026-01-31 12:00:00.123 UTC", Look::Time),
        ("1769857200.123", Look::Epoch),
        ("697dfa40.2a", Look::Session),
        ("10.0.0.1(5432)", Look::HostPort),
        ("2001:db8::1(5432)", Look::HostPort),
        ("db-1.example.com(5432)", Look::HostPort),
        ("[local]", Look::Host),
        ("::1", Look::Host),
        ("3/7", Look::VirtualXid),
        ("42P01", Look::Number),
        ("-7", Look::Number),
        ("autovacuum worker", Look::Backend),
        ("[unknown]", Look::Word),
        ("my-app_1.2", Look::Word),
    ] {
        assert_eq!(looks(text), [look], "{text}");
    }
    assert_eq!(looks("3-1"), [Look::Number, Look::Punctuation(b'-'), Look::Number]);
    assert_eq!(looks("7 – x").len(), 5);
    let glued = Splitting { glued: true, names: &[b"my app", b"ann"], ..Splitting::default() };
    let texts: Vec<&[u8]> = tokens(b"P42 Uann D[unknown] my app", glued).iter().map(|token| token.text).collect();
    let expected: [&[u8]; 10] = [b"P", b"42", b" ", b"U", b"ann", b" ", b"D", b"[unknown]", b" ", b"my app"];
    assert_eq!(texts, expected);
    assert_eq!(looks("shop-[local]"), [Look::Word, Look::Punctuation(b'-'), Look::Host]);
    assert_eq!(looks("v3/7"), [Look::Word, Look::VirtualXid]);
    assert_eq!(looks("xid799"), [Look::Word, Look::Number]);
    assert_eq!(looks("DB2026-01-31 12:00:00 UTC"), [Look::Word, Look::Time]);
    assert_eq!(looks(":::1:ann"), [Look::Punctuation(b':'), Look::Host, Look::Punctuation(b':'), Look::Word]);
}
