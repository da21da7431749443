//! What the cache keeps and gives: a tree, and the values that a text has in it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::literal::value_in;
use super::recent::Handle;
use super::template::Template;
use crate::cache::shape_key::{Shape, is_literal};
use crate::convert::edit::EditTree;
use crate::convert::normalize::ReplacedConstant;
use crate::convert::view::AConst;
use crate::error::Error;
use crate::tree::{LiteralValue, Tree};

/// What is kept: a tree, and whose it is.
pub(super) struct TreeEntry {
    tree: Arc<Tree>,
    of: Owner,
    /// Whether it was found since memory last ran out.
    used: AtomicBool,
}

enum Owner {
    /// A text; if the tree was parsed from another one of its shape, with its constants.
    Text(Option<Other>),
    /// A shape: which of its tokens are constants.
    Shape(Vec<KnownConstant>),
    /// The texts that differ from the tree's own only within its literals.
    Template(Template),
}

/// A text that has another text's tree.
#[derive(Clone)]
struct Other {
    sql: Arc<str>,
    constants: Arc<[TextConstant]>,
}

/// A constant of a shape: its location in the tree, and its first and last token.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownConstant {
    pub location: u32,
    pub first: u32,
    pub last: u32,
}

/// A constant of a text: where the tree has it, and where the text has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextConstant {
    pub location: u32,
    pub start: u32,
    pub end: u32,
}

impl KnownConstant {
    /// The constants of a shape, if each of its literals is one of them: as one token, or as a minus sign
    /// and one token.
    pub(super) fn all(constants: &[ReplacedConstant], shape: &Shape, sql: &str) -> Option<Vec<Self>> {
        const MINUS: u16 = b'-' as u16;
        let mut known = Vec::with_capacity(constants.len());
        let mut literals = 0;
        for constant in constants {
            let at = |offset: usize| u32::try_from(offset).ok();
            let start = at(constant.range.start)?;
            let end = at(constant.range.end)?;
            let first = shape.tokens.binary_search_by_key(&start, |token| token.start).ok()?;
            let last = shape.tokens.binary_search_by_key(&end, |token| token.end).ok()?;
            match last.checked_sub(first)? {
                0 => {}
                1 if shape.tokens[first].kind == MINUS => {}
                _ => return None,
            }
            literals += usize::from(is_literal(shape.tokens[last].kind));
            known.push(Self { location: start, first: first as u32, last: last as u32 });
        }
        debug_assert!(known.iter().all(|constant| (constant.location as usize) < sql.len()));
        (literals == shape.literals).then_some(known)
    }
}

impl TreeEntry {
    /// A text with the tree that was parsed from it.
    pub(super) fn of_text(tree: Arc<Tree>) -> Arc<Self> {
        Self::new(tree, Owner::Text(None))
    }

    pub(super) fn of_shape(tree: Arc<Tree>, known: Vec<KnownConstant>) -> Arc<Self> {
        Self::new(tree, Owner::Shape(known))
    }

    pub(super) fn of_template(tree: Arc<Tree>, template: Template) -> Arc<Self> {
        Self::new(tree, Owner::Template(template))
    }

    fn new(tree: Arc<Tree>, of: Owner) -> Arc<Self> {
        Arc::new(Self { tree, of, used: AtomicBool::new(false) })
    }

