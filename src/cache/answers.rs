//! A cache of answers about SQL, such as fingerprints. A lookup tries the exact text first, then the text's shape (its
//! tokens without the values of literals). On a miss, the caller parses the text and stores the answer.

use super::results::ResultCache;
use super::shape::{KnownShape, ShapeCache, ShapeLookup};
use super::shape_key::{InputScope, Shape};
use crate::options::FingerprintOptions;
use crate::tree::fingerprint::Fingerprinted;
use crate::tree::{Statement, Tree};

/// Options of an [`AnswerCache`].
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct AnswerCacheOptions {
    /// Capacity of the cache whose keys are texts, in bytes; 0 disables this cache.
    pub text_bytes: usize,
    /// Capacity of the cache whose keys are shapes, in bytes; 0 disables this cache.
    pub shape_bytes: usize,
    /// Options of the fingerprints. If `shape_bytes` is not 0, the parse options in [`FingerprintOptions::parse`] must
    /// be the defaults.
    pub fingerprint: FingerprintOptions,
}

/// Caches answers by text and by shape (the tokens of a text without the values of literals). An answer that is cached
/// by text may be any byte string. Its key is only the text, so use a separate cache for each kind of answer, such as
/// fingerprints and JSON. An answer that is cached by shape consists of a fingerprint and normalized SQL.
///
/// ```
/// use pgq::cache::{AnswerCache, AnswerCacheOptions, AnswerLookup, InputScope};
/// use pgq::Tree;
///
/// let mut options = AnswerCacheOptions::default();
/// (options.text_bytes, options.shape_bytes) = (1 << 20, 1 << 20);
/// let mut cache = AnswerCache::new(&options);
/// let mut fingerprint = |sql: &str| -> Result<String, pgq::Error> {
///     let keys = match cache.look_up(sql.as_bytes(), InputScope::Text) {
///         AnswerLookup::Text(answer) => return Ok(String::from_utf8_lossy(answer).into_owned()),
///         AnswerLookup::Shape(known, _) => return Ok(known.fingerprint().to_string()),
///         AnswerLookup::Miss(keys) => keys,
///     };
///     let tree = Tree::parse(sql, &Default::default())?;
///     let found = tree.fingerprint(&Default::default())?;
///     let answer = found.fingerprint.to_string();
///     cache.keep(keys, sql.as_bytes(), answer.as_bytes(), &tree, None, Some(found));
///     Ok(answer)
/// };
/// assert_eq!(fingerprint("SELECT 1")?, fingerprint("SELECT 1")?); // by text
/// assert_eq!(fingerprint("SELECT 2")?, fingerprint("SELECT 3")?); // a shape is kept when it repeats
/// # Ok::<(), pgq::Error>(())
/// ```
pub struct AnswerCache {
    results: Option<ResultCache>,
    shapes: Option<ShapeCache>,
}

/// Result of a lookup.
pub enum AnswerLookup<'a> {
    /// The answer that was stored for exactly this text.
    Text(&'a [u8]),
    /// The text's shape is known. If the fingerprint and the normalized SQL suffice as the answer, pass the keys to
    /// [`AnswerCache::keep_text`]. Otherwise, pass them to [`AnswerCache::keep`].
    Shape(KnownShape<'a>, CacheKeys),
    /// Text and shape are unknown. Parse the text and pass the answer to [`AnswerCache::keep`].
    Miss(CacheKeys),
}

/// Keys to store the answer for a text.
#[derive(Default)]
pub struct CacheKeys {
    text: Option<u64>,
    shape: Option<Box<Shape>>,
}

impl CacheKeys {
    /// Returns whether [`AnswerCache::keep`] will also store the answer by shape.
    #[must_use]
    pub fn has_new_shape(&self) -> bool {
        self.shape.is_some()
    }
}

impl AnswerCache {
    /// Creates a cache.
    ///
    /// # Panics
    /// Panics if shapes are cached and `options.fingerprint` has parse options other than the defaults.
    #[must_use]
    pub fn new(options: &AnswerCacheOptions) -> Self {
        let AnswerCacheOptions { text_bytes, shape_bytes, fingerprint } = *options;
        Self {
            results: (text_bytes > 0).then(|| ResultCache::new(text_bytes)),
            shapes: (shape_bytes > 0).then(|| ShapeCache::new(shape_bytes, fingerprint)),
        }
    }

    /// Returns whether at least one capacity is above 0.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.results.is_some() || self.shapes.is_some()
    }

    /// Looks up the answer for `text`, by text and then by shape. Text that is not UTF-8 has no
    /// shape, so it is looked up only by text.
    pub fn look_up<'a>(&'a mut self, text: &'a [u8], scope: InputScope) -> AnswerLookup<'a> {
        self.look_up_with(text, scope, |text| std::str::from_utf8(text).ok())
    }

    /// Like [`AnswerCache::look_up`], for a string.
    pub fn look_up_str<'a>(&'a mut self, text: &'a str, scope: InputScope) -> AnswerLookup<'a> {
        self.look_up_with(text.as_bytes(), scope, |_| Some(text))
    }

    #[inline]
    fn look_up_with<'a>(
        &'a mut self,
        text: &'a [u8],
        scope: InputScope,
        as_str: impl FnOnce(&'a [u8]) -> Option<&'a str>,
    ) -> AnswerLookup<'a> {
        let key = self.results.as_mut().and_then(|results| results.key(text));
        if let (Some(results), Some(key)) = (&mut self.results, key)
            && let Some(answer) = results.answer(key, text)
        {
            return AnswerLookup::Text(answer);
        }
        let mut keys = CacheKeys { text: key, shape: None };
        if let Some(shapes) = &mut self.shapes
            && let Some(sql) = as_str(text)
        {
            match shapes.find(sql, scope) {
                ShapeLookup::Known(known) => return AnswerLookup::Shape(known, keys),
                ShapeLookup::New(shape) => keys.shape = Some(shape),
                ShapeLookup::Unknown => {}
            }
        }
        AnswerLookup::Miss(keys)
    }

    /// Stores the answer for `text`. `tree` is the tree of `text` or, if `statement` is set, the tree of a longer text
    /// that contains this statement. `fingerprint` is the fingerprint of `text` with this cache's options, if the
    /// caller has already computed it.
    pub fn keep(
        &mut self,
        keys: CacheKeys,
        text: &[u8],
        answer: &[u8],
        tree: &Tree,
        statement: Option<Statement<'_>>,
        fingerprint: Option<Fingerprinted>,
    ) {
        if let (Some(shapes), Some(shape)) = (&mut self.shapes, &keys.shape) {
            // Ignore the error. The caller already got the same error when it computed the answer.
            let _ = shapes.keep(shape, tree, statement, fingerprint);
        }
        if let (Some(results), Some(key)) = (&mut self.results, keys.text) {
            results.keep(key, text, answer);
        }
    }

    /// Stores the answer for a text with a known shape, if the text has occurred before. Most texts with a known shape
    /// occur only once, and storing all of them would cost more than it saves.
    pub fn keep_text(&mut self, keys: &CacheKeys, text: &[u8], answer: &[u8]) {
        if let (Some(results), Some(key)) = (&mut self.results, keys.text) {
            results.keep_repeated(key, text, answer);
        }
    }
}
