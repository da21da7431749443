//! Caches answers by a statement's shape: its tokens without white space, comments and the values of literals. A
//! statement with a known shape need not be parsed.
//!
//! The answers are exact. PostgreSQL's grammar uses only the kinds of tokens, not the values of literals. Therefore
//! texts of one shape have the same tree except for the values of literals. A shape is stored only if each of its
//! literals is a constant that the fingerprint ignores and that normalization replaces. A text that the lexer rejects
//! has no shape. The shape of a text with a warning is not stored.

use pgq_lexer::Lexer;

use super::bytes::ByteCache;
use super::shape_entry::ShapeEntry;
use super::shape_key::{InputScope, Shape};
use super::shape_template::Templates;
use crate::error::Error;
use crate::options::FingerprintOptions;
use crate::tree::fingerprint::{Fingerprint, Fingerprinted};
use crate::tree::{Statement, Tree};

/// Number of lookups after which the hit rate is checked again.
const WINDOW: u32 = 512;
/// Minimum number of hits in [`WINDOW`] lookups. With fewer hits, lookups cost more than they save.
const FEW: u32 = WINDOW / 8;
/// Sampling interval while hits are few. One statement in 16 is looked up, to detect when shapes repeat again.
const RARELY: u32 = 16;

/// Number of slots for hashes of shapes that were seen once. Only shapes that repeat are stored.
const ONCE: usize = 4096;

/// A cache of fingerprints and normalized SQL by shape, with a capacity in bytes.
///
/// All entries are for the [`FingerprintOptions`] given to [`ShapeCache::new`] and for the parser's default options.
pub struct ShapeCache {
    cache: ByteCache,
    options: FingerprintOptions,
    shape: Shape,
    templates: Templates,
    once: Vec<u32>,
    /// Number of lookups in the current window.
    asked: u32,
    found: u32,
    /// Number of lookups to skip before the next one.
    pass: u32,
    rarely: bool,
}

/// Result of a lookup.
pub enum ShapeLookup<'a> {
    /// The shape is known.
    Known(KnownShape<'a>),
    /// The shape was seen before, but is not stored yet. [`ShapeCache::keep`] may store it.
    New(Box<Shape>),
    /// The text has no shape, sampling skipped the text, the shape was not seen before, or no answer can be derived
    /// from the shape.
    Unknown,
}

/// The answers for a text whose shape is known.
pub struct KnownShape<'a> {
    text: &'a str,
    shape: &'a Shape,
    entry: ShapeEntry<'a>,
}

impl KnownShape<'_> {
    /// Returns the same fingerprint as [`crate::fingerprint_with`] for the text.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.entry.fingerprint()
    }

    /// Appends the same SQL as [`crate::normalize`]. Returns false and appends nothing if a constant directly follows
    /// or precedes a word, as in `SELECT'a'`, because `SELECT$1` would be a single token.
    #[must_use]
    pub fn normalize(&self, out: &mut String) -> bool {
        let before = out.len();
        let known = self.entry.normalize(self.text, self.shape, out);
        if !known {
            out.truncate(before);
        }
        known
    }
}

impl ShapeCache {
    /// Creates a cache whose maximum size is about `bytes`.
    ///
    /// # Panics
    /// Panics if `options` has parse options other than the defaults.
    #[must_use]
    pub fn new(bytes: usize, options: FingerprintOptions) -> Self {
        assert!(options.parse.reads_by_default(), "shapes are those of the parser's defaults");
        Self {
            cache: ByteCache::new(bytes),
            options,
            shape: Shape::default(),
            templates: Templates::default(),
            once: vec![0; ONCE],
            asked: 0,
            found: 0,
            pass: 0,
            rarely: false,
        }
    }

    /// Looks up `text`. While hits are few, skips the lookup of most texts and returns [`ShapeLookup::Unknown`].
    pub fn find<'a>(&'a mut self, text: &'a str, extent: InputScope) -> ShapeLookup<'a> {
        if self.pass > 0 {
            self.pass -= 1;
            return ShapeLookup::Unknown;
        }
        self.count();
        if let Some((template, len)) = self.templates.find(text.as_bytes(), extent, &mut self.shape) {
            self.found += 1;
            return match ShapeEntry::of(self.templates.entry(template)) {
                Some(entry) => ShapeLookup::Known(KnownShape { text: &text[..len], shape: &self.shape, entry }),
                None => ShapeLookup::Unknown,
            };
        }
        let whole = text;
        let Some(text) = self.shape.read(text, extent) else { return ShapeLookup::Unknown };
        let hash = self.cache.hash(&self.shape.key);
        let Some(found) = self.cache.find(hash, &self.shape.key) else {
            let mark = (hash >> 32) as u32;
            let before = std::mem::replace(&mut self.once[hash as usize % ONCE], mark);
            return match before == mark {
                true => ShapeLookup::New(Box::new(std::mem::take(&mut self.shape))),
                false => ShapeLookup::Unknown,
            };
        };
        match ShapeEntry::of(self.cache.value(found)) {
            Some(entry) => {
                self.found += 1;
                let value = self.cache.value(found);
                self.templates.keep(whole.as_bytes(), extent, text.len(), &self.shape, value);
                ShapeLookup::Known(KnownShape { text, shape: &self.shape, entry })
            }
            None => ShapeLookup::Unknown,
        }
    }

    /// Counts a lookup. At the end of a window, checks the hit rate.
    fn count(&mut self) {
        self.asked += 1;
        if self.asked == WINDOW {
            self.rarely = self.found < FEW;
            (self.asked, self.found) = (0, 0);
        }
        self.pass = if self.rarely { RARELY - 1 } else { 0 };
    }

    /// Stores a shape that [`ShapeCache::find`] returned for the SQL of `tree`. If the answers cannot be derived from
    /// the shape, for example because a literal is part of the fingerprint, stores an empty entry instead.
    /// `fingerprint` is the fingerprint of `tree` with this cache's options, if the caller has already computed it.
    ///
    /// # Errors
    /// Same as for [`Tree::fingerprint`] and [`Tree::normalize`].
    pub(super) fn keep(
        &mut self,
        shape: &Shape,
        tree: &Tree,
        statement: Option<Statement<'_>>,
        fingerprint: Option<Fingerprinted>,
    ) -> Result<(), Error> {
        if !tree.warnings().is_empty() {
            return Ok(());
        }
        let fingerprint = match (fingerprint, statement) {
            (Some(fingerprint), _) => fingerprint,
            (None, Some(statement)) => statement.fingerprint(&self.options)?,
            (None, None) => tree.fingerprint(&self.options)?,
        };
        // An entry has no room for the flag `truncated`. Therefore a truncated fingerprint is not stored.
        let constants = if fingerprint.truncated { None } else { tree.replaceable_constants(statement)? };
        let sql = statement.map_or(tree.sql(), Statement::sql);
        let first_token =
            Lexer::new(sql.as_bytes()).find(|token| !token.is_comment()).map(|token| token.start as usize);
        let entry = match (constants, first_token) {
            (Some(constants), Some(first_token)) => {
                ShapeEntry::write(fingerprint.fingerprint, &constants, first_token, shape)
            }
            _ => None,
        };
        // An empty entry records that no answer can be derived from the shape, so that the derivation is not tried
        // again.
        let hash = self.cache.hash(&shape.key);
        self.cache.insert(hash, &shape.key, &entry.unwrap_or_default());
        Ok(())
    }
}
