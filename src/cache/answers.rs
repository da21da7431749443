//! The cache in front of the parser: look up by text, then by shape; else parse, then keep.

use super::results::ResultCache;
use super::shape::{KnownShape, ShapeCache, ShapeLookup};
use super::shape_key::{InputScope, Shape};
use crate::options::FingerprintOptions;
use crate::tree::fingerprint::Fingerprinted;
use crate::tree::{Statement, Tree};

/// What an [`AnswerCache`] keeps, and how much of it.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct AnswerCacheOptions {
    /// Bytes for answers by text; 0 keeps none.
    pub text_bytes: usize,
    /// Bytes for shapes; 0 keeps none.
    pub shape_bytes: usize,
    /// How the fingerprints of shapes are made. Texts must be parsed with the default options.
    pub fingerprint: FingerprintOptions,
}

/// Answers by text, which are any bytes of the caller's, and by shape, which are fingerprints and
/// normalized texts. One cache serves one kind of answer.
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

/// What a lookup gave.
pub enum AnswerLookup<'a> {
    /// The answer that was kept for this text.
    Text(&'a [u8]),
    /// The text's shape is known. The keys are for [`AnswerCache::keep_text`], or for
    /// [`AnswerCache::keep`] where the shape's answer will not do.
    Shape(KnownShape<'a>, CacheKeys),
    /// Nothing is known: parse the text, then [`AnswerCache::keep`] the answer.
    Miss(CacheKeys),
}

/// By what the answer for a text is to be kept, once there is one.
#[derive(Default)]
pub struct CacheKeys {
    text: Option<u64>,
    shape: Option<Box<Shape>>,
}

impl CacheKeys {
    /// Returns whether the text has a shape that is to be kept with its answer.
    #[must_use]
    pub fn has_new_shape(&self) -> bool {
        self.shape.is_some()
    }
}

impl AnswerCache {
    /// Creates a cache as `options` say.
    ///
    /// # Panics
    /// If shapes are wanted and the texts would be parsed with other than the default options.
    #[must_use]
    pub fn new(options: &AnswerCacheOptions) -> Self {
        let AnswerCacheOptions { text_bytes, shape_bytes, fingerprint } = *options;
        Self {
            results: (text_bytes > 0).then(|| ResultCache::new(text_bytes)),
            shapes: (shape_bytes > 0).then(|| ShapeCache::new(shape_bytes, fingerprint)),
        }
    }

    /// Returns whether it keeps anything.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.results.is_some() || self.shapes.is_some()
    }

    /// Looks for the answer for `text`. Bytes that are not UTF-8 have no shape.
    pub fn look_up<'a>(&'a mut self, text: &'a [u8], scope: InputScope) -> AnswerLookup<'a> {
        self.look_up_with(text, scope, |text| std::str::from_utf8(text).ok())
    }

    /// Returns the same for a text that is known to be UTF-8.
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

    /// Keeps the answer for `text`, which was parsed: `tree` is its tree or, where it is one
    /// statement of a longer text, `statement` is its statement. `fingerprint` is that of the text
    /// with this cache's options, where the caller has it already.
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
            // An error here was one of the answer, too.
            let _ = shapes.keep(shape, tree, statement, fingerprint);
        }
        if let (Some(results), Some(key)) = (&mut self.results, keys.text) {
            results.keep(key, text, answer);
        }
    }

    /// Keeps the answer for `text`, whose shape is known, by its text as well, if the text comes for the second
    /// time: few of the texts of one shape do.
    pub fn keep_text(&mut self, keys: &CacheKeys, text: &[u8], answer: &[u8]) {
        if let (Some(results), Some(key)) = (&mut self.results, keys.text) {
            results.keep_repeated(key, text, answer);
        }
    }
}
