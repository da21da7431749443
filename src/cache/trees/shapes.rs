//! Trees by shape. A shape consists of the tokens of a text without the values of literals.
//!
//! Texts of one shape have the same tokens except for literals (`shape_key.rs`). Therefore the tree of each text is the
//! tree of the shape's normalized SQL, with literals instead of parameters. If a text differs from a known text only in
//! literals, only the literals are lexed (`template.rs`).

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::limits::CacheLimits;
use super::literal::value_in;
use super::place::{KnownLiteral, Literal, normalized};
use super::store::{Store, Weighed, forward_to_store};
use super::template::{self, Template};
use crate::cache::shape_key::{InputScope, SHAPE, Shape};
use crate::convert::edit::EditTree;
use crate::convert::view::ParamRef;
use crate::error::{Error, ErrorKind};
use crate::options::ParseOptions;
use crate::tree::{LiteralValue, Parameter, Tree};

/// Number of slots for hashes of texts that were found by their shape. If such a text is found by its shape again, the
/// cache also stores its tree by text.
const ONCE: usize = 4096;

/// Maximum number of templates with the same prefix. A text is compared with each of them.
const MOST_TEMPLATES: usize = 4;

/// A cache of trees by shape, for any number of threads. Texts share one tree and one payload if they differ only in
/// the values of literals, white space, comments, and the case of keywords. The shared tree is the tree of the
/// normalized SQL. Texts are parsed with the default options.
///
/// The tree has a parameter for each literal. [`ShapedTree::value`] returns the literal's value in the text that was
/// looked up. If one of the literals cannot be replaced with a parameter, the text gets a separate tree, which contains
/// the literals.
///
/// ```
/// use pgq::cache::{LiteralValue, ShapeCache};
/// use pgq::nodes::ParamRef;
///
/// let cache = ShapeCache::new(16 << 20);
/// cache.parse("SELECT * FROM users WHERE id = 42")?;
/// let known = cache.parse("select * from users where id = 7")?; // same shape: not parsed
/// assert_eq!(known.tree().sql(), "SELECT * FROM users WHERE id = $1");
/// let id = known.tree().find::<ParamRef>().next().unwrap();
/// assert_eq!(known.value(id), Some(LiteralValue::Integer(7)));
/// assert_eq!(known.edit()?.deparse(&Default::default())?, "SELECT * FROM users WHERE id = 7");
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct ShapeCache<P = ()> {
    store: Store<Entry<P>>,
    once: Box<[AtomicU32]>,
}

/// An entry of the cache. Each variant has a different kind of key.
enum Entry<P> {
    /// A text that was found by its shape at least twice, or a text whose tree cannot be shared.
    Text { sql: Arc<str>, literals: Arc<[Literal]>, shared: Arc<Shared<P>> },
    /// A shape that can be shared.
    Shape { key: Box<[u8]>, shared: Arc<Shared<P>> },
    /// A template. It matches all texts that differ from the template's text only in literals.
    Template { template: Template, shared: Arc<Shared<P>> },
}

/// The tree and payload that the texts of a shape share.
struct Shared<P> {
    tree: Arc<Tree>,
    /// The literals of the shape.
    known: Box<[KnownLiteral]>,
    payload: P,
}

impl<P> Weighed for Entry<P> {
    /// Returns the entry's size, including the full size of the tree. A tree that several entries share is therefore
    /// counted several times. This is intended, because the tree stays in memory until the last of these entries is
    /// evicted.
    fn bytes(&self) -> usize {
        let (own, shared) = match self {
            Self::Text { sql, literals, shared } => (sql.len() + size_of_val(&**literals), shared),
            Self::Shape { key, shared } => (key.len(), shared),
            Self::Template { template, shared } => (template.bytes(), shared),
        };
        size_of::<Self>() + own + size_of::<Shared<P>>() + size_of_val(&*shared.known) + shared.tree.bytes()
    }
}

