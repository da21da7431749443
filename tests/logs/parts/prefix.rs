//! Tests of prefixes: the fields of a line.

use pgq_log::Severity;
use pgq_log::internals::{Label, Prefix, PrefixField, PrefixRanges};

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
