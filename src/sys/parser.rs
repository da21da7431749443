//! Parsing through the shim: text in, a tree in C memory out, errors and warnings as values.
//!
//! PostgreSQL's grammar reads the tokens of our own lexer. Where the lexer cannot tell, and where
//! the grammar has an error or a warning, the text goes to PostgreSQL's scanner and parser.

use std::cell::RefCell;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ops::Range;

use super::bindings::{self as pg, PgqOutcome};
use super::context::{Context, ContextMemory};
use super::diagnostic::Diagnostic;
use super::token_stream::Tokens;
use super::tree_ref::TreeRef;
use super::{stack, token_stream};
use pgq_lexer::kinds;

/// A parse tree in C memory: a list of RawStmt that lives as long as this value. It is one address, because it is
/// handed from function to function; the rest lies with its context.
pub(crate) struct ParseTree {
    context: Context,
}

// SAFETY: the context and all that the tree points to is owned and sent along. It has no parent, so that any thread may
// reset it and free it.
unsafe impl Send for ParseTree {}

// SAFETY: what takes `&ParseTree` reads, and nothing else.
unsafe impl Sync for ParseTree {}

/// What the parser made in a context.
pub(super) struct Made {
    list: *const pg::List,
    warnings: Vec<Diagnostic>,
    used_native_lexer: bool,
    /// Whether the tree was made from the text that it has now.
    has_own_text: bool,
    /// Whether a node may be in two places of the tree.
    may_repeat: bool,
}

impl Made {
    /// Nothing yet.
    pub(super) const NONE: Self = Self {
        list: std::ptr::null(),
        warnings: Vec::new(),
        used_native_lexer: false,
        has_own_text: true,
        may_repeat: true,
    };
}

thread_local! {
    /// The text with a NUL at its end, as PostgreSQL's scanner needs it. Reused.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Texts larger than this are not kept between calls, in bytes.
const KEEP_TEXT: usize = 1 << 20;

/// Why there is no tree of the tokens of our own lexer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoTree {
    /// The grammar has an error.
    Refused,
    /// PostgreSQL's own scanner and parser know whether there is one.
    Unknown,
}

impl ParseTree {
    /// Parses `sql` behind `padding` spaces by our own lexer. Elsewhere PostgreSQL's own scanner and
    /// parser ([`ParseTree::parse_by_scanner`]) must say what there is to say.
    ///
    /// With padding, no token stands at offset 0, so that a location of 0 always means
    /// "not set". `sql` must not contain a NUL byte; that is the caller's error to report.
    #[inline]
    pub(crate) fn parse(sql: &str, padding: usize, options: i32) -> Result<Self, NoTree> {
        // The lexer knows the default settings only, and the feed only whole statements.
        let normalized = options == pg::PGQ_PARSE_NORMALIZED as i32;
        if options != 0 && !normalized {
            return Err(NoTree::Unknown);
        }
        let mut context = Context::take().ok_or(NoTree::Unknown)?;
        read_tokens(sql, padding, normalized, &mut context).ok_or(NoTree::Unknown)?;
        Self::of_tokens(context, sql, normalized)
    }

    /// Returns the tree of `sql`, whose tokens are in `context`.
    #[inline]
    fn of_tokens(mut context: Context, sql: &str, normalized: bool) -> Result<Self, NoTree> {
        // SAFETY: without memory of the caller, all is in the context.
        let Grown { list, may_repeat, .. } = unsafe { parse_tokens(sql.len(), normalized, &mut context, None)? };
        Ok(Self::new(context, Made { list, used_native_lexer: true, may_repeat, ..Made::NONE }, sql))
    }

    /// As [`ParseTree::parse`] of normalized text, with the parameters at some byte offsets as tokens of another kind: a
    /// number, or the text of the parameter as a string or a name.
    pub(crate) fn parse_with_kinds(sql: &str, padding: usize, replaced: &[(usize, u16)]) -> Option<Self> {
        let mut context = Context::take()?;
        read_tokens(sql, padding, true, &mut context)?;
        let ContextMemory { tokens, strings, .. } = context.memory_mut();
        for (offset, kind) in replaced {
            let is_here = |token: &&mut pg::PgqToken| token.location as usize == offset + padding;
            let token = tokens.iter_mut().find(is_here).filter(|token| token.kind == kinds::PARAM)?;
            if *kind != kinds::ICONST {
                let text = format!("${}\0", token.value);
                token.value = strings.len() as u32;
                strings.extend_from_slice(text.as_bytes());
            }
            token.kind = *kind;
        }
        Self::of_tokens(context, sql, true).ok()
    }

