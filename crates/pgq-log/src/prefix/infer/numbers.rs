//! Distinguishes a process ID from a line number (`%l`). Compares how the number changes from line to line.

use super::Sample;

/// Meaning of a number, as inferred from its changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Process,
    Line,
    Unclear,
}

/// Decides whether the only number of a prefix is a process ID or a line number. `column` contains the number of each
/// sample. `is_bracketed` is true if the number is in brackets, as process IDs usually are.
pub fn judge(column: &[(Sample<'_>, u64)], is_bracketed: bool) -> Number {
    let (stays, rises) = changes(column);
    if stays > 3 * rises {
        return Number::Process;
    }
    if rises > 3 * stays {
        return Number::Line;
    }
    // Last line number of each session. A line number is 1, or one more than the last number of its session.
    let (mut ends, mut unexplained) = (Vec::new(), 0);
    for (_, line) in column {
        match ends.iter().position(|end| end + 1 == *line) {
            Some(session) => ends[session] = *line,
            None => {
                unexplained += usize::from(*line != 1);
                ends.push(*line);
            }
        }
    }
    let may_be_lines = column.len() > if is_bracketed { 3 } else { 1 } && unexplained * 5 < column.len();
    let has_zero = column.iter().any(|(_, line)| *line == 0); // lines are counted from 1
    let starts_at_one = column.iter().any(|(_, line)| *line == 1);
    if may_be_lines && !has_zero && (!is_bracketed || starts_at_one) { Number::Unclear } else { Number::Process }
}

/// Compares the values of a column in consecutive lines of one session. Returns how many pairs of lines have equal
/// values, and in how many pairs the value rises by one. Two consecutive lines are certainly of one session if they are
/// a message and its DETAIL or STATEMENT, or a statement and its duration.
fn changes(column: &[(Sample<'_>, u64)]) -> (usize, usize) {
    let is_duration = |message: &[u8]| message.starts_with(b"duration: ") && message.ends_with(b" ms");
    let is_statement = |message: &[u8]| message.starts_with(b"statement: ") || message.starts_with(b"execute ");
    let (mut stays, mut rises) = (0, 0);
    for pair in column.windows(2) {
        let [(first, before), (second, after)] = [pair[0], pair[1]];
        let follows = first.index + 1 == second.index
            && (second.is_part || (is_duration(second.message()) && is_statement(first.message())));
        stays += usize::from(follows && before == after);
        rises += usize::from(follows && before + 1 == after);
    }
    (stays, rises)
}
