//! [`crate::fingerprint`] and [`crate::normalize`] with a cache of their answers, for one thread.

use super::answers::{AnswerCache, AnswerCacheOptions, AnswerLookup};
use super::shape_key::InputScope;
use crate::error::Error;
use crate::options::ParseOptions;
use crate::tree::Tree;
use crate::tree::fingerprint::Fingerprint;

/// Computes fingerprints with a cache of the results.
///
/// ```
/// let mut options = pgq::cache::AnswerCacheOptions::default();
/// (options.text_bytes, options.shape_bytes) = (1 << 20, 1 << 20);
/// let mut cache = pgq::cache::FingerprintCache::new(&options);
/// assert_eq!(cache.fingerprint("SELECT 1")?, pgq::fingerprint("SELECT 2")?);
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct FingerprintCache(AnswerCache);

impl FingerprintCache {
    /// Creates an empty cache.
    #[must_use]
    pub fn new(options: &AnswerCacheOptions) -> Self {
        Self(AnswerCache::new(options))
    }

    /// Returns the same fingerprint as [`crate::fingerprint`].
    ///
    /// # Errors
    /// As for [`Tree::parse`].
    pub fn fingerprint(&mut self, sql: &str) -> Result<Fingerprint, Error> {
        let keys = match self.0.look_up_str(sql, InputScope::Text) {
            AnswerLookup::Text(answer) => match answer.try_into() {
                Ok(bytes) => return Ok(Fingerprint(u64::from_ne_bytes(bytes))),
                Err(_) => Default::default(), // not used below
            },
            AnswerLookup::Shape(known, keys) => {
                let fingerprint = known.fingerprint();
                self.0.keep_text(&keys, sql.as_bytes(), &fingerprint.0.to_ne_bytes());
                return Ok(fingerprint);
            }
            AnswerLookup::Miss(keys) => keys,
        };
        let tree = Tree::parse(sql, &ParseOptions::normalized())?;
        let found = tree.fingerprint(&Default::default())?;
        let fingerprint = found.fingerprint;
        self.0.keep(keys, sql.as_bytes(), &fingerprint.0.to_ne_bytes(), &tree, None, Some(found));
        Ok(fingerprint)
    }
}

/// Normalizes statements with a cache of the results.
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
    /// As for [`Tree::parse`].
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
