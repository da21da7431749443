//! Logs with blanks in place of the tab of continuation lines. Copying from a terminal or saving in an editor replaces
//! the tabs.

use super::layer::{Emit, Layer, line_of};
use crate::format::frame::Frame;
use crate::message::label::find_label;

fn blanks(line: &[u8]) -> usize {
    line.iter().take_while(|b| **b == b' ').count()
}

/// Returns the number of blanks that replace a tab. Returns `None` if a line starts with a tab, or if lines that start
/// with blanks do not follow messages.
pub fn tab_width(lines: &[&[u8]]) -> Option<usize> {
    /// Common tab widths. The text of a line may have an additional indentation.
    const WIDTHS: [usize; 3] = [8, 4, 2];
    if lines.iter().any(|line| line[blanks(line)..].starts_with(b"\t") || line.starts_with(b"{")) {
        return None;
    }
    if !lines.iter().any(|line| line.starts_with(b"  ")) {
        return None;
    }
    let (mut least, mut following, mut others, mut in_message) = (usize::MAX, 0, 0, false);
    for line in lines {
        let indent = blanks(line);
        if indent == 0 {
            in_message = find_label(line).is_some();
        } else if find_label(line).is_some_and(|(start, ..)| start < 256) {
            // This may be a message whose client's name starts with blanks, or whose process ID is padded with blanks.
            return None;
        } else {
            least = least.min(indent);
            following += usize::from(in_message);
            others += usize::from(!in_message);
        }
    }
    let width = WIDTHS.into_iter().find(|width| *width <= least && least < usize::MAX);
    width.filter(|_| following > 1 && others * 5 <= following)
}

impl Layer {
    pub(super) fn indented_line(&mut self, outer: &Frame<'_>, line: &[u8], width: usize, emit: Emit<'_>) {
        if blanks(line) < width {
            return emit(outer, line);
        }
        let frame = Frame { position: line_of(outer), altered: true, ..*outer };
        emit(&frame, &[b"\t", &line[width..]].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::tab_width;

    #[test]
    fn blanks_stand_for_a_tab_only_behind_messages() {
        let width = |text: &str| tab_width(&text.lines().map(str::as_bytes).collect::<Vec<_>>());
        let message = "7 LOG:  statement: SELECT\n";
        assert_eq!(width(&format!("{message}        1,\n          2\n")), Some(8));
        assert_eq!(width(&format!("{message}    1,\n        2\n")), Some(4));
        assert_eq!(width(&format!("{message}    1,\n\t2\n")), None);
        assert_eq!(width("7 LOG:  ready\nstarting:\n    pg_ctl\n    psql\n    more\n"), None);
        assert_eq!(width(" 7 LOG:  statement: SELECT 1\n 8 LOG:  statement: SELECT 1\n"), None);
        assert_eq!(width(&format!("{message}    1,\n    2\n{message}  app LOG:  statement: SELECT 1\n")), None);
    }
}
