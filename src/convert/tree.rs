//! A parse tree in C memory as a safe value: one parse, several answers.
//!
//! This is where the walks meet the tree they are safe on. Positions given out are byte
//! offsets into the text that was parsed.

use std::ffi::CString;
use std::ops::Range;

use super::arena::CTree;
use super::fingerprint::Made;
use super::json::{JsonWriter, Place};
use super::normalize::constants;
use super::relocate::relocate;
use super::replace::{
    Careful, Constant, Constants, Departure, Normalized, as_library, careful, plain, plain_constants, with_words,
};
use super::same::Strings;
use super::to_rust::Converted;
use super::verify::verify;
use super::{Problem, Shift, cells, fingerprint, to_c, to_rust};
use crate::options::{DeparseOptions, FingerprintOptions, ParseOptions};
use crate::placeholders::Replaced;
use crate::protobuf::{ParseResult, RawStmt};
use crate::sys::{self, ParseTree, bindings as pg};
use crate::{Error, Fingerprint, Warning};

/// A parsed text: zero or more statements in C memory.
///
/// It stays on the thread that parsed it.
pub struct Tree {
    inner: ParseTree,
    padding: usize,
    backslash_escapes: bool,
    warnings: Vec<Warning>,
}

/// Spaces put before a text that is a piece of a longer one, so that a location of 0 in
/// its tree always means "not set" and every other may be shifted.
const PIECE_PADDING: usize = 1;

impl Tree {
    /// Parses `sql`.
    ///
    /// # Errors
    /// What PostgreSQL's parser refuses, a NUL byte, a text longer than 1 GB.
    pub fn parse(sql: &str, options: &ParseOptions) -> Result<Self, Error> {
        Self::padded(sql, 0, options)
    }

    /// Parses a piece of a longer text, for [`Tree::statement_json`] and [`Document`].
    ///
    /// # Errors
    /// As for [`Tree::parse`].
    pub fn parse_piece(sql: &str, options: &ParseOptions) -> Result<Self, Error> {
        Self::padded(sql, PIECE_PADDING, options)
    }

    fn padded(sql: &str, padding: usize, options: &ParseOptions) -> Result<Self, Error> {
        crate::check_text(sql)?;
        let mut inner = match ParseTree::parse(sql, padding, options.bits()) {
            Some(inner) => inner,
            None => {
                crate::check_for_scanner(sql)?;
                ParseTree::parse_by_scanner(sql, padding, options.bits())
                    .map_err(|report| Error::from_diagnostic(report, sql, padding))?
            }
        };
        let reports = inner.take_warnings();
        let warnings = reports.into_iter().map(|r| Warning::from_diagnostic(r, sql, padding)).collect();
        Ok(Self { inner, padding, backslash_escapes: options.backslash_escapes, warnings })
    }

    /// What PostgreSQL remarked while parsing.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether pgq's own lexer read the text: the fast way. Otherwise PostgreSQL's scanner had
    /// to. The tree is the same.
    #[must_use]
    pub fn used_native_lexer(&self) -> bool {
        self.inner.used_native_lexer()
    }

