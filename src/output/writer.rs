//! Standard output in whole records: a signal or a closed pipe never leaves half a line.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// On SIGINT, SIGTERM and SIGHUP: what is complete is written, the rest is not begun.
pub fn stop_cleanly_on_signals() {
    // 128 + SIGINT, what a shell reports for a program that the signal ended.
    const INTERRUPTED: i32 = 130;
    let stop = || {
        let mut buffer = pending();
        let _ = write_out(&mut buffer);
        std::process::exit(INTERRUPTED);
    };
    // Failing to install a handler leaves the default one: the program still ends.
    let _ = ctrlc::set_handler(stop);
}
