//! The concrete syntax tree of SQL. It contains all tokens, grouped by the rules of PostgreSQL's grammar (gram.y).
//!
//! Unlike a parse tree, it shows how SQL is written: parentheses, comments, and the spelling of
//! types and operators. Each inner node is a grammar rule that was applied. For example, `1` is an
//! `Iconst` in an `AexprConst` in a `c_expr` in an `a_expr`. The tree differs from the grammar's
//! derivation in two ways. A symbol that matches no tokens has no node. A list has its items as
//! children, whereas gram.y nests one node per item.
//!
//! This module does not format SQL, and does not support psql's meta-commands and variables.

mod automaton;
mod json;
mod node;
mod tokens;

use crate::error::{Error, ErrorKind};
use automaton::Record;
pub use automaton::symbol;
pub use node::{SyntaxLeaf, SyntaxNode};
use tokens::GrammarTokens;

/// A symbol of PostgreSQL's grammar: a terminal or a nonterminal. Module [`symbol`] has a constant for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(u16);

/// A token or comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Leaf {
    start: u32,
    end: u32,
    symbol: Symbol,
}

impl Leaf {
    fn is_comment(&self) -> bool {
        matches!(self.symbol, symbol::SQL_COMMENT | symbol::C_COMMENT)
    }
}

/// A node. Nodes are stored in preorder.
#[derive(Debug, Clone, Copy)]
struct NodeData {
    symbol: Symbol,
    parent: u32,
    /// Number of nodes in the subtree, including this node.
    size: u32,
    /// Index of the first leaf. `end` is the index after the last leaf.
    first: u32,
    end: u32,
}

/// The concrete syntax tree of SQL.
///
/// ```
/// use pgq::{SyntaxTree, symbol};
///
/// let tree = SyntaxTree::parse("SELECT a, /* two */ b FROM t -- all\n")?;
/// let from = tree.root().descendants().find(|node| node.symbol() == symbol::from_clause).unwrap();
/// assert_eq!(from.text(), "FROM t");
/// assert_eq!(from.trailing_comments().next().unwrap().text(), "-- all");
/// assert_eq!(tree.leaves().count(), 8);
/// # Ok::<(), pgq::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SyntaxTree<'a> {
    sql: &'a str,
    leaves: Vec<Leaf>,
    nodes: Vec<NodeData>,
}

impl<'a> SyntaxTree<'a> {
    /// Parses SQL statements. psql's meta-commands and COPY data are not supported.
    ///
    /// # Errors
    /// Like [`crate::parse`], returns an error if PostgreSQL's parser rejects `sql`.
    pub fn parse(sql: &'a str) -> Result<Self, Error> {
        // Run the parser first. It rejects some input that the grammar's rules accept, and creates the error messages.
        crate::parse::parse(sql, 0, 0)?;
        let tokens = crate::scan(sql)?;
        let leaf = |token: crate::Token| Leaf {
            start: token.start as u32,
            end: token.end as u32,
            symbol: Symbol::of_token(token.token),
        };
        let leaves: Vec<Leaf> = tokens.into_iter().map(leaf).collect();
        let mut tokens = GrammarTokens::new(&leaves);
        let records = automaton::run(|records| tokens.next(records), leaves.len() * 6);
        let records = records.ok_or_else(|| Error::new(ErrorKind::Syntax, "the grammar's rules reject the SQL"))?;
        let nodes = nodes(&records, &leaves);
        Ok(Self { sql, leaves, nodes })
    }

    /// Returns the root node, a `parse_toplevel`.
    #[must_use]
    pub fn root(&self) -> SyntaxNode<'_> {
        SyntaxNode { tree: self, index: 0 }
    }

    /// Returns all tokens and comments, in order. Only white space separates them.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = SyntaxLeaf<'_>> {
        self.leaves.iter().map(|leaf| SyntaxLeaf::new(self.sql, *leaf))
    }

    /// Returns the SQL that was parsed.
    #[must_use]
    pub fn sql(&self) -> &'a str {
        self.sql
    }

    /// Returns the number of comments that follow a leaf on its last line. Returns 0 if another token follows on that
    /// line.
    fn trailing(&self, leaf: usize) -> usize {
        let line_ends = |from: u32, to: u32| self.sql[from as usize..to as usize].contains(['\n', '\r']);
        let mut end = self.leaves[leaf].end;
        let mut count = 0;
        for (index, comment) in self.leaves[leaf + 1..].iter().enumerate() {
            if line_ends(end, comment.start) {
                break;
            }
            if !comment.is_comment() {
                return 0;
            }
            (count, end) = (index + 1, comment.end);
            if line_ends(comment.start, comment.end) {
                break;
            }
        }
        count
    }
}

/// Converts records in postorder to nodes in preorder.
fn nodes(records: &[Record], leaves: &[Leaf]) -> Vec<NodeData> {
    // For each record, the number of nodes before it, and the number of tokens before it. A replaced list has a record,
    // but no node.
    let (mut live, mut next_leaf) = (Vec::with_capacity(records.len() + 1), Vec::with_capacity(records.len() + 1));
    let tokens: Vec<u32> = (0..).zip(leaves).filter(|(_, leaf)| !leaf.is_comment()).map(|(index, _)| index).collect();
    let (mut count, mut token) = (0u32, 0usize);
    for record in records {
        live.push(count);
        next_leaf.push(token);
        count += u32::from(!record.is_replaced);
        token += usize::from(record.size == 1);
    }
    live.push(count);
    next_leaf.push(token);
    let mut nodes =
        vec![NodeData { symbol: symbol::parse_toplevel, parent: 0, size: 1, first: 0, end: 0 }; count.max(1) as usize];
    // For each open node, the index of its first record, and its index in `nodes`.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (index, record) in records.iter().enumerate().rev() {
        let start = index + 1 - record.size as usize;
        while open.last().is_some_and(|(first, _)| index < *first) {
            open.pop();
        }
        if record.is_replaced {
            continue;
        }
        let place = live[start] + open.len() as u32;
        nodes[place as usize] = NodeData {
            symbol: record.symbol,
            parent: open.last().map_or(0, |(_, parent)| *parent),
            size: live[index + 1] - live[start],
            first: tokens[next_leaf[start]],
            end: tokens[next_leaf[index + 1] - 1] + 1,
        };
        open.push((start, place));
    }
    nodes
}