    fn raw(&self) -> impl ExactSizeIterator<Item = *const pg::RawStmt> + Clone + '_ {
        // SAFETY: the list is the parser's own and lives as long as `self.inner`.
        unsafe { cells(self.inner.list()) }.iter().map(|cell| {
            // SAFETY: the parser's toplevel list holds pointers.
            unsafe { cell.ptr_value.cast_const().cast() }
        })
    }

    /// How many statements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.raw().len()
    }

    /// Whether there is no statement.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that each statement takes up in the text, without its semicolon.
    #[must_use]
    pub fn ranges(&self) -> Vec<Range<usize>> {
        self.raw().map(|stmt| self.range(stmt)).collect()
    }

    fn range(&self, stmt: *const pg::RawStmt) -> Range<usize> {
        // SAFETY: a statement of `self.raw()`, valid while `self` is.
        let (location, len) = unsafe { ((*stmt).stmt_location, (*stmt).stmt_len) };
        let start = usize::try_from(location).unwrap_or(0).saturating_sub(self.padding);
        let end = match usize::try_from(len) {
            Ok(len) if len > 0 => start + len,
            _ => self.inner.text_len(),
        };
        start..end
    }

    /// libpg_query's JSON document of all statements: what `pg_query_parse` writes.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn to_json(&self) -> Result<String, Error> {
        let mut document = Document::new();
        document.append(self, 0)?;
        Ok(document.finish())
    }

    /// The JSON document of statement `index` alone, appended to `out`: what
    /// `pg_query_parse` writes for that statement's own text. Only of a piece
    /// ([`Tree::parse_piece`]): elsewhere "at offset 0" and "not set" look the same.
    ///
    /// # Errors
    /// A tree deeper than the stack limit; `out` is then as it was.
    pub fn statement_json(&self, index: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        self.statement_json_by(JsonWriter::new, index, out)
    }

    /// [`Tree::statement_json`] with empty strings written: see [`Document::lossless`].
    ///
    /// # Errors
    /// As for [`Tree::statement_json`].
    pub fn statement_json_lossless(&self, index: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        self.statement_json_by(JsonWriter::lossless, index, out)
    }

    fn statement_json_by(
        &self,
        writer: fn(Vec<u8>) -> JsonWriter,
        index: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let stmt = self.nth(index);
        let shift = Shift(-((self.range(stmt).start + self.padding) as i64));
        let before = out.len();
        let mut writer = writer(std::mem::take(out));
        writer.open();
        // SAFETY: the parser's own statement, valid while `self` is.
        unsafe { writer.statement(stmt, shift, Place::Alone) };
        writer.close();
        let problem = writer.take_problem();
        *out = writer.into_bytes();
        problem.map_or(Ok(()), |problem| {
            out.truncate(before);
            Err(Error::from_problem(&problem))
        })
    }

    /// Moves every location to where it was in the text that `replaced` was made from.
    /// After that, [`Tree::ranges`], the JSON and the structs speak
    /// of the original text; a tree that was moved cannot be normalized.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn relocate(&mut self, replaced: &Replaced<'_>) -> Result<(), Error> {
        let padding = self.padding;
        let place = |location: usize| replaced.original(location.saturating_sub(padding)) + padding;
        for stmt in self.raw().collect::<Vec<_>>() {
            // The length is none of the table's locations.
            // SAFETY: the parser's own statement, which only this tree refers to.
            let stmt = unsafe { &mut *stmt.cast_mut() };
            if let (Ok(start), Ok(len @ 1..)) = (usize::try_from(stmt.stmt_location), usize::try_from(stmt.stmt_len)) {
                stmt.stmt_len = (place(start + len) - place(start)) as i32;
            }
        }
        let moved = |location: i32| place(location as usize) as i32;
        // SAFETY: the parser's own list, which only this tree refers to.
        unsafe { relocate(self.inner.list().cast_mut(), &moved) }.map_err(|p| Error::from_problem(&p))?;
        self.inner.set_text_len(replaced.original_len());
        Ok(())
    }

    /// The tree as prost structs: what prost decodes from `pg_query_parse_protobuf`.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn to_protobuf(&self) -> Result<Parsed, Error> {
        self.converted(self.warnings.clone())
    }

    /// [`Tree::to_protobuf`] where the tree is not needed any more.
    pub(crate) fn into_protobuf(mut self) -> Result<Parsed, Error> {
        let warnings = std::mem::take(&mut self.warnings);
        self.converted(warnings)
    }

    fn converted(&self, warnings: Vec<Warning>) -> Result<Parsed, Error> {
        // SAFETY: the parser's own list, valid while `self` is.
        let converted = unsafe { to_rust(self.inner.list()) };
        let Converted { statements, depth } = converted.map_err(|p| Error::from_problem(&p))?;
        let tree = ParseResult { version: pg::PG_VERSION_NUM as i32, stmts: statements };
        Ok(Parsed { tree, depth, warnings })
    }

    /// All statements as SQL again, straight from the C tree, joined by `; `.
    ///
    /// # Errors
    /// What libpg_query's deparser refuses.
    pub fn deparse(&self, options: &DeparseOptions) -> Result<String, Error> {
        // SAFETY: the parser's own statements, valid while `self` is.
        unsafe { deparse_all(self.raw(), options, Strings::Exact, self.padding, self.inner.text_len()) }
    }

    /// One statement as SQL again. Comments in `options` are those of the whole text.
    ///
    /// # Errors
    /// As for [`Tree::deparse`].
    pub fn deparse_statement(&self, index: usize, options: &DeparseOptions) -> Result<String, Error> {
        let stmt = self.nth(index);
        let from = if index == 0 { 0 } else { self.range(self.nth(index - 1)).end };
        let to = if index + 1 == self.len() { usize::MAX } else { self.range(stmt).end };
        let own = options.comments.iter().filter(|c| (from..to).contains(&c.position)).cloned().collect();
        let options = DeparseOptions { comments: own, ..options.clone() };
        // SAFETY: as in `deparse`.
        unsafe { deparse_all(std::iter::once(stmt), &options, Strings::Exact, self.padding, self.inner.text_len()) }
    }

    /// Whether `sql` says what this tree says: whether it parses to the same tree, text
    /// positions aside. An empty string is not the same as none.
    ///
    /// # Errors
    /// SQL that does not parse ([`crate::ErrorKind::Unfaithful`]) or says something else; the
    /// message names the first difference by its path in the tree.
    pub fn verify(&self, sql: &str) -> Result<(), Error> {
        // SAFETY: the parser's own statements, valid while `self` is.
        unsafe { verify(self.raw(), sql, Strings::Exact, "the SQL") }
    }

    /// The fingerprint of all statements together: what `pg_query_fingerprint` gives for
    /// the text. How the text was parsed is this tree's matter, not that of `options`.
    ///
    /// # Errors
    /// A tree that PostgreSQL's parser would not make; with
    /// [`FingerprintOptions::full_depth`], one deeper than the stack limit.
    pub fn fingerprint(&self, options: &FingerprintOptions) -> Result<Fingerprint, Error> {
        Ok(self.fingerprinted(options)?.fingerprint)
    }

    /// [`Tree::fingerprint`], and whether it looked at all of the tree.
    ///
    /// # Errors
    /// As for [`Tree::fingerprint`].
    pub fn fingerprinted(&self, options: &FingerprintOptions) -> Result<Fingerprinted, Error> {
        // SAFETY: the parser's own list, valid while `self` is.
        let made = unsafe { fingerprint(self.inner.list().cast(), 0, options.flags(), options.full_depth) };
        made.map(Fingerprinted::from).map_err(|p| Error::from_problem(&p))
    }

    /// The fingerprint of one statement: what `pg_query_fingerprint` gives for its own text.
    ///
    /// # Errors
    /// As for [`Tree::fingerprint`].
    pub fn statement_fingerprint(&self, index: usize, options: &FingerprintOptions) -> Result<Fingerprint, Error> {
        Ok(self.statement_fingerprinted(index, options)?.fingerprint)
    }

    /// [`Tree::statement_fingerprint`], and whether it looked at all of the statement.
    ///
    /// # Errors
    /// As for [`Tree::fingerprint`].
    pub fn statement_fingerprinted(&self, index: usize, options: &FingerprintOptions) -> Result<Fingerprinted, Error> {
        // Depth 1: alone, it would be in a list of one.
        // SAFETY: the parser's own statement, valid while `self` is.
        let made = unsafe { fingerprint(self.nth(index).cast(), 1, options.flags(), options.full_depth) };
        made.map(Fingerprinted::from).map_err(|p| Error::from_problem(&p))
    }

    /// The text with `$n` in place of its constants: what `pg_query_normalize` gives, or
    /// with `utility_only` `pg_query_normalize_utility`, but where that text does not mean the
    /// same ([`Departure`] says how). `sql` is the text of this tree.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    ///
    /// # Panics
    /// If `sql` has another length than the text that was parsed.
    pub fn normalize(&self, sql: &str, utility_only: bool) -> Result<Normalized, Error> {
        assert_eq!(sql.len(), self.inner.text_len(), "the text must be the one that was parsed");
        self.normalized(None, sql, utility_only)
    }

    /// [`Tree::normalize`] of one statement alone, whose text is `sql`: what
    /// [`Tree::ranges`] says.
    ///
    /// # Errors
    /// As for [`Tree::normalize`].
    ///
    /// # Panics
    /// If `sql` has another length than the statement.
    pub fn statement_normalize(&self, index: usize, sql: &str, utility_only: bool) -> Result<Normalized, Error> {
        assert_eq!(sql.len(), self.range(self.nth(index)).len(), "the text must be the statement's");
        self.normalized(Some(index), sql, utility_only)
    }

    /// Of one statement, or of all.
    fn normalized(&self, index: Option<usize>, sql: &str, utility_only: bool) -> Result<Normalized, Error> {
        let constants = self.found(index, utility_only)?;
        // Cut only where tokens start and end, so that what was UTF-8 is.
        let text = |bytes: Vec<u8>| {
            String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
        };
        let as_ever = |text| Normalized { text, kept: 0, quoted: 0, departures: Vec::new() };
        if let Some(bytes) = plain(sql.as_bytes(), &constants, self.backslash_escapes) {
            return Ok(as_ever(text(bytes)));
        }
        if let Some(bytes) = with_words(sql.as_bytes(), &constants, self.backslash_escapes) {
            return Ok(Normalized { departures: vec![Departure::Word], ..as_ever(text(bytes)) });
        }
        let library = as_library(sql.as_bytes(), &constants, self.backslash_escapes);
        if let Some(made) = library.map(|bytes| as_ever(text(bytes)))
            && self.means_the_same(index, &made)
        {
            return Ok(made);
        }
        let made = match careful(sql.as_bytes(), &constants, self.backslash_escapes) {
            Some(Careful { text: bytes, kept, quoted, departures }) => {
                Normalized { text: text(bytes), kept, quoted, departures }
            }
            None => as_ever(crate::protobuf::normalize_by(sql, utility_only)?),
        };
        if self.means_the_same(index, &made) {
            return Ok(made);
        }
        let departures = vec![Departure::Statement];
        Ok(Normalized { text: sql.to_string(), kept: constants.count(), quoted: 0, departures })
    }

    /// Whether a normalized text parses, and has the fingerprint of the statement or, of all.
    /// Strings that only a string can stand for may count in the fingerprint.
    fn means_the_same(&self, index: Option<usize>, made: &Normalized) -> bool {
        let parse = ParseOptions { backslash_escapes: self.backslash_escapes, ..ParseOptions::default() };
        let Ok(tree) = Tree::parse_piece(&made.text, &parse) else { return false };
        let options = FingerprintOptions::default();
        let (own, its) = match index {
            Some(index) if tree.len() == 1 => {
                (self.statement_fingerprint(index, &options), tree.statement_fingerprint(0, &options))
            }
            Some(_) => return false,
            None if tree.len() == self.len() => (self.fingerprint(&options), tree.fingerprint(&options)),
            None => return false,
        };
        made.quoted > 0 || own == its
    }

    /// What [`Tree::normalize`] replaces in the text, or [`Tree::statement_normalize`] in that
    /// of statement `index`; `None` where it is not certain that these are all constants of
    /// expressions, whose values matter to nothing else.
    pub(crate) fn constants(&self, sql: &str, index: Option<usize>) -> Result<Option<Vec<Constant>>, Error> {
        Ok(plain_constants(sql.as_bytes(), &self.found(index, false)?, self.backslash_escapes))
    }

    /// The constants of one statement, or of all.
    fn found(&self, index: Option<usize>, utility_only: bool) -> Result<Constants, Error> {
        let (node, base) = match index.map(|index| self.nth(index)) {
            Some(stmt) => (stmt.cast(), self.padding + self.range(stmt).start),
            None => (self.inner.list().cast(), self.padding),
        };
        // SAFETY: the parser's own list or statement, valid while `self` is.
        unsafe { constants(node, base, utility_only) }.map_err(|p| Error::from_problem(&p))
    }

    fn nth(&self, index: usize) -> *const pg::RawStmt {
        // SAFETY: the parser's own list of pointers, valid while `self` is; the index is checked.
        unsafe { cells(self.inner.list())[index].ptr_value.cast_const().cast() }
    }
}

