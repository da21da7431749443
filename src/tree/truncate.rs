//! Shortens the SQL of a statement in the same way as libpg_query's summary.

use super::deparse;
use crate::convert::EmptyStrings;
use crate::convert::edit::{self, EditTree, New};
use crate::convert::view::{List, Node};
use crate::error::Error;
use crate::options::DeparseOptions;
use crate::sys::BYTES_PER_LEVEL;

/// Placeholder for an omitted part. The deparser writes it as the quoted name `"…"`, which other SQL hardly ever
/// contains. [`marked`] replaces this quoted name with `...`.
const MARK: &str = "…";

/// A part of a node that can be omitted.
#[derive(Clone, Copy)]
enum Part {
    Targets,
    Where,
    Values,
    Columns,
    CteQuery,
}

struct Truncation<'t> {
    node: Node<'t>,
    part: Part,
    depth: usize,
    /// Length of the part's SQL in bytes.
    len: usize,
}

/// Returns the statements of a tree as SQL of at most `limit` characters.
pub(super) fn truncated(tree: &EditTree, limit: usize) -> Result<String, Error> {
    let whole = sql(tree)?;
    if whole.chars().count() <= limit {
        return Ok(whole);
    }
    let mut truncations = truncations(tree)?;
    truncations.sort_by(|a, b| b.depth.cmp(&a.depth).then(b.len.cmp(&a.len)));
    /// Maximum length in bytes of the keywords that are removed along with a part, such as `SELECT` or `WHERE`.
    const AROUND: usize = 16;
    // A lower bound of the length that the SQL has after the omissions so far, in characters. It is cheap to compute,
    // whereas deparsing the tree after each omission would be slow. The tree is deparsed only if the bound is within
    // the limit.
    let mut least = whole.chars().count();
    for truncation in truncations {
        least = least.saturating_sub(part_len(truncation.node, truncation.part)?.unwrap_or(0) + AROUND);
        leave_out(tree, truncation);
        if least <= limit {
            let text = marked(tree)?;
            least = text.chars().count();
            if least <= limit {
                return Ok(text);
            }
        }
    }
    Ok(cut(marked(tree)?, limit))
}

/// Returns the SQL of a tree with `...` for each [`MARK`], the placeholder for an omitted part.
fn marked(tree: &EditTree) -> Result<String, Error> {
    let text = sql(tree)?.replace("SELECT \"…\" AS \"…\"", "SELECT \"…\"");
    Ok(text.replace("SELECT WHERE \"…\"", "\"…\"").replace("\"…\"", "..."))
}

/// Cuts `text` to `limit` characters, ending in `...`.
fn cut(mut text: String, limit: usize) -> String {
    const DOTS: &str = "...";
    if limit < DOTS.len() {
        return DOTS[..limit].to_string();
    }
    if let Some((end, _)) = text.char_indices().nth(limit - DOTS.len()) {
        text.truncate(end);
        text.push_str(DOTS);
    }
    text
}

/// Deparses a tree. The SQL may be invalid.
fn sql(tree: &EditTree) -> Result<String, Error> {
    let depth = tree.walk().map(|visit| visit.depth).max().unwrap_or(0) + 2;
    let options = DeparseOptions::default();
    deparse::joined(tree.tree().statements(), &options, EmptyStrings::Distinct, 0, depth * BYTES_PER_LEVEL)
}

/// Returns the length of a part's SQL. Only statements can be deparsed. Therefore `make` creates a statement that
/// contains the part. The length of `around`, the rest of this statement's SQL, is subtracted.
fn len_of<'n>(around: &str, make: impl for<'a> FnOnce(&'a EditTree) -> New<'a> + 'n) -> Result<usize, Error> {
    let tree = EditTree::new();
    tree.push(make(&tree));
    Ok(sql(&tree)?.len().saturating_sub(around.len()))
}

/// Returns every part that can be omitted and is longer than `...`, in the order of the SQL.
fn truncations(tree: &EditTree) -> Result<Vec<Truncation<'_>>, Error> {
    const DOTS: usize = 3;
    let mut found = Vec::new();
    // The levels of the current node's ancestors. A list counts as a level, so its members are two
    // levels below the node that contains the list.
    let mut levels: Vec<usize> = Vec::new();
    for visit in tree.walk().in_text_order() {
        let in_list = visit.index.is_some() && !matches!(visit.parent, Some(Node::List(_)));
        levels.truncate(visit.depth);
        let depth = levels.last().map_or(0, |level| level + 1 + usize::from(in_list));
        levels.push(depth);
        for part in parts(visit.node) {
            if let Some(len) = part_len(visit.node, part)?
                && len > DOTS
            {
                found.push(Truncation { node: visit.node, part, depth, len });
            }
        }
    }
    Ok(found)
}