/// Constants that are combined with the seed of the hash, one for each kind of key. Therefore equal bytes have
/// different hashes as a text, as a shape and as a template.
const BY_TEXT: u64 = 0x5851_f42d_4c95_7f2d;
const BY_SHAPE: u64 = 0x1405_7b7e_f767_814f;
const BY_TEMPLATE: u64 = 0x9e6c_63d0_876a_3f35;

thread_local! {
    /// A reusable buffer for the literals of the current text.
    static LITERALS: RefCell<Vec<Literal>> = const { RefCell::new(Vec::new()) };
}

impl ShapeCache {
    /// Creates a cache of at most about `bytes` bytes that stores no payloads.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self::with_limits(CacheLimits::of_bytes(bytes))
    }
}

impl<P> ShapeCache<P> {
    /// Creates a cache with limits in bytes and entries, for payloads of any type.
    #[must_use]
    pub fn with_limits(limits: CacheLimits) -> Self {
        Self { store: Store::new(limits), once: (0..ONCE).map(|_| AtomicU32::new(0)).collect() }
    }

    fn hash(&self, key: &[u8], by: u64) -> u64 {
        xxh3_64_with_seed(key, self.store.seed ^ by)
    }

    /// Returns the tree of a text if the text or its shape is known.
    #[must_use]
    pub fn get(&self, sql: &str) -> Option<ShapedTree<P>> {
        let hash = self.hash(sql.as_bytes(), BY_TEXT);
        let found = self.by_text(hash, sql).or_else(|| {
            let known = self.by_template(sql).or_else(|| self.by_shape(sql))?;
            self.keep_repeated(hash, &known);
            Some(known)
        });
        self.store.count(hash, found.is_some());
        found
    }

    fn by_text(&self, hash: u64, text: &str) -> Option<ShapedTree<P>> {
        let entry = self.store.find(hash, |entry| matches!(entry, Entry::Text { sql, .. } if **sql == *text))?;
        let Entry::Text { sql, literals, shared } = &*entry else { return None };
        Some(ShapedTree { sql: sql.clone(), literals: literals.clone(), shared: shared.clone() })
    }

    fn by_template(&self, sql: &str) -> Option<ShapedTree<P>> {
        let hash = self.hash(template::prefix(sql), BY_TEMPLATE);
        LITERALS.with_borrow_mut(|literals| {
            let fits =
                |entry: &Entry<P>| matches!(entry, Entry::Template { template, .. } if template.fits(sql, literals));
            let entry = self.store.find(hash, fits)?;
            let Entry::Template { shared, .. } = &*entry else { return None };
            Some(ShapedTree { sql: sql.into(), literals: literals.as_slice().into(), shared: shared.clone() })
        })
    }

    fn by_shape(&self, sql: &str) -> Option<ShapedTree<P>> {
        SHAPE.with_borrow_mut(|shape| {
            shape.read(sql, InputScope::Text)?;
            let hash = self.hash(&shape.key, BY_SHAPE);
            let is_it = |entry: &Entry<P>| matches!(entry, Entry::Shape { key, .. } if **key == *shape.key);
            let entry = self.store.find(hash, is_it)?;
            let Entry::Shape { shared, .. } = &*entry else { return None };
            let literals = shared.known.iter().map(|known| known.in_text(shape)).collect();
            Some(ShapedTree { sql: sql.into(), literals, shared: shared.clone() })
        })
    }

    /// Called for a text that was found by shape. If the text was found by shape before, also stores the tree by
    /// exact text, because a lookup by text is faster.
    fn keep_repeated(&self, hash: u64, known: &ShapedTree<P>) {
        let mark = (hash >> 32) as u32 | 1;
        let before = self.once[hash as usize % ONCE].swap(mark, Ordering::Relaxed);
        if before == mark {
            self.keep_text(hash, known);
        }
    }

