//! Changes the case of keywords. Keywords are ASCII, therefore the length of the SQL stays the same.

use super::KeywordCase;
use super::spacing::is_name;
use crate::syntax::{SyntaxNode, SyntaxTree, symbol};

/// Returns a statement's text with its keywords in `case`.
pub(super) fn in_case(tree: &SyntaxTree<'_>, text: &str, case: KeywordCase) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let keywords = tree.root().descendants().filter(|node| node.is_token() && is_keyword(*node));
    for word in keywords {
        let word = &mut bytes[word.range()];
        match case {
            KeywordCase::Upper => word.make_ascii_uppercase(),
            KeywordCase::Lower => word.make_ascii_lowercase(),
            KeywordCase::Keep => {}
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_string())
}

/// Returns whether a token is a keyword of the grammar. A name is not a keyword, even if it has the spelling of a
/// keyword.
fn is_keyword(token: SyntaxNode<'_>) -> bool {
    let is_word = token.text().bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    is_word
        && !matches!(token.symbol(), symbol::IDENT | symbol::UIDENT)
        && !token.parent().is_some_and(|parent| is_name(parent.symbol()))
}