/// A fingerprint, and how it came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprinted {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The tree goes deeper than the 100 levels that libpg_query's fingerprint looks at: what
    /// is below does not count. Never with [`FingerprintOptions::full_depth`].
    pub truncated: bool,
}

impl From<Made> for Fingerprinted {
    fn from(Made { hash, truncated }: Made) -> Self {
        Self { fingerprint: Fingerprint(hash), truncated }
    }
}

/// libpg_query's JSON document of a text, built from the trees of its pieces.
pub struct Document {
    writer: JsonWriter,
    empty: bool,
}

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

impl Document {
    /// A document without statements.
    #[must_use]
    pub fn new() -> Self {
        Self::by(JsonWriter::new(Vec::new()))
    }

    /// A document without statements that says all that the tree says.
    ///
    /// libpg_query's JSON leaves empty strings out, so that `COPY t FROM ''` looks like `COPY t
    /// FROM STDIN` there. This one has them (`"filename":""`), and is else the same: what is
    /// left out is none, zero or false. [`JsonTree::read`] reads both.
    #[must_use]
    pub fn lossless() -> Self {
        Self::by(JsonWriter::lossless(Vec::new()))
    }

    fn by(mut writer: JsonWriter) -> Self {
        writer.open();
        Self { writer, empty: true }
    }

