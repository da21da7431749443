//! The body of a batch: a list of texts. Each text is one input of the request's operation, usually
//! SQL.

use crate::{BodyError, BodyReader};

/// Returns the size in bytes of the body that [`write()`] appends.
pub fn bytes<T: AsRef<[u8]>>(texts: &[T]) -> usize {
    4 + texts.iter().map(|text| 4 + text.as_ref().len()).sum::<usize>()
}

/// Appends the body of a batch.
///
/// # Panics
/// Panics if there are 2³² texts, or if a text has 4 GiB or more.
pub fn write<T: AsRef<[u8]>>(out: &mut Vec<u8>, texts: &[T]) {
    let number = |length: usize| u32::try_from(length).expect("less than 4 GiB").to_le_bytes();
    out.extend_from_slice(&number(texts.len()));
    for text in texts {
        let text = text.as_ref();
        out.extend_from_slice(&number(text.len()));
        out.extend_from_slice(text);
    }
}

/// Checks the whole body of a batch. Returns an iterator over its texts.
///
/// # Errors
/// Returns an error if a length is inconsistent.
pub fn read(body: &[u8]) -> Result<Texts<'_>, BodyError> {
    let mut reader = BodyReader::new(body);
    let count = reader.u32("the number of texts")?;
    let texts = Texts { reader, left: count };
    for _ in 0..count {
        reader.sized("a text of the batch")?;
    }
    reader.end()?;
    Ok(texts)
}

/// Texts of a batch, in order.
#[derive(Debug, Clone)]
pub struct Texts<'a> {
    reader: BodyReader<'a>,
    left: u32,
}

impl<'a> Iterator for Texts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        self.reader.sized("a text of the batch").ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Texts<'_> {}
