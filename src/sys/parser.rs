//! Parses SQL to a tree in C memory, through the C code in `shim.c`. Errors and warnings are returned as values.
//!
//! PostgreSQL's grammar reads the tokens of pgq's own lexer. If that lexer cannot read the SQL, or the grammar
//! reports an error or a warning, PostgreSQL's own scanner and parser read the SQL instead.

use std::cell::RefCell;
use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::ops::Range;

use super::bindings::{self as pg, PgqOutcome};
use super::context::{Context, ContextMemory, Made};
use super::diagnostic::Diagnostic;
use super::token_stream::Tokens;
use super::tree_ref::TreeRef;
use super::{stack, token_stream};
use pgq_lexer::kinds;

/// A parse tree in C memory: a list of RawStmt that lives as long as this value. The value is a single pointer because
/// it is moved often. All other data is stored with the context.
pub(crate) struct ParseTree {
    context: Context,
}

// SAFETY: this value owns the context and everything that the tree points to. The context has no parent, therefore any
// thread may reset and free it.
unsafe impl Send for ParseTree {}

// SAFETY: methods with `&self` only read the tree.
unsafe impl Sync for ParseTree {}

thread_local! {
    /// A reusable buffer for the NUL-terminated SQL that PostgreSQL's scanner needs.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Maximum size of the buffer that is kept for reuse, in bytes.
const KEEP_TEXT: usize = 1 << 20;

/// The reason why the tokens of pgq's own lexer could not be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTree {
    /// The grammar reported an error.
    Refused,
    /// PostgreSQL's own scanner and parser must read the SQL.
    Unknown,
}

impl ParseTree {
    /// Parses `sql` with `padding` spaces before it, using pgq's own lexer. If this fails, call
    /// [`ParseTree::parse_by_scanner`], which parses `sql` or returns the error.
    ///
    /// With padding no token is at offset 0, so a location of 0 always means "not set". The caller
    /// must reject `sql` with a NUL byte.
    #[inline]
    pub(crate) fn parse(sql: &str, padding: usize, options: i32) -> Result<Self, NoTree> {
        // Options other than PGQ_PARSE_NORMALIZED need PostgreSQL's own scanner. They change the scanner's settings, or
        // select something else to parse instead of statements, such as the name of a type.
        let normalized = options == pg::PGQ_PARSE_NORMALIZED as i32;
        if options != 0 && !normalized {
            return Err(NoTree::Unknown);
        }
        let mut context = Context::take().ok_or(NoTree::Unknown)?;
        read_tokens(sql, padding, normalized, &mut context).ok_or(NoTree::Unknown)?;
        Self::of_tokens(context, sql, normalized)
    }

    /// Parses the tokens of `sql`, which are in `context`.
    #[inline]
    fn of_tokens(mut context: Context, sql: &str, normalized: bool) -> Result<Self, NoTree> {
        // SAFETY: `parse_tokens` has requirements only for memory of the caller. This call passes no memory (`None`),
        // so C allocates the whole tree in the context.
        let Grown { list, may_repeat, .. } = unsafe { parse_tokens(sql.len(), normalized, &mut context, None)? };
        Ok(Self::new(context, Made { list, used_native_lexer: true, may_repeat, ..Made::NONE }, sql))
    }

    /// Parses normalized SQL like [`ParseTree::parse`]. Each entry of `replaced` consists of a parameter's byte offset
    /// and a token kind. The parameter is read as a token of this kind: an ICONST, an SCONST or an IDENT. The text of
    /// the SCONST or IDENT is the parameter itself, such as `$1`.
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

    /// Parses `sql` with PostgreSQL's scanner and libpg_query's parser options. The caller must first call
    /// `pgq_lexer::check_cost`, which rejects SQL that takes too long to scan.
    pub(crate) fn parse_by_scanner(sql: &str, padding: usize, options: i32) -> Result<Self, Diagnostic> {
        let context = Context::take().ok_or_else(Diagnostic::out_of_memory)?;
        let mut outcome = MaybeUninit::<PgqOutcome>::uninit();
        let list = with_c_string(sql, padding, |text| {
            stack::with_stack_for_parser(sql.len(), |available| {
                // SAFETY: the context is live and belongs to this thread. The text is NUL-terminated, and the parser
                // does not keep it (its scanner works on a copy). The shim initializes the whole outcome before
                // anything can fail, and catches every error.
                unsafe { pg::pgq_parse(context.as_ptr(), text.as_ptr(), options, available, outcome.as_mut_ptr()) }
            })
        });
        // SAFETY: pgq_parse has filled the outcome; its strings are in the context, which is not reset yet.
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

    /// Returns the address range of the tree's nodes. Returns `None` if the memory is not contiguous, or if a node may
    /// occur twice in the tree.
    pub(crate) fn extent(&self) -> Option<Range<usize>> {
        if self.made().may_repeat { None } else { self.context.extent() }
    }

    /// Returns the tree's memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let ContextMemory { strings, tokens, text, .. } = self.context.memory();
        self.context.bytes() + strings.capacity() + size_of_val(&**tokens) + text.capacity()
    }

    /// Returns the SQL of the tree.
    pub(crate) fn text(&self) -> &str {
        &self.context.memory().text
    }

