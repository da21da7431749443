//! PostgreSQL's tokens, and where the statements of a psql script end, found without C and
//! without parsing.
//!
//! Two lexers live here. [`Lexer`] is exact: its tokens are those of PostgreSQL's scanner, or it
//! says why it cannot tell ([`FallbackReason`]) and the caller asks PostgreSQL. [`ScriptLexer`]
//! only separates code from literals and comments; it never gives up, so that a script with
//! errors can still be split ([`script`]).
//!
//! This crate judges no statement, builds no tree and does no input or output. Offsets are bytes.
//!
//! ```
//! use pgq_lexer::{Lexer, kinds};
//!
//! let tokens: Vec<_> = Lexer::new(b"SELECT 1 -- one").collect();
//! assert_eq!((tokens[1].start, tokens[1].end, tokens[1].kind), (7, 8, kinds::ICONST));
//! assert!(tokens[2].is_comment());
//! ```
#![forbid(unsafe_code)]

mod bytes;
mod comment;
mod cost;
mod hash;
pub mod keyword;
mod keywords;
pub mod kinds;
mod lexer;
mod literal;
mod number;
mod operator;
pub mod script;
mod statement_keyword;
mod token;
mod value;
mod word;

pub use cost::{CostlyConstruct, TooCostly, check_cost};
pub use lexer::Lexer;
pub use script::{ScriptLexer, ScriptToken, is_word_byte};
pub use statement_keyword::statement_keyword;
pub use token::{FallbackReason, RawToken, detail};
pub use value::{delimiter, integer, value};
