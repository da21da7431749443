//! Decides from a statement's tokens whether a semicolon is inside the statement.
//!
//! PostgreSQL's grammar has semicolons inside a statement in two cases: between the parenthesised actions of CREATE
//! RULE, and in the BEGIN ATOMIC body of a routine. As in psql 14 and later, BEGIN without ATOMIC also starts a body,
//! and words in parentheses are ignored.

/// The kind of a statement, judged by its first words.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum StatementKind {
    /// Before the first token.
    #[default]
    Unknown,
    /// After CREATE or CREATE OR REPLACE, before the next word.
    Create,
    CreateRule,
    CreateRoutine,
    /// After COPY, before the next token.
    CopyStart,
    Copy,
    Other,
}

#[derive(Default)]
pub(super) struct StatementScan {
    kind: StatementKind,
    has_started: bool,
    /// Number of open parentheses.
    parens: usize,
    /// Number of open BEGIN blocks and of open CASE expressions inside these blocks, together. Each END closes one of
    /// them.
    blocks: usize,
    /// Whether the next word is a name, because the last token was AS, a dot, FUNCTION or PROCEDURE.
    next_is_name: bool,
    /// Whether the last token was FROM, outside of parentheses.
    after_from: bool,
    from_stdin: bool,
    /// The offset after the first semicolon inside a routine body or rule.
    first_inner_semicolon: Option<usize>,
}

impl StatementScan {
    /// Returns whether a token other than a semicolon was seen.
    pub(super) fn has_started(&self) -> bool {
        self.has_started
    }

    /// Returns whether the next semicolon ends the statement, so that the tokens before it need not be read. Returns
    /// false for statements that may contain semicolons, such as CREATE RULE. Also returns false for COPY, because its
    /// tokens determine whether data follows.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.kind == StatementKind::Other
    }

    pub(super) fn is_copy_from_stdin(&self) -> bool {
        self.kind == StatementKind::Copy && self.from_stdin
    }

    /// If a body is still open, returns the offset after its first semicolon.
    pub(super) fn first_inner_semicolon(&self) -> Option<usize> {
        self.first_inner_semicolon.filter(|_| self.blocks > 0 || self.parens > 0)
    }

    /// Processes a semicolon that ends at `end`. Returns whether the semicolon is inside the statement.
    pub(super) fn is_inner_semicolon(&mut self, end: usize) -> bool {
        let inside = self.blocks > 0 || (self.kind == StatementKind::CreateRule && self.parens > 0);
        if inside {
            self.first_inner_semicolon.get_or_insert(end);
            self.next_is_name = false;
        }
        inside
    }

    /// Processes a token that is not a word. `byte` is its first byte.
    pub(super) fn other(&mut self, byte: u8) {
        match byte {
            b'(' => self.parens += 1,
            b')' => self.parens = self.parens.saturating_sub(1),
            _ => {}
        }
        match self.kind {
            _ if !self.has_started => self.kind = StatementKind::Other,
            // No data follows a COPY of a query, as in `COPY (SELECT 1) TO STDOUT`. `COPY (SELECT 1) FROM STDIN` is an
            // error.
            StatementKind::CopyStart if byte == b'(' => self.kind = StatementKind::Other,
            StatementKind::CopyStart => self.kind = StatementKind::Copy,
            _ => {}
        }
        self.has_started = true;
        self.after_from = false;
        self.next_is_name = byte == b'.';
    }

    pub(super) fn word(&mut self, word: &[u8]) {
        use StatementKind::*;
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
        self.has_started = true;
        let is_name = std::mem::take(&mut self.next_is_name);
        let after_from = std::mem::take(&mut self.after_from);
        match self.kind {
            Unknown if is("create") => self.kind = Create,
            Unknown if is("copy") => self.kind = CopyStart,
            Unknown => self.kind = Other,
            Create if is("or") || is("replace") => {}
            Create if is("rule") => self.kind = CreateRule,
            Create if is("function") || is("procedure") => {
                self.kind = CreateRoutine;
                self.next_is_name = true;
            }
            Create => self.kind = Other,
            CopyStart => self.kind = Copy,
            Copy if self.parens == 0 => {
                // PostgreSQL's grammar also accepts COPY … FROM STDOUT.
                self.from_stdin |= after_from && (is("stdin") || is("stdout"));
                self.after_from = is("from");
            }
            CreateRoutine if !is_name && self.parens == 0 => {
                self.next_is_name = is("as");
                if is("begin") || (self.blocks > 0 && is("case")) {
                    self.blocks += 1;
                } else if self.blocks > 0 && is("end") {
                    self.blocks -= 1;
                }
            }
            CreateRule | CreateRoutine | Copy | Other => {}
        }
    }
}
