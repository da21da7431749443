//! `pgq digest --every`: repeatedly reports the input read so far. On a terminal and in a file, each report replaces
//! the previous one. Other outputs receive all reports, one after another.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Result, bail};

use super::Args;
use super::args::ReportFormat;

/// Clears the screen, and moves the cursor to its start. Makes the terminal cut long lines instead
/// of wrapping them, until [`WRAP`] is written.
const CLEAR: &[u8] = b"\x1b[?7l\x1b[H\x1b[2J\x1b[3J";

/// Makes the terminal wrap long lines again.
const WRAP: &[u8] = b"\x1b[?7h";

/// Screen height if the terminal's size is unknown.
const DEFAULT_LINES: usize = 24;

/// Whether each report replaces the previous one on the screen.
pub fn is_view(args: &Args) -> bool {
    args.every.is_some() && args.output.path().is_none() && std::io::stdout().is_terminal()
}

/// # Errors
/// Returns an error if `--every` is given without an output file, for a format that cannot be repeated on standard
/// output. For example, several HTML pages cannot be written one after another.
pub fn check(args: &Args) -> Result<()> {
    let repeats = matches!(args.format(), ReportFormat::Text | ReportFormat::Json | ReportFormat::Markdown);
    if args.every.is_some() && !repeats && args.output.path().is_none() {
        bail!("--every writes several reports: name a file with --output, which is replaced by each");
    }
    Ok(())
}

/// Calls `show` at the interval `every` until the input ends.
///
/// # Errors
/// `show` fails.
pub fn repeat(every: Duration, ended: &Receiver<()>, show: impl Fn() -> Result<()>) -> Result<()> {
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(every) {
        show()?;
    }
    Ok(())
}

/// Cuts a report to the height of the screen, and adds escape sequences that make it replace the screen's content.
pub fn on_screen(report: &[u8]) -> Vec<u8> {
    let lines = terminal_size::terminal_size().map_or(DEFAULT_LINES, |(_, height)| usize::from(height.0));
    let mut screen = CLEAR.to_vec();
    for line in report.split_inclusive(|byte| *byte == b'\n').take(lines.saturating_sub(1)) {
        screen.extend_from_slice(line);
    }
    screen.extend_from_slice(WRAP);
    screen
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_screen_has_few_lines_and_none_wraps() {
        let screen = String::from_utf8(super::on_screen(&b"long\n".repeat(10_000))).unwrap();
        let lines = screen.strip_prefix("\x1b[?7l\x1b[H\x1b[2J\x1b[3J").unwrap().strip_suffix("\x1b[?7h").unwrap();
        assert!(lines.lines().count() < 10_000 && lines.lines().all(|line| line == "long"));
    }
}
