//! Finds the regions of a script that must not be formatted. A region is between the comments `-- pgq: off` and
//! `-- pgq: on`, or between similar comments of other formatters.

use std::ops::Range;

/// Pairs of comments: the first turns formatting off, and the second turns it on again.
const MARKS: [(&str, &str); 5] = [
    ("pgq: off", "pgq: on"),
    ("fmt: off", "fmt: on"),
    ("noqa: disable=all", "noqa: enable=all"),
    ("sql-formatter-disable", "sql-formatter-enable"),
    ("@formatter:off", "@formatter:on"),
];

/// Returns the byte ranges of the regions, including the lines of the markers.
pub(super) fn kept(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    // The start of the open region, and the comment that ends it.
    let mut off: Option<(usize, &str)> = None;
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']) {
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

/// Returns the content of the comment in a line, if there is one.
fn comment(line: &str) -> Option<&str> {
    if let Some((_, comment)) = line.split_once("--") {
        return Some(comment.trim());
    }
    let (_, rest) = line.split_once("/*")?;
    Some(rest.split_once("*/")?.0.trim())
}
