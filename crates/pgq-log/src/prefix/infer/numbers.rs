//! Which number of a prefix is which: the process, the line of the session, the transaction, the query, the
//! SQLSTATE. Told apart by what they do from line to line.

use super::template::{Role, Template};
use super::token::Look;

pub fn assign(template: &mut Template<'_, '_>) {
    let unknown = |template: &Template<'_, '_>, at: usize| {
        template.look(at) == Some(Look::Number) && template.roles[at] == Role::Unknown
    };
    // `[3-1]`: the 1 is a literal, as in the prefixes that imitate syslog.
    for at in 2..template.roles.len() {
        let is_piece =
            template.look(at - 1) == Some(Look::Punctuation(b'-')) && template.look(at - 2) == Some(Look::Number);
        if unknown(template, at) && is_piece && template.column(at).all(|text| text == b"1") {
            template.roles[at] = Role::Literal;
            if template.roles[at - 2] == Role::Unknown && !template.has(b'l') {
                template.roles[at - 2] = Role::Field(b'l');
            }
        }
    }
    let numbers: Vec<usize> = (0..template.roles.len()).filter(|at| unknown(template, *at)).collect();
    for at in numbers {
        if !template.has(b'e') && is_sqlstate(template, at) {
            template.roles[at] = Role::Field(b'e');
        } else if template.column(at).any(|text| text[0] == b'-' || text.len() > 10) && !template.has(b'Q') {
            template.roles[at] = Role::Field(b'Q');
        }
    }
    let mut numbers: Vec<usize> = (0..template.roles.len()).filter(|at| unknown(template, *at)).collect();
    let set = |template: &mut Template<'_, '_>, numbers: &mut Vec<usize>, at: usize, escape: u8| {
        template.roles[at] = Role::Field(escape);
        numbers.retain(|number| *number != at);
    };
    // A session ID has the process ID in it: no other number is one.
    let has_session = template
        .roles
        .iter()
        .enumerate()
        .any(|(at, role)| *role == Role::Field(b'c') && template.look(at) == Some(Look::Session));
    let other = || if has_session { None } else { process(template, &numbers) };
    if !template.has(b'p')
        && let Some(pid) = numbers.iter().copied().find(|at| equals_session(template, *at)).or_else(other)
    {
        set(template, &mut numbers, pid, b'p');
    }
    if !template.has(b'l')
        && let Some(line) = numbers.iter().copied().find(|at| counts_up(template, *at))
    {
        set(template, &mut numbers, line, b'l');
    }
    for at in numbers {
        let is_zero = template.column(at).any(|text| text == b"0");
        let order: &[u8] = if is_zero { b"xQP" } else { b"lxQP" };
        let escape = order.iter().copied().find(|escape| !template.has(*escape)).unwrap_or(b'P');
        if escape != b'x' {
            template.doubts.push("which of the numbers is the process is not certain");
        }
        template.roles[at] = Role::Field(escape);
    }
}

/// A virtual transaction has the number of a backend, which is below the number of connections.
pub fn doubt_transactions(template: &mut Template<'_, '_>) {
    const MANY: u32 = 2000;
    let is_many = |text: &[u8]| {
        let backend = text.split(|b| *b == b'/').next().and_then(|number| std::str::from_utf8(number).ok());
        backend.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number > MANY)
    };
    let at = template.roles.iter().position(|role| *role == Role::Field(b'v'));
    if !template.has(b'p') && !template.has(b'c') && at.is_some_and(|at| template.column(at).any(is_many)) {
        template.doubts.push("%v may be %p/%l");
    }
}

fn is_sqlstate(template: &Template<'_, '_>, at: usize) -> bool {
    let values = template.column(at);
    let has_letters = values.clone().any(|text| text.iter().any(u8::is_ascii_uppercase));
    let is_class = |text: &[u8]| text.starts_with(b"0") || text.iter().any(u8::is_ascii_uppercase);
    values.clone().all(|text| text.len() == 5) && (has_letters || values.clone().any(is_class))
}

