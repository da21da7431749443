//! The formatter: cases, and properties over the corpus.
//!
//! A case is a file `tests/format/cases/FOLDER/NAME.sql`. It has lines `-- reason: …` and optionally `-- options: …`,
//! then the input, a line of 8 or more `=`, and the output. `PGQ_OVERWRITE=1 cargo test --test format` writes the
//! output.

mod cases;
mod corpus;
mod scripts;
