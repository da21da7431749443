//! The progress bar on stderr: bytes read, rate and time left. It is drawn only on a terminal to
//! which nothing else is printed, and only for work that takes a while.

use std::io::{self, IsTerminal, Read};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time of reading a file after which the bar is drawn.
const DELAY: Duration = Duration::from_secs(1);

/// The program's only bar, if there is one.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Whether results go to a file, and standard output stays free.
static TO_FILE: AtomicBool = AtomicBool::new(false);

/// Whether there is to be no bar.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// From now on no bar is shown.
pub fn hide() {
    HIDDEN.store(true, Ordering::Relaxed);
}

/// Notes that results go to a file.
pub fn results_go_to_file() {
    TO_FILE.store(true, Ordering::Relaxed);
}

/// Sets up the bar; `total_bytes` is `None` if the amount is not known. `prints_at_end`: no results are
/// printed before the bar is removed.
pub fn start(total_bytes: Option<u64>, prints_at_end: bool) {
    let is_free = prints_at_end || TO_FILE.load(Ordering::Relaxed) || !io::stdout().is_terminal();
    if HIDDEN.load(Ordering::Relaxed) || !io::stderr().is_terminal() || !is_free {
        return;
    }
    let (bar, template) = match total_bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "[{wide_bar}] {percent}% of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::no_length(), "{binary_bytes} read, {binary_bytes_per_sec}"),
    };
    bar.set_draw_target(ProgressDrawTarget::hidden());
    let _ = BAR.set(bar.with_style(ProgressStyle::with_template(template).expect("a valid template")));
}

/// Runs `print` while the bar is hidden.
pub fn suspended<R>(print: impl FnOnce() -> R) -> R {
    match BAR.get() {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// Removes the bar.
pub fn finish() {
    if let Some(bar) = BAR.get() {
        bar.finish_and_clear();
    }
}

/// Wraps a reader so that its bytes move the bar.
pub fn count_reads(inner: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
    Box::new(CountingReader { inner, opened: Instant::now(), drawn: false })
}

struct CountingReader {
    inner: Box<dyn Read + Send>,
    opened: Instant,
    drawn: bool,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        if let Some(bar) = BAR.get() {
            bar.inc(read as u64);
            if !self.drawn && self.opened.elapsed() > DELAY {
                self.drawn = true;
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        }
        Ok(read)
    }
}

/// A line of progress for work that is not reading: rewritten each second, on a terminal only.
pub struct Ticker {
    last: Option<Instant>,
}

impl Ticker {
    /// One that is silent where standard error is no terminal.
    pub fn start() -> Self {
        Self { last: io::stderr().is_terminal().then(Instant::now) }
    }

    /// Shows the line, if it is time.
    pub fn tick(&mut self, line: impl FnOnce() -> String) {
        if let Some(last) = &mut self.last
            && last.elapsed() > DELAY
        {
            *last = Instant::now();
            eprint!("\r\x1b[K{}", line());
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if self.last.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
