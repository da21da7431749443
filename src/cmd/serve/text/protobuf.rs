//! Encodes parse trees in Protobuf, and deparses encoded trees. The depth of a tree is limited for two reasons. First,
//! encoding and decoding recurse. Second, the time of encoding grows with the square of the depth, because the lengths
//! of nested messages are computed again at every level. Decoders in other languages have lower limits, so they could
//! not decode the refused trees anyway.

use pgq::proto::ParseResult;
use pgq::reference::try_with_stack_for_levels;
use pgq::{Error, Tree};
use pgq_frames::{ErrorCode, Fault, Place, flag};
use prost::Message;

use super::super::options::TextOptions;
use super::Form;
use super::write_sql;

/// Maximum depth of a tree, in levels as `Parsed::depth` counts them.
const TREE_DEPTH: usize = 2_500;

/// Maximum nesting depth of messages. A level of the tree needs two nested messages: the node, and the message `Node`
/// that wraps it. The result and its statement are outside of the tree's levels.
const DEPTH: usize = 2 * TREE_DEPTH + 10;

/// Upper bound of stack bytes per level. It is high enough for debug builds.
const STACK_PER_LEVEL: usize = 8 << 10;

/// Encodes a tree.
///
/// # Errors
/// The tree is too deep, or there is no memory for a stack.
pub fn encode(tree: &Tree) -> Result<Vec<u8>, Error> {
    let parsed = tree.to_prost()?;
    if parsed.depth() as usize > TREE_DEPTH {
        return Err(Error::too_deep(&format!(
            "the tree is {} levels deep; in Protobuf {TREE_DEPTH} are allowed",
            parsed.depth()
        )));
    }
    let levels = 2 * parsed.depth() as usize;
    try_with_stack_for_levels(levels, STACK_PER_LEVEL, || parsed.tree.encode_to_vec()).ok_or_else(Error::out_of_memory)
}

/// Appends the SQL of an encoded tree.
///
/// # Errors
/// The bytes are not a tree, the tree is too deep or cannot be deparsed, or there is no memory for a stack.
pub fn deparse(form: Form, bytes: &[u8], options: &TextOptions, out: &mut Vec<u8>) -> Result<u8, Fault> {
    let refused = |message: String| Fault::new(ErrorCode::Protobuf, message).at(Place::START);
    let levels = depth(bytes);
    if levels > DEPTH {
        return Err(refused(format!("the Protobuf bytes are nested more than {DEPTH} levels deep")));
    }
    let deparsed = try_with_stack_for_levels(levels, STACK_PER_LEVEL, || {
        let tree = ParseResult::decode(bytes);
        let tree = tree.map_err(|error| refused(format!("the Protobuf bytes are not a tree: {error}")))?;
        let sql = pgq::deparse_with(&tree, &options.deparse).map_err(|error| super::fault(&error))?;
        write_sql(&sql, form, out);
        Ok(flag::NONE)
    });
    deparsed.unwrap_or_else(|| Err(super::fault(&Error::out_of_memory())))
}

/// Returns an upper bound of the nesting depth. Does not recurse. Every field that could be a message counts as a
/// message.
fn depth(bytes: &[u8]) -> usize {
    // End offsets of the enclosing messages.
    let mut ends = vec![bytes.len()];
    let (mut at, mut deepest) = (0, 1);
    while let Some(&end) = ends.last() {
        if at >= end {
            at = end;
            ends.pop();
            continue;
        }
        match field(&bytes[at..end]) {
            Some((header, Some(length))) => {
                at += header;
                ends.push(at + length);
                deepest = deepest.max(ends.len());
                if deepest > DEPTH {
                    return deepest;
                }
            }
            Some((header, None)) => at += header,
            // The field is invalid. Therefore the content of the enclosing field is not a message but a string. Skips
            // the rest of the string.
            None => at = end,
        }
    }
    deepest
}

/// Reads the header of the first field, and returns two lengths. For a string or a message, they are the length of the
/// header and the length of the content. For a number, they are the length of the whole field, and `None`. For an
/// invalid field, returns `None` instead of two lengths.
fn field(bytes: &[u8]) -> Option<(usize, Option<usize>)> {
    let (tag, tag_bytes) = varint(bytes)?;
    let rest = &bytes[tag_bytes..];
    match tag & 7 {
        0 => Some((tag_bytes + varint(rest)?.1, None)),
        1 => rest.get(..8).map(|_| (tag_bytes + 8, None)),
        2 => {
            let (length, length_bytes) = varint(rest)?;
            let length = usize::try_from(length).ok().filter(|length| *length <= rest.len() - length_bytes)?;
            Some((tag_bytes + length_bytes, Some(length)))
        }
        5 => rest.get(..4).map(|_| (tag_bytes + 4, None)),
        // Wire types 3 and 4 are the start and the end of a group. libpg_query writes no groups, but a client may send
        // them, and the decoder skips nested groups by recursion. The start of a group counts as the start of a message
        // that contains all remaining bytes. Therefore the computed depth may be too high, but is never too low.
        3 => Some((tag_bytes, Some(rest.len()))),
        4 => Some((tag_bytes, None)),
        _ => None,
    }
}

fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let last = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)?;
    let bits = bytes[..=last].iter().rev().fold(0_u64, |value, byte| value << 7 | u64::from(byte & 0x7f));
    Some((bits, last + 1))
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, depth};

    /// Returns a message with this many levels of nested messages.
    fn nested(levels: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..levels {
            let mut length = bytes.len();
            let mut outer = vec![0x0a];
            while length >= 0x80 {
                outer.push(length as u8 | 0x80);
                length >>= 7;
            }
            outer.push(length as u8);
            bytes.splice(0..0, outer);
        }
        bytes
    }

    #[test]
    fn depth_is_never_less_than_that_of_the_messages() {
        assert_eq!([depth(&nested(0)), depth(&nested(1)), depth(&nested(200))], [1, 2, 201]);
        assert!(depth(&nested(DEPTH + 5)) > DEPTH);
        assert_eq!(depth(&[&nested(3)[..], &nested(5), &nested(2)].concat()), 6);
        assert_eq!((depth(b"\xff\xff"), depth(b"\x0a\x7f")), (1, 1));
        // Groups. A message after a group counts, too.
        assert!(depth(&[b'\x7b'; 100_000]) > DEPTH);
        assert!(depth(&[b"\x7b\x7c", &nested(DEPTH)[..]].concat()) > DEPTH);
    }
}