    /// As [`ParseTree::parse`], with PostgreSQL's scanner and libpg_query's parser option bits.
    /// The caller has made sure that the text does not cost too much (pgq_lexer::check_cost).
    pub(crate) fn parse_by_scanner(sql: &str, padding: usize, options: i32) -> Result<Self, Diagnostic> {
        let context = Context::take().ok_or_else(Diagnostic::out_of_memory)?;
        let mut outcome = MaybeUninit::<PgqOutcome>::uninit();
        let list = with_c_string(sql, padding, |text| {
            stack::with_stack_for_parser(sql.len(), |available| {
                // SAFETY: the context is live and of this thread, the text is NUL-terminated
                // and not kept by the parser (its scanner works on a copy), and the shim
                // writes the whole outcome before anything can fail and traps every error.
                unsafe { pg::pgq_parse(context.as_ptr(), text.as_ptr(), options, available, outcome.as_mut_ptr()) }
            })
        });
        // SAFETY: pgq_parse has filled it, and its strings lie in the context, not reset yet.
        let (error, warnings) = unsafe { Diagnostic::of_outcome(outcome.assume_init_ref()) };
        match error {
            Some(error) => Err(error),
            None => Ok(Self::new(context, Made { list, warnings, ..Made::NONE }, sql)),
        }
    }

    #[inline]
    fn new(mut context: Context, made: Made, sql: &str) -> Self {
        context.memory_mut().made = made;
        let mut tree = Self { context };
        tree.copy_text(sql);
        tree
    }

    #[inline(always)]
    fn made(&self) -> &Made {
        &self.context.memory().made
    }

    /// Returns the addresses of its nodes, if they are in one piece of memory and each is in one place of the
    /// tree.
    pub(crate) fn extent(&self) -> Option<Range<usize>> {
        if self.made().may_repeat { None } else { self.context.extent() }
    }

    /// Bytes of memory that the tree keeps from other uses.
    pub(crate) fn bytes(&self) -> usize {
        let ContextMemory { strings, tokens, text, .. } = self.context.memory();
        self.context.bytes() + strings.capacity() + size_of_val(&**tokens) + text.capacity()
    }

    /// Returns the text of the tree.
    pub(crate) fn text(&self) -> &str {
        &self.context.memory().text
    }

    /// Makes `sql` the text of the tree, which was made from another one.
    pub(crate) fn set_text(&mut self, sql: &str) {
        self.context.memory_mut().made.has_own_text = false;
        self.copy_text(sql);
    }

    #[inline]
    fn copy_text(&mut self, sql: &str) {
        let text = &mut self.context.memory_mut().text;
        text.clear();
        text.push_str(sql);
    }

    /// Returns the tokens that the grammar made the tree of; `None` where PostgreSQL's scanner read the text.
    pub(crate) fn tokens(&self) -> Option<Tokens<'_>> {
        self.used_native_lexer().then(|| tokens_in(&self.context))
    }

    /// Returns whether the tree was made from the text that it has now.
    pub(crate) fn has_own_text(&self) -> bool {
        self.made().has_own_text
    }

    /// Returns whether our own lexer read the text, and not PostgreSQL's.
    pub(crate) fn used_native_lexer(&self) -> bool {
        self.made().used_native_lexer
    }

    /// Returns the statements.
    #[inline]
    pub(crate) fn tree(&self) -> TreeRef<'_> {
        // SAFETY: the parser made the list of RawStmt (or gave NULL), and the context that owns its
        // memory lives as long as `self`.
        unsafe { TreeRef::new(self.made().list) }
    }

    /// Returns the list for a walk that changes locations; the borrow rules out other references.
    pub(crate) fn list_mut(&mut self) -> *mut pg::List {
        self.made().list.cast_mut()
    }

    #[inline]
    pub(crate) fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.context.memory_mut().made.warnings)
    }
}

