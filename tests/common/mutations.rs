//! Mutates texts and bytes; the seed of `rng` determines the result. The tests mutate statements of
//! the corpus. They do not use proptest, because it could not shrink such statements.

use fastrand::Rng;

/// Pieces that begin, end or break tokens.
const PIECES: [&str; 40] = [
    "'",
    "''",
    "\"",
    "\"\"",
    "\\",
    "$",
    "$$",
    "$a$",
    "$1",
    "--",
    "/*",
    "*/",
    "\n",
    " ",
    "\t",
    "\r",
    ";",
    ",",
    ".",
    "..",
    ":",
    "::",
    "=",
    "=>",
    "+",
    "-",
    "@",
    "||",
    "1",
    "1.",
    "1e",
    "0x",
    "_",
    "e'",
    "b'",
    "U&'",
    "N'",
    "é",
    "\u{1F600}",
    "\\n",
];

/// Bytes that begin, end or break tokens, characters and records.
const BYTES: [u8; 12] = [0, 0xff, 0x80, b'\'', b'"', b'$', b'/', b'*', b';', b'\\', b'\n', 0xc3];

/// Returns mutated texts. Every statement yields `each` texts.
pub fn mutated(rng: &mut Rng, statements: &[String], each: usize) -> Vec<String> {
    let mut texts = Vec::with_capacity(statements.len() * each);
    for statement in statements {
        texts.extend((0..each).map(|_| mutate_text(rng, statement, statements)));
    }
    texts
}

/// Returns the text after one to three changes. A change removes, repeats or moves characters, changes their case,
/// replaces them with one of [`PIECES`], or inserts one of [`PIECES`] or a word of `others`.
pub fn mutate_text(rng: &mut Rng, text: &str, others: &[String]) -> String {
    let mut text = text.to_string();
    for _ in 0..rng.usize(1..=3) {
        text = change_text(rng, &text, others);
    }
    text
}

fn change_text(rng: &mut Rng, text: &str, others: &[String]) -> String {
    let (a, b) = (char_boundary(rng, text), char_boundary(rng, text));
    let (from, to) = (a.min(b), a.max(b));
    // Most changes are short, so most of a statement is unchanged.
    let shortest = from + rng.usize(..6);
    let near = text.char_indices().map(|(at, _)| at).find(|at| *at > shortest).unwrap_or(text.len());
    let (before, short, after) = (&text[..from], &text[from..near], &text[near..]);
    let piece = PIECES[rng.usize(..PIECES.len())];
    match rng.usize(..8) {
        0 => format!("{before}{after}"),
        1 => format!("{before}{short}{short}{after}"),
        2 | 3 => format!("{before}{}{short}{after}", piece),
        4 => format!("{before}{}{after}", piece),
        5 => format!("{before}{}{short}{after}", word(rng, others)),
        6 if rng.bool() => format!("{before}{}{after}", short.to_ascii_uppercase()),
        6 => format!("{before}{}{after}", short.to_ascii_lowercase()),
        _ => {
            let end = near.max(to);
            format!("{before}{}{}{}", &text[to..end], &text[from..to], &text[end..])
        }
    }
}

/// Changes the bytes up to four times: overwrites, removes, repeats or inserts up to eight bytes, or inserts up to 24
/// bytes of `other`.
pub fn mutate_bytes(rng: &mut Rng, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..rng.usize(1..=4) {
        let at = rng.usize(..=bytes.len());
        let end = (at + rng.usize(..8)).min(bytes.len());
        match rng.usize(..6) {
            0 if at < bytes.len() => bytes[at] = rng.u8(..),
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.u8(..8),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.insert(at, BYTES[rng.usize(..BYTES.len())]),
            4 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let from = rng.usize(..=other.len());
                let piece = &other[from..(from + rng.usize(..24)).min(other.len())];
                bytes.splice(at..end, piece.iter().copied());
            }
        }
    }
}

/// Returns a random byte offset at a character boundary.
fn char_boundary(rng: &mut Rng, text: &str) -> usize {
    text.floor_char_boundary(rng.usize(..=text.len()))
}

/// Returns a word of a random statement. White space, commas and opening parentheses delimit words.
fn word<'a>(rng: &mut Rng, statements: &'a [String]) -> &'a str {
    let statement = &statements[rng.usize(..statements.len())];
    let words: Vec<&str> = statement.split(|c: char| c.is_ascii_whitespace() || c == '(' || c == ',').collect();
    words[rng.usize(..words.len())]
}