/// Whether a number is the process ID in the session ID of the same line.
fn equals_session(template: &Template<'_, '_>, at: usize) -> bool {
    let Some(session) = template.roles.iter().position(|role| *role == Role::Field(b'c')) else { return false };
    template.look(session) == Some(Look::Session)
        && template.column(at).zip(template.column(session)).all(|(pid, session)| {
            let hex = session.rsplit(|b| *b == b'.').next().unwrap_or_default();
            let parse = |text: &[u8], radix| u64::from_str_radix(&String::from_utf8_lossy(text), radix).ok();
            parse(hex, 16).is_some() && parse(hex, 16) == parse(pid, 10)
        })
}

/// The number that is the process: a session keeps it, while the number of its line counts up.
fn process(template: &Template<'_, '_>, numbers: &[usize]) -> Option<usize> {
    let candidates: Vec<usize> =
        numbers.iter().copied().filter(|at| template.column(*at).all(|text| text != b"0" && text.len() < 8)).collect();
    let lines: Vec<usize> = (0..template.roles.len())
        .filter(|at| template.roles[*at] == Role::Field(b'l') || candidates.contains(at))
        .collect();
    let score = |pid: usize| {
        let counted = lines.iter().filter(|line| **line != pid).map(|line| steps(template, pid, *line)).max();
        counted.unwrap_or(0)
    };
    if let [only] = candidates[..] {
        // A number that counts up from line to line, whoever wrote it, is no process.
        let alone = template.rows.len() > 3
            && (steps_of(template.column(only)) + 1 == template.rows.len() as i64
                || counts_from_one(template.column(only)));
        return (!alone || template.has(b'l')).then_some(only);
    }
    candidates.iter().copied().max_by_key(|at| (score(*at), !template.is_constant(*at), std::cmp::Reverse(*at)))
}

/// In how many pairs of lines with the same `pid` the value of `line` goes up, less those in which it does
/// not. What goes down within a constant is no line's number, but the process itself.
fn steps(template: &Template<'_, '_>, pid: usize, line: usize) -> i64 {
    let mut last: std::collections::HashMap<&[u8], u64> = std::collections::HashMap::new();
    if template.is_constant(line) {
        return 0;
    }
    let mut score = 0;
    let is_constant = template.is_constant(pid);
    for (pid, line) in template.column(pid).zip(template.column(line)) {
        let Some(line) = std::str::from_utf8(line).ok().and_then(|text| text.parse().ok()) else { return i64::MIN };
        if let Some(before) = last.insert(pid, line) {
            if is_constant && line < before {
                return 0;
            }
            score += if line > before && line - before < 100 { 1 } else { -2 };
        }
    }
    score
}

/// Whether a number counts up within each session.
fn counts_up(template: &Template<'_, '_>, at: usize) -> bool {
    let session = template.roles.iter().position(|role| matches!(role, Role::Field(b'p' | b'c')));
    match session {
        Some(session) => steps(template, session, at) > 0,
        None => template.rows.len() > 3 && steps_of(template.column(at)) + 1 == template.rows.len() as i64,
    }
}

/// Whether nearly every value has one before it that is less by one: the lines of several sessions are counted.
fn counts_from_one<'a>(values: impl Iterator<Item = &'a [u8]>) -> bool {
    let values: Vec<u64> = values.filter_map(|text| std::str::from_utf8(text).ok()?.parse().ok()).collect();
    let mut seen = std::collections::HashSet::from([0]);
    let mut followed = 0;
    for value in &values {
        followed += usize::from(value.checked_sub(1).is_some_and(|before| seen.contains(&before)));
        seen.insert(*value);
    }
    seen.len() > 3 && followed * 10 >= values.len() * 9
}

/// How often a value is the one before plus one.
fn steps_of<'a>(values: impl Iterator<Item = &'a [u8]>) -> i64 {
    let values: Vec<u64> = values.filter_map(|text| std::str::from_utf8(text).ok()?.parse().ok()).collect();
    values.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count() as i64
}
