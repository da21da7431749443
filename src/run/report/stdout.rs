//! Writes standard output in whole records. The output does not end with part of a line, even if a signal arrives or
//! the pipe is closed. There are two exceptions: the disk is full, or a signal arrives while nobody reads the output.

use std::io::{self, BufWriter, ErrorKind, IoSlice, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::escape::escaped_bytes;
use super::unfinished;

/// When the buffer has this many bytes, it is written.
const BUFFER_BYTES: usize = 64 * 1024;

/// Whole records that are not written yet. A thread holds the lock while it adds or writes records. Therefore the
/// signal handler never sees part of a record.
static PENDING: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Buffered standard output.
pub struct StdoutWriter {
    record: Vec<u8>,
}

fn pending() -> MutexGuard<'static, Vec<u8>> {
    // A panic poisons the lock. The poisoning can be ignored, because the buffer always contains whole records.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the buffer, then `more`.
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

/// Whether standard output is a terminal.
fn is_terminal() -> bool {
    static IS_TERMINAL: OnceLock<bool> = OnceLock::new();
    *IS_TERMINAL.get_or_init(|| io::stdout().is_terminal())
}

/// Passes standard output to `write`. On Unix, `write` receives the file descriptor itself, because the writer of the
/// standard library would search all output for line breaks.
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

    /// Adds one record. `write` appends the record to an empty buffer.
    ///
    /// # Errors
    /// Writing fails, for example because the pipe is closed.
    pub fn record(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.record.clear();
        write(&mut self.record);
        self.records(&self.record)
    }

    /// Adds whole records. Large records are not copied.
    ///
    /// # Errors
    /// Same as [`StdoutWriter::record`].
    pub fn records(&self, records: &[u8]) -> io::Result<()> {
        if is_terminal() { self.styled_records(&escaped_bytes(records)) } else { self.styled_records(records) }
    }

    /// Adds whole records that contain styles (escape sequences). They are written to a terminal unchanged, so the
    /// caller must have escaped all other control characters.
    ///
    /// # Errors
    /// Same as [`StdoutWriter::record`].
    pub fn styled_records(&self, records: &[u8]) -> io::Result<()> {
        let mut buffer = pending();
        if buffer.len() + records.len() >= BUFFER_BYTES {
            return write_out(&mut buffer, records);
        }
        buffer.extend_from_slice(records);
        Ok(())
    }

    /// Adds one record that may not fit in memory. It is written while `write` produces it. A signal has no effect
    /// until the record is complete.
    ///
    /// # Errors
    /// Same as [`StdoutWriter::record`].
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
    /// Same as [`StdoutWriter::record`].
    pub fn flush(&mut self) -> io::Result<()> {
        write_out(&mut pending(), &[])
    }
}

/// Prints one record that contains styles, like [`StdoutWriter::styled_records`].
///
/// # Errors
/// Same as [`StdoutWriter::record`].
pub fn print_styled(record: &[u8]) -> anyhow::Result<()> {
    let mut stdout = StdoutWriter::new();
    stdout.styled_records(record)?;
    Ok(stdout.flush()?)
}

/// Prints the whole output of a run as one record.
///
/// # Errors
/// Same as [`StdoutWriter::record`].
pub fn print(write: impl FnOnce(&mut Vec<u8>)) -> anyhow::Result<()> {
    let mut stdout = StdoutWriter::new();
    stdout.record(write)?;
    Ok(stdout.flush()?)
}

/// A function that is called on a signal. It returns true if the program continues.
type SignalHandler = Box<dyn Fn(i32) -> bool + Send + Sync>;

static HANDLER: OnceLock<SignalHandler> = OnceLock::new();

/// Sets the handler for SIGINT, SIGTERM and SIGHUP. If `handler` returns false, the signal ends the program as usual.
/// Only the first handler is used.
#[cfg(unix)]
pub fn handle_signals(handler: impl Fn(i32) -> bool + Send + Sync + 'static) {
    let _ = HANDLER.set(Box::new(handler));
}

/// Maximum time that the handling of a signal waits for a write in progress. A limit is needed because the reader of
/// the output may have stopped reading.
const WRITE_TIMEOUT: Duration = Duration::from_millis(500);

/// Returns the signals that end the program. If SIGHUP is ignored when the program starts, it does not end the program,
/// so that the program outlives its terminal (`nohup`). SIGINT always ends the program, even if it is ignored when the
/// program starts. The reason: if a script starts a program with `&`, the shell makes the program ignore SIGINT, but
/// scripts must be able to end such a program.
fn ending_signals() -> impl Iterator<Item = i32> {
    // Only Linux has this file, which shows the ignored signals. On other systems, only `unsafe` code can find out
    // which signals are ignored, so no signal counts as ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let has_sighup = ignored & 1 << (SIGHUP - 1) == 0;
    [SIGINT, SIGTERM].into_iter().chain(has_sighup.then_some(SIGHUP))
}

/// Installs the signal handlers. On SIGINT, SIGTERM or SIGHUP, the complete records are written. Then the program ends
/// with the exit code that a shell uses for the signal: 128 plus the number of the signal.
pub fn stop_cleanly_on_signals() {
    // With this handler, exceeding `ulimit -f` is a write error. The default action of SIGXFSZ would end the program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let (installed, receiver) = std::sync::mpsc::channel::<Signals>();
    let wait = move || {
        let Ok(mut signals) = receiver.recv() else { return };
        let goes_on = |signal: &i32| HANDLER.get().is_some_and(|handle| handle(*signal));
        let signal = signals.forever().find(|signal| !goes_on(signal)).unwrap_or(SIGINT);
        let (written, end) = std::sync::mpsc::channel::<()>();
        let write = move || {
            let mut buffer = pending();
            let _ = write_out(&mut buffer, &[]);
            // Keeps the lock, so that nothing else is written.
            std::mem::forget(buffer);
            drop(written);
        };
        if std::thread::Builder::new().spawn(write).is_ok() {
            let _ = end.recv_timeout(WRITE_TIMEOUT);
        }
        unfinished::remove();
        std::process::exit(128 + signal);
    };
    // If the thread cannot be started, no handlers are installed, so a signal has its default action and ends the
    // program.
    if std::thread::Builder::new().spawn(wait).is_ok()
        && let Ok(signals) = Signals::new(ending_signals())
    {
        let _ = installed.send(signals);
    }
}
