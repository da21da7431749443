//! The base of positions in libpg_query's JSON.

/// An offset that is added to the known locations of a tree.
///
/// Trees are parsed from larger pieces of text, and their locations are byte offsets in the piece. The shift converts
/// them to offsets in the statement or the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocationShift(pub i64);

impl LocationShift {
    /// Shifts a location. -1 ("unknown") and 0 ("not set") are unchanged.
    #[inline(always)]
    pub(crate) fn apply(self, location: i32) -> i64 {
        let location = i64::from(location);
        if location > 0 { location + self.0 } else { location }
    }
}

/// The position that is written for a RawStmt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StatementPosition {
    /// The parser's position, plus the shift.
    AsParsed,
    /// The position of a statement that is the whole text: offset 0, to the end.
    Alone,
}
