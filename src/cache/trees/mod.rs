//! Trees that threads share, by text or by shape: what a proxy or a linter keeps of the statements that
//! come again and again.
//!
//! A text of a known shape has the shape's tree except for the values of its literals, for the reasons
//! that `shape.rs` gives; [`CachedTree::value`] reads those from the text. A text that is written as a known
//! one, but for its literals, is found without reading all of its tokens (`template.rs`). Entries are in
//! shards, each behind a lock that readers share; what a thread found lately it finds without (`recent.rs`).

mod cached;
mod literal;
mod recent;
mod shard;
mod template;

use std::cell::RefCell;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::shape_key::{InputScope, SHAPE, Shape};
use crate::error::Error;
use crate::options::ParseOptions;
use crate::tree::Tree;
pub use cached::CachedTree;
use cached::{KnownConstant, TextConstant, TreeEntry};
use recent::{Handle, RecentEntries};
use shard::Shard;
use template::Template;

/// Shards: more than threads wait for one another in.
const SHARDS: usize = 64;

/// Hashes of texts that came once by their shape: only those that repeat are kept by their text, too.
const ONCE: usize = 4096;

/// Templates with one prefix: a text is compared with each of them.
const MOST_TEMPLATES: usize = 4;

/// Trees by text and by shape, bounded in bytes, for any number of threads. Texts are parsed with the
/// default options.
///
/// ```
/// use pgq::cache::TreeCache;
/// use pgq::nodes::AConst;
///
/// let cache = TreeCache::new(16 << 20);
/// cache.parse("SELECT * FROM users WHERE id = 42")?;
/// let known = cache.parse("select * from users where id = 7")?; // not parsed: of the same shape
/// assert!(cache.get("select * from users where id = 7").is_some());
/// let id = known.tree().walk().find_map(|visit| visit.node.downcast::<AConst>()).unwrap();
/// assert_eq!(known.value(id), pgq::cache::LiteralValue::Integer(7));
/// assert_eq!(known.edit()?.deparse(&Default::default())?, "SELECT * FROM users WHERE id = 7");
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct TreeCache {
    shards: Vec<Shard>,
    recent: Option<RecentEntries>,
    once: Vec<AtomicU32>,
    /// Random, so that nobody can construct texts whose keys collide.
    seed: u64,
}

/// The first byte of the hashed key says by what an entry is kept.
const BY_TEXT: u64 = 0x5851_f42d_4c95_7f2d;
const BY_SHAPE: u64 = 0x1405_7b7e_f767_814f;
const BY_TEMPLATE: u64 = 0x9e6c_63d0_876a_3f35;

thread_local! {
    /// The constants of a text that is looked up. Reused.
    static CONSTANTS: RefCell<Vec<TextConstant>> = const { RefCell::new(Vec::new()) };
}