/// Reads the tokens of `sql`, each `padding` bytes further on, into `context`; `None` where
/// PostgreSQL's own scanner must read the text.
#[inline]
fn read_tokens<'c>(sql: &str, padding: usize, normalized: bool, context: &'c mut Context) -> Option<Tokens<'c>> {
    let ContextMemory { tokens, strings, .. } = context.memory_mut();
    token_stream::read(sql, padding, normalized, tokens, strings).then_some(Tokens { tokens, strings })
}

#[inline(always)]
fn tokens_in(context: &Context) -> Tokens<'_> {
    let ContextMemory { tokens, strings, .. } = context.memory();
    Tokens { tokens, strings }
}

/// A text whose tokens were read, for a tree in memory of the caller.
pub(crate) struct ReadText {
    context: Context,
    len: usize,
    normalized: bool,
}

impl ReadText {
    /// `None` where PostgreSQL's own scanner must read the text. `normalized` as in [`ParseTree::parse`]'s options.
    #[inline]
    pub(crate) fn read(sql: &str, normalized: bool) -> Option<Self> {
        let mut context = Context::take()?;
        read_tokens(sql, 0, normalized, &mut context)?;
        Some(Self { context, len: sql.len(), normalized })
    }

    /// Returns the names and literals, which the tree points into.
    #[inline]
    pub(crate) fn strings(&self) -> &[u8] {
        &self.context.memory().strings
    }

    /// Returns the number of tokens.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.context.memory().tokens.len()
    }

    /// Returns the list of RawStmt, NULL if there is no statement, and the bytes of `memory` that it takes; `None` where the
    /// grammar has an error or a warning, and where the tree does not fit.
    ///
    /// # Safety
    /// `strings` must be a copy of [`ReadText::strings`], and `memory` that many writable bytes, aligned as by malloc.
    /// The list is valid while both are.
    #[inline]
    pub(crate) unsafe fn parse_into(
        mut self,
        strings: *const u8,
        memory: (*mut u8, usize),
    ) -> Option<(*const pg::List, usize)> {
        let place = Place { strings, memory: memory.0, size: memory.1 };
        // SAFETY: the caller guarantees it.
        let grown = unsafe { parse_tokens(self.len, self.normalized, &mut self.context, Some(place)) }.ok()?;
        (grown.used > 0 || grown.list.is_null()).then_some((grown.list, grown.used))
    }
}

/// Memory for a tree.
struct Place {
    strings: *const u8,
    memory: *mut u8,
    size: usize,
}

/// What the grammar made.
struct Grown {
    list: *const pg::List,
    /// Whether a node may be in two places of the tree.
    may_repeat: bool,
    /// The bytes of the caller's memory that the tree takes; 0 if it is not all there.
    used: usize,
}

/// Returns the list of RawStmt that the grammar makes of the tokens in `context`, read from a text of
/// `text_len` bytes. It lives as long as `context`.
///
/// # Safety
/// As for [`ReadText::parse_into`].
#[inline]
unsafe fn parse_tokens(
    text_len: usize,
    normalized: bool,
    context: &mut Context,
    place: Option<Place>,
) -> Result<Grown, NoTree> {
    let (mut list, mut may_repeat, mut refused) = (std::ptr::null_mut(), true, false);
    let (memory, mut size) = place.as_ref().map_or((std::ptr::null_mut(), 0), |place| (place.memory, place.size));
    let parsed = stack::with_stack_for_parser(text_len, |available| {
        let Tokens { tokens, strings } = tokens_in(context);
        let strings = place.as_ref().map_or(strings.as_ptr(), |place| place.strings).cast();
        let tokens = tokens.as_ptr();
        // SAFETY: the context is live and of this thread; the tokens end with one of kind
        // 0 and are not kept; each that has a text says where it is in `strings`, where a
        // NUL ends it; the context owns `strings`, or the caller does, and nothing changes them
        // while the tree lives; the memory is the caller's; errors are trapped.
        unsafe {
            let (context, list, may_repeat) = (context.as_ptr(), &raw mut list, &raw mut may_repeat);
            let (memory, size, refused) = (memory.cast(), &raw mut size, &raw mut refused);
            pg::pgq_parse_tokens(
                context, tokens, strings, normalized, available, memory, size, list, may_repeat, refused,
            )
        }
    });
    match parsed {
        true => Ok(Grown { list: list.cast_const(), may_repeat, used: size }),
        false if refused => Err(NoTree::Refused),
        false => Err(NoTree::Unknown),
    }
}

