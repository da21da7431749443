//! Options for the layout of SQL.

use clap::Args;
use pgq::DeparseOptions;

#[derive(Args, Clone)]
pub struct DeparseArgs {
    /// Break and indent lines
    #[arg(long)]
    pretty: bool,

    /// Spaces per level [default: 4]
    #[arg(long, value_name = "N", requires = "pretty", value_parser = clap::value_parser!(u16).range(1..))]
    indent: Option<u16>,

    /// Maximum characters in a line of list items [default: 80]
    #[arg(long, value_name = "N", requires = "pretty", value_parser = clap::value_parser!(u16).range(1..))]
    max_line_length: Option<u16>,

    /// End each statement with a line break
    #[arg(long, requires = "pretty")]
    trailing_newline: bool,

    /// Put commas at the start of lines
    #[arg(long, requires = "pretty")]
    commas_first: bool,
}

impl DeparseArgs {
    pub fn options(&self) -> DeparseOptions {
        let mut options = DeparseOptions::default();
        options.pretty = self.pretty;
        options.indent = self.indent.unwrap_or(0);
        options.max_line_length = self.max_line_length.unwrap_or(0);
        options.trailing_newline = self.trailing_newline;
        options.commas_first = self.commas_first;
        options
    }
}
