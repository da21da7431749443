//! Positions in libpg_query's JSON: which text they count from.

/// Moves the locations of a tree: added to each that is set.
///
/// Trees come from text parsed in larger pieces; their locations are byte offsets into
/// the piece. The shift makes them offsets into the statement or the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocationShift(pub i64);

impl LocationShift {
    /// -1 is "unknown" and 0 "not set": both stay.
    #[inline(always)]
    pub(crate) fn apply(self, location: i32) -> i64 {
        let location = i64::from(location);
        if location > 0 { location + self.0 } else { location }
    }
}

/// How a RawStmt's own position is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StatementPosition {
    /// As the parser set it, moved by the shift.
    AsParsed,
    /// As if its text were all there is: at 0, to the end.
    Alone,
}