    /// Adds the statements of `tree`, whose text starts at byte `base` of the whole.
    ///
    /// # Errors
    /// A tree deeper than the stack limit; the document is then as it was.
    pub fn append(&mut self, tree: &Tree, base: usize) -> Result<(), Error> {
        let before = self.writer.len();
        if !self.empty && !tree.is_empty() {
            self.writer.comma();
        }
        write_statements(&mut self.writer, tree, base).inspect_err(|_| self.writer.truncate(before))?;
        self.empty &= tree.is_empty();
        Ok(())
    }

    /// Appends what stands before the statements of a document.
    pub fn open(out: &mut Vec<u8>) {
        with_writer(JsonWriter::new, out, JsonWriter::open);
    }

    /// Appends the statements of `tree` with commas between them: a part of a document that
    /// is put together by the caller.
    ///
    /// # Errors
    /// A tree deeper than the stack limit; `out` is then as it was.
    pub fn statements(tree: &Tree, base: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        Self::part(JsonWriter::new, tree, base, out)
    }

    /// [`Document::statements`] of a document that says all that the tree says
    /// ([`Document::lossless`]).
    ///
    /// # Errors
    /// As for [`Document::statements`].
    pub fn statements_lossless(tree: &Tree, base: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        Self::part(JsonWriter::lossless, tree, base, out)
    }

