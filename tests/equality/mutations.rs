//! Statements changed at random, the same way every time: bytes and tokens cut, doubled,
//! swapped, and taken from other statements.

/// A generator of changed statements (xorshift64*).
pub struct Mutations(u64);

/// What is put in: pieces that begin, end or break tokens.
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

impl Mutations {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % below.max(1)
    }

    /// `each` changed texts for each statement.
    pub fn of(&mut self, statements: &[String], each: usize) -> Vec<String> {
        let mut changed = Vec::with_capacity(statements.len() * each);
        for statement in statements {
            for _ in 0..each {
                let mut text = statement.clone();
                for _ in 0..=self.next(3) {
                    text = self.change(&text, statements);
                }
                changed.push(text);
            }
        }
        changed
    }

    fn change(&mut self, text: &str, others: &[String]) -> String {
        let (a, b) = (self.place(text), self.place(text));
        let (from, to) = (a.min(b), a.max(b));
        // Most cuts are short, so that most of a statement stays what it was.
        let near = text.char_indices().map(|(at, _)| at).find(|at| *at > from + self.next(6)).unwrap_or(text.len());
        match self.next(8) {
            0 => format!("{}{}", &text[..from], &text[near..]),
            1 => format!("{}{}{}", &text[..near], &text[from..near], &text[near..]),
            2 | 3 => format!("{}{}{}", &text[..from], PIECES[self.next(PIECES.len())], &text[from..]),
            4 => format!("{}{}{}", &text[..from], PIECES[self.next(PIECES.len())], &text[near..]),
            5 => format!("{}{}{}", &text[..from], self.word(others), &text[from..]),
            6 => {
                let case = text[from..near].to_string();
                let case = if self.next(2) == 0 { case.to_ascii_uppercase() } else { case.to_ascii_lowercase() };
                format!("{}{case}{}", &text[..from], &text[near..])
            }
            _ => format!("{}{}{}{}", &text[..from], &text[to..near.max(to)], &text[from..to], &text[near.max(to)..]),
        }
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.next(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// A token, as good as, of another statement.
    fn word(&mut self, others: &[String]) -> String {
        let other = &others[self.next(others.len())];
        let words: Vec<&str> = other.split(|c: char| c.is_ascii_whitespace() || c == '(' || c == ',').collect();
        words[self.next(words.len())].to_string()
    }
}
