//! The progress bar on stderr. It shows the bytes read, the rate and the remaining time. It is drawn only for long
//! work, and only on a terminal without other output.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time from the start of reading a file until the bar is drawn. Also the interval between two lines of a [`Ticker`].
const DELAY: Duration = Duration::from_secs(1);

/// If no input arrives for this time, a message says that the command is waiting.
const PATIENCE: Duration = Duration::from_secs(2);

/// Writes to stderr. The text is lost if the terminal no longer exists.
fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// The progress bar of a run. If it is disabled, all methods do nothing.
pub struct Progress {
    /// Whether the bar is disabled.
    hidden: bool,
    bar: Arc<OnceLock<ProgressBar>>,
    /// Whether any input was read.
    has_read: Arc<AtomicBool>,
}

impl Progress {
    /// Creates a bar for [`Progress::start`]. If `hidden` is true, the bar is never shown.
    pub fn new(hidden: bool) -> Self {
        Self { hidden, bar: Arc::default(), has_read: Arc::default() }
    }

    /// Sets up the bar. `total_bytes` is `None` if the size is unknown. `stdout_is_free` promises that nothing is
    /// written to standard output while the bar is shown.
    pub fn start(&self, total_bytes: Option<u64>, stdout_is_free: bool) {
        let is_in_the_way = !stdout_is_free && io::stdout().is_terminal();
        if self.hidden || is_in_the_way || !io::stderr().is_terminal() {
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
        let _ = self.bar.set(bar.with_style(ProgressStyle::with_template(template).expect("a valid template")));
    }

    /// If stderr is a terminal, tells the user that pgq reads standard input. If standard input is a terminal too,
    /// prints the message immediately. Otherwise prints it only if no input arrives within [`PATIENCE`].
    pub fn say_that_it_waits(&self) {
        if self.hidden || !io::stderr().is_terminal() {
            return;
        }
        if io::stdin().is_terminal() {
            say("pgq: reading the terminal; Ctrl-D ends the input\n");
            return;
        }
        let has_read = Arc::clone(&self.has_read);
        let tell = move || {
            std::thread::sleep(PATIENCE);
            if !has_read.load(Ordering::Relaxed) {
                say("pgq: waiting for standard input; name a FILE to read one\n");
            }
        };
        _ = std::thread::Builder::new().spawn(tell);
    }

    /// Hides the bar while `print` runs.
    pub fn suspended<R>(&self, print: impl FnOnce() -> R) -> R {
        match self.bar.get() {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    /// Returns a wrapper for readers. It counts the bytes of each reader for the bar.
    pub fn counter(&self) -> WrapReader {
        let (bar, has_read) = (Arc::clone(&self.bar), Arc::clone(&self.has_read));
        Box::new(move |inner| {
            let (bar, has_read, opened) = (bar.clone(), has_read.clone(), Instant::now());
            Box::new(CountingReader { inner, bar, has_read, opened, drawn: false })
        })
    }
}

/// Wraps an opened input.
type WrapReader = Box<dyn Fn(Box<dyn Read + Send>) -> Box<dyn Read + Send> + Send>;

struct CountingReader {
    inner: Box<dyn Read + Send>,
    bar: Arc<OnceLock<ProgressBar>>,
    has_read: Arc<AtomicBool>,
    opened: Instant,
    drawn: bool,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.has_read.store(true, Ordering::Relaxed);
        if let Some(bar) = self.bar.get() {
            bar.inc(read as u64);
            if !self.drawn && self.opened.elapsed() > DELAY {
                self.drawn = true;
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
        }
        Ok(read)
    }
}

/// A progress line for work other than reading. It is updated at most once a second, and shown only on a terminal.
pub struct Ticker {
    last: Option<Instant>,
}

impl Ticker {
    /// Creates a ticker. It is silent if stderr is not a terminal.
    pub fn start() -> Self {
        Self { last: io::stderr().is_terminal().then(Instant::now) }
    }

    /// Shows the line if the previous line was shown more than a second ago.
    pub fn tick(&mut self, line: impl FnOnce() -> String) {
        if let Some(last) = &mut self.last
            && last.elapsed() > DELAY
        {
            *last = Instant::now();
            say(&format!("\r\x1b[K{}", line()));
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if self.last.is_some() {
            say("\r\x1b[K");
        }
    }
}
