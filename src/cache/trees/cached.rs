//! What the cache gives: a tree, and the values that a text has in it.

use std::ops::Range;
use std::sync::Arc;

use super::literal::value_in;
use crate::cache::shape_key::{Shape, is_literal};
use crate::convert::edit::EditTree;
use crate::convert::normalize::ReplacedConstant;
use crate::convert::view::{AConst, Node};
use crate::error::Error;
use crate::tree::{LiteralValue, OwnedTree};

/// What is kept: a tree and, of a text of another tree's shape, the text with its constants; of a shape,
/// which of its tokens are constants.
pub(super) struct TreeEntry {
    pub tree: Arc<OwnedTree>,
    known: Vec<KnownConstant>,
    text: Option<Other>,
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
    location: u32,
    first: u32,
    last: u32,
}

/// A constant of a text: where the tree has it, and where the text has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextConstant {
    location: u32,
    start: u32,
    end: u32,
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
    pub(super) fn of_text(tree: Arc<OwnedTree>) -> Arc<Self> {
        Arc::new(Self { tree, known: Vec::new(), text: None })
    }

    pub(super) fn of_shape(tree: Arc<OwnedTree>, known: Vec<KnownConstant>) -> Arc<Self> {
        Arc::new(Self { tree, known, text: None })
    }

    /// The constants of a text of this shape.
    pub(super) fn constants_in(&self, sql: &str, shape: &Shape) -> Vec<TextConstant> {
        debug_assert!(shape.tokens.last().is_none_or(|token| token.end as usize <= sql.len()));
        let place = |known: &KnownConstant| TextConstant {
            location: known.location,
            start: shape.tokens[known.first as usize].start,
            end: shape.tokens[known.last as usize].end,
        };
        self.known.iter().map(place).collect()
    }

    /// About how many bytes of memory it takes. A tree that several entries share counts for each: which
    /// of them goes last is not known.
    pub(super) fn bytes(&self) -> usize {
        let text = self.text.as_ref().map_or(0, |text| text.sql.len() + size_of_val(&*text.constants));
        size_of::<Self>() + self.tree.bytes() + size_of_val(&*self.known) + text
    }
}

/// A tree from a [`super::TreeCache`], which any number of threads may hold.
///
/// The tree may be that of another text of the same shape: then the values of literals, and locations, are
/// the other text's. [`CachedTree::value`] gives this text's value of a constant, [`CachedTree::edit`] a
/// tree that has all of them.
#[derive(Clone)]
pub struct CachedTree {
    tree: Arc<OwnedTree>,
    text: Option<Other>,
}

impl CachedTree {
    pub(super) fn of_text(entry: Arc<TreeEntry>) -> Self {
        Self { tree: entry.tree.clone(), text: entry.text.clone() }
    }

    pub(super) fn of_shape(tree: Arc<OwnedTree>, sql: &str, constants: Vec<TextConstant>) -> Self {
        Self { tree, text: Some(Other { sql: sql.into(), constants: constants.into() }) }
    }

    pub(super) fn entry(&self) -> Arc<TreeEntry> {
        Arc::new(TreeEntry { tree: self.tree.clone(), known: Vec::new(), text: self.text.clone() })
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &OwnedTree {
        &self.tree
    }

    /// The text that was looked up.
    #[must_use]
    pub fn sql(&self) -> &str {
        self.text.as_ref().map_or_else(|| self.tree.sql(), |text| &text.sql)
    }

    /// Whether the tree is that of another text of the same shape.
    #[must_use]
    pub fn is_by_shape(&self) -> bool {
        self.text.is_some()
    }

    /// The constants of the text that the tree has with another text's values: where the tree says that
    /// they are, and their bytes in this text. Empty for a text with a tree of its own.
    pub fn constants(&self) -> impl Iterator<Item = (usize, Range<usize>)> {
        let constants = self.text.as_ref().map_or(&[][..], |text| &text.constants);
        constants.iter().map(|c| (c.location as usize, c.start as usize..c.end as usize))
    }

    /// The value that a constant of [`CachedTree::tree`] has in this text.
    #[must_use]
    pub fn value(&self, constant: AConst<'_>) -> LiteralValue {
        if let (Some(text), Some(location)) = (&self.text, constant.location())
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
        let tree = self.tree.edit()?;
        if self.text.is_some() {
            for visit in tree.walk().in_any_order() {
                if let Node::AConst(constant) = visit.node {
                    let value = self.value(constant);
                    if value.as_constant() != constant.value() {
                        tree.set_constant(constant, value.as_constant());
                    }
                }
            }
        }
        Ok(tree)
    }
}
