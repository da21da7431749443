//! [`crate::fingerprint`] and [`crate::normalize`] with a cache, for one thread.

use super::answers::{AnswerCache, AnswerCacheOptions, AnswerLookup, CacheKeys};
use super::shape_key::InputScope;
use crate::error::Error;
use crate::options::{FingerprintOptions, ParseOptions};
use crate::tree::Tree;
use crate::tree::fingerprint::Fingerprint;

/// A cache of fingerprints. Parses SQL only if its fingerprint is not cached.
///
/// ```
/// let mut options = pgq::cache::AnswerCacheOptions::default();
/// (options.text_bytes, options.shape_bytes) = (1 << 20, 1 << 20);
/// let mut cache = pgq::cache::FingerprintCache::new(&options);
/// assert_eq!(cache.fingerprint("SELECT 1")?, pgq::fingerprint("SELECT 2")?);
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct FingerprintCache {
    cache: AnswerCache,
    options: FingerprintOptions,
}

/// A fingerprint from a [`FingerprintCache`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownFingerprint {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// Whether the fingerprint was found by the statement's shape (its tokens without the values of literals) instead
    /// of the text.
    pub by_shape: bool,
}

impl FingerprintCache {
    /// Creates an empty cache. `options.fingerprint` applies to every statement.
    #[must_use]
    pub fn new(options: &AnswerCacheOptions) -> Self {
        Self { cache: AnswerCache::new(options), options: options.fingerprint }
    }

    /// Returns the same fingerprint as [`crate::fingerprint_with`] with the cache's options.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`].
    pub fn fingerprint(&mut self, sql: &str) -> Result<Fingerprint, Error> {
        let found = known(self.cache.look_up_str(sql, InputScope::Text));
        match self.keep_known(sql.as_bytes(), found) {
            Ok(known) => Ok(known.fingerprint),
            Err(keys) => Ok(self.parse(sql, keys)?.0),
        }
    }

    /// Looks up the fingerprint of a statement's text.
    ///
    /// # Errors
    /// Returns the keys for [`FingerprintCache::parse`] if the text is unknown.
    pub fn look_up(&mut self, text: &[u8]) -> Result<KnownFingerprint, CacheKeys> {
        let found = known(self.cache.look_up(text, InputScope::Text));
        self.keep_known(text, found)
    }

    /// Returns the fingerprint that a lookup found. If the fingerprint was found by shape, also
    /// stores it by text.
    fn keep_known(&mut self, text: &[u8], found: Found) -> Result<KnownFingerprint, CacheKeys> {
        let (fingerprint, keys) = found?;
        if let Some(keys) = &keys {
            self.cache.keep_text(keys, text, &fingerprint.0.to_ne_bytes());
        }
        Ok(KnownFingerprint { fingerprint, by_shape: keys.is_some() })
    }

    /// Parses an unknown text and stores its fingerprint. Returns the fingerprint and the tree.
    ///
    /// # Errors
    /// Same as for [`Tree::parse`].
    pub fn parse(&mut self, sql: &str, keys: CacheKeys) -> Result<(Fingerprint, Tree), Error> {
        let tree = Tree::parse(sql, &ParseOptions::normalized())?;
        let found = tree.fingerprint(&self.options)?;
        let fingerprint = found.fingerprint;
        self.cache.keep(keys, sql.as_bytes(), &fingerprint.0.to_ne_bytes(), &tree, None, Some(found));
        Ok((fingerprint, tree))
    }
}

/// Result of a lookup. `Ok` contains the fingerprint of a known text. If the fingerprint was found by shape, `Ok` also
/// contains the keys, with which the caller can store it by text. `Err` contains the keys of an unknown text.
type Found = Result<(Fingerprint, Option<CacheKeys>), CacheKeys>;

fn known(lookup: AnswerLookup<'_>) -> Found {
    match lookup {
        AnswerLookup::Text(answer) => {
            let bytes = answer.try_into().expect("answers have eight bytes");
            Ok((Fingerprint(u64::from_ne_bytes(bytes)), None))
        }
        AnswerLookup::Shape(shape, keys) => Ok((shape.fingerprint(), Some(keys))),
        AnswerLookup::Miss(keys) => Err(keys),
    }
}

/// A cache of normalized SQL. Parses SQL only if its normalized form is not cached.
pub struct NormalizeCache(AnswerCache);

impl NormalizeCache {
    /// Creates an empty cache.
    #[must_use]
    pub fn new(options: &AnswerCacheOptions) -> Self {
        Self(AnswerCache::new(options))
    }

    /// Returns the same string as [`crate::normalize`].
    ///
    /// # Errors
    /// Same as for [`Tree::parse`].
    pub fn normalize(&mut self, sql: &str) -> Result<String, Error> {
        let keys = match self.0.look_up_str(sql, InputScope::Text) {
            AnswerLookup::Text(answer) => return Ok(String::from_utf8_lossy(answer).into_owned()),
            AnswerLookup::Shape(known, keys) => {
                let mut out = String::new();
                if known.normalize(&mut out) {
                    self.0.keep_text(&keys, sql.as_bytes(), out.as_bytes());
                    return Ok(out);
                }
                keys
            }
            AnswerLookup::Miss(keys) => keys,
        };
        let tree = Tree::parse(sql, &ParseOptions::normalized())?;
        let text = tree.normalize(false)?.text;
        self.0.keep(keys, sql.as_bytes(), text.as_bytes(), &tree, None, None);
        Ok(text)
    }
}
