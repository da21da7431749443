//! Distinguishes the numbers of a prefix (process ID, session line, transaction, query ID, SQLSTATE) by their changes
//! from line to line.

use super::template::{Role, Template};
use super::token::Look;

/// Changes of a number between consecutive lines that certainly belong to one session. Examples are a DETAIL or a
/// STATEMENT after its message, or a duration after its statement.
#[derive(Debug, Default, Clone, Copy)]
struct Votes {
    /// Number of unchanged values, which indicate a process ID.
    stays: usize,
    /// Number of increments by one, which indicate a line number.
    rises: usize,
}

impl Votes {
    fn of(template: &Template<'_, '_>, at: usize) -> Self {
        let is_duration = |message: &[u8]| message.starts_with(b"duration: ") && message.ends_with(b" ms");
        let is_statement = |message: &[u8]| message.starts_with(b"statement: ") || message.starts_with(b"execute ");
        let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u64>().ok();
        let mut votes = Self::default();
        for pair in template.rows.windows(2) {
            let follows = pair[0].index + 1 == pair[1].index
                && (pair[1].is_part || (is_duration(pair[1].message) && is_statement(pair[0].message)));
            let [Some(before), Some(after)] = [0, 1].map(|row: usize| number(pair[row].tokens[at].text)) else {
                continue;
            };
            votes.stays += usize::from(follows && before == after);
            votes.rises += usize::from(follows && before + 1 == after);
        }
        votes
    }

    fn are_for_process(self) -> bool {
        self.stays > 3 * self.rises
    }

    fn are_for_line(self) -> bool {
        self.rises > 3 * self.stays
    }
}

/// Whether the only number of a prefix is the process ID. `None` if the number may also be a line number.
fn is_process(template: &Template<'_, '_>, at: usize) -> Option<bool> {
    let votes = Votes::of(template, at);
    if votes.are_for_process() || votes.are_for_line() {
        return Some(votes.are_for_process());
    }
    // Last line number of each session. A line number is 1, or one more than the last number of its session.
    let (mut ends, mut unexplained) = (Vec::new(), 0);
    for text in template.column(at) {
        let Some(line) = std::str::from_utf8(text).ok().and_then(|text| text.parse::<u64>().ok()) else {
            return Some(true);
        };
        match ends.iter().position(|end| end + 1 == line) {
            Some(session) => ends[session] = line,
            None => {
                unexplained += usize::from(line != 1);
                ends.push(line);
            }
        }
    }
    let is_default = matches!(template.look(at.wrapping_sub(1)), Some(Look::Punctuation(b'[')))
        && matches!(template.look(at + 1), Some(Look::Punctuation(b']')));
    let may_be_lines = template.rows.len() > 3 && unexplained * 5 < template.rows.len();
    let starts_at_one = template.column(at).any(|text| text == b"1");
    match (may_be_lines, is_default && !starts_at_one) {
        (true, false) => None,
        _ => Some(true),
    }
}

