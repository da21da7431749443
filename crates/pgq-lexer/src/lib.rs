//! Finds PostgreSQL's tokens, and the ends of statements in psql scripts, without C and without parsing.
//!
//! There are two lexers. [`Lexer`] is exact: its tokens equal the tokens of PostgreSQL's scanner (scan.l). If it cannot
//! read the SQL, it stops with a [`FallbackReason`], and the caller runs PostgreSQL's scanner instead. [`ScriptLexer`]
//! only separates code from literals and comments. It never fails, so a script with errors can still be split into
//! statements ([`script`]).
//!
//! This crate does not validate statements, builds no tree and performs no input or output. All offsets are byte
//! offsets.
//!
//! ```
//! use pgq_lexer::{Lexer, kinds};
//!
//! let tokens: Vec<_> = Lexer::new(b"SELECT 1 -- one").collect();
//! assert_eq!((tokens[1].start, tokens[1].end, tokens[1].kind), (7, 8, kinds::ICONST));
//! assert!(tokens[2].is_comment());
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod byte_class;
mod comment;
mod cost;
mod hash;
mod keyword;
mod keywords;
pub mod kinds;
mod lexer;
mod literal;
mod lookup;
mod number;
mod operator;
mod scan;
pub mod script;
mod statement_keyword;
mod token;
mod value;
mod word;

pub use cost::{CostlyConstruct, TooCostly, check_cost};
pub use lexer::Lexer;
pub use lookup::{HitRate, START_BYTES, start_number};
pub use script::{ScriptLexer, ScriptToken, is_word_byte};
pub use statement_keyword::{first_word, statement_keyword};
pub use token::{FallbackReason, Keyword, RawToken, detail};
pub use value::{append_value, dollar_delimiter, highest_parameter, integer_value};
