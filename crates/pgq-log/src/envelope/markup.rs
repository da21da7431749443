//! Logs in HTML and XML: a page with the log in it, or events whose text is in an element, which is learnt. Takes off tags
//! and entities; knows no document's meaning.

use std::collections::BTreeMap;

use super::altered::entity;
use super::layer::{Emit, Layer, line_of};
use super::learn::{intern, is_message};
use super::table::{Envelope, Form};
use crate::format::frame::Frame;

/// Elements inside of a text. Any other `<name>` there is text: a page may have been written without entities.
const INLINE: &str = " a abbr b br code div em font i kbd li mark p samp small span strong td tr tt u wbr ";
/// Elements that hold a log as a whole, and whose end a sample need not have.
const WHOLE: [&[u8]; 6] = [b"pre", b"body", b"code", b"textarea", b"system-out", b"system-err"];

/// Where a line stands in a document.
#[derive(Default)]
pub struct Markup {
    /// In a tag that goes on.
    tag: Option<Vec<u8>>,
    is_cdata: bool,
    /// In an element of texts, and its text of this line.
    text: Option<Vec<u8>>,
    /// Whether the element has given a line.
    has_lines: bool,
    /// Empty lines since then. The first and the last of an element are its own.
    empty: usize,
    /// Behind a `<br>`: the line's end is none of the text.
    is_broken: bool,
    time: Vec<u8>,
}

/// A part of a document.
enum Part<'a> {
    Text(&'a [u8]),
    /// The inside of a tag: `name attribute="value"`, `/name`.
    Tag(&'a [u8]),
}

fn is_tag(rest: &[u8]) -> bool {
    matches!(rest.get(1), Some(b'/' | b'!' | b'?')) || rest.get(1).is_some_and(u8::is_ascii_alphabetic)
}

fn name(tag: &[u8]) -> &[u8] {
    let tag = tag.strip_prefix(b"/").unwrap_or(tag);
    let len = tag.iter().take_while(|b| b.is_ascii_alphanumeric() || b"-_:.".contains(b)).count();
    &tag[..len]
}

fn is_inline(tag: &[u8]) -> bool {
    let is_known = |name: &str| INLINE.contains(&format!(" {} ", name.to_ascii_lowercase()));
    std::str::from_utf8(name(tag)).is_ok_and(is_known)
}

/// The parts of a document's text, which is looked at as a whole.
fn parts(text: &[u8]) -> Vec<Part<'_>> {
    let (mut parts, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(at) = memchr::memchr(b'<', &rest[from..]).map(|at| from + at) {
        if let Some(cdata) = rest[at..].strip_prefix(CDATA) {
            let end = memchr::memmem::find(cdata, b"]]>").unwrap_or(cdata.len());
            parts.push(Part::Text(&cdata[..end]));
            (rest, from) = (cdata.get(end + 3..).unwrap_or_default(), 0);
        } else if let Some(end) = memchr::memchr(b'>', &rest[at..]).filter(|_| is_tag(&rest[at..])) {
            parts.push(Part::Text(&rest[..at]));
            parts.push(Part::Tag(&rest[at + 1..at + end]));
            (rest, from) = (&rest[at + end + 1..], 0);
        } else {
            from = at + 1;
        }
    }
    parts.push(Part::Text(rest));
    parts
}

const CDATA: &[u8] = b"<![CDATA[";

/// The element that has the messages of a sample.
pub fn learn(sample: &[u8]) -> Option<&'static Envelope> {
    const LOOKED_AT: usize = 128 * 1024;
    let text = sample.trim_ascii_start();
    if text.first() != Some(&b'<') || !is_tag(text) {
        return None;
    }
    // By element: how many messages, and where the first is.
    let mut counts: BTreeMap<&[u8], (usize, usize)> = BTreeMap::new();
    let mut open: Vec<&[u8]> = Vec::new();
    let parts = parts(&text[..text.len().min(LOOKED_AT)]);
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Tag(tag) if tag.starts_with(b"/") => {
                if let Some(at) = open.iter().rposition(|element| *element == name(tag)) {
                    open.truncate(at);
                }
            }
            Part::Tag(tag) if tag.ends_with(b"/") || tag.starts_with(b"!") || tag.starts_with(b"?") => {}
            Part::Tag(tag) => {
                if !matches!(name(tag), b"br" | b"meta" | b"link" | b"img" | b"hr") {
                    open.push(name(tag));
                }
            }
            Part::Text(text) => {
                let line = text.trim_ascii_start().split(|b| *b == b'\n').next().unwrap_or_default();
                if let Some(element) = open.last()
                    && is_message(&String::from_utf8_lossy(line))
                {
                    counts.entry(element).or_insert((0, at)).0 += 1;
                }
            }
        }
    }
    let (element, (count, _)) = counts.into_iter().max_by_key(|(_, (count, at))| (*count, std::cmp::Reverse(*at)))?;
    let ends = || memchr::memmem::find(text, &[b"</", element, b">"].concat()).is_some();
    if !WHOLE.contains(&element) && !ends() {
        return None;
    }
    let element = std::str::from_utf8(element).ok()?.to_string();
    let is_event = count > 1 && !WHOLE.contains(&element.as_bytes());
    Some(intern(format!("markup {element} {is_event}"), || {
        let (title, element): (_, &'static str) = (format!("<{element}> of HTML or XML").leak(), element.leak());
        Envelope { name: "html", title, form: Form::Markup { element, is_event } }
    }))
}

