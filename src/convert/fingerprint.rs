//! C tree -> fingerprint. Equals `pg_query_fingerprint_opts`.
//!
//! A fingerprint is the hash of the tokens that the tree writes. They go into one flat
//! buffer that is hashed once; a child that wrote nothing takes its name back out, and the
//! items of a sorted list are put in order where they stand, so that no node is visited
//! twice. What counts is [`fingerprints`]' table; here is only what C writes by hand.

use std::cell::RefCell;
use std::io::Write;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::enums::{TreeEnum, kinds};
use super::fingerprint_table::fingerprints;
use super::problem::Problem;
use crate::sys::{FingerprintFlags, Subject, bindings as pg, c_bytes, cells, members, stack};

/// libpg_query's version of what counts; it seeds the hash.
const VERSION: u64 = 3;

/// Nodes this deep do not count in libpg_query's fingerprint, nor do those below.
const DEPTH_LIMIT: u32 = 100;

/// Levels that a walk to the full depth goes down at a time, each time with stack for as many.
const MORE_LEVELS: u32 = 1000;

/// Levels that may be walked: what the stack limit allows.
const DEEPEST: u32 = (stack::LIMIT / STACK_PER_LEVEL) as u32;

/// Bytes of stack for one level: a field, its node and the list it may be in.
const STACK_PER_LEVEL: usize = 4096;

/// Buffers larger than this are not kept between calls, in bytes.
const KEEP: usize = 1 << 20;

/// What a walk writes to. Empty between walks.
#[derive(Default)]
struct Buffers {
    tokens: Vec<u8>,
    /// The items of the sorted lists that are open.
    items: Vec<Item>,
    /// Where a list's items are put in order.
    ordered: Vec<u8>,
}

/// An item of a sorted list: its hash, and its bytes in `tokens`.
struct Item {
    hash: u64,
    start: usize,
    end: usize,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = const {
        RefCell::new(Buffers { tokens: Vec::new(), items: Vec::new(), ordered: Vec::new() })
    };
}

/// The fingerprint of a tree, and whether there was more of it, too deep to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TreeFingerprint {
    pub hash: u64,
    pub truncated: bool,
}

/// The fingerprint of a tree or a statement; with `full_depth`, not cut off where libpg_query's is.
pub(crate) fn fingerprint(
    subject: Subject<'_>,
    flags: FingerprintFlags,
    full_depth: bool,
) -> Result<TreeFingerprint, Problem> {
    let (node, depth) = subject.start();
    // SAFETY: the subject's tree is valid.
    unsafe { fingerprint_node(node, depth, flags, full_depth) }
}

/// The fingerprint of a node that stands at `depth`, or of NULL.
///
/// # Safety
/// `node` must be NULL or a valid tree, for the length of the call.
pub(super) unsafe fn fingerprint_node(
    node: *const pg::Node,
    depth: u32,
    flags: FingerprintFlags,
    full_depth: bool,
) -> Result<TreeFingerprint, Problem> {
    // Taken out for the call, so that a nested call finds empty ones instead of a panic.
    let buffers = BUFFERS.with(RefCell::take);
    let mut walk = Fingerprinter { buffers, flags, limit: DEPTH_LIMIT, full_depth, truncated: false, problem: None };
    stack::with_stack_for_levels(DEPTH_LIMIT as usize, STACK_PER_LEVEL, || {
        // SAFETY: the caller vouches for the tree.
        unsafe { walk.node(node, FieldContext::NONE, depth) };
    });
    let Fingerprinter { mut buffers, truncated, problem, .. } = walk;
    let hash = xxh3_64_with_seed(&buffers.tokens, VERSION);
    buffers.tokens.clear();
    if buffers.tokens.capacity() <= KEEP {
        BUFFERS.with(|kept| kept.replace(buffers));
    }
    problem.map_or(Ok(TreeFingerprint { hash, truncated }), Err)
}

/// Where a node stands: what matters of its parent and of the field it is in.
#[derive(Clone, Copy)]
struct FieldContext {
    /// A list here counts as a set: sorted by hash, without duplicates.
    sorted: bool,
    /// A relation here is read or written by a query, not named by a utility statement.
    in_query: bool,
    /// Results here have names that do not count.
    unnamed: bool,
}

impl FieldContext {
    const NONE: Self = Self { sorted: false, in_query: false, unnamed: false };