    fn part(make: fn(Vec<u8>) -> JsonWriter, tree: &Tree, base: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        let before = out.len();
        with_writer(make, out, |writer| write_statements(writer, tree, base)).inspect_err(|_| out.truncate(before))
    }

    /// Appends what stands behind the statements of a document.
    pub fn close(out: &mut Vec<u8>) {
        with_writer(JsonWriter::new, out, JsonWriter::close);
    }

    /// The JSON text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.writer.close();
        let bytes = self.writer.into_bytes();
        // The tree's strings come from a `&str` (see to_rust); the rest is ASCII.
        String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
    }
}

fn with_writer<R>(make: fn(Vec<u8>) -> JsonWriter, out: &mut Vec<u8>, f: impl FnOnce(&mut JsonWriter) -> R) -> R {
    let mut writer = make(std::mem::take(out));
    let result = f(&mut writer);
    *out = writer.into_bytes();
    result
}

fn write_statements(writer: &mut JsonWriter, tree: &Tree, base: usize) -> Result<(), Error> {
    let shift = Shift(base as i64 - tree.padding as i64);
    for (index, stmt) in tree.raw().enumerate() {
        if index > 0 {
            writer.comma();
        }
        // SAFETY: the parser's own statement, valid while `tree` is.
        unsafe { writer.statement(stmt, shift, Place::Kept) };
    }
    writer.take_problem().map_or(Ok(()), |problem| Err(Error::from_problem(&problem)))
}

