//! The library's errors and warnings, with positions in several units.

use std::fmt;

use crate::sys::Diagnostic;

/// A position in a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Bytes from the start.
    pub offset: usize,
    /// Characters from the start.
    pub character: usize,
    /// Line number from 1. Lines end in `\n`.
    pub line: usize,
    /// Column number from 1, in characters.
    pub column: usize,
}

impl Position {
    /// The start of a string.
    pub(crate) const START: Self = Self { offset: 0, character: 0, line: 1, column: 1 };

    /// Returns the position of byte `offset` in `text`. An offset inside a character is rounded down. An offset beyond
    /// the end becomes the end.
    #[must_use]
    pub fn at(text: &str, offset: usize) -> Self {
        Self::START.moved_to(text, offset)
    }

    /// Returns the same position as [`Position::at`]. If `offset` is not before `self`, this function is faster,
    /// because it reads only the text from `self` to `offset`.
    pub(crate) fn moved_to(self, text: &str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset);
        let from = if self.offset <= offset { self } else { Self::START };
        let between = &text[from.offset..offset];
        let characters = between.chars().count();
        let line_start = memchr::memrchr(b'\n', between.as_bytes());
        Self {
            offset,
            character: from.character + characters,
            line: from.line + memchr::memchr_iter(b'\n', between.as_bytes()).count(),
            column: line_start.map_or(from.column + characters, |at| between[at + 1..].chars().count() + 1),
        }
    }
}

/// A SQLSTATE: five characters, such as `42601`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SqlState([u8; 5]);

impl SqlState {
    /// Returns the SQLSTATE as a string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("XX000")
    }
}

impl fmt::Display for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SqlState({self})")
    }
}

/// The class of an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// PostgreSQL's scanner or parser rejects the SQL.
    Syntax,
    /// The bytes are not UTF-8.
    Encoding,
    /// The SQL contains a NUL byte. C would truncate the SQL there.
    Nul,
    /// The SQL is longer than PostgreSQL or the caller allows.
    TooLong,
    /// The tree is nested deeper than the stack allows.
    TooDeep,
    /// PostgreSQL's scanner would take too long, because its time can be quadratic in the length of the SQL.
    TooCostly,
    /// The document is not a parse tree in libpg_query's JSON format.
    Json,
    /// The tree cannot be written as SQL.
    Tree,
    /// The deparsed SQL does not parse to the same tree ([`crate::DeparseOptions::verify`]).
    RoundTripMismatch,
    /// The bytes are not a parse tree in Protobuf.
    Protobuf,
    /// Out of memory.
    OutOfMemory,
}

/// An error of this library.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The class of the error.
    pub kind: ErrorKind,
    /// The message. If PostgreSQL reported the error, this is PostgreSQL's message.
    pub message: String,
    /// PostgreSQL's DETAIL.
    pub detail: Option<String>,
    /// PostgreSQL's HINT.
    pub hint: Option<String>,
    /// PostgreSQL's SQLSTATE, if libpg_query provides it.
    pub sqlstate: Option<SqlState>,
    /// The position in the SQL, if known.
    pub position: Option<Position>,
}

/// A warning or notice of PostgreSQL for valid SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// `WARNING` or `NOTICE`.
    pub severity: &'static str,
    /// The message.
    pub message: String,
    /// PostgreSQL's HINT.
    pub hint: Option<String>,
    /// PostgreSQL's SQLSTATE, if libpg_query provides it.
    pub sqlstate: Option<SqlState>,
    /// The position in the SQL, if known.
    pub position: Option<Position>,
}

