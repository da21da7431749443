//! Trees by text.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::limits::CacheLimits;
use super::store::{Store, Weighed, forward_to_store};
use crate::error::Error;
use crate::tree::Tree;

/// A cache of trees by text, for any number of threads. Texts are parsed with the default options. Each tree has a
/// payload of type `P`, which is created once.
///
/// ```
/// use pgq::cache::{CacheLimits, TreeCache};
/// use pgq::nodes::RangeVar;
///
/// let cache = TreeCache::with_limits(CacheLimits { bytes: 16 << 20, entries: 10_000 });
/// let tables = |tree: &pgq::Tree| tree.find::<RangeVar>().count();
/// let known = cache.get_or_insert_with("SELECT * FROM users WHERE id = 42", tables)?;
/// assert_eq!((known.sql(), *known.payload()), ("SELECT * FROM users WHERE id = 42", 1));
/// assert!(cache.get("SELECT * FROM users WHERE id = 42").is_some());
/// assert!(cache.get("SELECT * FROM users WHERE id = 7").is_none());
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct TreeCache<P = ()> {
    store: Store<Entry<P>>,
}

struct Entry<P> {
    tree: Arc<Tree>,
    payload: P,
}

impl<P> Weighed for Entry<P> {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.tree.bytes()
    }
}

impl TreeCache {
    /// Creates a cache of at most about `bytes` bytes that stores no payloads.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self::with_limits(CacheLimits::of_bytes(bytes))
    }
}

impl<P> TreeCache<P> {
    /// Creates a cache with limits in bytes and entries, for payloads of any type.
    #[must_use]
    pub fn with_limits(limits: CacheLimits) -> Self {
        Self { store: Store::new(limits) }
    }

    fn hash(&self, sql: &str) -> u64 {
        xxh3_64_with_seed(sql.as_bytes(), self.store.seed)
    }

    /// Returns the tree of a text if the text is known.
    #[inline]
    #[must_use]
    pub fn get(&self, sql: &str) -> Option<CachedTree<P>> {
        let hash = self.hash(sql);
        let found = self.store.find(hash, |entry| entry.tree.sql() == sql);
        self.store.count(hash, found.is_some());
        found.map(CachedTree)
    }

    /// Returns the tree of a text. If the text is unknown, parses it and stores the tree with the payload from `make`.
    /// If two threads create the same tree at the same time, both receive the tree that was stored first.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`]. Errors are not cached.
    pub fn get_or_insert_with(&self, sql: &str, make: impl FnOnce(&Tree) -> P) -> Result<CachedTree<P>, Error> {
        if let Some(known) = self.get(sql) {
            return Ok(known);
        }
        let tree = Tree::parse_shared(sql)?;
        let payload = make(&tree);
        let entry = Arc::new(Entry { tree, payload });
        Ok(CachedTree(self.store.insert(usize::MAX, self.hash(sql), entry, |entry| entry.tree.sql() == sql)))
    }

    /// Like [`TreeCache::get_or_insert_with`], with the payload's default.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`]. Errors are not cached.
    pub fn parse(&self, sql: &str) -> Result<CachedTree<P>, Error>
    where
        P: Default,
    {
        self.get_or_insert_with(sql, |_| P::default())
    }

    /// Returns the current entries, in no particular order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = CachedTree<P>> + use<P> {
        self.store.entries().into_iter().map(CachedTree)
    }
}

forward_to_store!(TreeCache, "Returns the number of entries.");

/// A tree from a [`TreeCache`], and its payload. Any number of threads may keep the tree, even after the cache has
/// evicted it.
///
/// Dereferences to the text's [`Tree`].
pub struct CachedTree<P = ()>(Arc<Entry<P>>);

impl<P> Clone for CachedTree<P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<P> CachedTree<P> {
    /// Returns the tree.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        &self.0.tree
    }

    /// Returns the payload that was created when the tree was parsed.
    #[must_use]
    pub fn payload(&self) -> &P {
        &self.0.payload
    }
}

impl<P> Deref for CachedTree<P> {
    type Target = Tree;
    fn deref(&self) -> &Tree {
        &self.0.tree
    }
}

/// Shows the text and the tree.
impl<P> fmt::Debug for CachedTree<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedTree").field("sql", &self.sql()).field("tree", self.tree()).finish()
    }
}
