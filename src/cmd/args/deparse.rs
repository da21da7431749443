//! Options for the layout of SQL.

use clap::Args;
use pgq::DeparseOptions;

#[derive(Args, Clone)]
pub struct DeparseArgs {
    /// Break and indent lines
    #[arg(long)]
    pretty: bool,

    /// Spaces per level [default: 4]; implies --pretty
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    indent: Option<u16>,

    /// Maximum characters in a line of list items [default: 80]; implies --pretty
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_line_length: Option<u16>,

    /// End each statement with a line break; implies --pretty
    #[arg(long)]
    trailing_newline: bool,

    /// Put commas at the start of lines; implies --pretty
    #[arg(long)]
    commas_first: bool,
}

impl DeparseArgs {
    pub fn options(&self) -> DeparseOptions {
        let mut options = DeparseOptions::default();
        let Self { pretty, indent, max_line_length, trailing_newline, commas_first } = self;
        options.pretty = *pretty || indent.is_some() || max_line_length.is_some() || *trailing_newline || *commas_first;
        options.indent = indent.unwrap_or(0);
        options.max_line_length = max_line_length.unwrap_or(0);
        options.trailing_newline = *trailing_newline;
        options.commas_first = *commas_first;
        options
    }
}
