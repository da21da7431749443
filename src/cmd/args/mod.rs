//! Command-line arguments that several commands share. This module converts them to the option
//! structs of other modules. It imports no command.

mod cache;
mod deferred;
mod deparse;
mod display;
mod format;
mod input;
mod keep;
mod log;
mod output;
mod parser;
mod read;
mod short;
mod statement;
pub mod units;

pub use cache::{CacheArgs, TextCacheArgs};
pub use deferred::Deferred;
pub use deparse::DeparseArgs;
pub use display::DisplayArgs;
pub use format::{FormatArgs, OutputFormat, ResultFormat};
pub use input::InputArgs;
pub use keep::KeepArgs;
pub use output::OutputArgs;
pub use parser::{NormalizedArgs, ParserArgs};
pub use read::{MAX_STATEMENT_BYTES, ReadArgs};
pub use statement::StatementArgs;
pub use units::milliseconds;
