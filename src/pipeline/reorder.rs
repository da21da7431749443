//! The reorder buffer: outputs reach the sink in the order of their chunks, whichever thread
//! finishes first. Outputs that are early wait in memory, up to a limit of bytes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::Result;

use super::steps::Sink;

/// Bytes of outputs that may wait for earlier ones.
const MAX_WAITING_BYTES: usize = 16 << 20;

/// Puts outputs in order and hands them to a [`Sink`].
pub struct ReorderBuffer<'a, T> {
    state: Mutex<State<'a, T>>,
    changed: Condvar,
}

struct State<'a, T> {
    sink: &'a mut (dyn Sink<T> + 'a),
    /// Number of the output that the sink takes next.
    next: u64,
    /// Early outputs with their weights, by number.
    waiting: BTreeMap<u64, (usize, T)>,
    /// Sum of the weights in `waiting`.
    waiting_bytes: usize,
    /// Threads that wait to add an output.
    blocked: usize,
    /// The sink takes no more.
    stopped: bool,
    /// While the source waits: how many outputs precede the wait. When the sink has taken them
    /// all, it is flushed.
    flush_at: Option<u64>,
    error: Option<anyhow::Error>,
}

impl<'a, T> ReorderBuffer<'a, T> {
    pub fn new(sink: &'a mut (dyn Sink<T> + 'a)) -> Self {
        let state = State {
            sink,
            next: 0,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            blocked: 0,
            stopped: false,
            flush_at: None,
            error: None,
        };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, T>> {
        // A thread that panics stops the buffer first, so the sink takes nothing after that.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds output `number` of `weight` bytes. Blocks while too many bytes wait, unless the sink
    /// waits for this output. `Break` means that the sink takes no more.
    pub fn put(&self, number: u64, weight: usize, output: T) -> ControlFlow<()> {
        let mut state = self.lock();
        while state.next != number && state.waiting_bytes + weight > MAX_WAITING_BYTES && !state.stopped {
            state.blocked += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.blocked -= 1;
        }
        state.waiting.insert(number, (weight, output));
        state.waiting_bytes += weight;
        state.drain();
        if state.blocked > 0 {
            self.changed.notify_all();
        }
        if state.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The source is about to wait behind its first `count` chunks: flush the sink as soon as it
    /// has taken their outputs.
    pub fn flush_after(&self, count: u64) {
        let mut state = self.lock();
        state.flush_at = Some(count);
        state.flush_if_due();
    }

    /// The source goes on.
    pub fn resume(&self) {
        self.lock().flush_at = None;
    }

    /// The sink takes no more outputs.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Finishes the sink.
    ///
    /// # Errors
    /// The first error of the sink.
    pub fn finish(self) -> Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.error {
            Some(error) => Err(error),
            None => state.sink.finish(),
        }
    }
}

impl<T> State<'_, T> {
    /// Hands over all outputs that are next in order.
    fn drain(&mut self) {
        while let Some((weight, output)) = self.waiting.remove(&self.next) {
            self.waiting_bytes -= weight;
            self.next += 1;
            if self.stopped {
                continue;
            }
            match self.sink.take(output) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => self.stopped = true,
                Err(error) => self.fail(error),
            }
        }
        self.flush_if_due();
    }

    fn flush_if_due(&mut self) {
        if self.flush_at == Some(self.next)
            && !self.stopped
            && let Err(error) = self.sink.flush()
        {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.stopped = true;
        self.error.get_or_insert(error);
    }
}
