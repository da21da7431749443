//! Standard output in whole records: a signal or a closed pipe never leaves half a line.

use std::io::{self, BufWriter, ErrorKind, IoSlice, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::escape::escaped_bytes;
use super::unfinished;

/// Buffered bytes from which on they are written.
const BUFFER_BYTES: usize = 64 * 1024;

/// Whole records that are not written yet. Locked while a record is added or records are written,
/// so that the signal handler never sees part of a record.
static PENDING: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Buffered standard output.
pub struct StdoutWriter {
    record: Vec<u8>,
}

fn pending() -> MutexGuard<'static, Vec<u8>> {
    // A panic while it is held leaves whole records.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the buffer, and then `more`.
fn write_out(buffer: &mut Vec<u8>, more: &[u8]) -> io::Result<()> {
    if buffer.is_empty() && more.is_empty() {
        return Ok(());
    }
    let result = with_stdout(|stdout| {
        let written = match stdout.write_vectored(&[IoSlice::new(buffer), IoSlice::new(more)]) {
            Err(problem) if problem.kind() == ErrorKind::Interrupted => 0,
            written => written?,
        };
        stdout.write_all(buffer.get(written..).unwrap_or_default())?;
        stdout.write_all(&more[written.saturating_sub(buffer.len())..])?;
        stdout.flush()
    });
    buffer.clear();
    result
}

/// Returns whether output may act on a terminal.
fn is_terminal() -> bool {
    static IS_TERMINAL: OnceLock<bool> = OnceLock::new();
    *IS_TERMINAL.get_or_init(|| io::stdout().is_terminal())
}

/// On Unix, the descriptor itself: the standard library's writer searches all that it writes for the last line break.
fn with_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::fs::File;
        use std::os::fd::AsFd;

        static FILE: OnceLock<Option<File>> = OnceLock::new();
        let open = || io::stdout().as_fd().try_clone_to_owned().ok().map(File::from);
        if let Some(mut file) = FILE.get_or_init(open).as_ref() {
            return write(&mut file);
        }
    }
    write(&mut io::stdout().lock())
}

impl StdoutWriter {
    pub fn new() -> Self {
        Self { record: Vec::new() }
    }

    /// Adds one record, which `write` appends to an empty buffer.
    ///
    /// # Errors
    /// A failed write, for example to a closed pipe.
    pub fn record(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.record.clear();
        write(&mut self.record);
        self.records(&self.record)
    }

    /// Adds whole records. Large ones are written without a copy.
    ///
    /// # Errors
    /// As for [`StdoutWriter::record`].
    pub fn records(&self, records: &[u8]) -> io::Result<()> {
        if is_terminal() { self.styled_records(&escaped_bytes(records)) } else { self.styled_records(records) }
    }

    /// Adds whole records that are not escaped on a terminal: the caller has escaped all but its own styles.
    ///
    /// # Errors
    /// As for [`StdoutWriter::record`].
    pub fn styled_records(&self, records: &[u8]) -> io::Result<()> {
        let mut buffer = pending();
        if buffer.len() + records.len() >= BUFFER_BYTES {
            return write_out(&mut buffer, records);
        }
        buffer.extend_from_slice(records);
        Ok(())
    }

    /// Adds one record that may be too large to be held as a whole: what `write` writes goes out while it is
    /// made. A signal waits for its end, as for that of any record.
    ///
    /// # Errors
    /// As for [`StdoutWriter::record`].
    pub fn stream(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if is_terminal() {
            let mut record = Vec::new();
            write(&mut record)?;
            return self.records(&record);
        }
        let mut buffer = pending();
        write_out(&mut buffer, &[])?;
        with_stdout(|stdout| {
            let mut out = BufWriter::with_capacity(BUFFER_BYTES, stdout);
            write(&mut out)?;
            out.flush()
        })
    }

    /// Writes the buffer.
    ///
    /// # Errors
    /// As for [`StdoutWriter::record`].
    pub fn flush(&mut self) -> io::Result<()> {
        write_out(&mut pending(), &[])
    }
}

/// Prints a single record with styles, which is not escaped on a terminal.
///
/// # Errors
/// As for [`StdoutWriter::record`].
pub fn print_styled(record: &[u8]) -> anyhow::Result<()> {
    let mut stdout = StdoutWriter::new();
    stdout.styled_records(record)?;
    Ok(stdout.flush()?)
}

/// Prints a single record: all output of a run.
///
/// # Errors
/// As for [`StdoutWriter::record`].
pub fn print(write: impl FnOnce(&mut Vec<u8>)) -> anyhow::Result<()> {
    let mut stdout = StdoutWriter::new();
    stdout.record(write)?;
    Ok(stdout.flush()?)
}

/// Runs at a signal; returns whether the program continues.
type SignalHandler = Box<dyn Fn(i32) -> bool + Send + Sync>;

static HANDLER: OnceLock<SignalHandler> = OnceLock::new();

/// Passes SIGINT, SIGTERM and SIGHUP to a command with its own way to end. If `handler` returns false, they end the
/// program as for other commands. Only the first handler counts.
#[cfg(unix)]
pub fn handle_signals(handler: impl Fn(i32) -> bool + Send + Sync + 'static) {
    let _ = HANDLER.set(Box::new(handler));
}

/// How long a signal waits for a write in progress, whose reader may never read again.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

/// On SIGINT, SIGTERM and SIGHUP, writes the complete records and exits with the code by which a
/// shell reports the signal: 128 and its number.
pub fn stop_cleanly_on_signals() {
    // If no handler can be installed, the default action still ends the program.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let wait = move || {
        let goes_on = |signal: &i32| HANDLER.get().is_some_and(|handle| handle(*signal));
        let signal = signals.forever().find(|signal| !goes_on(signal)).unwrap_or(SIGINT);
        let since = Instant::now();
        while since.elapsed() < WRITE_TIMEOUT {
            if let Ok(mut buffer) = PENDING.try_lock() {
                let _ = write_out(&mut buffer, &[]);
                unfinished::remove();
                std::process::exit(128 + signal);
            }
            std::thread::sleep(WRITE_TIMEOUT / 100);
        }
        unfinished::remove();
        std::process::exit(128 + signal);
    };
    // Without the thread (memory is short) signals have no effect, and the run completes.
    let _ = std::thread::Builder::new().spawn(wait);
}