/// Runs `f` on `text`, preceded by spaces and followed by a NUL.
pub(super) fn with_c_string<R>(text: &str, padding: usize, f: impl FnOnce(&CStr) -> R) -> R {
    // Taken out for the call, so that a nested call finds an empty one instead of a panic.
    let mut buffer = TEXT.with(RefCell::take);
    buffer.clear();
    buffer.resize(padding, b' ');
    buffer.extend_from_slice(text.as_bytes());
    buffer.push(0);
    debug_assert!(memchr::memchr(0, &buffer) == Some(buffer.len() - 1));
    // SAFETY: the buffer ends in the NUL that was just pushed. `text` has none (the
    // library's check_text refuses it), and even if it had one, C would only read less.
    let c_text = unsafe { CStr::from_bytes_with_nul_unchecked(&buffer) };
    let result = f(c_text);
    if buffer.capacity() <= KEEP_TEXT {
        TEXT.with(|kept| kept.replace(buffer));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "reference")]
    use crate::sys::{FingerprintFlags, library};

    /// How often `f` has the grammar read tokens of our lexer.
    fn token_parses(f: impl FnOnce()) -> usize {
        // SAFETY: the function returns a number and does nothing else.
        let before = unsafe { pg::pgq_token_parses() };
        f();
        // SAFETY: as above.
        unsafe { pg::pgq_token_parses() - before }
    }

    #[cfg(feature = "reference")]
    #[test]
    fn the_reference_is_postgresqls_own_scanner() {
        const SQL: &str = "SELECT a FROM t WHERE b = 'c'";
        assert_eq!(token_parses(|| assert!(ParseTree::parse(SQL, 0, 0).is_ok())), 1);
        let reference = || {
            library::json(SQL, 0).unwrap();
            library::encode_protobuf(SQL, 0).unwrap();
            library::fingerprint(SQL, 0, FingerprintFlags::default()).unwrap();
            library::normalize(SQL, false).unwrap();
            library::scan_protobuf(SQL).unwrap();
            library::split(SQL, false).unwrap();
            assert!(library::baseline_parse(SQL));
            assert!(ParseTree::parse_by_scanner(SQL, 0, 0).is_ok());
        };
        assert_eq!(token_parses(reference), 0);
    }

    #[test]
    fn what_the_lexer_does_not_know_goes_to_postgresqls_scanner() {
        let own = |sql: &str| ParseTree::parse(sql, 0, 0).is_ok_and(|tree| tree.used_native_lexer());
        assert!(own("SELECT E'a\\n', 'b''c'\n'd', $1, \"A\"\"b\", x'1f' || $$e$$ -- f"));
        let long = format!("LISTEN {}", "a".repeat(64));
        for sql in ["SELECT U&'a'", "SELECT U&\"a\"", "SELECT E'\\xc3\\xa9'", &long] {
            assert!(!own(sql), "{sql}");
        }
    }

    #[test]
    fn a_remark_of_the_grammar_is_kept() {
        const SQL: &str = "CREATE GLOBAL TEMP TABLE t (a int)";
        assert_eq!(ParseTree::parse(SQL, 0, 0).err(), Some(NoTree::Unknown));
        let mut tree = ParseTree::parse_by_scanner(SQL, 0, 0).unwrap();
        assert!(!tree.used_native_lexer());
        assert_eq!(tree.take_warnings().len(), 1);
    }

    #[test]
    fn what_the_grammar_refuses() {
        for sql in ["SELECT FROM WHERE", "SELECT 1 2", "SELECT a.*.b", "CREATE GLOBAL TEMP TABLE t"] {
            assert_eq!(ParseTree::parse(sql, 0, 0).err(), Some(NoTree::Refused), "{sql}");
        }
        for sql in ["SELECT U&'a'", "SELECT 'a", "SELECT E'\\xc3\\xa9'"] {
            assert_eq!(ParseTree::parse(sql, 0, 0).err(), Some(NoTree::Unknown), "{sql}");
        }
    }
}