impl TreeCache {
    /// A cache of at most about `bytes` bytes: texts, trees and tables together.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Shard::new(bytes / SHARDS)).collect(),
            recent: RecentEntries::new(bytes),
            once: (0..ONCE).map(|_| AtomicU32::new(0)).collect(),
            seed: RandomState::new().hash_one(0),
        }
    }

    fn shard(&self, hash: u64) -> &Shard {
        &self.shards[(hash >> 58) as usize % SHARDS]
    }

    /// The first entry with this hash that `is_it`.
    fn find(&self, hash: u64, mut is_it: impl FnMut(&[u8], &TreeEntry) -> bool) -> Option<Handle> {
        if let Some(found) = self.recent.as_ref().and_then(|recent| recent.find(hash, &mut is_it)) {
            return Some(found);
        }
        self.shard(hash).find(hash, is_it, |key, entry| {
            self.recent.iter().for_each(|recent| recent.note(hash, key, entry));
            Handle::Shared(entry.clone())
        })
    }

    /// Keeps an entry, unless there are `most` with its hash.
    fn insert_among(&self, most: usize, hash: u64, key: &[u8], entry: Arc<TreeEntry>) {
        if self.shard(hash).insert(most, hash, key, entry) {
            self.recent.iter().for_each(RecentEntries::clear);
        }
    }

    fn insert(&self, hash: u64, key: &[u8], entry: Arc<TreeEntry>) {
        self.insert_among(usize::MAX, hash, key, entry);
    }

    /// The tree of a text that is known, itself or by its shape.
    #[must_use]
    pub fn get(&self, sql: &str) -> Option<CachedTree> {
        let hash = xxh3_64_with_seed(sql.as_bytes(), self.seed ^ BY_TEXT);
        if let Some(entry) = self.find(hash, |key, _| key == sql.as_bytes()) {
            return Some(CachedTree::of_text(entry));
        }
        let known = self.by_template(sql).or_else(|| self.by_shape(sql))?;
        self.keep_repeated(hash, &known, sql);
        Some(known)
    }

    fn by_template(&self, sql: &str) -> Option<CachedTree> {
        let key = self.template_key(sql);
        CONSTANTS.with_borrow_mut(|constants| {
            let entry = self.find(key, |_, entry| entry.fits(sql, constants))?;
            Some(CachedTree::of_template(entry, sql, constants))
        })
    }

    fn template_key(&self, sql: &str) -> u64 {
        xxh3_64_with_seed(template::prefix(sql), self.seed ^ BY_TEMPLATE)
    }

    fn by_shape(&self, sql: &str) -> Option<CachedTree> {
        SHAPE.with_borrow_mut(|shape| {
            shape.read(sql, InputScope::Text)?;
            let key = xxh3_64_with_seed(&shape.key, self.seed ^ BY_SHAPE);
            let entry = self.find(key, |other, _| *other == *shape.key)?;
            Some(CachedTree::of_shape(entry, sql, shape))
        })
    }

    /// Keeps a text that comes the second time under itself, which is found faster than its shape.
    fn keep_repeated(&self, hash: u64, known: &CachedTree, sql: &str) {
        let mark = (hash >> 32) as u32 | 1;
        let before = self.once[hash as usize % ONCE].swap(mark, Ordering::Relaxed);
        if before == mark {
            self.insert(hash, sql.as_bytes(), known.entry());
        }
    }

    /// The tree of a text: known, or parsed and kept.
    ///
    /// # Errors
    /// As for [`Tree::parse`]. Errors are not kept.
    pub fn parse(&self, sql: &str) -> Result<CachedTree, Error> {
        if let Some(known) = self.get(sql) {
            return Ok(known);
        }
        let tree = Tree::parse(sql, &ParseOptions::default())?;
        let owned = Arc::new(tree.to_owned()?);
        let hash = xxh3_64_with_seed(sql.as_bytes(), self.seed ^ BY_TEXT);
        let entry = TreeEntry::of_text(owned.clone());
        self.insert(hash, sql.as_bytes(), entry.clone());
        // A warning may depend on a value.
        if tree.warnings().is_empty()
            && let Some(constants) = tree.replaceable_constants(None)?
        {
            let mut shape = Shape::default();
            if shape.read(sql, InputScope::Text).is_some()
                && let Some(constants) = KnownConstant::all(&constants, &shape, sql)
            {
                if let Some(template) = Template::new(sql, &shape, &constants) {
                    let key = self.template_key(sql);
                    let entry = TreeEntry::of_template(owned.clone(), template);
                    self.insert_among(MOST_TEMPLATES, key, sql.as_bytes(), entry);
                }
                let key = xxh3_64_with_seed(&shape.key, self.seed ^ BY_SHAPE);
                self.insert(key, &shape.key, TreeEntry::of_shape(owned, constants));
            }
        }
        Ok(CachedTree::of_text(Handle::Shared(entry)))
    }

    /// About how many bytes are in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// The number of entries: of texts and of shapes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(Shard::len).sum()
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