    fn keep_text(&self, hash: u64, known: &ShapedTree<P>) {
        let ShapedTree { sql, literals, shared } = known.clone();
        let entry = Arc::new(Entry::Text { sql, literals, shared });
        self.store.insert(
            usize::MAX,
            hash,
            entry,
            |entry| matches!(entry, Entry::Text { sql, .. } if *sql == known.sql),
        );
    }

    /// Returns the tree of a text, found by the text or its shape. If neither is known, parses the text and stores the
    /// tree with the payload from `make`. `make` receives the tree that the texts of the shape share.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`]. Errors are not cached.
    pub fn get_or_insert_with(&self, sql: &str, make: impl FnOnce(&Tree) -> P) -> Result<ShapedTree<P>, Error> {
        if let Some(known) = self.get(sql) {
            return Ok(known);
        }
        let own = Tree::parse(sql, &ParseOptions::default())?;
        let mut shape = Shape::default();
        if let Some((tree, known)) = shared_tree(&own, sql, &mut shape)? {
            let literals: Arc<[Literal]> = known.iter().map(|known| known.in_text(&shape)).collect();
            let payload = make(&tree);
            let shared = Arc::new(Shared { tree, known: known.into(), payload });
            return Ok(self.keep_shape(sql, &shape, literals, shared));
        }
        let tree = Arc::new(own.to_owned()?);
        let payload = make(&tree);
        let shared = Arc::new(Shared { tree, known: Box::default(), payload });
        let known = ShapedTree { sql: sql.into(), literals: Arc::default(), shared };
        self.keep_text(self.hash(sql.as_bytes(), BY_TEXT), &known);
        Ok(known)
    }

    fn keep_shape(&self, sql: &str, shape: &Shape, literals: Arc<[Literal]>, shared: Arc<Shared<P>>) -> ShapedTree<P> {
        let entry = Arc::new(Entry::Shape { key: shape.key.as_slice().into(), shared });
        let is_it = |entry: &Entry<P>| matches!(entry, Entry::Shape { key, .. } if **key == *shape.key);
        let kept = self.store.insert(usize::MAX, self.hash(&shape.key, BY_SHAPE), entry, is_it);
        let (Entry::Text { shared, .. } | Entry::Shape { shared, .. } | Entry::Template { shared, .. }) = &*kept;
        if let Some(template) = Template::new(sql, shape, &shared.known) {
            let entry = Arc::new(Entry::Template { template, shared: shared.clone() });
            let is_it = |entry: &Entry<P>| matches!(entry, Entry::Template { template, .. } if template.is_of(sql));
            self.store.insert(MOST_TEMPLATES, self.hash(template::prefix(sql), BY_TEMPLATE), entry, is_it);
        }
        ShapedTree { sql: sql.into(), literals, shared: shared.clone() }
    }

    /// Like [`ShapeCache::get_or_insert_with`], with the payload's default.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`]. Errors are not cached.
    pub fn parse(&self, sql: &str) -> Result<ShapedTree<P>, Error>
    where
        P: Default,
    {
        self.get_or_insert_with(sql, |_| P::default())
    }

    /// Returns the current trees with their payloads, without duplicates, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Arc<Tree>, P)> + use<P>
    where
        P: Clone,
    {
        let mut seen = HashSet::new();
        let shared = self.store.entries().into_iter().map(|entry| {
            let (Entry::Text { shared, .. } | Entry::Shape { shared, .. } | Entry::Template { shared, .. }) = &*entry;
            shared.clone()
        });
        let shared = shared.filter(move |shared| seen.insert(Arc::as_ptr(shared)));
        shared.map(|shared| (shared.tree.clone(), shared.payload.clone()))
    }
}

forward_to_store!(
    ShapeCache,
    "Returns the number of entries. A shape has one or two; a text that repeats has one more."
);

/// The tree that texts of one shape share, and its literals.
type SharedShape = (Arc<Tree>, Vec<KnownLiteral>);

