//! Prints a document that consists of text, groups and possible line breaks. Breaks the lines to fit a given width,
//! like Wadler's and Prettier's printers. This module does not depend on SQL.
//!
//! A [`Document`] is built as a flat list of elements. A group is printed on one line if the line has room for the
//! group and for the elements after it up to the next possible break. Otherwise all breaks of the group become
//! newlines, and the printer decides for each nested group whether it fits on its line. In a fill, a break
//! becomes a newline only if the elements up to the next break do not fit. Neither building nor printing recurses,
//! therefore a document may have any nesting depth.

mod document;
mod measure;
mod print;

pub use document::Document;

/// Maximum level of indentation. Deeper lines are not indented further, because without this limit
/// the size of the output would be quadratic in the depth.
pub const MAX_LEVELS: usize = 64;

/// Width and indentation of lines, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Maximum length of a line. A line without a possible break can be longer.
    pub width: usize,
    /// Indentation per level.
    pub indent: usize,
}