impl Layer {
    pub(super) fn markup_line(
        &mut self,
        outer: &Frame<'_>,
        line: &[u8],
        (element, is_event): (&str, bool),
        emit: Emit<'_>,
    ) {
        let outer = &Frame { position: line_of(outer), altered: true, ..*outer };
        let mut markup = std::mem::take(&mut self.markup);
        let mut rest = line;
        if let Some(tag) = &mut markup.tag {
            tag.push(b' ');
        }
        loop {
            if let Some(mut tag) = markup.tag.take() {
                let end = memchr::memchr(b'>', rest);
                tag.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
                let Some(end) = end else {
                    markup.tag = Some(tag);
                    break;
                };
                rest = &rest[end + 1..];
                markup.take_tag(outer, &tag, (element, is_event), emit);
            } else if markup.is_cdata {
                let end = memchr::memmem::find(rest, b"]]>");
                markup.push(&rest[..end.unwrap_or(rest.len())]);
                let Some(end) = end else { break };
                markup.is_cdata = false;
                rest = &rest[end + 3..];
            } else {
                let at = memchr::memchr2(b'<', b'&', rest).unwrap_or(rest.len());
                markup.push(&rest[..at]);
                rest = &rest[at..];
                if let Some(cdata) = rest.strip_prefix(CDATA) {
                    (markup.is_cdata, rest) = (true, cdata);
                } else if rest.is_empty() {
                    break;
                } else if rest[0] == b'&' {
                    let (len, character) = entity(rest).unwrap_or((1, b"&"));
                    markup.push(character);
                    rest = &rest[len..];
                } else if is_tag(rest) && markup.is_of_document(rest, element) {
                    markup.tag = Some(Vec::new());
                    rest = &rest[1..];
                } else {
                    markup.push(&rest[..1]);
                    rest = &rest[1..];
                }
            }
        }
        if markup.tag.is_none() {
            markup.end_line(outer, is_event, emit);
            markup.is_broken = false;
        }
        self.markup = markup;
    }
}

impl Markup {
    /// Whether a tag is none of a text that was written without entities.
    fn is_of_document(&self, rest: &[u8], element: &str) -> bool {
        self.text.is_none() || is_inline(&rest[1..]) || name(&rest[1..]) == element.as_bytes()
    }

    fn push(&mut self, text: &[u8]) {
        if let Some(line) = &mut self.text {
            line.extend_from_slice(text);
        }
    }

    fn take_tag(&mut self, outer: &Frame<'_>, tag: &[u8], (element, is_event): (&str, bool), emit: Emit<'_>) {
        let is_element = name(tag) == element.as_bytes();
        if tag.starts_with(b"/") && is_element {
            self.end_line(outer, is_event, emit);
            self.text = None;
        } else if is_element && !tag.ends_with(b"/") {
            (self.text, self.has_lines, self.empty) = (Some(Vec::new()), false, 0);
        } else if name(tag) == b"br" {
            self.end_line(outer, is_event, emit);
            self.is_broken = true;
        } else if let Some(at) = memchr::memmem::find(tag, b"SystemTime=") {
            let value = tag[at + 12..].split(|b| matches!(b, b'"' | b'\'')).next().unwrap_or_default();
            self.time = value.to_vec();
        }
    }

    /// Gives the text of a line.
    fn end_line(&mut self, outer: &Frame<'_>, is_event: bool, emit: Emit<'_>) {
        let Some(line) = &mut self.text else { return };
        let text = std::mem::take(line);
        if text.is_empty() {
            self.empty += usize::from(self.has_lines && !self.is_broken);
            return;
        }
        let time = if self.time.is_empty() { outer.time } else { &self.time };
        for _ in 0..std::mem::take(&mut self.empty) {
            emit(&Frame { time, continued: is_event, ..*outer }, b"");
        }
        emit(&Frame { time, continued: is_event && self.has_lines, ..*outer }, &text);
        self.has_lines = true;
    }
}
