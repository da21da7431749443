//! How far reading is: bytes, rate and time left, on stderr, for work that takes a while. It
//! shows itself only on a terminal to which nothing else is printed.

use std::io::{IsTerminal, Read};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The one bar of the program, where there is one.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Sets up the bar for so many bytes; `None` where nobody knows how many.
pub fn expect(bytes: Option<u64>) {
    if !std::io::stderr().is_terminal() || std::io::stdout().is_terminal() {
        return;
    }
    let (bar, template) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "[{bar:40}] {percent}% of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::no_length(), "{binary_bytes} read, {binary_bytes_per_sec}"),
    };
    bar.set_draw_target(ProgressDrawTarget::hidden());
    let _ = BAR.set(bar.with_style(ProgressStyle::with_template(template).expect("a valid template")));
}

/// Prints something while the bar is out of the way.
pub fn aside<R>(print: impl FnOnce() -> R) -> R {
    match BAR.get() {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// Takes the bar away.
pub fn finish() {
    if let Some(bar) = BAR.get() {
        bar.finish_and_clear();
    }
}

/// Counts what is read through it.
pub struct Counted<R> {
    inner: R,
    since: Instant,
    shown: bool,
}

impl<R: Read> Counted<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, since: Instant::now(), shown: false }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if let Some(bar) = BAR.get() {
            bar.inc(read as u64);
            if !self.shown && self.since.elapsed() > PATIENCE {
                self.shown = true;
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        }
        Ok(read)
    }
}
