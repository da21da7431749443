//! The reorder buffer: outputs reach the sink in the order of their chunks, whichever thread
//! finishes first. Outputs that are early wait in memory, up to a limit of bytes. One thread at a time hands them over,
//! and no other waits for it.

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
    /// `None` while a thread delivers outputs.
    sink: Option<&'a mut (dyn Sink<T> + 'a)>,
    /// Number of the output that the sink takes next.
    next: u64,
    /// Early outputs with their weights, by number.
    waiting: BTreeMap<u64, (usize, T)>,
    /// Sum of their weights, including the output being delivered.
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
            sink: Some(sink),
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
        // A thread that panics in the sink keeps it, and stops the buffer.
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
        let state = self.drain(state);
        if state.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Delivers all outputs that are next in order, unless another thread is doing so: it then delivers these as well.
    fn drain<'s>(&'s self, mut state: MutexGuard<'s, State<'a, T>>) -> MutexGuard<'s, State<'a, T>> {
        let Some(sink) = state.sink.take() else { return state };
        while let Some((weight, output)) = state.take_next() {
            let taken = if state.stopped {
                Ok(ControlFlow::Break(()))
            } else {
                drop(state);
                let taken = sink.take(output);
                state = self.lock();
                taken
            };
            state.waiting_bytes -= weight;
            match taken {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => state.stopped = true,
                Err(error) => state.fail(error),
            }
            if state.blocked > 0 {
                self.changed.notify_all();
            }
        }
        state.sink = Some(sink);
        state.flush_if_due();
        state
    }

    /// Before the source blocks after `count` chunks: flush the sink as soon as it has received their outputs.
    pub fn flush_after(&self, count: u64) {
        let mut state = self.lock();
        state.flush_at = Some(count);
        state.flush_if_due();
    }

    /// The source has stopped blocking.
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
            None => state.sink.map_or(Ok(()), |sink| sink.finish()),
        }
    }
}

impl<T> State<'_, T> {
    fn take_next(&mut self) -> Option<(usize, T)> {
        let output = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(output)
    }

    fn flush_if_due(&mut self) {
        if self.flush_at == Some(self.next)
            && !self.stopped
            && let Some(sink) = &mut self.sink
            && let Err(error) = sink.flush()
        {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.stopped = true;
        self.error.get_or_insert(error);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use super::*;

    /// A sink that waits for a message before it takes its first output.
    struct Slow {
        go_on: Receiver<()>,
        taken: Vec<u64>,
    }

    impl Sink<u64> for Slow {
        fn take(&mut self, output: u64) -> Result<ControlFlow<()>> {
            if self.taken.is_empty() {
                self.go_on.recv_timeout(Duration::from_secs(60))?;
            }
            self.taken.push(output);
            Ok(ControlFlow::Continue(()))
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }

        fn finish(&mut self) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn nobody_waits_while_another_hands_an_output_over() {
        let (send, go_on) = mpsc::channel();
        let mut sink = Slow { go_on, taken: Vec::new() };
        let buffer = ReorderBuffer::new(&mut sink);
        std::thread::scope(|scope| {
            let first = scope.spawn(|| buffer.put(0, 1, 0));
            // The first thread delivers this thread's outputs too.
            while buffer.lock().sink.is_some() {
                std::thread::yield_now();
            }
            assert!(buffer.put(2, 1, 2).is_continue() && buffer.put(1, 1, 1).is_continue());
            send.send(()).unwrap();
            assert!(first.join().unwrap().is_continue());
        });
        buffer.finish().unwrap();
        assert_eq!(sink.taken, [0, 1, 2]);
    }
}