    const fn of(parent: &str, field: &str) -> Self {
        let select = same(parent, "SelectStmt");
        let is_relation = same(field, "relation");
        let is_from = same(field, "fromClause");
        Self {
            sorted: is_from
                || same(field, "targetList")
                || same(field, "cols")
                || same(field, "rexpr")
                || same(field, "valuesLists")
                || same(field, "args"),
            in_query: (select && is_from)
                || (same(parent, "InsertStmt") && is_relation)
                || (same(parent, "UpdateStmt") && (is_relation || is_from))
                || (same(parent, "DeleteStmt") && (is_relation || same(field, "usingClause")))
                || (same(parent, "MergeStmt") && (is_relation || same(field, "sourceRelation")))
                || same(parent, "JoinExpr")
                || same(parent, "RangeTableSample")
                || same(parent, "LockingClause"),
            unnamed: select && same(field, "targetList"),
        }
    }
}

/// `==` for strings, when compiling.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

struct Fingerprinter {
    buffers: Buffers,
    flags: FingerprintFlags,
    /// Nodes this deep do not count, or need more stack.
    limit: u32,
    full_depth: bool,
    /// Something was too deep.
    truncated: bool,
    problem: Option<Problem>,
}

impl Fingerprinter {
    #[inline(always)]
    fn token(&mut self, bytes: &[u8]) {
        self.buffers.tokens.extend_from_slice(bytes);
    }

    #[inline]
    fn number(&mut self, value: impl itoa::Integer) {
        self.token(itoa::Buffer::new().format(value).as_bytes());
    }

    /// # Safety
    /// `c` must be a NUL-terminated string.
    #[inline]
    unsafe fn text(&mut self, c: *const std::ffi::c_char) {
        // SAFETY: the caller's promise.
        self.token(unsafe { c_bytes(c) });
    }

    /// A name and what `child` writes; nothing where that is nothing, unless `bare`.
    #[inline(always)]
    fn child(&mut self, name: &[u8], bare: bool, child: impl FnOnce(&mut Self)) {
        let before = self.buffers.tokens.len();
        self.token(name);
        let named = self.buffers.tokens.len();
        child(self);
        if self.buffers.tokens.len() == named && !bare {
            self.buffers.tokens.truncate(before);
        }
    }

    /// # Safety
    /// `c` must be NULL or a valid node whose tag says its type.
    #[inline]
    unsafe fn node(&mut self, c: *const pg::Node, site: FieldContext, depth: u32) {
        if c.is_null() {
            return;
        }
        if depth < self.limit {
            // SAFETY: not NULL, so valid.
            unsafe { self.by_tag(c, site, depth) };
        } else {
            // SAFETY: as above.
            self.beyond(depth, |walk| unsafe { walk.by_tag(c, site, depth) });
        }
    }

    /// A node in a field that says its type.
    ///
    /// # Safety
    /// `c` must be a valid node with valid children.
    #[inline]
    unsafe fn message<T: FingerprintFields>(&mut self, c: &T, site: FieldContext, depth: u32) {
        if depth < self.limit {
            // SAFETY: the caller's promise.
            unsafe { c.fields(self, site, depth) };
        } else {
            // SAFETY: as above.
            self.beyond(depth, |walk| unsafe { c.fields(walk, site, depth) });
        }
    }

    /// What is too deep: nothing, or with more stack.
    #[cold]
    fn beyond(&mut self, depth: u32, f: impl FnOnce(&mut Self)) {
        if !self.full_depth {
            self.truncated = true;
        } else if depth >= DEEPEST {
            self.fail(Problem::TooDeep);
        } else {
            let outer = std::mem::replace(&mut self.limit, depth + MORE_LEVELS);
            stack::with_stack_for_levels(MORE_LEVELS as usize, STACK_PER_LEVEL, || f(self));
            self.limit = outer;
        }
    }

    /// # Safety
    /// `list` must be a valid list of node pointers.
    unsafe fn list(&mut self, list: *const pg::List, site: FieldContext, depth: u32) {
        // SAFETY: the caller vouches for the list and its members.
        let cells = unsafe { cells(list) };
        let sorted = site.sorted && cells.len() > 1;
        let first = self.buffers.items.len();
        for cell in cells {
            let start = self.buffers.tokens.len();
            // SAFETY: as above.
            unsafe { self.node(cell.ptr_value.cast(), site, depth + 1) };
            let end = self.buffers.tokens.len();
            if sorted && end > start {
                self.buffers.items.push(Item { hash: 0, start, end });
            }
        }
        if sorted {
            self.buffers.sort(first);
        }
    }

    #[cold]
    fn fail(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }

    /// Digits in a relation's name count one at a time only: partitions are alike.
    fn relation_name(&mut self, name: &[u8]) {
        self.token(b"relname");
        if self.flags.full_relation_names {
            return self.token(name);
        }
        let digit = |i: usize| name.get(i).is_some_and(u8::is_ascii_digit);
        for (i, byte) in name.iter().enumerate() {
            if !(digit(i) && (digit(i + 1) || (i > 0 && digit(i - 1)))) {
                self.buffers.tokens.push(*byte);
            }
        }
    }
}

impl Buffers {
    /// Puts the items from `first` on in order, each once; they are the end of `tokens`.
    fn sort(&mut self, first: usize) {
        let Self { tokens, items, ordered } = self;
        if let [start, _, ..] = &items[first..] {
            let start = start.start;
            let own = &mut items[first..];
            own.iter_mut().for_each(|item| item.hash = xxh3_64_with_seed(&tokens[item.start..item.end], VERSION));
            if !own.is_sorted_by(|a, b| a.hash < b.hash) {
                own.sort_unstable_by_key(|item| item.hash);
                ordered.clear();
                for same in own.chunk_by(|a, b| a.hash == b.hash) {
                    ordered.extend_from_slice(&tokens[same[0].start..same[0].end]);
                }
                tokens.truncate(start);
                tokens.extend_from_slice(ordered);
            }
        }
        items.truncate(first);
    }
}

/// A C struct whose fields count, its own token aside.
trait FingerprintFields {
    /// # Safety
    /// `self` must be a valid node with valid children.
    unsafe fn fields(&self, walk: &mut Fingerprinter, site: FieldContext, depth: u32);
}

/// The relation as a query knows it: by its alias, if it has one, and by its name if not.
impl FingerprintFields for pg::RangeVar {
    unsafe fn fields(&self, walk: &mut Fingerprinter, site: FieldContext, _depth: u32) {
        // SAFETY: the caller vouches for this node and its children.
        unsafe {
            let alias = if walk.flags.ignore_aliases { None } else { self.alias.as_ref() };
            if let Some(alias) = alias.filter(|alias| !alias.aliasname.is_null()) {
                walk.token(b"aliasname");
                walk.text(alias.aliasname);
            }
            if !self.catalogname.is_null() {
                walk.token(b"catalogname");
                walk.text(self.catalogname);
            }
            if self.inh {
                walk.token(b"inhtrue");
            }
            let persistence = self.relpersistence as u8;
            if !self.relname.is_null() && persistence != b't' && !(site.in_query && alias.is_some()) {
                walk.relation_name(c_bytes(self.relname));
            }
            if persistence != 0 {
                walk.token(b"relpersistence");
                walk.token(&[persistence]);
            }
            if !self.schemaname.is_null() && (!site.in_query || walk.flags.include_schema) {
                walk.token(b"schemaname");
                walk.text(self.schemaname);
            }
        }
    }
}

/// The name of an enum's value.
macro_rules! enum_name {
    ($walk:ident, $c:expr, $ty:ident) => {
        match <kinds::$ty as TreeEnum>::name($c) {
            Some(name) => $walk.token(name.as_bytes()),
            None => $walk.fail(Problem::UnknownEnum { name: stringify!($ty), value: i64::from($c) }),
        }
    };
}