pub fn assign(template: &mut Template<'_, '_>) {
    let unknown = |template: &Template<'_, '_>, at: usize| {
        template.look(at) == Some(Look::Number) && template.roles[at] == Role::Unknown
    };
    // In `[3-1]`, the 1 is a literal of a prefix that imitates syslog.
    for at in 2..template.roles.len() {
        let is_piece =
            template.look(at - 1) == Some(Look::Punctuation(b'-')) && template.look(at - 2) == Some(Look::Number);
        if unknown(template, at) && is_piece && template.column(at).all(|text| text == b"1") {
            template.roles[at] = Role::Literal;
            if template.roles[at - 2] == Role::Unknown && !template.has(b'l') {
                // If each session has only one line, `[%p-%l]` also produces `[3-1]`, in which 3 is the process ID. The
                // 1 is therefore a literal only if the process ID may be elsewhere in the prefix.
                let is_other = |other: usize| other != at - 2 && unknown(template, other);
                let has_process = template.has(b'p')
                    || template.has(b'c')
                    || (0..template.roles.len()).any(is_other)
                    || Votes::of(template, at - 2).are_for_line();
                let [first, second] = if has_process {
                    [Role::Field(b'l'), Role::Literal]
                } else {
                    [Role::Field(b'p'), Role::Field(b'l')]
                };
                (template.roles[at - 2], template.roles[at]) = (first, second);
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
    // A session ID ends with the process ID in hexadecimal. If the prefix has a session ID, only a number that equals
    // this process ID can be `%p`.
    let has_session = template
        .roles
        .iter()
        .enumerate()
        .any(|(at, role)| *role == Role::Field(b'c') && template.look(at) == Some(Look::Session));
    let mut pid = numbers.iter().copied().find(|at| equals_session(template, *at));
    if !template.has(b'p') {
        if !has_session && pid.is_none() {
            pid = process(template, &numbers);
        }
        pid.into_iter().for_each(|pid| set(template, &mut numbers, pid, b'p'));
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

/// Adds a doubt if `%v` has larger backend numbers than a server has connections.
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

/// Whether a number equals the process ID in the session ID of the same line.
fn equals_session(template: &Template<'_, '_>, at: usize) -> bool {
    let Some(session) = template.roles.iter().position(|role| *role == Role::Field(b'c')) else { return false };
    template.look(session) == Some(Look::Session)
        && template.column(at).zip(template.column(session)).all(|(pid, session)| {
            let hex = session.rsplit(|b| *b == b'.').next().unwrap_or_default();
            let parse = |text: &[u8], radix| u64::from_str_radix(&String::from_utf8_lossy(text), radix).ok();
            parse(hex, 16).is_some() && parse(hex, 16) == parse(pid, 10)
        })
}

/// Returns the token among `numbers` that is the process ID. A process ID is constant within a session, while the line
/// number counts up.
fn process(template: &mut Template<'_, '_>, numbers: &[usize]) -> Option<usize> {
    let candidates: Vec<usize> =
        numbers.iter().copied().filter(|at| template.column(*at).all(|text| text != b"0" && text.len() < 8)).collect();
    let lines: Vec<usize> = (0..template.roles.len())
        .filter(|at| template.roles[*at] == Role::Field(b'l') || candidates.contains(at))
        .collect();
    let score = |pid: usize| {
        let counted = lines.iter().filter(|line| **line != pid).map(|line| steps(template, pid, *line)).max();
        counted.unwrap_or(0).max(0)
    };
    if let [only] = candidates[..] {
        if template.has(b'l') {
            return Some(only);
        }
        let answer = is_process(template, only);
        template.is_uncertain |= answer.is_none();
        return (answer == Some(true)).then_some(only);
    }
    let vote = |at: usize| {
        let votes = Votes::of(template, at);
        i8::from(votes.are_for_process()) - i8::from(votes.are_for_line())
    };
    // In case of a tie, chooses the first number, because the process ID precedes the other numbers in all common
    // prefixes.
    candidates
        .iter()
        .copied()
        .max_by_key(|at| (vote(*at), score(*at), !template.is_constant(*at), std::cmp::Reverse(*at)))
}

/// Rates how well the values of `line` count the lines of each `pid` (1, 2, 3, …). A number that decreases while `pid`
/// is constant is not a line number.
fn steps(template: &Template<'_, '_>, pid: usize, line: usize) -> i64 {
    let mut last: std::collections::HashMap<&[u8], u64> = std::collections::HashMap::new();
    let mut score = 0;
    let is_constant = template.is_constant(pid);
    for (pid, line) in template.column(pid).zip(template.column(line)) {
        let Some(line) = std::str::from_utf8(line).ok().and_then(|text| text.parse().ok()) else { return i64::MIN };
        score += match last.insert(pid, line) {
            None => 2 * i64::from(line == 1),
            Some(before) if is_constant && line < before => return 0,
            Some(before) if line == before + 1 => 2,
            Some(before) if line > before && line - before < 100 => 1,
            Some(_) => -2,
        }
    }
    score
}

/// Whether a number counts up within each session.
fn counts_up(template: &Template<'_, '_>, at: usize) -> bool {
    let session = template.roles.iter().position(|role| matches!(role, Role::Field(b'p' | b'c')));
    match session {
        Some(session) => {
            !template.is_constant(at) && !Votes::of(template, at).are_for_process() && steps(template, session, at) > 0
        }
        None => template.rows.len() > 3 && steps_of(template.column(at)) + 1 == template.rows.len() as i64,
    }
}

/// Counts the values that equal the previous value plus one.
fn steps_of<'a>(values: impl Iterator<Item = &'a [u8]>) -> i64 {
    let values: Vec<u64> = values.filter_map(|text| std::str::from_utf8(text).ok()?.parse().ok()).collect();
    values.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count() as i64
}