    /// Notes that it was found.
    #[inline]
    pub(super) fn mark_used(&self) {
        // A write by every reader would send the cache line from core to core.
        if !self.used.load(Ordering::Relaxed) {
            self.used.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it was found since the last call.
    pub(super) fn take_used(&self) -> bool {
        self.used.swap(false, Ordering::Relaxed)
    }

    /// The constants of a text of this shape.
    fn constants_in(&self, sql: &str, shape: &Shape) -> Arc<[TextConstant]> {
        debug_assert!(shape.tokens.last().is_none_or(|token| token.end as usize <= sql.len()));
        let Owner::Shape(known) = &self.of else { return Arc::default() };
        let place = |known: &KnownConstant| TextConstant {
            location: known.location,
            start: shape.tokens[known.first as usize].start,
            end: shape.tokens[known.last as usize].end,
        };
        known.iter().map(place).collect()
    }

    /// Whether this is a template that `sql` fits; then `constants` are those of `sql`.
    pub(super) fn fits(&self, sql: &str, constants: &mut Vec<TextConstant>) -> bool {
        match &self.of {
            Owner::Template(template) => template.fits(self.tree.sql(), sql, constants),
            _ => false,
        }
    }

    fn other(&self) -> Option<&Other> {
        if let Owner::Text(other) = &self.of { other.as_ref() } else { None }
    }

    /// About how many bytes of memory it takes. A tree that several entries share counts for each: which
    /// of them goes last is not known.
    pub(super) fn bytes(&self) -> usize {
        let more = match &self.of {
            Owner::Text(other) => other.as_ref().map_or(0, |text| text.sql.len() + size_of_val(&*text.constants)),
            Owner::Shape(known) => size_of_val(&**known),
            Owner::Template(template) => template.bytes(),
        };
        size_of::<Self>() + self.tree.bytes() + more
    }
}

/// A tree from a [`super::TreeCache`], which any number of threads may hold.
///
/// The tree may be that of another text of the same shape: then the values of literals, and locations, are
/// the other text's. [`CachedTree::value`] gives this text's value of a constant, [`CachedTree::edit`] a
/// tree that has all of them.
#[derive(Clone)]
pub struct CachedTree {
    entry: Handle,
    /// The text, if the entry is not its own.
    text: Option<Other>,
}

impl CachedTree {
    pub(super) fn of_text(entry: Handle) -> Self {
        Self { entry, text: None }
    }

    pub(super) fn of_shape(entry: Handle, sql: &str, shape: &Shape) -> Self {
        let constants = entry.constants_in(sql, shape);
        Self { entry, text: Some(Other { sql: sql.into(), constants }) }
    }

    pub(super) fn of_template(entry: Handle, sql: &str, constants: &[TextConstant]) -> Self {
        Self { entry, text: Some(Other { sql: sql.into(), constants: constants.into() }) }
    }

    #[cfg(test)]
    pub(super) fn is_of_thread(&self) -> bool {
        matches!(self.entry, Handle::OfThread(_))
    }

    /// An entry for the text.
    pub(super) fn entry(&self) -> Arc<TreeEntry> {
        TreeEntry::new(self.entry.tree.clone(), Owner::Text(self.other().cloned()))
    }

    fn other(&self) -> Option<&Other> {
        self.text.as_ref().or_else(|| self.entry.other())
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.entry.tree
    }

    /// The text that was looked up.
    #[must_use]
    pub fn sql(&self) -> &str {
        self.other().map_or_else(|| self.tree().sql(), |text| &text.sql)
    }

    /// Whether the tree is that of another text of the same shape.
    #[must_use]
    pub fn is_by_shape(&self) -> bool {
        self.other().is_some()
    }

    /// The constants of the text that the tree has with another text's values: where the tree says that
    /// they are, and their bytes in this text. Empty for a text with a tree of its own.
    pub fn constants(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let constants = self.other().map_or(&[][..], |text| &text.constants);
        constants.iter().map(|c| (c.location as usize, c.start as usize..c.end as usize))
    }

    /// The value that a constant of [`CachedTree::tree`] has in this text.
    #[must_use]
    pub fn value(&self, constant: AConst<'_>) -> LiteralValue {
        if let (Some(text), Some(location)) = (self.other(), constant.location())
            && let Ok(index) = text.constants.binary_search_by_key(&location, |c| c.location as usize)
        {
            let TextConstant { start, end, .. } = text.constants[index];
            return value_in(&text.sql[start as usize..end as usize], constant.value());
        }
        LiteralValue::from(constant.value())
    }

    /// A copy of the tree that can be changed, with this text's values.
    ///
    /// # Errors
    /// A tree deeper than the stack limit.
    pub fn edit(&self) -> Result<EditTree, Error> {
        if !self.is_by_shape() {
            return self.tree().edit();
        }
        self.tree().edit_with_constants(&|constant, set| set(self.value(constant).as_constant()))
    }
}

/// The text and the tree.
impl fmt::Debug for CachedTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CachedTree").field("sql", &self.sql()).field("tree", self.tree()).finish()
    }
}
