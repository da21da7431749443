//! State of an event that has several lines. blocks.rs and yaml.rs read the lines.

/// The relevant fields of a block.
#[derive(Default)]
pub struct Block {
    pub(super) time: Vec<u8>,
    pub(super) pid: u32,
    pub(super) text: Vec<u8>,
    /// Indentation of the message's text, if the last line was part of that text.
    pub(super) indent: Option<usize>,
    /// The YAML scalar of the last line, if it may continue.
    pub(super) scalar: Option<Scalar>,
}

/// A scalar that may continue on the next lines.
#[derive(Default)]
pub struct Scalar {
    /// Indentation of the scalar's key. Continuation lines are indented further.
    pub(super) indent: usize,
    pub(super) lines: Vec<Vec<u8>>,
}
