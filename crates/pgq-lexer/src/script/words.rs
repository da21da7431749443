//! What the words of a statement say about its end: whether a semicolon is inside it.
//!
//! PostgreSQL's grammar has semicolons inside a statement in two places only: between the
//! parenthesised actions of CREATE RULE, and in the BEGIN ATOMIC body of a routine.

/// The kind of statement, as far as its first words have told.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[default]
    Unknown,
    Create,
    Rule,
    Routine,
    Copy,
    Other,
}

/// What has been seen of a statement.
#[derive(Default)]
pub(super) struct Words {
    kind: Kind,
    started: bool,
    parens: usize,
    /// Open BEGIN ATOMIC and, inside them, CASE.
    blocks: usize,
    /// The last lexeme was the word BEGIN.
    after_begin: bool,
    /// The last lexeme was AS or a dot: what follows is a name, not a keyword.
    after_name_mark: bool,
    /// The last lexeme was the word FROM, outside parentheses.
    after_from: bool,
    from_stdin: bool,
    /// Where the first semicolon inside a routine body ended.
    first_inside: Option<usize>,
}

impl Words {
    /// Whether anything but white space and comments was seen.
    pub(super) fn started(&self) -> bool {
        self.started
    }

    pub(super) fn is_copy_from_stdin(&self) -> bool {
        self.kind == Kind::Copy && self.from_stdin
    }

    /// The end of the first semicolon inside an unfinished routine body.
    pub(super) fn first_semicolon(&self) -> Option<usize> {
        self.first_inside.filter(|_| self.blocks > 0 || self.parens > 0)
    }

    pub(super) fn semicolon_is_inside(&mut self, end: usize) -> bool {
        let inside = self.blocks > 0 || (self.kind == Kind::Rule && self.parens > 0);
        if inside {
            self.first_inside.get_or_insert(end);
            (self.after_begin, self.after_name_mark) = (false, false);
        }
        inside
    }

    pub(super) fn other(&mut self, byte: u8) {
        match byte {
            b'(' => self.parens += 1,
            b')' => self.parens = self.parens.saturating_sub(1),
            _ => {}
        }
        if !self.started {
            self.kind = Kind::Other;
        }
        self.started = true;
        self.after_begin = false;
        self.after_from = false;
        self.after_name_mark = byte == b'.';
    }

    pub(super) fn word(&mut self, word: &[u8]) {
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
        self.started = true;
        let after_name_mark = std::mem::take(&mut self.after_name_mark);
        let after_begin = std::mem::take(&mut self.after_begin);
        let after_from = std::mem::take(&mut self.after_from);
        match self.kind {
            Kind::Unknown if is("create") => self.kind = Kind::Create,
            Kind::Unknown if is("copy") => self.kind = Kind::Copy,
            Kind::Unknown => self.kind = Kind::Other,
            Kind::Create if is("or") || is("replace") => {}
            Kind::Create if is("rule") => self.kind = Kind::Rule,
            Kind::Create if is("function") || is("procedure") => self.kind = Kind::Routine,
            Kind::Create => self.kind = Kind::Other,
            Kind::Copy if self.parens == 0 => {
                self.from_stdin |= after_from && is("stdin");
                self.after_from = is("from");
            }
            Kind::Routine if !after_name_mark => {
                self.after_name_mark = is("as");
                self.after_begin = is("begin");
                if (after_begin && is("atomic")) || (self.blocks > 0 && is("case")) {
                    self.blocks += 1;
                } else if self.blocks > 0 && is("end") {
                    self.blocks -= 1;
                }
            }
            Kind::Rule | Kind::Routine | Kind::Copy | Kind::Other => {}
        }
    }
}
