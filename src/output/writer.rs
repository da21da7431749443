//! Standard output in whole records: a signal or a closed pipe never leaves half a line.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Bytes gathered before they are written.
const BUFFER: usize = 64 * 1024;

/// Whole records not written yet. Locked while a record is added or written out, so that
/// the signal handler finds complete records only.
static PENDING: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Standard output, buffered.
pub struct Output {
    record: Vec<u8>,
}

fn pending() -> MutexGuard<'static, Vec<u8>> {
    // A panic while it is held leaves whole records: nothing to distrust.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write_out(buffer: &mut Vec<u8>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    let result = stdout.write_all(buffer).and_then(|()| stdout.flush());
    buffer.clear();
    result
}

impl Output {
    pub fn new() -> Self {
        Self { record: Vec::new() }
    }

    /// Builds one record with `f` and queues it.
    ///
    /// # Errors
    /// A failed write, such as to a closed pipe.
    pub fn record(&mut self, f: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        self.record.clear();
        f(&mut self.record);
        let mut buffer = pending();
        buffer.extend_from_slice(&self.record);
        if buffer.len() >= BUFFER { write_out(&mut buffer) } else { Ok(()) }
    }

    /// Writes out what is queued.
    ///
    /// # Errors
    /// As for [`Output::record`].
    pub fn flush(&mut self) -> io::Result<()> {
        write_out(&mut pending())
    }
}

/// How long a signal waits for a write that is going on: its reader may never read again.
const PATIENCE: Duration = Duration::from_millis(500);

/// On SIGINT, SIGTERM and SIGHUP: what is complete is written, the rest is not begun. The
/// exit code is that by which a shell tells of the signal, 128 and its number.
pub fn stop_cleanly_on_signals() {
    // Failing to install a handler leaves the default one: the program still ends.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    let wait = move || {
        let signal = signals.forever().next().unwrap_or(SIGINT);
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if let Ok(mut buffer) = PENDING.try_lock() {
                let _ = write_out(&mut buffer);
                std::process::exit(128 + signal);
            }
            std::thread::sleep(PATIENCE / 100);
        }
        std::process::exit(128 + signal);
    };
    // Without the thread (there is no memory for it) a signal is not heard: the work is done.
    let _ = std::thread::Builder::new().spawn(wait);
}
