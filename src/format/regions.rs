//! Parts of a script that stay as written, by comments: `-- pgq: off` and `-- pgq: on`, and the marks of other formatters.

use std::ops::Range;

/// Comments that turn formatting off, without their signs, and what turns it on again.
const MARKS: [(&str, &str); 5] = [
    ("pgq: off", "pgq: on"),
    ("fmt: off", "fmt: on"),
    ("noqa: disable=all", "noqa: enable=all"),
    ("sql-formatter-disable", "sql-formatter-enable"),
    ("@formatter:off", "@formatter:on"),
];

/// Returns the byte ranges between marks, which begin and end with the marks' lines.
pub(super) fn kept(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    // The start of the part that is off, and what ends it.
    let mut off: Option<(usize, &str)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if let Some(comment) = comment(line) {
            match off {
                Some((from, on)) if comment == on => {
                    ranges.push(from..end);
                    off = None;
                }
                None => {
                    let mark = MARKS.iter().find(|(mark, _)| *mark == comment);
                    off = mark.map(|(_, on)| (start, *on));
                }
                _ => {}
            }
        }
        start = end;
    }
    ranges.extend(off.map(|(from, _)| from..text.len()));
    ranges
}

/// Returns the words of a line that is a comment alone, or ends with one.
fn comment(line: &str) -> Option<&str> {
    if let Some((_, comment)) = line.split_once("--") {
        return Some(comment.trim());
    }
    let (_, rest) = line.split_once("/*")?;
    Some(rest.split_once("*/")?.0.trim())
}
