//! Converts the comments of [`DeparseOptions`] for the C deparser.

use std::ffi::CString;

use crate::convert::Problem;
use crate::error::Error;
use crate::options::DeparseOptions;
use crate::sys;

/// The texts of comments as C strings. [`CComments::comments`] adds the offsets of the comments.
/// These offsets include the padding spaces that precede the SQL in the parser's input.
pub(crate) struct CComments {
    texts: Vec<CString>,
}

impl CComments {
    /// Converts the texts of the comments in `options`.
    ///
    /// # Errors
    /// Returns an error if a comment contains a NUL byte.
    pub(crate) fn new(options: &DeparseOptions) -> Result<Self, Error> {
        let nul = |_| Problem::NulInString { field: "comment" }.into();
        let texts = options.comments.iter().map(|c| CString::new(c.text.as_str()).map_err(nul));
        Ok(Self { texts: texts.collect::<Result<_, Error>>()? })
    }

    pub(crate) fn comments<'a>(&'a self, options: &DeparseOptions, padding: usize) -> Vec<sys::Comment<'a>> {
        let comments = options.comments.iter().zip(&self.texts);
        comments
            .map(|(comment, text)| sys::Comment {
                match_location: (comment.position + padding) as i32,
                newlines_before: comment.newlines_before as i32,
                newlines_after: comment.newlines_after as i32,
                text,
            })
            .collect()
    }
}