/// Returns the kinds of parts that can be omitted from a node.
fn parts(node: Node<'_>) -> impl Iterator<Item = Part> {
    let parts: &[Part] = match node {
        Node::SelectStmt(_) => &[Part::Targets, Part::Where, Part::Values],
        Node::InsertStmt(_) => &[Part::Columns],
        Node::UpdateStmt(_) | Node::OnConflictClause(_) => &[Part::Targets, Part::Where],
        Node::DeleteStmt(_) | Node::CopyStmt(_) | Node::IndexStmt(_) | Node::RuleStmt(_) | Node::InferClause(_) => {
            &[Part::Where]
        }
        Node::CommonTableExpr(_) => &[Part::CteQuery],
        _ => &[],
    };
    parts.iter().copied()
}

/// Returns the length of a part's SQL; `None` if the part is absent.
fn part_len(node: Node<'_>, part: Part) -> Result<Option<usize>, Error> {
    let len = match part {
        Part::Targets => {
            let (list, is_update) = targets(node);
            if list.is_empty() {
                return Ok(None);
            }
            if is_update {
                len_of("UPDATE x SET ", |tree| {
                    edit::UpdateStmt::new(tree).relation(tree.table(None, "x")).target_list(list).into()
                })
            } else {
                len_of("SELECT ", |tree| edit::SelectStmt::new(tree).target_list(list).into())
            }
        }
        Part::Where => match where_clause(node) {
            None => return Ok(None),
            Some(clause) => len_of("SELECT WHERE ", |tree| edit::SelectStmt::new(tree).where_clause(clause).into()),
        },
        Part::Values => match node {
            Node::SelectStmt(select) if !select.values_lists().is_empty() => {
                len_of("VALUES ()", |tree| edit::SelectStmt::new(tree).values_lists(select.values_lists()).into())
            }
            _ => return Ok(None),
        },
        Part::Columns => match node {
            Node::InsertStmt(insert) if !insert.cols().is_empty() => {
                len_of("INSERT INTO x () DEFAULT VALUES", |tree| {
                    edit::InsertStmt::new(tree).relation(tree.table(None, "x")).cols(insert.cols()).into()
                })
            }
            _ => return Ok(None),
        },
        Part::CteQuery => match node {
            Node::CommonTableExpr(cte) => match cte.ctequery() {
                Some(query) => len_of("", |tree| tree.copied(query)),
                None => return Ok(None),
            },
            _ => return Ok(None),
        },
    };
    len.map(Some)
}

/// Returns a node's target list, and whether it is a list of assignments.
fn targets(node: Node<'_>) -> (List<'_>, bool) {
    match node {
        Node::UpdateStmt(update) => (update.target_list(), true),
        Node::OnConflictClause(conflict) => (conflict.target_list(), true),
        Node::SelectStmt(select) => (select.target_list(), false),
        other => unreachable!("{} has no list of targets", other.name()),
    }
}

fn where_clause(node: Node<'_>) -> Option<Node<'_>> {
    match node {
        Node::SelectStmt(it) => it.where_clause(),
        Node::UpdateStmt(it) => it.where_clause(),
        Node::DeleteStmt(it) => it.where_clause(),
        Node::CopyStmt(it) => it.where_clause(),
        Node::IndexStmt(it) => it.where_clause(),
        Node::RuleStmt(it) => it.where_clause(),
        Node::InferClause(it) => it.where_clause(),
        Node::OnConflictClause(it) => it.where_clause(),
        _ => None,
    }
}

/// Replaces a part with the mark.
fn leave_out(tree: &EditTree, Truncation { node, part, .. }: Truncation<'_>) {
    let column = || tree.column([MARK]);
    let target = || edit::ResTarget::new(tree).name(MARK).val(column());
    match (node, part) {
        (Node::SelectStmt(it), Part::Targets) => _ = tree.edit(it).target_list([target()]),
        (Node::SelectStmt(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::SelectStmt(it), Part::Values) => _ = tree.edit(it).values_lists([tree.list([column()])]),
        (Node::UpdateStmt(it), Part::Targets) => _ = tree.edit(it).target_list([target()]),
        (Node::UpdateStmt(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::OnConflictClause(it), Part::Targets) => _ = tree.edit(it).target_list([target()]),
        (Node::OnConflictClause(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::InsertStmt(it), Part::Columns) => _ = tree.edit(it).cols([target()]),
        (Node::DeleteStmt(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::CopyStmt(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::IndexStmt(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::RuleStmt(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::InferClause(it), Part::Where) => _ = tree.edit(it).where_clause(column()),
        (Node::CommonTableExpr(it), Part::CteQuery) => {
            _ = tree.edit(it).ctequery(edit::SelectStmt::new(tree).where_clause(column()));
        }
        (node, _) => unreachable!("{} has no such part", node.name()),
    }
}
