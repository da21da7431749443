//! Command-line definitions that several commands share. Each converts to plain option structs of
//! the rooms below. This module imports no command and does no work.

mod cache;
mod deferred;
mod deparse;
mod display;
mod format;
mod input;
mod log;
mod output;
mod parser;
mod read;
mod statement;
mod table;
pub mod units;

pub use cache::{CacheArgs, TextCacheArgs};
pub use deferred::Deferred;
pub use deparse::DeparseArgs;
pub use display::DisplayArgs;
pub use format::{FormatArgs, OutputFormat};
pub use input::{InputArgs, input_or_tree_format};
pub use output::{OutputArgs, TableFormat};
pub use parser::{NormalizedArgs, ParserArgs};
pub use read::{MAX_STATEMENT_BYTES, ReadArgs};
pub use statement::StatementArgs;
pub use table::TableArgs;
pub use units::milliseconds;