    /// Replaces the SQL that is stored with the tree. The nodes do not change, because the new SQL is not parsed.
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

    /// Returns the tokens of the SQL; `None` if PostgreSQL's scanner read the SQL.
    pub(crate) fn tokens(&self) -> Option<Tokens<'_>> {
        self.used_native_lexer().then(|| tokens_in(&self.context))
    }

    /// Returns whether the tree was parsed from its current SQL.
    pub(crate) fn has_own_text(&self) -> bool {
        self.made().has_own_text
    }

    /// Returns whether pgq's own lexer read the SQL.
    pub(crate) fn used_native_lexer(&self) -> bool {
        self.made().used_native_lexer
    }

    #[inline]
    pub(crate) fn tree(&self) -> TreeRef<'_> {
        // SAFETY: the pointer is NULL or the parser's list of RawStmt. The context that owns the list's memory lives as
        // long as `self`.
        unsafe { TreeRef::new(self.made().list) }
    }

    /// Returns the list of statements, for functions that change locations in the tree. `&mut self` ensures that there
    /// are no other references to the tree.
    pub(crate) fn list_mut(&mut self) -> *mut pg::List {
        self.made().list.cast_mut()
    }

    #[inline]
    pub(crate) fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.context.memory_mut().made.warnings)
    }
}

/// Reads the tokens of `sql` into `context`, and adds `padding` to their offsets. Returns `None` if PostgreSQL's own
/// scanner must read `sql`.
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

/// The tokens of SQL that will be parsed to a tree in the caller's memory.
pub(crate) struct ReadText {
    context: Context,
    len: usize,
    normalized: bool,
}

impl ReadText {
    /// Reads the tokens. Returns `None` if PostgreSQL's own scanner must read `sql`. With `normalized`, accepts
    /// normalized SQL, as with the option PGQ_PARSE_NORMALIZED.
    #[inline]
    pub(crate) fn read(sql: &str, normalized: bool) -> Option<Self> {
        let mut context = Context::take()?;
        read_tokens(sql, 0, normalized, &mut context)?;
        Some(Self { context, len: sql.len(), normalized })
    }

    /// Returns the names and literals that the tree will point to.
    #[inline]
    pub(crate) fn strings(&self) -> &[u8] {
        &self.context.memory().strings
    }

    /// Returns the number of tokens.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.context.memory().tokens.len()
    }

    /// Parses the tokens to a tree in `memory`. Returns the tree's list of RawStmt (NULL if there is no statement) and
    /// the tree's size. Returns `None` if the grammar reports an error or a warning, or if the tree does not fit.
    ///
    /// # Safety
    /// `strings` must be a copy of [`ReadText::strings`]. `memory` must be writable and aligned as by malloc. The list
    /// is valid as long as `strings` and `memory` are valid.
    #[inline]
    pub(crate) unsafe fn parse_into(
        mut self,
        strings: *const u8,
        memory: (*mut u8, usize),
    ) -> Option<(*const pg::List, usize)> {
        let place = Place { strings, memory: memory.0, size: memory.1 };
        // SAFETY: the caller meets this function's requirements.
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

struct Grown {
    list: *const pg::List,
    /// Whether a node may occur twice in the tree.
    may_repeat: bool,
    /// Number of bytes of the caller's memory that the tree uses. 0 if this memory did not suffice, so that C allocated
    /// a part of the tree in the context.
    used: usize,
}

/// Parses the tokens in `context`, which were read from `text_len` bytes of SQL. The list of RawStmt lives as long as
/// `context`.
///
/// # Safety
/// Same as for [`ReadText::parse_into`].
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
        // SAFETY: the context is live and belongs to this thread. The last token has kind 0. C does not keep pointers
        // to the tokens. A token with a value has an offset in `strings`, where a NUL ends the value. The context or
        // the caller owns `strings`, which does not change while the tree exists. The caller guarantees that `memory`
        // has `size` bytes. Errors are trapped.
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

/// Returns how many times this thread has parsed tokens with pgq's copy of the grammar.
#[cfg(feature = "reference")]
pub(crate) fn token_parses() -> usize {
    // SAFETY: the function only returns a number.
    unsafe { pg::pgq_token_parses() }
}

/// Calls `f` with a copy of `text` that has `padding` spaces before it and a NUL after it.
pub(super) fn with_c_string<R>(text: &str, padding: usize, f: impl FnOnce(&CStr) -> R) -> R {
    // Take the buffer out of the cell, so that a nested call finds an empty buffer there. If this call borrowed the
    // cell instead, a nested call would panic.
    let mut buffer = TEXT.with(RefCell::take);
    buffer.clear();
    buffer.resize(padding, b' ');
    buffer.extend_from_slice(text.as_bytes());
    buffer.push(0);
    debug_assert!(memchr::memchr(0, &buffer) == Some(buffer.len() - 1));
    // SAFETY: the buffer ends in the NUL that was just pushed. `text` contains no NUL (check_text
    // rejects NUL bytes). Even if it did, C would only read less.
    let c_text = unsafe { CStr::from_bytes_with_nul_unchecked(&buffer) };
    let result = f(c_text);
    if buffer.capacity() <= KEEP_TEXT {
        TEXT.with(|kept| kept.replace(buffer));
    }
    result
}
