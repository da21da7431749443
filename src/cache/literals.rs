//! Compares texts that differ only in literals. The bytes between the literals are compared without lexing.

/// Returns whether `text` equals `own` except for the values of literals. `literals` are the literals of `own`, and
/// `range` returns the byte range of a literal in `own`. `end_of` is called with a literal of `own` and the offset in
/// `text` at which a literal of the same kind is expected. It returns the end of this literal in `text`, or `None` if
/// there is no such literal.
#[inline]
pub(super) fn differ_in_literals<L>(
    own: &[u8],
    text: &[u8],
    literals: &[L],
    range: impl Fn(&L) -> (u32, u32),
    mut end_of: impl FnMut(&L, usize) -> Option<usize>,
) -> bool {
    let (mut own_at, mut at) = (0, 0);
    for literal in literals {
        let (start, end) = range(literal);
        let between = &own[own_at..start as usize];
        if !text[at..].starts_with(between) {
            return false;
        }
        let Some(literal_end) = end_of(literal, at + between.len()) else { return false };
        (own_at, at) = (end as usize, literal_end);
    }
    text[at..] == own[own_at..]
}
