//! Just enough of PostgreSQL's scanner (scan.l) to know what is code: literals, quoted
//! identifiers, dollar quotes and comments are stepped over. It must not judge: text that
//! does not scan is left to the parser to refuse.

use std::ops::Range;

/// What the splitter, and the search for placeholders, need to see.
pub enum ScriptToken {
    /// A keyword or plain identifier.
    Word(Range<usize>),
    Semicolon,
    /// A backslash in code: psql's.
    Backslash(usize),
    /// One byte of anything else, for a literal its opening quote.
    Other(u8),
    End,
}

/// What a meta-command does to the statement that it stands in.
pub enum MetaCommand {
    /// `\g` and its kin: the statement is complete.
    Sends,
    /// `\;`: the statement is complete and waits.
    Separates,
    Other,
}

/// psql's commands that send the query buffer.
const SENDING: [&[u8]; 10] =
    [b"g", b"gx", b"gset", b"gexec", b"gdesc", b"crosstabview", b"watch", b"sendpipeline", b"parse", b"bind_named"];

pub struct ScriptLexer<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the comment begins that the text ends in.
    unclosed: Option<usize>,
}

impl<'a> ScriptLexer<'a> {
    pub fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at, unclosed: None }
    }

    /// Byte offset of the comment that was stepped over to the end of the text without its end.
    pub fn unclosed_comment(&self) -> Option<usize> {
        self.unclosed
    }

    /// Byte offset behind the last lexeme.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes on from byte `at`.
    pub fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// Steps over white space and comments.
    pub fn skip_space(&mut self) {
        loop {
            match &self.text[self.at..] {
                [b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c', ..] => self.at += 1,
                [b'-', b'-', ..] => self.line_comment(),
                [b'/', b'*', ..] => self.block_comment(),
                _ => return,
            }
        }
    }

    pub fn next(&mut self) -> ScriptToken {
        self.skip_space();
        let Some(&byte) = self.text.get(self.at) else { return ScriptToken::End };
        let start = self.at;
        self.at += 1;
        match byte {
            b';' => ScriptToken::Semicolon,
            // psql's colon that starts no variable: no meta-command.
            b'\\' if self.peek() == Some(b':') => {
                self.at += 1;
                ScriptToken::Other(byte)
            }
            b'\\' => ScriptToken::Backslash(start),
            b'\'' => {
                self.quoted(b'\'');
                ScriptToken::Other(byte)
            }
            b'"' => {
                self.quoted(b'"');
                ScriptToken::Other(byte)
            }
            b'$' => {
                self.dollar();
                ScriptToken::Other(byte)
            }
            // A number with what is stuck to it, so that its letters are no word.
            b'0'..=b'9' => {
                self.skip_while(is_number_byte);
                ScriptToken::Other(byte)
            }
            _ if is_word_start(byte) => {
                self.skip_while(is_word_byte);
                let word = start..self.at;
                if self.peek() == Some(b'\'') && matches!(self.text[word.clone()], [b'e' | b'E']) {
                    self.at += 1;
                    self.escape_string();
                    return ScriptToken::Other(b'\'');
                }
                ScriptToken::Word(word)
            }
            _ => ScriptToken::Other(byte),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_while(&mut self, f: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&f) {
            self.at += 1;
        }
    }

    fn go_to_end(&mut self) {
        self.at = self.text.len();
    }

    fn line_comment(&mut self) {
        match memchr::memchr2(b'\n', b'\r', &self.text[self.at..]) {
            Some(len) => self.at += len,
            None => self.go_to_end(),
        }
    }

    /// Comments nest.
    fn block_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        let mut depth = 1;
        while depth > 0 {
            let Some(len) = memchr::memchr2(b'*', b'/', &self.text[self.at..]) else {
                self.unclosed = Some(start);
                return self.go_to_end();
            };
            let here = self.at + len;
            match &self.text[here..] {
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.at = here + 2;
                }
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.at = here + 2;
                }
                _ => self.at = here + 1,
            }
        }
    }

    /// To the closing quote. A doubled quote closes one literal and opens the next.
    fn quoted(&mut self, quote: u8) {
        match memchr::memchr(quote, &self.text[self.at..]) {
            Some(len) => self.at += len + 1,
            None => self.go_to_end(),
        }
    }

    /// E'…': a backslash takes the next byte with it, and a doubled quote goes on.
    fn escape_string(&mut self) {
        loop {
            let Some(len) = memchr::memchr2(b'\'', b'\\', &self.text[self.at..]) else { return self.go_to_end() };
            self.at += len + 1;
            if self.text[self.at - 1] == b'\\' {
                self.at = (self.at + 1).min(self.text.len());
            } else if self.peek() == Some(b'\'') {
                self.at += 1;
            } else if let Some(next) = self.continuation() {
                self.at = next + 1;
            } else {
                return;
            }
        }
    }

    /// Where the literal goes on on a later line: `'…'` newline `'…'` is one literal, and
    /// keeps the rules of its first part.
    fn continuation(&self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let space = rest.iter().take_while(|b| b" \t\n\r\x0b\x0c".contains(b)).count();
        let newline = rest[..space].iter().any(|b| matches!(b, b'\n' | b'\r'));
        (newline && rest.get(space) == Some(&b'\'')).then_some(self.at + space)
    }

    /// `$tag$ … $tag$`, or a parameter, or a lone dollar.
    fn dollar(&mut self) {
        let open = self.at - 1;
        let rest = &self.text[self.at..];
        let tag = rest.iter().take_while(|b| **b != b'$' && is_word_byte(**b)).count();
        if rest.first().is_some_and(u8::is_ascii_digit) {
            return self.skip_while(is_number_byte);
        }
        if rest.get(tag) != Some(&b'$') {
            return self.skip_while(is_word_byte);
        }
        let delimiter = &self.text[open..self.at + tag + 1];
        self.at += tag + 1;
        match memchr::memmem::find(&self.text[self.at..], delimiter) {
            Some(len) => self.at += len + delimiter.len(),
            None => self.go_to_end(),
        }
    }

    /// Steps over the meta-command whose backslash is at `start`, to the end of its line
    /// (of `\;`, only those two bytes).
    pub fn meta_command(&mut self, start: usize) -> MetaCommand {
        self.at = start + 1;
        if self.peek() == Some(b';') {
            self.at += 1;
            return MetaCommand::Separates;
        }
        self.skip_while(is_word_byte);
        let sends = SENDING.contains(&&self.text[start + 1..self.at]) || self.text[start + 1..].starts_with(b"bind");
        match memchr::memchr(b'\n', &self.text[self.at..]) {
            Some(len) => self.at += len + 1,
            None => self.go_to_end(),
        }
        if sends { MetaCommand::Sends } else { MetaCommand::Other }
    }
}

/// scan.l: ident_start.
pub fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

/// scan.l: ident_cont.
pub fn is_word_byte(byte: u8) -> bool {
    is_word_start(byte) || byte.is_ascii_digit() || byte == b'$'
}

/// What PostgreSQL takes as part of a number, or refuses as stuck to it.
fn is_number_byte(byte: u8) -> bool {
    is_word_byte(byte) && byte != b'$'
}