/// What to write for each kind of field; `$key` is its token and `$at` its site.
macro_rules! write_field {
    (node, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() {
            $walk.child($key.as_bytes(), false, |walk| walk.node($c.cast(), $at, $depth + 1));
        }
    };
    (inside, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        $walk.child($key.as_bytes(), false, |walk| walk.node((&raw const $c).cast(), $at, $depth + 1));
    };
    (message, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident, $ty:ident) => {
        if !$c.is_null() {
            $walk.child($key.as_bytes(), false, |walk| walk.message::<pg::$ty>(&*$c, $at, $depth + 1));
        }
    };
    (same_level, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident, $ty:ident) => {
        $walk.token($key.as_bytes());
        <pg::$ty as FingerprintFields>::fields(&$c, $walk, $at, $depth);
    };
    (list, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() {
            // The list of one NULL, as in SELECT DISTINCT, counts by its name alone.
            let bare = matches!(cells($c), [cell] if cell.ptr_value.is_null());
            $walk.child($key.as_bytes(), bare, |walk| walk.node($c.cast(), $at, $depth + 1));
        }
    };
    (string, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() {
            $walk.token($key.as_bytes());
            $walk.text($c);
        }
    };
    (result_name, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() && !$site.unnamed {
            $walk.token($key.as_bytes());
            $walk.text($c);
        }
    };
    (text_of, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if !$c.is_null() && *(*$c).sval != 0 {
            $walk.token($key.as_bytes());
            $walk.text((*$c).sval);
        }
    };
    (bool, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c {
            $walk.token(concat!($key, "true").as_bytes());
        }
    };
    (char, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0 {
            $walk.token($key.as_bytes());
            $walk.token(&[$c as u8]);
        }
    };
    (enum_, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident, $ty:ident) => {
        $walk.token($key.as_bytes());
        enum_name!($walk, $c, $ty);
    };
    (expression_kind, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        $walk.token($key.as_bytes());
        // `a = 1`, `a = ANY (…)` and `a IN (…)` are one.
        match $c {
            pg::AEXPR_OP_ANY | pg::AEXPR_IN => $walk.token(b"AEXPR_OP"),
            kind => enum_name!($walk, kind, A_Expr_Kind),
        }
    };
    (bitmapset, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        $walk.token($key.as_bytes());
        members($c).for_each(|member| $walk.number(member));
    };
    (float, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0.0 {
            $walk.token($key.as_bytes());
            let _ = write!($walk.buffers.tokens, "{:.6}", $c);
        }
    };
    (int, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0 {
            $walk.token($key.as_bytes());
            $walk.number($c as i32); // unsigned ones too: C prints them with %d
        }
    };
    ($long:ident, $walk:ident, $key:literal, $c:expr, $at:expr, $site:ident, $depth:ident) => {
        if $c != 0 {
            $walk.token($key.as_bytes());
            $walk.number($c);
        }
    };
}

/// When a node counts.
macro_rules! counts {
    (always, $c:expr) => {
        true
    };
    (never, $c:expr) => {
        false
    };
    (unless_of_constant, $c:expr) => {
        (*$c).arg.as_ref().is_none_or(|arg| !matches!(arg.type_, pg::T_A_Const | pg::T_ParamRef))
    };
}

macro_rules! walk {
    ($($tag:ident $c:ident $token:literal $counts:ident {
        $($kind:ident $field:ident $key:literal $(: $ty:ident)?;)*
    })*) => {
        $(
            impl FingerprintFields for pg::$c {
                #[inline(never)] // keeps the frames of a deep walk small
                #[allow(unused_unsafe)] // nodes without fields, and with plain ones only
                unsafe fn fields(&self, walk: &mut Fingerprinter, site: FieldContext, depth: u32) {
                    let _ = (&walk, site, depth);
                    // SAFETY: the caller vouches for this node and its children.
                    unsafe {
                        $(write_field!(
                            $kind, walk, $key, self.$field,
                            const { FieldContext::of(stringify!($c), $key) }, site, depth $(, $ty)?
                        );)*
                    }
                }
            }
        )*

        impl Fingerprinter {
            /// # Safety
            /// `c` must be a valid node whose tag says its type.
            unsafe fn by_tag(&mut self, c: *const pg::Node, site: FieldContext, depth: u32) {
                // SAFETY: c is valid and its tag names the struct that each arm casts to.
                unsafe {
                    match (*c).type_ {
                        $(pg::$tag => {
                            let node = c.cast::<pg::$c>();
                            if counts!($counts, node) {
                                self.token($token.as_bytes());
                                (*node).fields(self, site, depth);
                            }
                        })*
                        pg::T_RangeVar => {
                            self.token(b"RangeVar");
                            (*c.cast::<pg::RangeVar>()).fields(self, site, depth);
                        }
                        pg::T_List => self.list(c.cast(), site, depth),
                        pg::T_String => {
                            self.token(b"Stringstr");
                            self.text((*c.cast::<pg::String>()).sval);
                        }
                        pg::T_Integer => {
                            let value = (*c.cast::<pg::Integer>()).ival;
                            if value != 0 {
                                self.token(b"Integerival");
                                self.number(value);
                            }
                        }
                        pg::T_Float => {
                            let text = (*c.cast::<pg::Float>()).fval;
                            if !text.is_null() {
                                self.token(b"Floatstr");
                                self.text(text);
                            }
                        }
                        pg::T_Boolean => {
                            let value = (*c.cast::<pg::Boolean>()).boolval;
                            self.token(if value { b"Booleanboolvaltrue" } else { b"Booleanboolvalfalse" });
                        }
                        pg::T_BitString => {
                            let text = (*c.cast::<pg::BitString>()).bsval;
                            if !text.is_null() {
                                self.token(b"BitStringstr");
                                self.text(text);
                            }
                        }
                        // Constants, above all, and what libpg_query does not know: it counts
                        // for nothing there too.
                        _ => {}
                    }
                }
            }
        }
    };
}
fingerprints!(walk);
