//! Converts positions for libpg_query's JSON.

/// An offset to add to the locations of a tree.
///
/// The SQL is parsed in pieces, and a location is a byte offset in one piece. The shift converts the location to an
/// offset in the statement or in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocationShift(pub i64);

impl LocationShift {
    /// Shifts a location. -1 ("unknown") and 0 ("not set") are unchanged.
    #[cfg_attr(not(pgq_large_frames), inline(always))]
    pub(crate) fn apply(self, location: i32) -> i64 {
        let location = i64::from(location);
        if location > 0 { location + self.0 } else { location }
    }
}

/// The position to write for a RawStmt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StatementPosition {
    /// The parser's position plus the shift.
    AsParsed,
    /// The position of a single statement, from offset 0 to the end of the SQL.
    Alone,
}