/// Returns the tree of the normalized SQL, and the literals that its parameters replace. Returns `None` if other texts
/// must not share the tree.
fn shared_tree(own: &Tree, sql: &str, shape: &mut Shape) -> Result<Option<SharedShape>, Error> {
    // Do not share the tree of a text with a warning, because the warning may depend on the value of a literal.
    if !own.warnings().is_empty() || shape.read(sql, InputScope::Text).is_none() {
        return Ok(None);
    }
    let Some(constants) = own.replaceable_constants(None)? else { return Ok(None) };
    let highest = own.find::<ParamRef<'_>>().map(ParamRef::number).max().unwrap_or(0).max(0);
    let Some(known) = KnownLiteral::all(&constants, shape, highest) else { return Ok(None) };
    let literals: Vec<Literal> = known.iter().map(|known| known.in_text(shape)).collect();
    // Do not share the tree if a literal, such as the length of a type, cannot be replaced with a parameter.
    let Some(tree) = Tree::shared_if_valid(&normalized(sql, &literals)) else { return Ok(None) };
    let replaced = tree.find::<ParamRef<'_>>().filter(|parameter| parameter.number() > highest);
    let is_whole = replaced.map(ParamRef::number).collect::<BTreeSet<_>>().len() == known.len();
    Ok(is_whole.then_some((tree, known)))
}

/// A text and its tree, from a [`ShapeCache`]. Any number of threads may keep the tree, even after the cache has
/// evicted it.
pub struct ShapedTree<P = ()> {
    sql: Arc<str>,
    literals: Arc<[Literal]>,
    shared: Arc<Shared<P>>,
}

impl<P> Clone for ShapedTree<P> {
    fn clone(&self) -> Self {
        Self { sql: self.sql.clone(), literals: self.literals.clone(), shared: self.shared.clone() }
    }
}

impl<P> ShapedTree<P> {
    /// Returns the text that was looked up.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Returns the tree of the normalized SQL. The tree has parameters instead of the literals of the text that was
    /// looked up. Locations are offsets in the normalized SQL ([`Tree::sql`]).
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        &self.shared.tree
    }

    /// Returns the payload that was created when the tree was parsed.
    #[must_use]
    pub fn payload(&self) -> &P {
        &self.shared.payload
    }

    /// Returns the value of the literal that a parameter of the tree replaces. Returns `None` for a parameter that the
    /// text itself contains.
    #[must_use]
    pub fn value(&self, parameter: ParamRef<'_>) -> Option<LiteralValue> {
        let index = self.literals.binary_search_by_key(&parameter.number(), |literal| literal.number).ok()?;
        value_in(&self.sql[range(self.literals[index])])
    }

    /// Returns the parameter number and the byte range of each literal of the text.
    pub fn literals(&self) -> impl ExactSizeIterator<Item = (i32, Range<usize>)> {
        self.literals.iter().map(|literal| (literal.number, range(*literal)))
    }

    /// Returns the literals as parameters with values, for [`EditTree::put_back`]. Omits a literal if its value cannot
    /// be parsed.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        let read = |literal: &Literal| {
            Some(Parameter { number: literal.number, value: value_in(&self.sql[range(*literal)])? })
        };
        self.literals.iter().filter_map(read).collect()
    }

    /// Returns an editable copy of the tree, with the literals of the text instead of parameters.
    ///
    /// # Errors
    /// Returns an error if the tree is deeper than the stack limit.
    pub fn edit(&self) -> Result<EditTree, Error> {
        let tree = self.tree().edit()?;
        let parameters = self.parameters();
        if parameters.len() != self.literals.len() {
            return Err(Error::new(ErrorKind::Tree, "a literal of the text cannot be read"));
        }
        tree.put_back(&parameters)?;
        Ok(tree)
    }
}

fn range(literal: Literal) -> Range<usize> {
    literal.start as usize..literal.end as usize
}

/// Shows the text and the tree.
impl<P> fmt::Debug for ShapedTree<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapedTree").field("sql", &self.sql()).field("tree", self.tree()).finish()
    }
}