// Implemented by hand, because a derive macro for errors would take as long to build as all other
// dependencies of the library together.
impl std::error::Error for Error {}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// Maximum length of a quoted token in a message, in bytes. PostgreSQL's messages quote tokens of any length.
const LONGEST_TOKEN: usize = 200;

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), detail: None, hint: None, sqlstate: None, position: None }
    }

    /// Creates the error for a statement that is longer than the caller allows.
    #[doc(hidden)] // for the program
    #[must_use]
    pub fn too_long(bytes: usize, allowed: usize) -> Self {
        Self::new(ErrorKind::TooLong, format!("the statement is {bytes} bytes long; {allowed} are allowed"))
    }

    /// Returns the error for a lack of memory.
    #[doc(hidden)] // for the program
    #[must_use]
    pub fn out_of_memory() -> Self {
        Self::new(ErrorKind::OutOfMemory, "out of memory")
    }

    /// Creates the error for a tree that is deeper than the caller allows.
    #[doc(hidden)] // for the program
    #[must_use]
    pub fn too_deep(message: &str) -> Self {
        Self::new(ErrorKind::TooDeep, message)
    }

    pub(crate) fn at(mut self, text: &str, offset: usize) -> Self {
        self.position = Some(Position::at(text, offset));
        self
    }

    /// Creates the error from PostgreSQL's report for `text`, which was parsed with `padding` spaces before it.
    pub(crate) fn from_diagnostic(report: Diagnostic, text: &str, padding: usize) -> Self {
        let kind = match report.sqlstate.as_ref() {
            Some(b"53200") => ErrorKind::OutOfMemory,
            Some(b"54001") => ErrorKind::TooDeep,
            _ if report.message.starts_with("stack depth limit") => ErrorKind::TooDeep,
            _ => ErrorKind::Syntax,
        };
        let position = place(&report, text, padding, Position::START);
        // PostgreSQL's hint for this error is about a server setting, so it does not apply here.
        let hint = if kind == ErrorKind::TooDeep { None } else { report.hint };
        Self {
            kind,
            message: shortened(report.message),
            detail: report.detail,
            hint,
            sqlstate: report.sqlstate.map(SqlState),
            position,
        }
    }

    /// Creates the error for a fault in a JSON document (the input). `line` and `column` (in bytes) start at 1, as in
    /// serde_json. Line 0 means that the position is unknown.
    #[doc(hidden)] // for the program
    #[must_use]
    pub fn json(message: &str, text: &str, line: usize, column: usize) -> Self {
        // Remove the position that serde_json appends to its messages. The error has a separate field for the position.
        let message = message.rfind(" at line ").map_or(message, |at| &message[..at]);
        let error = Self::new(ErrorKind::Json, message);
        if line == 0 {
            return error;
        }
        let line_start = match line {
            1 => 0,
            _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 2).map_or(0, |at| at + 1),
        };
        error.at(text, line_start + column.saturating_sub(1))
    }

    /// Converts an error in one value of a document to an error in the whole document. `step` is the value's key, and
    /// `base` is the value's byte offset in `whole`.
    #[doc(hidden)] // for the program
    #[must_use]
    pub fn moved(mut self, step: &str, whole: &str, base: usize) -> Self {
        if self.kind == ErrorKind::Json {
            // If the message starts with a path ("stmts[0].stmt: …"), prepend `step` to the path.
            let has_path = self.message.split_once(": ").is_some_and(|(path, _)| !path.contains(' '));
            self.message = format!("{step}{}{}", if has_path { "." } else { ": " }, self.message);
        }
        let position = self.position.map(|position| Position::at(whole, base + position.offset));
        Self { position, ..self }
    }
}

impl Warning {
    /// Converts PostgreSQL's report for `text`. To save time, the lines and characters before the report's position are
    /// counted from `near`, which is any known position in `text`. If the report's position is before `near`, they are
    /// counted from the start.
    pub(crate) fn from_diagnostic(report: Diagnostic, text: &str, padding: usize, near: Position) -> Self {
        let position = place(&report, text, padding, near);
        Self {
            severity: if report.notice { "NOTICE" } else { "WARNING" },
            message: shortened(report.message),
            hint: report.hint,
            sqlstate: report.sqlstate.map(SqlState),
            position,
        }
    }
}

/// Converts the report's cursor to a position in `text`. The cursor is the index of a character in the parser's input,
/// counted from 1. The input consists of `padding` spaces and `text`.
fn place(report: &Diagnostic, text: &str, padding: usize, near: Position) -> Option<Position> {
    let character = report.cursor.checked_sub(1 + padding)?;
    let from = if near.character <= character { near } else { Position::START };
    let mut characters = text[from.offset..].char_indices();
    let offset = characters.nth(character - from.character).map_or(text.len(), |(at, _)| from.offset + at);
    Some(from.moved_to(text, offset))
}

/// Shortens a message. Truncates a long quoted token, or removes the middle of any other long message.
fn shortened(message: String) -> String {
    const NEAR: &str = "at or near \"";
    // Maximum length of a message without a quoted token, in bytes.
    const LONG: usize = 3 * LONGEST_TOKEN;
    if let Some(start) = message.find(NEAR).map(|at| at + NEAR.len()) {
        let token = message[start..].strip_suffix('"').unwrap_or(&message[start..]);
        if token.len() <= LONGEST_TOKEN {
            return message;
        }
        let cut = token.floor_char_boundary(LONGEST_TOKEN);
        return format!("{}{}…\" ({} bytes)", &message[..start], &token[..cut], token.len());
    }
    if message.len() <= LONG {
        return message;
    }
    let head = message.floor_char_boundary(LONGEST_TOKEN);
    let tail = message.floor_char_boundary(message.len() - LONGEST_TOKEN);
    format!("{}… ({} bytes) …{}", &message[..head], tail - head, &message[tail..])
}
