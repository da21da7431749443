//! `pgq man`: manual pages, generated from the same definitions as `--help`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::report;

pub const EXAMPLES: &str = "\
Examples:
  pgq man > /tmp/pgq.1 && man -l /tmp/pgq.1
  mkdir -p /tmp/man1 && pgq man /tmp/man1";

#[derive(clap::Args)]
pub struct Args {
    /// Write the page of every command into this folder, instead of pgq(1) to standard output
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub fn run(args: &Args, command: clap::Command) -> Result<()> {
    if let Some(folder) = &args.folder {
        return clap_mangen::generate_to(command, folder)
            .with_context(|| format!("could not write the pages into {}", folder.display()));
    }
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    report::print(|out| out.extend_from_slice(&page))
}