/// A tree that was read from JSON, in C memory. Unlike structs it tells an empty string, which
/// JSON may hold ([`Document::lossless`]), from none.
pub struct JsonTree {
    inner: CTree,
}

impl JsonTree {
    /// Reads libpg_query's JSON document, or one that has empty strings, too.
    ///
    /// # Errors
    /// As for [`crate::from_json`].
    pub fn read(json: &str) -> Result<Self, Error> {
        super::from_json(json).map(|inner| Self { inner }).map_err(|problem| Error::from_json(&problem, json))
    }

    /// How many statements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.statements().len()
    }

    /// Whether there is no statement.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tree as prost structs, which hold an empty string for none.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn to_protobuf(&self) -> Result<Parsed, Error> {
        // SAFETY: CTree holds valid trees for as long as it lives.
        let converted = unsafe { to_rust(self.inner.list()) };
        let Converted { statements, depth } = converted.map_err(|p| Error::from_problem(&p))?;
        let tree = ParseResult { version: pg::PG_VERSION_NUM as i32, stmts: statements };
        Ok(Parsed { tree, depth, warnings: Vec::new() })
    }

    /// All statements as SQL, joined by `; `. With [`DeparseOptions::verify`], a string that
    /// the document lacks may come back as an empty one: libpg_query's JSON leaves those out.
    ///
    /// # Errors
    /// As for [`crate::deparse`].
    pub fn deparse(&self, options: &DeparseOptions) -> Result<String, Error> {
        self.written(self.inner.statements(), options)
    }

    /// One statement as SQL.
    ///
    /// # Errors
    /// As for [`JsonTree::deparse`].
    ///
    /// # Panics
    /// When there is no such statement.
    pub fn deparse_statement(&self, index: usize, options: &DeparseOptions) -> Result<String, Error> {
        assert!(index < self.len(), "statement {index} of {}", self.len());
        self.written(self.inner.statements().skip(index).take(1), options)
    }

    fn written(
        &self,
        stmts: impl ExactSizeIterator<Item = *const pg::RawStmt> + Clone,
        options: &DeparseOptions,
    ) -> Result<String, Error> {
        // SAFETY: CTree holds valid trees for as long as it lives.
        unsafe { deparse_all(stmts, options, Strings::NoneMayBeEmpty, 0, self.inner.depth() * BYTES_PER_LEVEL) }
    }
}

/// SQL from prost structs, through the C tree of `to_c`.
///
/// # Errors
/// Values that C cannot hold, and what libpg_query's deparser refuses.
pub(crate) fn deparse_structs(stmts: &[RawStmt], options: &DeparseOptions) -> Result<String, Error> {
    let c_tree = to_c(stmts).map_err(|p| Error::from_problem(&p))?;
    let depth_bytes = c_tree.depth() * BYTES_PER_LEVEL;
    // SAFETY: CTree holds valid trees for as long as it lives, which is until this returns.
    unsafe { deparse_all(c_tree.statements(), options, Strings::NoneMayBeEmpty, 0, depth_bytes) }
}

/// Whether SQL says what structs say.
///
/// # Errors
/// Values that C cannot hold; SQL that does not parse, or says something else.
pub(crate) fn verify_structs(stmts: &[RawStmt], sql: &str) -> Result<(), Error> {
    let c_tree = to_c(stmts).map_err(|p| Error::from_problem(&p))?;
    // SAFETY: CTree holds valid trees for as long as it lives, which is until this returns.
    unsafe { verify(c_tree.statements(), sql, Strings::NoneMayBeEmpty, "the SQL") }
}

/// A level of the tree, in bytes of SQL text that would be as deep (see sys::stack).
const BYTES_PER_LEVEL: usize = 4;

/// The comments' texts as C strings.
pub(crate) fn comment_texts(options: &DeparseOptions) -> Result<Vec<CString>, Error> {
    if options.comments.is_empty() {
        return Ok(Vec::new()); // as good as always
    }
    let nul = |_| Error::from_problem(&Problem::NulInString { field: "comment" });
    options.comments.iter().map(|c| CString::new(c.text.as_str()).map_err(nul)).collect()
}

