//! Answers by a statement's shape: its tokens, with literals by their kind alone, without white
//! space and comments. A statement of a known shape is not parsed.
//!
//! Nothing here is likely: it is so or there is no answer. PostgreSQL's grammar decides by kinds
//! of tokens, so two texts of one shape have one tree, but for the values of its constants. A
//! shape is kept only if each of its literals is such a constant: one that counts for nothing
//! in the fingerprint and that normalizing replaces. A text that the lexer is not sure of, and
//! one that PostgreSQL would remark on, has no shape.

mod entry;
mod key;

use crate::cache::ByteCache;
use crate::convert::Tree;
use crate::options::FingerprintOptions;
use crate::{Error, Fingerprint, Fingerprinted};
use entry::Entry;
use key::Shape;

/// How much of a text is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it, whatever it holds.
    Text,
    /// The one statement in it, without the semicolon that may end it.
    Statement,
}

/// Questions after which it is decided anew how often to look.
const WINDOW: u32 = 512;
/// With fewer answers than this in a window, looking costs more than it saves.
const FEW: u32 = WINDOW / 8;
/// Then only one statement of so many is looked at, to find out when that changes.
const RARELY: u32 = 16;

/// Hashes of shapes that came once: only what comes again is worth keeping.
const ONCE: usize = 4096;

/// Fingerprints and normalized texts by shape, bounded by bytes.
///
/// All entries are for the same options: those of the [`FingerprintOptions`] given to
/// [`ShapeCache::new`], and the parser's own defaults.
pub struct ShapeCache {
    cache: ByteCache,
    options: FingerprintOptions,
    shape: Shape,
    once: Vec<u32>,
    /// Questions and answers in this window.
    asked: u32,
    found: u32,
    /// Questions that are not looked at before the next that is.
    pass: u32,
    rarely: bool,
}

/// What a question gave.
pub enum Found<'a> {
    /// The answer.
    Known(Known<'a>),
    /// None, and the shape has come before: [`ShapeCache::keep`] may make it known.
    New,
    /// None.
    Nothing,
}

/// The answer for a text whose shape is known.
pub struct Known<'a> {
    text: &'a str,
    shape: &'a Shape,
    entry: Entry<'a>,
}

impl Known<'_> {
    /// What [`crate::fingerprint_with`] gives for the text.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.entry.fingerprint()
    }

    /// Appends what [`crate::normalize`] gives for the text. False, and nothing is appended,
    /// where that depends on the white space around its constants.
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
    /// A cache of at most about `bytes` bytes.
    ///
    /// # Panics
    /// If `options` say that texts are to be parsed in another way than by default.
    #[must_use]
    pub fn new(bytes: usize, options: FingerprintOptions) -> Self {
        assert_eq!(options.parse, crate::ParseOptions::default(), "shapes are those of the parser's defaults");
        Self {
            cache: ByteCache::new(bytes),
            options,
            shape: Shape::default(),
            once: vec![0; ONCE],
            asked: 0,
            found: 0,
            pass: 0,
            rarely: false,
        }
    }

    /// The answer for `text`. Where next to none is known, most texts are not looked for.
    pub fn find<'a>(&'a mut self, text: &'a str, extent: Extent) -> Found<'a> {
        if self.pass > 0 {
            self.pass -= 1;
            return Found::Nothing;
        }
        self.count();
        let Some(text) = self.shape.read(text, extent) else { return Found::Nothing };
        let hash = self.cache.hash(&self.shape.key);
        let Some(found) = self.cache.find(hash, &self.shape.key) else {
            let mark = (hash >> 32) as u32;
            let before = std::mem::replace(&mut self.once[hash as usize % ONCE], mark);
            return if before == mark { Found::New } else { Found::Nothing };
        };
        match Entry::of(self.cache.value(found)) {
            Some(entry) => {
                self.found += 1;
                Found::Known(Known { text, shape: &self.shape, entry })
            }
            None => Found::Nothing,
        }
    }

    /// Decides anew how often to look, from time to time.
    fn count(&mut self) {
        self.asked += 1;
        if self.asked == WINDOW {
            self.rarely = self.found < FEW;
            (self.asked, self.found) = (0, 0);
        }
        self.pass = if self.rarely { RARELY - 1 } else { 0 };
    }

    /// Keeps what there is to know of the shape of `text`, whose tree this is; of statement
    /// `index` alone, whose own text it is, where there is one. Nothing is kept if it depends
    /// on more than the shape.
    ///
    /// # Errors
    /// As for [`Tree::fingerprint`] and [`Tree::normalize`].
    pub fn keep(&mut self, text: &str, tree: &Tree, index: Option<usize>) -> Result<(), Error> {
        if !tree.warnings().is_empty() || self.shape.read(text, Extent::Text).is_none() {
            return Ok(());
        }
        let fingerprinted = match index {
            Some(index) => tree.statement_fingerprinted(index, &self.options)?,
            None => tree.fingerprinted(&self.options)?,
        };
        let constants = tree.constants(text, index)?;
        let entry = match (fingerprinted, constants) {
            (Fingerprinted { fingerprint, truncated: false }, Some(constants)) => {
                Entry::write(fingerprint, &constants, &self.shape)
            }
            // What is said of a fingerprint that is truncated is not kept.
            _ => None,
        };
        // An empty entry says that there is nothing to know: nobody needs to look again.
        let hash = self.cache.hash(&self.shape.key);
        self.cache.insert(hash, &self.shape.key, &entry.unwrap_or_default());
        Ok(())
    }
}
