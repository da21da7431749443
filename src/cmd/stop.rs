//! Signals that end only the reading. The command still writes the output for the input that it has read.

#[cfg(unix)]
use std::sync::Arc;

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGTERM};

#[cfg(unix)]
use crate::run::input::StopSignal;

/// Ends the reading after a signal. The default value handles no signals, so a signal ends the
/// program.
#[derive(Default)]
pub struct Stop {
    #[cfg(unix)]
    pub signal: Option<Arc<StopSignal>>,
}

#[cfg(unix)]
impl Stop {
    /// Installs signal handlers. The first SIGINT or SIGTERM ends the reading. The second one ends the program.
    pub fn on_signals() -> Self {
        // `StopSignal` needs a pipe. If the pipe cannot be created, signals end the program.
        let signal = StopSignal::new().ok().map(Arc::new);
        if let Some(stop) = signal.clone() {
            crate::run::report::handle_signals(move |number| number != SIGHUP && stop.set(number));
        }
        Self { signal }
    }

    /// Returns the signal that ended the reading, if any.
    pub fn signal(&self) -> Option<i32> {
        self.signal.as_ref().and_then(|signal| signal.signal())
    }

    /// Ends the reading.
    pub fn stop(&self) {
        if let Some(signal) = &self.signal {
            signal.set(SIGTERM);
        }
    }
}

#[cfg(not(unix))]
impl Stop {
    pub fn on_signals() -> Self {
        Self {}
    }

    pub fn signal(&self) -> Option<i32> {
        None
    }

    pub fn stop(&self) {}
}
