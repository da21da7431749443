//! The two caches in front of the parser: results by text, and results by shape.

use pgq::FingerprintOptions;
use pgq::shape::{Extent, Found, Known, ShapeCache};

use super::handler::Statement;
use super::result_cache::ResultCache;
use crate::input::Granularity;

/// Memory of the shape caches of all jobs together, in bytes.
const SHAPE_BYTES: usize = 8 << 20;

/// The shape cache of one of `jobs` jobs, which share the memory.
pub fn shape_cache(jobs: usize, options: FingerprintOptions) -> ShapeCache {
    ShapeCache::new(SHAPE_BYTES / jobs.max(1), options)
}

/// The caches of a job.
#[derive(Default)]
pub struct Caches {
    pub by_text: Option<ResultCache>,
    pub by_shape: Option<ShapeCache>,
    /// Longest statement that is looked up by its shape, in bytes.
    pub max_shape_bytes: usize,
}

/// How to keep the result of a statement that was not found.
#[derive(Clone, Copy, Default)]
pub struct CacheKeys {
    text: Option<u64>,
    /// The shape has come before, so that it is worth keeping.
    shape: bool,
}

/// Result of a lookup.
pub enum Lookup<'a> {
    /// The result itself.
    Result(&'a [u8]),
    /// The shape is known, and a result may be derived from it.
    Shape(Known<'a>, CacheKeys),
    Miss(CacheKeys),
}

impl Caches {
    pub fn is_empty(&self) -> bool {
        self.by_text.is_none() && self.by_shape.is_none()
    }

    pub fn look_up<'a>(&'a mut self, text: &'a [u8], granularity: Granularity) -> Lookup<'a> {
        let mut keys = CacheKeys::default();
        if let Some(cache) = &mut self.by_text {
            keys.text = cache.key(text);
            if let Some(key) = keys.text
                && let Some(result) = cache.get(key, text)
            {
                return Lookup::Result(result);
            }
        }
        let scope = match granularity {
            Granularity::Record => Extent::Text,
            Granularity::Statement => Extent::Statement,
        };
        let found = match (&mut self.by_shape, std::str::from_utf8(text)) {
            (Some(shapes), Ok(sql)) if text.len() <= self.max_shape_bytes => shapes.find(sql, scope),
            _ => Found::Nothing,
        };
        match found {
            Found::Known(shape) => Lookup::Shape(shape, keys),
            Found::New => Lookup::Miss(CacheKeys { shape: true, ..keys }),
            Found::Nothing => Lookup::Miss(keys),
        }
    }

    /// Keeps the result of a text.
    pub fn keep_result(&mut self, keys: CacheKeys, text: &[u8], result: &[u8]) {
        if let (Some(cache), Some(key)) = (&mut self.by_text, keys.text) {
            cache.insert(key, text, result);
        }
    }

    /// Keeps the shape of a parsed statement.
    pub fn keep_shape(&mut self, keys: CacheKeys, statement: &Statement<'_>) {
        if let (Some(shapes), true) = (&mut self.by_shape, keys.shape) {
            let (tree, index) = statement.tree();
            let index = (statement.granularity == Granularity::Statement).then_some(index);
            // An error here would have been an error of the result, too.
            let _ = shapes.keep(statement.text, tree, index);
        }
    }
}