/// The comments for C, moved by the padding of the text.
pub(crate) fn c_comments<'a>(options: &DeparseOptions, texts: &'a [CString], padding: usize) -> Vec<sys::Comment<'a>> {
    let comments = options.comments.iter().zip(texts);
    comments
        .map(|(comment, text)| sys::Comment {
            match_location: (comment.position + padding) as i32,
            newlines_before: comment.newlines_before as i32,
            newlines_after: comment.newlines_after as i32,
            text,
        })
        .collect()
}

/// Statements as SQL, joined as libpg_query joins them; each gets the comments up to its end.
///
/// # Safety
/// The statements must be valid RawStmt trees for the length of the call.
unsafe fn deparse_all(
    stmts: impl ExactSizeIterator<Item = *const pg::RawStmt> + Clone,
    options: &DeparseOptions,
    strings: Strings,
    padding: usize,
    depth_bytes: usize,
) -> Result<String, Error> {
    let texts = comment_texts(options)?;
    let c_comments = c_comments(options, &texts, padding);
    let count = stmts.len();
    let mut sql = String::new();
    let mut done = 0; // comments already given to an earlier statement
    let mut written = 0; // where the last statement starts
    for (i, stmt) in stmts.clone().enumerate() {
        let upto = if i + 1 == count {
            c_comments.len()
        } else {
            // SAFETY: a valid RawStmt, says the caller.
            let end = unsafe { (*stmt).stmt_location + (*stmt).stmt_len };
            done + c_comments[done..].iter().take_while(|c| c.match_location < end).count()
        };
        // SAFETY: the caller vouches for the tree.
        let text = unsafe { sys::deparse_statement(stmt, &options.raw(), &c_comments[done..upto], depth_bytes) };
        let text = text.map_err(|report| Error::from_diagnostic(report, "", 0))?;
        done = upto;
        if i == 0 {
            sql = text;
        } else {
            // Behind a `--` comment the semicolon would be part of it.
            let last = &sql[written..];
            let in_comment = !c_comments.is_empty() && crate::scan(last)?.last().is_some_and(crate::Token::is_comment);
            sql.push_str(if in_comment { "\n; " } else { "; " });
            written = sql.len();
            sql.push_str(&text);
        }
    }
    if options.verify {
        // SAFETY: the caller vouches for the trees.
        unsafe { verify(stmts, &sql, strings, "the SQL written for this tree") }?;
    }
    Ok(sql)
}

/// A tree as owned structs, with what PostgreSQL remarked on its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The tree: the structs of libpg_query's Protobuf schema.
    pub tree: ParseResult,
    depth: u32,
    warnings: Vec<Warning>,
}

/// Bytes of stack that dropping one level of boxed structs can take.
const DROP_PER_LEVEL: usize = 512;

impl Parsed {
    /// Writes statement `index` as SQL.
    ///
    /// # Errors
    /// As for [`crate::deparse`].
    ///
    /// # Panics
    /// When there is no such statement.
    pub fn deparse_statement(&self, index: usize, options: &DeparseOptions) -> Result<String, Error> {
        deparse_structs(std::slice::from_ref(&self.tree.stmts[index]), options)
    }

    /// What PostgreSQL remarked while parsing.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// How many nodes deep the tree is. Deep trees (tens of thousands) need care where
    /// the structs are walked recursively: by `==`, `clone`, `Debug`, or your own code.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The structs alone. Dropping a very deep tree recurses as deep; this value's own
    /// drop provides the stack for that.
    #[must_use]
    pub fn into_tree(mut self) -> ParseResult {
        std::mem::take(&mut self.tree)
    }
}

impl Drop for Parsed {
    fn drop(&mut self) {
        const SHALLOW: u32 = 64;
        if self.depth > SHALLOW {
            let tree = std::mem::take(&mut self.tree);
            sys::stack::for_levels(self.depth as usize, DROP_PER_LEVEL, || drop(tree));
        }
    }
}
