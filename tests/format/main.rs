//! The formatter: cases (input, output and the reason for it, a file each), and properties over the corpus.
//!
//! A case is `tests/format/cases/FOLDER/NAME.sql`: lines `-- reason: …` and, if need be, `-- options: …`; then the input,
//! a line of 8 or more `=`, and the output. `PGQ_OVERWRITE=1 cargo test --test format` writes the output.

mod cases;
mod corpus;
mod scripts;
