//! Writes a syntax tree as JSON.

use crate::convert::write_json_string;
use std::io::Write;

use super::{SyntaxLeaf, SyntaxNode, SyntaxTree};

impl SyntaxTree<'_> {
    /// Appends the tree as JSON.
    ///
    /// An inner node is `{"symbol":"from_clause","start":9,"end":15,"children":[…]}`. A token has `"text"` instead of
    /// `"children"`, and its comments in `"before"` and `"after"`. A comment after the last token of a line is in
    /// `"after"` of that token. Any other comment is in `"before"` of the next token. Offsets are in bytes, plus
    /// `base`.
    pub fn write_json(&self, base: usize, out: &mut Vec<u8>) {
        // For each open node, the index after its last descendant.
        let mut open: Vec<u32> = Vec::new();
        for (index, data) in (0u32..).zip(&self.nodes) {
            let node = SyntaxNode { tree: self, index };
            let mut closed = false;
            while open.last().is_some_and(|end| *end <= index) {
                open.pop();
                closed = true;
                out.extend_from_slice(b"]}");
            }
            if closed || out.last() == Some(&b'}') {
                out.push(b',');
            }
            let range = node.range();
            let (start, end) = (base + range.start, base + range.end);
            write!(out, r#"{{"symbol":"{}","start":{start},"end":{end}"#, node.symbol().name())
                .expect("writing to memory");
            if node.is_token() {
                string(",\"text\":", node.text(), out);
                comments("before", node.leading_comments(), out);
                comments("after", node.trailing_comments(), out);
                out.push(b'}');
            } else {
                if index == 0 && data.size == 1 {
                    let all = self.leaves.iter().map(|leaf| SyntaxLeaf::new(self.sql, *leaf));
                    comments("before", all, out); // the input has only comments
                }
                out.extend_from_slice(b",\"children\":[");
                open.push(index + data.size);
            }
        }
        out.extend(open.iter().flat_map(|_| *b"]}"));
    }
}

fn comments<'t>(key: &str, comments: impl Iterator<Item = SyntaxLeaf<'t>>, out: &mut Vec<u8>) {
    let mut any = false;
    for comment in comments {
        match std::mem::replace(&mut any, true) {
            false => write!(out, ",\"{key}\":[").expect("writing to memory"),
            true => out.push(b','),
        }
        string("", comment.text(), out);
    }
    if any {
        out.push(b']');
    }
}

fn string(lead: &str, text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(lead.as_bytes());
    write_json_string(text.as_bytes(), out);
}
